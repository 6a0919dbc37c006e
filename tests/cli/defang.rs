//! `--defang`: no format prints what can be clicked, and what is not clickable stays as it is.

use crate::support::{Dir, pipe};

/// Every match has this host, in every way that one stands in a text.
const HOST: &str = "evil.example.com";
const TEXT: &str = "\
http://evil.example.com/a.b https://u:p@cdn.evil.example.com:8080/ ftp://evil.example.com
<http://evil.example.
  com/x>, <http://evil.example.com/x-
  y> \"http:\\/\\/evil.example.com\\/?a=1\" mailto:jo@evil.example.com
http://evil.example.com/\u{e9} https://web.example/2020/http://evil.example.com/ jo@evil.example.com evil.example.com/x
";

#[test]
fn no_format_prints_a_host() {
    let dir = Dir::new();
    dir.file("a.txt", TEXT);
    dir.file("b.html", "<a href='//evil.example.com/x'>http://evil.example.com/</a>");
    let modes: [&[&str]; 16] = [
        &[],
        &["--vimgrep"],
        &["--raw"],
        &["--readable"],
        &["--map-iri"],
        &["--normalize"],
        &["--no-fragment"],
        &["--redact"],
        &["--json"],
        &["--format=csv"],
        &["--format=sarif"],
        &["--template={text}{uri}{iri}{normalized}{readable}{alternative}{host}{uri.path}{query}"],
        &["--unique"],
        &["--unique", "--json"],
        &["--top=99"],
        &["--resolve", "--base=http://evil.example.com/"],
    ];
    for mode in modes {
        let ran = dir.run([&["--defang", "--abbreviated", "--email"], mode].concat());
        assert_eq!(
            (ran.status, ran.out().contains(HOST)),
            (Some(0), false),
            "{mode:?}\n{}",
            ran.out()
        );
        assert!(ran.out().contains("evil[.]example[.]com"), "{mode:?}\n{}", ran.out());
    }
}

#[test]
fn what_is_printed_is_found_again() {
    let plain = pipe(["--abbreviated", "--email"], TEXT);
    let drawn = pipe(["--defang", "--abbreviated", "--email"], TEXT);
    let again = pipe(["--refang"], drawn.out());
    assert_eq!(again.out(), plain.out());
}

/// The way back is exact, also for URIs inside others; schemes have no case (RFC 3986 §3.1).
#[test]
fn what_is_defanged_is_refanged() {
    let schemes = ["http", "https", "ftp", "git+https", "ssh", "coap+tcp"];
    let hosts = ["a.example", "u.v:p@cdn.a.example:8080", "192.0.2.7", "xn--d.example.", "h"];
    let tails = ["", "/", "/b.c", "?q=d.e", "#f.g", "/x_(y).z"];
    let mut lines = String::new();
    let mut add = |uri: &str| lines.extend([uri, "\n"]);
    for scheme in schemes {
        for host in hosts {
            for tail in tails {
                let uri = format!("{scheme}://{host}{tail}");
                add(&uri);
                for outer in [
                    "https://o.example/",
                    "http://o.example/?q=1&u=",
                    "ftp://o.example/x?http://p.example/",
                ] {
                    add(&format!("{outer}{uri}"));
                }
            }
        }
    }
    for scheme in ["mailto", "sip", "sips", "xmpp", "acct", "im", "pres"] {
        add(&format!("{scheme}:jo.b@cdn.evil.example"));
    }
    let drawn = pipe(["replace", "--defang"], &lines);
    assert!(
        !drawn.out().contains("http:")
            && drawn.out().contains("hxxp://o[.]example/?q=1&u=hxxps://")
    );
    pipe(["replace", "--refang"], drawn.out()).is(0, &lines);
    let printed = pipe(["--defang"], &lines);
    pipe(["--refang"], printed.out()).is(0, pipe([] as [&str; 0], &lines).out());
}

#[test]
fn nothing_else_changes() {
    pipe(["--defang"], "urn:isbn:0451450523, tel:110 doi:10.1000/182 file:///a.b")
        .is(0, "urn:isbn:0451450523\ntel:110\ndoi:10.1000/182\nfile:///a.b\n");
    let template = "--template={start} {end} {kind} {scheme} {port} {flags}";
    let text = "see http://u:p@evil.example.com:99999/";
    assert_eq!(pipe([template, "--defang"], text).out(), pipe([template], text).out());
    pipe(["--defang", "--invalid"], "http://{x}.evil.example.com/")
        .is(0, "hxxp://{x}[.]evil[.]example[.]com/: template: contains a placeholder to fill in\n");
}
