//! `urigrep replace`: diffs, changed files, and what is left alone.

use std::fs;

use crate::support::{Dir, pipe};

#[test]
fn standard_input_is_printed_changed() {
    for (args, text, expected) in [
        (
            &["http://old.dev", "https://new.dev"][..],
            "a <http://old.dev/x>, http://old.dev.evil.dev/ (HTTP://OLD.dev)\n",
            "a <https://new.dev/x>, http://old.dev.evil.dev/ (https://new.dev)\n",
        ),
        (&["--set", "host=b.dev"], "x http://a.dev/b?c y", "x http://b.dev/b?c y"),
        (&["--trim", "query=utm_*"], "http://a.dev/?utm_source=x&b=c.", "http://a.dev/?b=c."),
        (&["--normalize"], "see HTTP://A.dev:80/%7Eb/../c!", "see http://a.dev/c!"),
        (&["--defang"], "see https://evil.dev/a.", "see hxxps://evil[.]dev/a."),
        (&["--refang"], "see hxxps://evil[.]dev/a.", "see https://evil.dev/a."),
        (
            &["--unwrap"],
            "https://www.google.com/url?q=http%3A%2F%2Fa.dev%2Fb&sa=D",
            "http://a.dev/b",
        ),
        (
            &["--redact"],
            "joe token=c0ffee1234abcd http://joe:hunter2@a.dev/ http://joe:hunter2/x@a.dev/\n",
            "joe token=REDACTED http://REDACTED@a.dev/ http://REDACTED@a.dev/\n",
        ),
        (
            &["--redact"],
            "<token>c0ffee12</token> curl -u joe:hunter2 --api-key c0ffee1234\n-----BEGIN PRIVATE KEY-----\nMIIE\n\
             -----END PRIVATE KEY-----\n",
            "<token>REDACTED</token> curl -u joe:REDACTED --api-key REDACTED\n-----BEGIN PRIVATE KEY-----\nREDACTED\n\
             -----END PRIVATE KEY-----\n",
        ),
        // What a program fills in stays as it is written, and so do letters.
        (
            &["http://a.dev", "https://b.dev"],
            "f`http://a.dev/${id}` f\"http://a.dev/{id}\" http://a.dev/{v}/ä",
            "f`https://b.dev/${id}` f\"https://b.dev/{id}\" https://b.dev/{v}/ä",
        ),
        (
            &["--host", "a.dev", "--set", "host=b.dev"],
            "url: http://a.dev/{version}/x and http://a.dev/ä",
            "url: http://b.dev/{version}/x and http://b.dev/ä",
        ),
        (
            &["http://a.dev", "http://b.dev/?x=1&y"],
            r#"{"a": "http:\/\/a.dev\/c?d\u0026e"}"#,
            r#"{"a": "http:\/\/b.dev\/?x=1\u0026y\/c?d\u0026e"}"#,
        ),
        // An audit would read this as Markdown; a search reads it as text.
        (
            &["http://a.dev", "http://b.dev"],
            "[x](http://c.dev)\n<a href=\"http://a.dev/?x&amp;y\">",
            "[x](http://c.dev)\n<a href=\"http://b.dev/?x&amp;y\">",
        ),
    ] {
        pipe(["replace"].iter().chain(args), text).is(0, expected);
    }
    pipe(["replace", "http://a.dev", "http://b.dev"], "nothing").is(1, "nothing");
    let ran = pipe(["replace", "http://a.dev", "http://b.dev", "--write"], "http://a.dev/");
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    for (from, to, message) in
        [("http://", "https://", "has no host"), ("http://a.dev/", "", "TO is empty")]
    {
        let ran = pipe(["replace", from, to], "http://a.dev/");
        assert!(ran.status == Some(2) && ran.stderr.contains(message), "{}", ran.stderr);
    }
    let ran = pipe(["replace", "http://a.dev"], "");
    assert!(ran.status == Some(2) && ran.stderr.contains("needs FROM and TO"), "{}", ran.stderr);
}

