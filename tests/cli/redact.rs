//! `--redact`: no format prints a secret, and what is not secret stays as it is.

use crate::support::{Dir, pipe};

/// The secret is in every match, in every way that one stands in a text.
const SECRET: &str = "hunter2Zq";
const TEXT: &str = "\
http://joe:hunter2Zq@a.example/ http://a.example/?x=1&API_key=hunter2Zq#top
<http://a.example/?tok
  en=hunter2Zq>, <http://a.example/?pass-
  word=hunter2Zq> \"http:\\/\\/a.example\\/?a=1\\u0026key=hunter2Zq\"
http://\u{e9}.example/?pwd=hunter2Zq https://a.example/cb#access_token=hunter2Zq
http://a.example/?u=http%3A%2F%2Fjoe%3Ahunter2Zq%40b.example%2F
urn:example:a?=token=hunter2Zq http://joe:hunter2Zq/x@a.example/ http://joe:hunter2Zq#x@a.example/
";

#[test]
fn no_format_prints_a_secret() {
    let dir = Dir::new();
    dir.file("a.txt", TEXT);
    dir.file("b.html", format!("<a href='/b?token={SECRET}'>http://joe:{SECRET}@a.example/</a>"));
    let modes: [&[&str]; 18] = [
        &[],
        &["--vimgrep"],
        &["--raw"],
        &["--readable"],
        &["--map-iri"],
        &["--normalize"],
        &["--explain"],
        &["--json"],
        &["--json", "--explain"],
        &["--format=csv"],
        &["--format=tsv"],
        &["--format=sarif"],
        &[
            "--template={text}{uri}{iri}{normalized}{readable}{alternative}{userinfo}{query}{fragment}{q_component}",
        ],
        &["--unique"],
        &["--unique", "--json"],
        &["--top=99"],
        &["--color=always", "--hyperlink-format=vscode"],
        &["--resolve", "--base=http://joe:hunter2Zq@a.example/"],
    ];
    for mode in modes {
        for more in [&[][..], &["--invalid"], &["--embedded"], &["--rejoin=always"]] {
            let exclusive = mode.iter().any(|flag| ["--unique", "--top=99"].contains(flag));
            if exclusive && more == ["--invalid"] {
                continue;
            }
            let plain = dir.run([mode, more].concat());
            assert!(plain.out().contains(SECRET), "{mode:?} {more:?}: {plain:?}");
            let ran = dir.run([&["--redact"], mode, more].concat());
            assert_eq!(ran.status, Some(0), "{mode:?} {more:?}: {}", ran.stderr);
            assert!(ran.out().contains("REDACTED"), "{mode:?} {more:?}");
            assert!(!ran.out().contains(SECRET), "{mode:?} {more:?}: {}", ran.out());
            assert!(!ran.stderr.contains(SECRET), "{mode:?} {more:?}");
        }
    }
}

#[test]
fn places_stay() {
    let place = "--template={start}-{end}:{line}:{column} {host}";
    let plain = pipe([place], TEXT);
    assert_eq!(pipe([place, "--redact"], TEXT).out(), plain.out());
    pipe(["--redact"], "a http://a.example/?b=c. urn:isbn:0451450523")
        .is(0, "http://a.example/?b=c\nurn:isbn:0451450523\n");
    pipe(["--redact", "--template={flags}"], "ftp://joe:pw@a.example/")
        .is(0, "has-credentials redacted\n");
}

/// URIs that differ in secrets only are printed alike, and are one.
#[test]
fn unique_without_secrets() {
    let text = "http://a.example/?sid=1 http://a.example/?sid=2 http://b.example/";
    pipe(["--redact", "--unique"], text)
        .is(0, "http://a.example/?sid=REDACTED\nhttp://b.example/\n");
    pipe(["--redact", "--top=1"], text).is(0, "2 http://a.example/?sid=REDACTED\n");
    // What is selected is what stands there.
    pipe(["--redact", "-e", "sid=2"], text).is(0, "http://a.example/?sid=REDACTED\n");
}

/// Lines, labels, and messages of an audit that hold a secret which is not in a URI.
#[test]
fn words_beside_links() {
    let token = ["gh", "p_hunter2xhunter2xhunter2xhunter2x0123"].concat();
    let dir = Dir::new();
    let text =
        format!("[a][password: hunter2x1] [b][{token}] [c](missing.md) api_key=hunter2x3 \n");
    dir.file("a.md", text);
    for format in ["text", "json", "sarif", "github", "checkstyle", "csv"] {
        let format = format!("--format={format}");
        let args = ["audit", "--severity=note", &format, "a.md"];
        let ran = dir.run([&["audit", "--redact"], &args[1..]].concat());
        let shown = format!("{}{}", ran.out(), ran.stderr);
        assert_eq!(ran.status, dir.run(args).status, "{format}");
        assert!(!shown.contains("hunter2x"), "{format}: {shown}");
    }
}

/// Whole files and standard input, which is read in pieces, hide the same.
#[test]
fn keys_and_lists_are_hidden() {
    let member = "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE";
    for (text, hidden) in [
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOY\n=AbCd\n-----END PGP PRIVATE KEY BLOCK-----\n",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nREDACTED\n-----END PGP PRIVATE KEY BLOCK-----\n",
        ),
        (
            "Private-Lines: 2\nAAAAIL\nxY+/\nPrivate-MAC: 3f1a9c2e5d7b8a60\n",
            "Private-Lines: 2\nREDACTED\nPrivate-MAC: REDACTED\n",
        ),
        (&format!("{{\n \"d\": \"{member}\"\n}}\n"), "{\n \"d\": \"REDACTED\"\n}\n"),
        ("passwords:\n  - Xy7kQ9vT2mL5\n  - b\n", "passwords:\n  - REDACTED\n  - b\n"),
        ("password = \"abc1\" + \"Xy7k\"\n", "password = \"REDACTED\" + \"REDACTED\"\n"),
    ] {
        pipe(["replace", "--redact"], text).is(0, hidden);
        let dir = Dir::new();
        dir.file("a.txt", text).run(["replace", "--redact", "--write", "a.txt"]);
        assert_eq!(std::fs::read_to_string(dir.join("a.txt")).unwrap(), hidden);
    }
}
