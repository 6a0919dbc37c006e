//! Every limit of `--limit`: what is over it is told once, and what comes before it is searched.

use super::tree::Tree;
use crate::support::pack::{Zipped, ar_bsd, gzip, tar, tar_gnu, tar_pax, zip};
use crate::support::{Dir, pipe};

#[test]
fn depth() {
    let tree = Tree::new();
    let mut packed = b"http://bad.example/".to_vec();
    for _ in 0..3 {
        packed = gzip(&packed);
    }
    tree.dir.file("m-bad", packed);
    tree.survives(&["-a", "--limit=depth=3"], 0, &[]);
    let said = "urigrep: m-bad: archives are nested more than 2 deep; the inner ones were searched without unpacking";
    tree.survives(&["-a", "--limit=depth=2"], 2, &[said]);
}

#[test]
fn members() {
    let tree = Tree::new();
    let text = |at: u32| format!("http://bad.example/{at}").into_bytes();
    tree.dir.file("m-bad", tar(&[("x", text(1)), ("y", text(2)), ("z", text(3))]));
    let said = "urigrep: m-bad: it has more than 2 members; the rest was not read";
    let ran = tree.survives(&["--limit", "members=2"], 2, &[said]);
    assert_eq!(ran.out().matches("http://bad.example/").count(), 2);
}

/// A document in an archive unpacks to more than its own size.
#[test]
fn what_members_unpack_to() {
    let tree = Tree::new();
    let text = format!(
        "<w:document><w:p><w:r><w:t>http://bad.example/ {}</w:t></w:r></w:p></w:document>",
        "x".repeat(1 << 20)
    );
    let document = zip([("word/document.xml", text.as_bytes(), Zipped::Deflated)]);
    let names = ["1.docx", "2.docx", "3.docx", "4.docx"];
    tree.dir.file("m-bad", zip(names.map(|name| (name, &document[..], Zipped::Stored))));
    let said =
        "urigrep: m-bad!/3.docx: it unpacks to more than 2500000 bytes; the rest was not read";
    let ran = tree.survives(&["--limit=unpacked=2500000"], 2, &[said]);
    assert_eq!(ran.out().matches("http://bad.example/").count(), 3);
}

#[test]
fn mime_depth_and_parts() {
    let tree = Tree::new();
    let message = "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\n\nhttp://bad.example/1\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n\
        http://bad.example/2\n--c--\n--b--\n";
    tree.dir.file("m-bad.eml", message);
    let ran = tree.survives(&[], 0, &[]);
    assert_eq!(ran.out().matches("http://bad.example/").count(), 2);
    for (limit, said) in [
        ("mime-depth=1", "urigrep: m-bad.eml: parts of a message are nested more than 1 deep; *"),
        ("parts=2", "urigrep: m-bad.eml: a message has more than 2 parts; *"),
    ] {
        let ran = tree.survives(&["--limit", limit], 2, &[said]);
        assert_eq!(ran.out().matches("http://bad.example/").count(), 2, "{limit}");
    }
}

#[test]
fn wrapper_and_uri() {
    let text = "<http://a.example/\n  b>";
    pipe([""; 0], text).is(0, "http://a.example/b\n");
    pipe(["--limit=wrapper=10"], text).is(0, "http://a.example/\n");
    // a URI that is too long is no error: it is rejected, which is counted and can be listed
    let ran = pipe(["--max-uri=20", "--invalid"], "http://a.example/long/path");
    assert!(ran.out().contains(": too-long: "), "{ran:?}");
    pipe(["--max-uri=20"], "http://a.example/long/path").is(1, "");
}

#[test]
fn regexp() {
    let large = "(?:a{100}){100}";
    let ran = pipe(["--limit=regexp=64K", "-e", large], "http://a.example/");
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    assert_eq!(
        ran.stderr,
        "urigrep: --regexp: the regex compiles to more than 65536 bytes; --limit regexp=SIZE allows more\n"
    );
    pipe(["-e", large], "http://a.example/").is(1, "");
}

#[test]
fn wrong_limits() {
    for (limit, said) in [
        ("deep=1", "mime-depth"),
        ("depth=x", "whole number"),
        ("depth=99", "at most 64"),
        ("depth=-1", "whole number"),
        ("depth", "a value is missing: depth=VALUE"),
    ] {
        let ran = pipe(["--limit", limit], "");
        assert_eq!(ran.status, Some(2), "{limit}");
        assert!(ran.stderr.contains(said), "{limit}: {}", ran.stderr);
    }
    let help = pipe(["--help"], "");
    for name in ["depth=8", "members=4M", "ratio=1000", "unpacked=", "window=64M", "parts=10000"] {
        assert!(help.out().contains(name), "{name}");
    }
}