/// The links would lead to the file that was to be changed.
#[test]
fn a_path_is_not_taken_for_the_new_address() {
    let dir = Dir::new();
    dir.file("a.md", "http://a.dev/x");
    let ran = dir.run(["replace", "http://a.dev", "a.md"]);
    assert_eq!(ran.status, Some(2));
    assert_eq!(ran.stderr, "urigrep: TO is missing before the path `a.md`\n");
    // A reference may become relative, where the paths are named.
    dir.file("b.md", "[x](http://a.dev/x)");
    assert_eq!(dir.run(["replace", "http://a.dev/x", "a.md", "b.md"]).status, Some(0));
}

#[test]
fn files_get_a_diff_that_applies() {
    let dir = Dir::new();
    dir.file("a.md", "1\n2\n3\n4\n[x](http://a.dev/x)\n6\n7\n8\n9\nhttp://a.dev/y");
    dir.file("b.html", "<a href='http://a.dev/?x&amp;y'>x</a>\r\n");
    let ran = dir.run(["replace", "http://a.dev", "https://b.dev", "."]);
    ran.is(
        0,
        "--- a/a.md\n+++ b/a.md\n@@ -2,9 +2,9 @@\n 2\n 3\n 4\n-[x](http://a.dev/x)\n+[x](https://b.dev/x)\n \
         6\n 7\n 8\n 9\n-http://a.dev/y\n\\ No newline at end of file\n+https://b.dev/y\n\\ No newline at end of file\n\
         --- a/b.html\n+++ b/b.html\n@@ -1 +1 @@\n-<a href='http://a.dev/?x&amp;y'>x</a>\r\n\
         +<a href='https://b.dev/?x&amp;y'>x</a>\r\n",
    );
    assert!(fs::read_to_string(dir.join("a.md")).expect("a file").contains("http://a.dev/x"));
    let ran = dir.run(["replace", "-w", "http://a.dev", "https://b.dev", "."]);
    assert_eq!((ran.status, ran.out()), (Some(0), ""));
    assert_eq!(ran.stderr, "urigrep: 3 URIs changed in 2 files\n");
    let html = fs::read_to_string(dir.join("b.html")).expect("a file");
    assert_eq!(html, "<a href='https://b.dev/?x&amp;y'>x</a>\r\n");
    let again = dir.run(["replace", "-w", "http://a.dev", "https://b.dev", "."]);
    assert_eq!(again.status, Some(1));
}

