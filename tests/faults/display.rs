//! What strangers write is shown: on terminals, in tables, and without secrets.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::pack::gzip;
use crate::support::{Dir, on_terminal, pipe};

/// What a terminal obeys, reorders by or hides: C0, DEL, C1, bidi controls, zero width, line and
/// paragraph separators, tags.
const TRICKS: [char; 16] = [
    '\u{1b}',
    '\u{7}',
    '\u{8}',
    '\u{7f}',
    '\u{85}',
    '\u{9b}',
    '\u{ad}',
    '\u{200b}',
    '\u{200f}',
    '\u{2028}',
    '\u{2029}',
    '\u{202e}',
    '\u{2066}',
    '\u{feff}',
    '\u{61c}',
    '\u{e0041}',
];

const PLAIN: [(&str, &str); 1] = [("NO_COLOR", "1")];

#[test]
fn nothing_reaches_a_terminal_that_it_obeys() {
    let dir = Dir::new();
    let tricks: String = TRICKS.into_iter().collect();
    let mut name = b"d/x\n\xff".to_vec();
    name.extend_from_slice(tricks.as_bytes());
    let mut text = String::new();
    for trick in TRICKS {
        text += &format!(
            "http://a.example/{trick}x <http://b.example/\n{trick}c> data:,{trick} urn:x:{trick}\n"
        );
    }
    dir.file(OsStr::from_bytes(&name), &text)
        .file(
            "d/a.md",
            format!(
                "[{tricks}x](mis{tricks}sing.md) [y](http://user:pass{tricks}@h.org/) <{text}>"
            ),
        )
        .file("d/m.gz", &gzip(text.as_bytes())[..60]);
    for args in [
        "d",
        "--raw d",
        "--invalid d",
        "--explain d",
        "-l d",
        "-c d",
        "--vimgrep d",
        "--json d",
        "--format=csv d",
        "--format=tsv d",
        "--format=sarif d",
        "--template='{path} {text} {uri} {line}' d",
        "--unique d",
        "--top=9 d",
        "-z d d/x$(printf '\\033\\342\\200\\256').missing",
        "--no-such$(printf '\\342\\200\\256')flag",
        "audit d",
        "audit --severity note --format csv d",
        "audit --format github d",
        "audit --format checkstyle d",
        "audit --json d",
        "audit --format sarif d",
    ] {
        let Some(out) = on_terminal(&dir, args, &PLAIN) else {
            return;
        };
        assert!(!out.is_empty(), "{args}");
        let is_json = args.contains("json") || args.contains("sarif");
        for trick in TRICKS {
            // JSON has control characters escaped, and others as they are: it is for programs
            if !is_json || trick.is_ascii() {
                assert!(!out.contains(trick), "{args}: {trick:?} in {out:?}");
            }
        }
    }
    let out = on_terminal(&dir, "-c d", &PLAIN).unwrap();
    assert!(out.contains(r"d/x\n\xff\x1b\x07\x08\x7f\u{85}\u{9b}\u{ad}\u{200b}"), "{out:?}");
}

#[test]
fn tables_hold_no_formulas() {
    for (text, option) in [
        ("http://a.example/ =cmd:x +tel:1 -x:y @a:b", "--format=csv"),
        ("tel:+1 mailto:-a@b.example", "--format=csv"),
        ("http://a.example/", "--format=tsv"),
    ] {
        let dir = Dir::new();
        for name in ["=1+1", "+1", "-1", "@x"] {
            dir.file(name, text);
        }
        let ran = dir.run([option, "--sort=path", "."]);
        let named = dir.run([option, "--sort=path", "--", "=1+1", "+1", "-1", "@x"]);
        for cell in ran.out().split([',', '\t', '\n']).chain(named.out().split([',', '\t', '\n'])) {
            let cell = cell.trim_matches('"');
            let is_number = cell.parse::<f64>().is_ok();
            assert!(is_number || !cell.starts_with(['=', '+', '-', '@']), "{option}: {cell:?}");
        }
    }
}

/// The secret stands in every way; no format, stream or diagnostic shows it.
#[test]
fn credentials_are_redacted_everywhere() {
    const SECRET: &str = "hunter2Zq";
    let dir = Dir::new();
    let text = format!(
        "http://joe:{SECRET}@h.org/ <http://h.org/?tok\n  en={SECRET}> [x](/b?token={SECRET}) \
         [y](missing.md?key={SECRET}) http://joe:{SECRET}/x@h.org/ http://joe:{SECRET}@h.org:99999/%zz\n"
    );
    dir.file("a.md", &text)
        .file("b.html", format!("<a href='http://joe:{SECRET}@paypal.example.org/'>http://h.org/</a>\n<a href='/x?sig={SECRET}'>x</a>"))
        .file("c.gz", &gzip(text.repeat(50).as_bytes())[..100]);
    let search = [
        &[][..],
        &["--json"],
        &["--raw"],
        &["--explain"],
        &["--invalid"],
        &["--invalid", "--raw"],
        &["--json", "--explain"],
        &["--format=csv"],
        &["--format=tsv"],
        &["--format=sarif"],
        &["--unique"],
        &["--top=9"],
        &["--normalize"],
        &["--readable"],
        &["--template={uri} {text} {alternative} {query} {userinfo}"],
    ];
    for flags in search {
        let plain = dir.run([&["-z"], flags].concat());
        assert!(plain.out().contains(SECRET), "{flags:?}: {plain:?}");
        let ran = dir.run([&["-z", "--redact"], flags].concat());
        assert!(!ran.out().contains(SECRET), "{flags:?}: {}", ran.out());
        assert!(!ran.stderr.contains(SECRET), "{flags:?}: {}", ran.stderr);
    }
    for format in ["text", "json", "sarif", "github", "checkstyle", "csv"] {
        let args = ["audit", "--severity=note", "--format", format, "."];
        let plain = dir.run(args);
        assert!(plain.out().contains(SECRET), "{format}: {plain:?}");
        let ran = dir.run([&["audit", "--redact"], &args[1..]].concat());
        assert_eq!(ran.status, plain.status, "{format}");
        assert!(!ran.out().contains(SECRET), "{format}: {}", ran.out());
        assert!(!ran.stderr.contains(SECRET), "{format}: {}", ran.stderr);
        let places = |text: &str| text.matches("a.md").count();
        assert_eq!(places(ran.out()), places(plain.out()), "{format}: what is found stays");
    }
}

/// Kept as they are written, and flagged; nothing is made of them that was not there.
#[test]
fn odd_authorities() {
    for (uri, flag) in [
        ("http://a.example:99999/", "port-out-of-range"),
        ("http://[fe80::1%25eth0]/", ""),
        ("http://a.example/%00", "percent-nul"),
        ("http://0x7f.1/", "rare-ip"),
        ("http://2130706433/", "rare-ip"),
        ("http://www.bank.example@evil.example/", "misleading-userinfo"),
        ("http://joe:pw@a.example/", "has-credentials"),
    ] {
        let ran = pipe(["--template={uri}|{flags}"], format!("x {uri} y"));
        let line = ran.out().trim_end();
        match line.split_once('|') {
            Some((found, flags)) => {
                assert_eq!(found, uri);
                assert!(flags.contains(flag), "{uri}: {flags}");
            }
            // RFC 6874, which RFC 3986 does not know
            None => {
                assert!(uri.contains("%25"), "{uri}: {ran:?}");
                let ran = pipe(["--invalid"], format!("x {uri} y"));
                assert!(ran.out().starts_with(uri.trim_end_matches('/')), "{ran:?}");
            }
        }
    }
}
