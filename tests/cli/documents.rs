//! HTML and Markdown: references, roles, bases, and what is not a document.

use super::json::objects;
use crate::support::{Dir, pipe};

const PAGE: &str = "<!doctype html><base href=\"/docs/\"><a href=\"../x y?a=1&amp;b=2\">see http://b.example/&amp;c.</a>\n\
    <!-- http://c.example/hidden --><script>let u = \"https://d.example/\"</script>\n";
const NOTES: &str =
    "See [a guide](../guide.md#top) and `https://b.example/code`.\n\n[r]: <ref.md>\n";

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("page.html", PAGE);
    dir.file("notes.md", NOTES);
    dir
}

#[test]
fn style_sheets() {
    let dir = Dir::new();
    dir.file(
        "a.css",
        "@import 'b.css';\n/* http://c.example/ */ d { e: url(//f.example/\\67 .png) }\n",
    );
    assert_eq!(dir.run(["a.css"]).out(), "b.css\nhttp://c.example/\n//f.example/g.png\n");
    assert_eq!(dir.run(["--role", "destination", "a.css"]).out(), "b.css\n//f.example/g.png\n");
    assert_eq!(dir.run(["--role", "comment", "a.css"]).out(), "http://c.example/\n");
}

#[test]
fn identifiers_are_found_in_words() {
    let dir = Dir::new();
    dir.file("a.html", "<p title='PMID 12345678'>ISBN 0-306-40615-2</p>\n");
    dir.file("a.css", "/* ISBN 0-306-40615-2 */\n");
    let found = |path| dir.run(["--identifiers", path]).out().to_owned();
    assert_eq!(found("a.html"), "pmid:12345678\nurn:isbn:0306406152\n");
    assert_eq!(found("a.css"), "urn:isbn:0306406152\n");
}

#[test]
fn references_are_found_where_the_format_says_so() {
    let dir = dir();
    assert_eq!(
        dir.run(["page.html"]).out(),
        "/docs/\n../x%20y?a=1&b=2\nhttp://b.example/&c\nhttp://c.example/hidden\nhttps://d.example/\n"
    );
    assert_eq!(
        dir.run(["-n", "notes.md"]).out(),
        "1:../guide.md#top\n1:https://b.example/code\n3:ref.md\n"
    );
    assert_eq!(dir.run(["--raw", "page.html"]).out().lines().nth(1), Some("../x y?a=1&amp;b=2"));
}

#[test]
fn a_generic_in_a_fragment_is_no_placeholder() {
    let dir = Dir::new();
    dir.file(
        "a.md",
        "[a]: ./m.html#impl-B-for-M<K,+V>\n[b]: https://a.example/<your-name>/x\n\n[a] [b]\n",
    );
    assert_eq!(dir.run(["a.md"]).out(), "./m.html#impl-B-for-M%3CK,+V%3E\n");
}

#[test]
fn references_are_resolved() {
    let dir = dir();
    let ran = dir.run(["--resolve", "--base", "http://a.example/q/", "page.html", "-e", "x"]);
    assert!(ran.out().starts_with("http://a.example/docs/\nhttp://a.example/x%20y?a=1&b=2\n"));
    let ran = dir.run(["--resolve", "--role", "destination", "notes.md"]);
    let here = format!("file://{}/", dir.path().parent().unwrap().display());
    assert!(ran.out().starts_with(&here), "{} {here}", ran.out());
    assert!(ran.out().lines().next().unwrap().ends_with("/guide.md#top"));
    let hosts =
        dir.run(["--resolve", "--base", "http://a.example/", "--host", "a.example", "notes.md"]);
    assert_eq!(hosts.out(), "http://a.example/guide.md#top\nhttp://a.example/ref.md\n");
}