/// The most that is printed for a byte of what is unpacked.
const TIMES: usize = 120;

/// Long names, fields and bases, of which one stands beside every match.
#[test]
fn output_is_bounded() {
    let long = "n".repeat(60_000);
    let uris = "http://a.b/ ".repeat(5_000);
    let links = "<a href=x>".repeat(5_000);
    let mail =
        format!("Subject: {long}\nFrom: {long} <a@b.example>\nMessage-ID: <{long}@x>\n\n{uris}");
    let header = format!("From: a@b.example\nDate: x\nX-{long}: {uris}\n\n");
    let element = format!("<{long} {long}='' {long}='{uris}'>");
    let base = format!("<base href='http://a.b/{long}/'>{links}");
    let location = format!(
        "From: a@b.example\nDate: x\nContent-Location: http://a.b/{long}/\nContent-Type: text/html\n\n{links}"
    );
    let dir = Dir::new();
    let member = [(long.as_str(), uris.as_bytes(), Zipped::Deflated)];
    dir.file("a.zip", zip(member))
        .file("a.tar", tar_gnu(&[(long.as_str(), uris.clone().into_bytes())]))
        .file("a.tgz", gzip(&tar_pax(&[(long.as_str(), uris.clone().into_bytes())])))
        .file("a.a", ar_bsd(&[(long.as_str(), uris.clone().into_bytes())]))
        .file("a.eml", mail)
        .file("b.eml", header)
        .file("c.eml", location)
        .file("a.html", element)
        .file("b.html", base);
    for name in ["a.zip", "a.tar", "a.tgz", "a.a", "a.eml", "b.eml", "c.eml", "a.html", "b.html"] {
        for args in [
            &[][..],
            &["--json"],
            &["--resolve", "--json"],
            &["--format=csv"],
            &["--format=sarif"],
            &["--group-by=message"],
            &["-c"],
        ] {
            let ran = dir.run(args.iter().chain(&[name, "-"]));
            assert!(matches!(ran.status, Some(0..=2)), "{name} {args:?}");
            let most = TIMES * (uris.len() + 3 * long.len());
            assert!(ran.stdout.len() < most, "{name} {args:?}: {} bytes", ran.stdout.len());
            assert!(ran.stderr.len() < 10_000, "{name} {args:?}");
        }
    }
    let ran = dir.run(["a.zip"]);
    assert!(ran.out().starts_with("a.zip!/nnn") && ran.out().contains("n…n"));
    let ran = dir.run(["--resolve", "b.html"]);
    assert_eq!(ran.stderr, "urigrep: b.html: a base of more than 4096 bytes was not used\n");
}

/// Manuals on one page, and long changelogs, are read as what they are.
#[test]
fn large_documents_keep_their_links() {
    let dir = Dir::new();
    let filler = format!("{}\n\n", "word ".repeat(20)).repeat(60_000);
    dir.file("a.html", format!("<p>{filler}<a href='?a=1&amp;b=2'>x</a>"));
    let changes = "* [a](b.md)\n".repeat(20_000);
    dir.file("b.md", format!("{changes}{}[last](c.md)\n", &filler[..1 << 20]));
    dir.run(["-c", "--sort=path", "a.html", "b.md"]).is(0, "a.html:1\nb.md:20001\n");
}

/// What is too large for its format is searched as text and said, and an audit of it is no success.
#[test]
fn documents_too_large_for_their_format() {
    let dir = Dir::new();
    let filler = "word word word\n\n".repeat(400_000);
    dir.file("a.adoc", format!("= T\n\nlink:missing.adoc[x] https://a.example/\n\n{filler}"));
    dir.file("b.md", format!("[x](missing.md) https://b.example/\n\n{filler}"));
    let dense = "*a*".repeat(300_000);
    dir.file("c.md", format!("[x](missing.md) https://c.example/\n\n{dense}"));
    for (name, title) in [("a.adoc", "AsciiDoc"), ("b.md", "Markdown"), ("c.md", "Markdown")] {
        let found = dir.run([name]);
        let said = format!("{name}: it is too large to be read as {title}");
        assert!(found.stderr.contains(&said), "{}", found.stderr);
        assert_eq!((found.out().lines().count(), found.status), (1, Some(2)), "{name}");
    }
    for name in ["a.adoc", "b.md"] {
        let audit = dir.run(["audit", name]);
        let said = format!("{name}: not audited: larger than 4 MiB, the limit for");
        assert!(audit.stderr.contains(&said), "{}", audit.stderr);
        assert_eq!(audit.status, Some(2), "{name}");
    }
}
