//! `--report FILE`: the page with charts and a table of all matches.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::support::{Dir, command, finish, has, spawn, wait};

fn data(dir: &Dir) -> Value {
    let page = fs::read_to_string(dir.join("report.html")).expect("a page");
    let (_, data) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    serde_json::from_str(data).expect("JSON")
}

fn chart<'d>(data: &'d Value, key: &str) -> &'d Value {
    let charts = data["charts"].as_array().expect("charts");
    charts.iter().find(|chart| chart["key"] == key).expect("a chart")
}

#[test]
fn a_page_beside_any_output() {
    let dir = Dir::new();
    dir.file("a.md", "[x](http://a.dev/x)\n\nhttp://a.dev/x urn:isbn:0451450523 <b>\n");
    dir.file("b/c.txt", "https://jo:pw@b.a.dev:8443/</script> http://A.dev/x");
    let printed = ["-q", "--top=1", "-c", "-l", "--json", "--unique", "--count-by=host", "--stats"];
    for mode in printed {
        let ran = dir.run(["--sort", "path", mode, "--report", "report.html", "."]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{mode}");
        let without = dir.run(["--sort", "path", mode, "-g", "!report.html", "."]);
        if !["--stats", "--json"].contains(&mode) {
            assert_eq!(ran.out(), without.out(), "{mode}");
        }
        let data = data(&dir);
        let hosts = &chart(&data, "host")["items"];
        assert_eq!(hosts.to_string(), r#"[["a.dev",3],["b.a.dev",1]]"#, "{mode}");
        assert_eq!(chart(&data, "domain")["items"].to_string(), r#"[["a.dev",4]]"#);
        assert_eq!(chart(&data, "nid")["items"].to_string(), r#"[["isbn",1]]"#);
        let rows = &data["rows"];
        assert_eq!(
            rows[0].to_string(),
            r#"["http://a.dev/x",2,"./a.md",1,"http","a.dev","a.dev",""]"#
        );
        assert_eq!(rows.as_array().map(Vec::len), Some(4));
    }
    dir.run(["-q", "--redact", "--report", "report.html", "b"]);
    let page = fs::read_to_string(dir.join("report.html")).expect("a page");
    assert!(!page.contains("jo:pw") && page.contains("REDACTED"));
    assert_eq!(page.matches("</script>").count(), 2);
    let ran = dir.run(["--report", "none/report.html", "."]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("none/report.html: "), "{}", ran.stderr);
}

#[test]
fn rows_are_bounded() {
    let dir = Dir::new();
    let mut text = String::new();
    for number in 0..50_000 {
        writeln!(text, "http://h{}.dev/{number} http://often.dev/", number % 100).expect("text");
    }
    dir.file("a.log", &text);
    let ran = dir.run(["-q", "--report", "report.html", "a.log"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let data = data(&dir);
    assert_eq!(data["rows"][0][1], 50_000);
    assert_eq!(data["rows"].as_array().map(Vec::len), Some(20_000));
    assert_eq!(data["left_out"], 30_001);
    let hosts = chart(&data, "host");
    assert_eq!((&hosts["distinct"], &hosts["items"][1][1]), (&101.into(), &500.into()));
    if !has("chromium") {
        return;
    }
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]);
    let page = format!("file://{}", dir.join("report.html").display());
    let ran = finish(spawn(chromium.args(["--dump-dom", &page])));
    assert!(!ran.stderr.contains("CONSOLE"), "{}", ran.stderr);
    let dom = ran.out();
    assert!(dom.contains("30,001 rarer rows") && dom.contains("<code>http://often.dev/</code>"));
}

/// Who reads the matches may go; the page counts all the same.
#[test]
fn a_page_needs_no_reader_of_the_output() {
    let dir = Dir::new();
    dir.file("a.txt", "http://a.dev/\n".repeat(200_000)).file("b.txt", "http://b.dev/\n");
    let mut child =
        spawn(command(["--report", "report.html", "a.txt", "b.txt"]).current_dir(dir.path()));
    drop(child.stdout.take());
    assert_eq!(wait(&mut child).code(), Some(0));
    let hosts = chart(&data(&dir), "host")["items"].to_string();
    assert_eq!(hosts, r#"[["a.dev",200000],["b.dev",1]]"#);
}

/// A pipe is opened once, and its other end is not waited for twice.
#[test]
fn a_page_into_a_pipe() {
    let dir = Dir::new();
    dir.file("a.txt", "http://a.dev/\n");
    let made = Command::new("mkfifo").arg(dir.join("page")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let report = fs::File::create(dir.join("report.html")).expect("a file");
    let mut reader = Command::new("cat").arg(dir.join("page")).stdout(report).spawn().expect("cat");
    assert_eq!(dir.run(["-q", "--report", "page", "a.txt"]).status, Some(0));
    assert!(reader.wait().is_ok_and(|status| status.success()));
    assert_eq!(chart(&data(&dir), "host")["items"].to_string(), r#"[["a.dev",1]]"#);
}

/// `audit --output a.md` is meant as an audit of `a.md`.
#[test]
fn a_report_replaces_no_document() {
    let dir = Dir::new();
    dir.file("a.md", "[x](missing.md)\n");
    let ran = dir.run(["audit", "--output", "a.md", "."]);
    assert!(ran.stderr.contains("a.md: it exists and is not a report"), "{}", ran.stderr);
    assert_eq!(ran.status, Some(2));
    for _ in 0..2 {
        let ran = dir.run(["audit", "--format", "markdown", "--output", "report.md", "a.md"]);
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    }
    dir.run(["audit", "--output", "report.txt", "a.md"]);
    assert_eq!(dir.run(["audit", "--output", "report.txt", "a.md"]).status, Some(1));
}

/// `--report a.md` is meant as a report about `a.md`.
#[test]
fn a_document_is_not_replaced() {
    let dir = Dir::new();
    dir.file("a.md", "http://a.dev/x").file("empty.html", "");
    for args in [&["--report", "a.md"][..], &["audit", "--report", "a.md", "."]] {
        let ran = dir.run(args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.stderr.contains("a.md: it exists and is not a report"), "{}", ran.stderr);
    }
    assert_eq!(fs::read_to_string(dir.join("a.md")).expect("a.md"), "http://a.dev/x");
    for file in ["empty.html", "new.html", "new.html"] {
        assert_eq!(dir.run(["--report", file, "a.md"]).status, Some(0), "{file}");
        assert_eq!(dir.run(["audit", "--report", file, "a.md"]).status, Some(0), "{file}");
    }
}

#[test]
fn reports_for_servers_say_what_was_not_read() {
    let dir = Dir::new();
    dir.file("a.md", "[x](B.md)\n").file("b.md", "");
    let junit = dir.run(["audit", "--format=junit", "a.md"]);
    assert!(junit.out().contains("`B.md`\nhelp: it is named"), "{}", junit.out());
    let junit = dir.run(["audit", "--format=junit", "none.md", "b.md"]);
    assert_eq!(junit.status, Some(2));
    assert!(junit.out().contains("tests=\"1\"") && junit.out().contains("<error "), "{junit:?}");
    let markdown = dir.run(["audit", "--format=markdown", "none.md", "b.md"]);
    assert!(markdown.out().starts_with("### ❌"), "{markdown:?}");
    dir.file("c.md", "[x](d\u{202e}.md)\n");
    let markdown = dir.run(["audit", "--format=markdown", "c.md"]);
    assert!(!markdown.out().contains('\u{202e}'), "{markdown:?}");
}

/// A table keeps data as it is. What people read quotes links without what a terminal would obey.
#[test]
fn messages_in_a_table_are_printable() {
    let dir = Dir::new();
    dir.file("a.md", "[x](<gone%07\u{202e}.md>) [y](B%07.md)\n").file("b\u{7}.md", "");
    let ran = dir.run(["audit", "--format", "csv"]);
    let messages: Vec<_> = ran.out().lines().skip(1).map(|line| line.split(',').skip(8)).collect();
    assert!(!messages.is_empty());
    for cell in messages.into_iter().flatten() {
        assert!(!cell.contains(['\u{7}', '\u{202e}']), "{cell:?}");
    }
}
