//! Selection and recognition flags.

use crate::support::{Dir, pipe};

const TEXT: &str = "http://a.example/x https://b.a.example:8080/ ftp://[::1]/f urn:isbn:0451450523 \
                    urn:ietf:rfc:3986 http://b\u{fc}cher.example/ http://c.example/a[1]b mailto:j@d.example\n";

#[track_caller]
fn takes(args: &[&str], wanted: &[&str]) {
    let ran = pipe(args, TEXT);
    let found: Vec<_> = ran.out().lines().collect();
    assert_eq!(found, wanted, "{args:?}: {}", ran.stderr);
    assert_eq!(ran.status, Some(i32::from(wanted.is_empty())));
}

#[test]
fn by_scheme_and_nid() {
    takes(&["--scheme", "HTTPS,ftp"], &["https://b.a.example:8080/", "ftp://[::1]/f"]);
    takes(
        &["--scheme", "mailto", "--scheme", "https"],
        &["https://b.a.example:8080/", "mailto:j@d.example"],
    );
    takes(&["--nid", "ISBN"], &["urn:isbn:0451450523"]);
    takes(&["--nid", "isbn,ietf"], &["urn:isbn:0451450523", "urn:ietf:rfc:3986"]);
    takes(&["--scheme", "gopher"], &[]);
}

/// Months have names, and days; the help names every value.
#[test]
fn values_of_selections() {
    for date in ["2024-13", "2024-00", "2024-02-30", "2023-02-29", "2024-1", "2024-01-01-01"] {
        let ran = pipe(["--date", date], TEXT);
        assert!(ran.status == Some(2) && ran.stderr.contains("range of dates"), "{date}");
    }
    assert_eq!(pipe(["--date", "2024-02-29..2024-12"], TEXT).status, Some(1));
    let help = pipe(["--help"], "");
    for word in ["`string`", "hostnumber"] {
        assert!(help.out().contains(word), "{word}");
    }
}

/// A dot marks a fully qualified name of the same host.
#[test]
fn by_host_with_a_final_dot() {
    let text = "http://A.example./x http://aa.example./y";
    for flag in ["--host", "--domain"] {
        let ran = pipe([flag, "a.example"], text);
        assert_eq!(ran.out(), "http://A.example./x\n", "{flag}");
    }
}

/// A port is a number, and may start with zeros (RFC 3986 §3.2.3).
#[test]
fn by_port_with_zeros() {
    let text = "http://a.example:080/x http://a.example:8080/y";
    assert_eq!(pipe(["--port", "80"], text).out(), "http://a.example:080/x\n");
    assert_eq!(pipe(["--port", "!80"], text).out(), "http://a.example:8080/y\n");
}

#[test]
fn by_host_and_kind() {
    takes(&["--host", "*.Example", "--scheme", "https"], &["https://b.a.example:8080/"]);
    takes(&["--host", "a.example"], &["http://a.example/x"]);
    takes(&["--host", "none.example,A.example,*.2"], &["http://a.example/x"]);
    takes(&["--host", "{a,z}.example,::1"], &["http://a.example/x", "ftp://[::1]/f"]);
    takes(&["--host", "*.example,!a.*,!b.*,!xn--*"], &["http://c.example/a%5B1%5Db"]);
    takes(&["--host", "::1"], &["ftp://[::1]/f"]);
    takes(&["--host", r"\[::1\]"], &["ftp://[::1]/f"]);
    takes(&["--host", "b\u{fc}cher.*"], &["http://b\u{fc}cher.example/"]);
    takes(
        &["--host", "xn--*", "--host", "a.e*"],
        &["http://a.example/x", "http://b\u{fc}cher.example/"],
    );
    takes(&["--kind", "urn"], &["urn:isbn:0451450523", "urn:ietf:rfc:3986"]);
    takes(&["--kind", "iri,lax"], &["http://b\u{fc}cher.example/", "http://c.example/a%5B1%5Db"]);
}