#[test]
fn roles_and_kinds() {
    let dir = dir();
    assert_eq!(dir.run(["--role", "code", "notes.md"]).out(), "https://b.example/code\n");
    assert_eq!(dir.run(["--role", "comment", "page.html"]).out(), "http://c.example/hidden\n");
    assert_eq!(dir.run(["--kind", "reference", "notes.md"]).out(), "../guide.md#top\nref.md\n");
    // a bare URI in Markdown is a link, but not in the text of another, nor is a URN one
    dir.file("bare.md", "https://a.example/b [https://c.example](d) urn:isbn:0451450523\n");
    assert_eq!(dir.run(["--role", "destination", "bare.md"]).out(), "https://a.example/b\nd\n");
    assert_eq!(
        dir.run(["--role", "text", "bare.md"]).out(),
        "https://c.example\nurn:isbn:0451450523\n"
    );
    let bare = objects(&dir.run(["--json", "--role", "destination", "bare.md"]));
    assert_eq!(bare[0]["element"], "autolink");
    dir.file("plain.txt", "http://a.example/");
    assert_eq!(dir.run(["--role", "destination", "plain.txt"]).out(), "");
    assert_eq!(dir.run(["--role", "text", "plain.txt"]).out(), "http://a.example/\n");
    let ran = dir.run(["--role", "link", "plain.txt"]);
    assert!(ran.stderr.contains("destination, text"), "{}", ran.stderr);
}

#[test]
fn formats_are_told_by_name_and_by_content_and_may_be_chosen() {
    let dir = dir();
    dir.file("page", PAGE);
    assert_eq!(dir.run(["page"]).out(), dir.run(["page.html"]).out());
    assert_eq!(pipe(["-"], PAGE).out(), dir.run(["page.html"]).out());
    assert_eq!(dir.run(["--markup", "never", "notes.md"]).out(), "https://b.example/code\n");
    dir.file("readme", NOTES);
    assert_eq!(dir.run(["readme"]).out(), "https://b.example/code\n");
    assert_eq!(dir.run(["--markup", "markdown", "readme"]).out(), dir.run(["notes.md"]).out());
}

#[test]
fn spaces_in_targets_cut_no_uri() {
    for (markup, text, uri) in [
        ("org", "[[https://a.example/b c][d]]", "https://a.example/b%20c lax"),
        ("org", "[[file:my file.pdf]]", "file:my%20file.pdf lax"),
        ("dokuwiki", "[[https://a.example/b c|d]]", "https://a.example/b%20c lax"),
        ("typst", "#link(\"https://a.example/b c\")[d]", "https://a.example/b%20c lax"),
        ("latex", "\\href{https://a.example/b c}{d}", "https://a.example/b%20c lax"),
        ("latex", "\\url{https://a.example/b c}", "https://a.example/bc uri"),
        ("asciidoc", "link:++https://a.example/b c++[d]", "https://a.example/b%20c lax"),
        // The value of an attribute may be a macro and a sentence.
        ("asciidoc", ":s: https://a.example/b[c] is fast\n\n{s}", "https://a.example/b uri"),
    ] {
        let options = ["--markup", markup, "--role", "destination", "--template", "{uri} {kind}"];
        pipe(options, text).is(0, &format!("{uri}\n"));
    }
}

#[test]
fn values_of_data_are_read_in_their_markup_on_request() {
    let json = r#"{"body": "<p><a href=\"https://a.example/?b=1&amp;c=2\">d</a> <a href='e'>"}"#;
    pipe(["--markup", "json"], json).is(0, "https://a.example/?b=1&amp;c=2\n");
    let template = ["--embedded", "--markup", "json", "--template", "{uri} {place} {role}"];
    let found = "https://a.example/?b=1&c=2 /body destination\ne /body destination\n";
    pipe(template, json).is(0, found);
    // A value of a value is text, so that no input makes a reader recurse.
    pipe(
        ["--embedded", "--markup", "json"],
        r#"{"a": "<script type='application/json'>{\"b\": 1}</script>"}"#,
    )
    .is(1, "");
    let csv = "id,body\n1,\"<a href=\"\"https://a.example/?b=1&amp;c=2\"\">\"\n";
    pipe(["--embedded", "--markup", "csv"], csv).is(0, "https://a.example/?b=1&c=2\n");
}

#[test]
fn notebooks_are_told_by_their_first_cell() {
    let notebook = r#"{"cells":[{"cell_type":"markdown","source":["[a](b.md)"]}],"nbformat":4}"#;
    pipe(["--template", "{format} {uri}", "--role", "destination"], notebook)
        .is(0, "notebook b.md\n");
}