#[test]
fn encodings_and_marks_stay() {
    let dir = Dir::new();
    let wide = |text: &str| -> Vec<u8> {
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
    };
    dir.file("a.txt", wide("see http://a.dev/\u{e9}x\r\n"));
    dir.file("b.txt", "\u{feff}see http://a.dev/x");
    dir.file("c.txt", b"caf\xe9 http://a.dev/x");
    let ran = dir.run(["replace", "-wq", "http://a.dev", "https://b.dev", "."]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let read = |name: &str| fs::read(dir.join(name)).expect("a file");
    assert_eq!(read("a.txt"), wide("see https://b.dev/\u{e9}x\r\n"));
    assert_eq!(read("b.txt"), "\u{feff}see https://b.dev/x".as_bytes());
    assert_eq!(read("c.txt"), b"caf\xe9 https://b.dev/x");
}

/// One unusual file must not make the diffs of the others unusable.
#[test]
fn a_diff_without_what_it_cannot_hold_applies() {
    let dir = Dir::new();
    let wide: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain("http://a.dev/x [y](./a.txt#x)\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    dir.file("a.txt", "http://a.dev/x\n")
        .file("b.txt", &wide)
        .file("c.txt", "caf\u{e9} http://a.dev/y");
    let ran = dir.run(["replace", "http://a.dev", "https://b.dev", "."]);
    let said = "urigrep: ./b.txt: not in the diff, which cannot hold UTF-16 and UTF-32; `-w` changes it, and `--json` shows the changes\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), said));
    assert!(!ran.out().contains("b.txt"), "{}", ran.out());
    dir.git(&["init", "-q"]);
    dir.file("p.diff", &ran.stdout);
    dir.git(&["apply", "p.diff"]);
    assert_eq!(fs::read_to_string(dir.join("a.txt")).expect("a file"), "https://b.dev/x\n");
    assert_eq!(fs::read(dir.join("b.txt")).expect("a file"), wide);
}

#[test]
fn what_cannot_be_changed_is_counted() {
    let dir = Dir::new();
    let mail = "MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\nc2VlIGh0dHA6Ly9hLmRldi94\n";
    dir.file("a.eml", mail);
    let ran = dir.run(["replace", "-w", "http://a.dev", "https://b.dev", "a.eml"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.contains("1 URI not changed: the new URI cannot be written"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read_to_string(dir.join("a.eml")).expect("a file"), mail);
    let ran = dir.run(["replace", "--json", "http://a.dev", "https://b.dev", "a.eml"]);
    let record: serde_json::Value = serde_json::from_str(ran.out()).expect("JSON");
    assert_eq!(
        (&record["from"], &record["refused"]),
        (&"http://a.dev/x".into(), &"encoded".into())
    );
}

/// Programs compare names of namespaces letter by letter.
#[test]
fn names_that_are_no_links_stay() {
    let dir = Dir::new();
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:x='http://www.w3.org/1999/xlink'>\
                   <a x:href=\"http://a.dev/x\"/></svg>\n";
    let page = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\">\
                <html xmlns=\"http://www.w3.org/1999/xhtml\"><p itemtype=\"http://schema.org/Person\">http://a.dev/y</html>\n";
    dir.file("a.svg", picture).file("b.html", page);
    for change in [&["http:", "https:"][..], &["--set", "scheme=https"]] {
        dir.file("a.svg", picture).file("b.html", page);
        let ran = dir.run(["replace", "-w"].iter().chain(change).chain(&["."]));
        let said = "urigrep: 5 names of namespaces, document types, and schemas not changed; `--role metadata` changes them\n\
                    urigrep: 2 URIs changed in 2 files\n";
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), said));
        let read = |name: &str| fs::read_to_string(dir.join(name)).expect("a file");
        assert_eq!(read("a.svg"), picture.replace("http://a.dev", "https://a.dev"));
        assert_eq!(read("b.html"), page.replace("http://a.dev", "https://a.dev"));
    }
    let ran = dir.run(["replace", "--role", "metadata", "http:", "https:", "."]);
    assert_eq!(ran.out().lines().filter(|line| line.starts_with("+<")).count(), 2, "{}", ran.out());
}

#[test]
fn a_host_without_a_scheme_gets_a_hint() {
    let dir = Dir::new();
    dir.file("a.md", "http://old.dev/\n");
    let ran = dir.run(["replace", "old.dev", "new.dev", "."]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("use `--host OLD --set host=NEW`"), "{}", ran.stderr);
}

/// An entity is read where it is used, so no edit of the changed place is to blame: that was an
/// endless loop.
#[test]
fn changed_entities_end() {
    let text = "<!DOCTYPE r [<!ENTITY a \"http://a.dev/x\"><!ENTITY b \"http://b.dev/y\">]>\n\
                <r xmlns:a=\"&a;#\" xmlns=\"&b;#\" xml:base=\"&a;\"><a href=\"&b;/http://a.dev/\">&a;</a></r>\n";
    let dir = Dir::new();
    dir.file("a.xml", text);
    for role in [None, Some("--role=metadata,text,destination,attribute,comment")] {
        let ran = dir.run(["replace"].into_iter().chain(role).chain(["http:", "https:", "."]));
        assert!(ran.status.is_some(), "{}", ran.stderr);
    }
}

/// `//old.dev/c` has a host, but no scheme (RFC 3986 §4.2).
#[test]
fn a_reference_with_a_host_changes_with_it() {
    let dir = Dir::new();
    dir.file("a.html", "<a href='//old.dev:8080/c'>x</a> <a href='//old.dev.example/'>y</a>");
    let search = ["--host", "old.dev", "--port", "8080", "--host-type", "reg-name", "-H", "-n"];
    dir.run(search).is(0, "a.html:1://old.dev:8080/c\n");
    let replace = ["replace", "-qw", "--host", "old.dev", "--set", "host=new.dev", "."];
    assert_eq!(dir.run(replace).status, Some(0));
    let changed = "<a href='//new.dev:8080/c'>x</a> <a href='//old.dev.example/'>y</a>";
    assert_eq!(fs::read_to_string(dir.join("a.html")).expect("a file"), changed);
}

/// A relative reference has parts as a URI has (RFC 3986 §4.2); the others are those of its base
/// (§5.2.2).
#[test]
fn relative_references_change_in_the_parts_that_they_have() {
    let dir = Dir::new();
    let text = "[a](/x?utm_source=n&id=1) [b](y.md?utm_source=n) [c](#top) [d](../é.md?b=2&a=1#s) [e](http://a.dev/?utm_a=1)\n";
    for (args, expected) in [
        (
            &["--trim", "query=utm_*"][..],
            "[a](/x?id=1) [b](y.md) [c](#top) [d](../é.md?b=2&a=1#s) [e](http://a.dev/)\n",
        ),
        (
            &["--trim", "query=utm_*", "--kind", "!reference"],
            "[a](/x?utm_source=n&id=1) [b](y.md?utm_source=n) [c](#top) [d](../é.md?b=2&a=1#s) [e](http://a.dev/)\n",
        ),
        (
            &["--sort-query", "--kind", "reference"],
            "[a](/x?id=1&utm_source=n) [b](y.md?utm_source=n) [c](#top) [d](../é.md?a=1&b=2#s) [e](http://a.dev/?utm_a=1)\n",
        ),
        (
            &["--set", "query=", "--set", "host=b.dev", "--default-port"],
            "[a](/x) [b](y.md) [c](#top) [d](../é.md#s) [e](http://b.dev:80/)\n",
        ),
        // Path and query of `#top` are those of the base, and an empty destination is no link.
        (
            &[
                "--set",
                "path=/z",
                "--set",
                "query=q",
                "--set",
                "fragment=",
                "--set",
                "scheme=https",
            ],
            "[a](/z?q) [b](/z?q) [c](#top) [d](/z?q) [e](https://a.dev/z?q)\n",
        ),
    ] {
        dir.file("a.md", text);
        let ran = dir.run(["replace", "-wq"].iter().chain(args).chain(&["a.md"]));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        assert_eq!(fs::read_to_string(dir.join("a.md")).expect("a file"), expected, "{args:?}");
    }
}

/// `../` at the start leaves the directory of the base, whatever that is.
#[test]
fn relative_references_get_a_normal_form() {
    let dir = Dir::new();
    let text = "[a](./x/../y.md) [b](../../a/./b/..) [c](x/..) [d](./a:b) [e](%7ejo/ü?a=%2f#%7e) [f](//A.dev/./b)\n";
    dir.file("a.md", text);
    let ran = dir.run(["replace", "-wq", "--normalize", "a.md"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let normal = "[a](y.md) [b](../../a/) [c](./) [d](./a:b) [e](~jo/ü?a=%2F#~) [f](//a.dev/b)\n";
    let changed = fs::read_to_string(dir.join("a.md")).expect("a file");
    // An IRI that changes at both ends is written as the URI that it maps to.
    assert_eq!(changed.replace("%C3%BC", "ü"), normal);
    assert_eq!(dir.run(["replace", "--normalize", "a.md"]).status, Some(1));
}

/// Templates and the like are no URIs, so that nobody knows what they would be. They stay, and are
/// counted.
#[test]
fn rejected_candidates_that_would_change_are_counted() {
    let dir = Dir::new();
    let text = "http://a.dev/x http://a.dev/%s http://a.dev/{{ y }} http://b.dev/%s `http://a.dev/<id>` http://a.devs/%s\n";
    dir.file("a.md", text);
    for change in
        [&["http://a.dev", "https://c.dev"][..], &["--host", "a.dev", "--set", "host=c.dev"]]
    {
        let ran = dir.run(["replace"].iter().chain(change).chain(&["a.md"]));
        let said = "urigrep: 3 rejected candidates not changed, such as templates with `%s`; `urigrep --invalid` lists them\n";
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), said), "{change:?}");
        let ran = dir.run(["replace", "-q"].iter().chain(change).chain(&["a.md"]));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    }
    // Secrets are removed from any text, and nothing else changes.
    let ran = dir.run(["replace", "--redact", "a.md"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    let ran = dir.run(["replace", "--invalid", "http://a.dev", "http://b.dev", "a.md"]);
    let said = "urigrep: --invalid: `urigrep --invalid` lists rejected candidates\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(2), said));
}

/// The flags that a search has, too, say what they do here.
#[test]
fn the_help_is_about_changes() {
    let help = Dir::new().run(["replace", "--help"]);
    assert!(help.out().contains("Change only URIs of these schemes"), "{}", help.out());
    for word in ["Print only", "print only", "\n      --invalid", "--dedupe"] {
        assert!(!help.out().contains(word), "{word}");
    }
}