#[test]
fn by_regexp() {
    takes(&["-e", "RFC:[0-9]+$"], &[]);
    takes(&["-i", "-e", "RFC:[0-9]+$"], &["urn:ietf:rfc:3986"]);
    takes(&["-e", "^ftp", "-e", "isbn"], &["ftp://[::1]/f", "urn:isbn:0451450523"]);
    takes(&["-v", "-e", "http|urn", "-e", "^ftp"], &["mailto:j@d.example"]);
}

#[test]
fn recognition() {
    takes(&["--strict", "--host", "c.example"], &[]);
    takes(&["--ascii", "--kind", "!uri,!urn,!lax"], &[]);
    pipe(["--known-schemes"], "myapp://open http://a.example").is(0, "http://a.example\n");
    pipe([""; 0], "myapp://open").is(0, "myapp://open\n");
    let archived = "https://web.archive.example/2020/http://b.example/";
    pipe(["--embedded"], archived).is(0, &format!("{archived}\nhttp://b.example/\n"));
    pipe(["--rejoin=never"], "<http://a.example/\nb>").is(0, "http://a.example/\n");
    pipe(["--max-uri=20"], "http://a.example/12345 http://a.example/").is(0, "http://a.example/\n");
}

#[test]
fn abbreviated_and_email() {
    const TEXT: &str = "www.a.example.org/x, jo@b.example; main.rs https://c.example\n";
    let takes = |args: &[&str], wanted: &[&str]| {
        let ran = pipe(args, TEXT);
        let found: Vec<_> = ran.out().lines().collect();
        assert_eq!(found, wanted, "{args:?}: {}", ran.stderr);
    };
    let (www, jo, c) = ("https://www.a.example.org/x", "mailto:jo@b.example", "https://c.example");
    takes(&[], &[c]);
    takes(&["--abbreviated"], &[www, c]);
    takes(&["--email"], &[jo, c]);
    takes(&["--abbreviated", "--assume-scheme", "http"], &["http://www.a.example.org/x", c]);
    takes(&["--abbreviated", "--email", "--kind", "email,abbreviated"], &[www, jo]);
    takes(&["--abbreviated", "--raw"], &["www.a.example.org/x", c]);
    let json = pipe(["--email", "--kind", "email", "--json"], TEXT);
    assert!(json.out().contains(
        r#""text":"jo@b.example","uri":"mailto:jo@b.example","scheme":"mailto","kind":"email""#
    ));
    let wrong = pipe(["--assume-scheme", "ftp"], TEXT);
    assert_eq!(wrong.status, Some(2));
}

#[test]
fn uts58() {
    let ran = pipe(["--uts58"], "see foo.com/b(c/d)e. jo@b.com http://c.example\n");
    let found: Vec<_> = ran.out().lines().collect();
    assert_eq!(found, ["https://foo.com/b(c/d", "mailto:jo@b.com", "http://c.example"]);
}

/// A string that holds more than a URI is searched as text.
#[test]
fn strings_of_several_lines() {
    let dir = Dir::new();
    dir.file("a.py", "u = \"\"\"\nhttp://a.example/1\nhttp://a.example/2\n\"\"\".split()\nv = \"http://b.example/?\"\n");
    let ran = dir.run(["--role", "string", "a.py"]);
    assert_eq!(ran.out(), "http://a.example/1\nhttp://a.example/2\nhttp://b.example/?\n");
}

/// The address of a sender counts as well as the whole field (RFC 5322 §3.6.2).
#[test]
fn by_sender() {
    let dir = Dir::new();
    let message = |from: &str| format!("From: {from}\nSubject: s\n\nhttp://a.example/\n");
    dir.file("a.eml", message("Joe <joe@b.example>")).file("c.eml", message("ann@c.example"));
    for (glob, found) in
        [("*@b.example", "a.eml"), ("!*@b.example", "c.eml"), ("Joe*", "a.eml"), ("ann@*", "c.eml")]
    {
        let ran = dir.run(["-l", "--sort", "path", "--from", glob, "."]);
        assert_eq!(ran.out().trim().trim_start_matches("./"), found, "{glob}");
    }
}