#[test]
fn cells_and_outputs_of_notebooks_are_selected() {
    let dir = Dir::new();
    let cells = [
        r#"{"cell_type": "markdown", "source": "https://a.example/"}"#,
        r#"{"cell_type": "code", "source": "https://b.example/", "outputs": [{"text": "https://c.example/"}]}"#,
    ];
    dir.file("a.ipynb", format!(r#"{{"cells": [{}], "nbformat": 4}}"#, cells.join(", ")));
    let found = |flag, value| dir.run([flag, value, "a.ipynb"]).out().to_owned();
    assert_eq!(found("--at", "cell 2"), "https://b.example/\nhttps://c.example/\n");
    assert_eq!(found("--at", "!cell 2"), "https://a.example/\n");
    assert_eq!(found("--element", "output"), "https://c.example/\n");
    assert_eq!(found("--element", "!output"), "https://a.example/\nhttps://b.example/\n");
}

#[test]
fn sources_are_known_by_name() {
    let dir = Dir::new();
    let text = "# https://a.example/\nall:\n\tcurl https://b.example/#c\n";
    for name in ["Makefile", "Dockerfile.dev", "Gemfile", "BUILD.bazel", "CMakeLists.txt"] {
        dir.file(name, text);
        assert_eq!(dir.run(["--role", "comment", name]).out(), "https://a.example/\n", "{name}");
    }
    dir.file("build", text);
    assert_eq!(dir.run(["--role", "comment", "build"]).out(), "");
}

#[test]
fn objects_say_where_and_what() {
    let dir = dir();
    let found = objects(&dir.run(["--json", "page.html"]));
    let reference = &found[1];
    assert_eq!(reference["kind"], "reference");
    assert_eq!(reference["uri"], "../x%20y?a=1&b=2");
    assert_eq!(reference["text"], "../x y?a=1&b=2");
    assert_eq!(reference["role"], "destination");
    assert_eq!((&reference["element"], &reference["attribute"]), (&"a".into(), &"href".into()));
    assert_eq!(reference["wrapper"], "quote");
    assert_eq!(reference["flags"], serde_json::json!(["decoded"]));
    assert!(reference.get("scheme").is_none());
    let (start, end) = (reference["start"].as_u64().unwrap(), reference["end"].as_u64().unwrap());
    assert_eq!(&PAGE[start as usize..end as usize], "../x y?a=1&amp;b=2");
    assert_eq!(
        (reference["line"].as_u64(), reference["column"].as_u64()),
        (Some(1), Some(start + 1))
    );
    let comment = &found[3];
    assert_eq!((&comment["role"], &comment["line"]), (&"comment".into(), &2.into()));
}

#[test]
fn the_same_in_utf_16() {
    let dir = dir();
    let wide: Vec<u8> =
        std::iter::once(0xfeff).chain(PAGE.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    dir.file("wide.html", &wide);
    assert_eq!(dir.run(["-n", "wide.html"]).out(), dir.run(["-n", "page.html"]).out());
    let found = objects(&dir.run(["--json", "wide.html"]));
    let (start, end) = (found[1]["start"].as_u64().unwrap(), found[1]["end"].as_u64().unwrap());
    let units: Vec<u16> = wide[start as usize..end as usize]
        .chunks(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    assert_eq!(String::from_utf16(&units).unwrap(), "../x y?a=1&amp;b=2");
}

#[test]
fn what_is_too_large_to_be_a_document_is_text() {
    let dir = Dir::new();
    let mut page = PAGE.to_owned();
    page.push_str(&"<p>text</p>\n".repeat(1_100_000));
    dir.file("large.html", &page);
    let found = dir.run(["large.html"]);
    assert_eq!(
        (found.out(), found.status),
        ("http://b.example/&amp;c\nhttp://c.example/hidden\nhttps://d.example/\n", Some(2))
    );
    assert!(found.stderr.contains("it is too large to be read as HTML"), "{}", found.stderr);
}

#[test]
fn unique_and_top_take_references() {
    let dir = Dir::new();
    dir.file("a.md", "[x](b.md) [y](b.md) [z](http://a.example/)\n");
    assert_eq!(dir.run(["--unique", "a.md"]).out(), "b.md\nhttp://a.example/\n");
    assert_eq!(dir.run(["--top", "1", "a.md"]).out(), "2 b.md\n");
    assert_eq!(
        dir.run(["--top", "1", "--resolve", "--base", "http://h.example/", "a.md"]).out(),
        "2 http://h.example/b.md\n"
    );
}

#[test]
fn folded_lines_are_unfolded() {
    let dir = Dir::new();
    let text = "BEGIN:VCALENDAR\r\nURL:https://a.example/some/p\r\n lace/x\r\nDESCRIPTION:at http\\://b.exam\r\n\tple/y\\nnow\r\nEND:VCALENDAR\r\n";
    dir.file("a.ics", text);
    dir.file("b.txt", text);
    for name in ["a.ics", "b.txt"] {
        let found = objects(&dir.run(["--json", name]));
        let spans: Vec<&str> = found
            .iter()
            .filter(|found| found["uri"].is_string())
            .map(|found| {
                let at = |key: &str| found[key].as_u64().unwrap() as usize;
                &text[at("start")..at("end")]
            })
            .collect();
        assert_eq!(
            spans,
            ["https://a.example/some/p\r\n lace/x", "http\\://b.exam\r\n\tple/y"],
            "{name}"
        );
        assert_eq!(
            dir.run([name]).out(),
            "https://a.example/some/place/x\nhttp://b.example/y\n",
            "{name}"
        );
    }
    let plain = objects(&dir.run(["--json", "--markup", "never", "a.ics"]));
    assert_eq!(plain[0]["uri"], "https://a.example/some/p");
}

#[test]
fn fields_of_csv_end_a_uri() {
    let dir = Dir::new();
    dir.file("a.csv", "jo,http://a.example/x,7\nal,\"http://b.example/y,z\",8\n");
    dir.file("b.csv", "jo;http://c.example/x;7\nal;http://d.example/y,z;8\n");
    let out = "http://a.example/x\nhttp://b.example/y,z\n";
    assert_eq!(dir.run(["a.csv"]).out(), out);
    assert_eq!(dir.run(["b.csv"]).out(), "http://c.example/x\nhttp://d.example/y,z\n");
    let plain = dir.run(["--markup", "never", "a.csv"]);
    assert_eq!(plain.out(), "http://a.example/x,7\nhttp://b.example/y,z\n");
}

/// WHATWG URL §4.4: tabs do not count, and a backslash is a slash.
#[test]
fn hrefs_are_read_as_by_browsers() {
    let dir = Dir::new();
    dir.file(
        "a.html",
        "<a href='http://ex\tample.dev/'>a</a>\n<a href='http:\\\\b.dev\\c?d'>b</a>\n<a href='C:\\d'>c</a>",
    );
    dir.run(["--template={line}:{uri} {text}", "--kind=!reference", "a.html"])
        .is(0, "1:http://example.dev/ http://example.dev/\n2:http://b.dev/c?d http://b.dev/c?d\n");
    // To an audit, it is a fault of the author.
    let ran = dir.run(["audit", "a.html"]);
    assert!(
        ran.out().contains("a.html:1:10\n") && ran.out().contains("a.html:2:10\n"),
        "{}",
        ran.out()
    );
}

/// The reader is there, but it was turned off.
#[test]
fn a_document_without_text_says_that_markup_never_is_why() {
    let dir = Dir::new();
    dir.file("x.sqlite", [b"SQLite format 3\0", &[1; 100][..], b" http://a.example/ "].concat());
    dir.file("x.pdf", "%PDF-1.7\nhttp://a.example/\n");
    for name in ["x.sqlite", "x.pdf"] {
        if cfg!(not(feature = "pdf")) && name == "x.pdf" {
            continue;
        }
        let ran = dir.run(["--markup", "never", name]);
        assert!(ran.stderr.contains("is not read with `--markup never`"), "{name}: {ran:?}");
        assert!(!dir.run([name]).stderr.contains("--markup"), "{name}");
    }
}
