//! Conformance with Unicode UTS #58: every line of LinkDetectionTest.txt.
//!
//! The file is not part of the crate. It is looked for in `../shared/uts58`, or in the folder
//! that `URIGREP_UTS58` names; without it this test says that it skips.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use urigrep::options::Detection;
use urigrep::{Finder, Kind, Uri};

fn file() -> PathBuf {
    let folder = std::env::var_os("URIGREP_UTS58").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/uts58"),
        PathBuf::from,
    );
    folder.join("LinkDetectionTest.txt")
}

fn finder() -> Finder {
    let hosts = urigrep::options::HostMapping::idna().unwrap_or_default();
    Finder::builder().detection(Detection::Uts58).host_mapping(hosts).build()
}

/// The line with `⸠` and `⸡` around each link.
fn marked(finder: &Finder, line: &str) -> (String, usize) {
    let (mut out, mut last, mut links) = (String::new(), 0, 0);
    for m in finder.find_iter(line.as_bytes()) {
        assert!(Uri::parse(&m.uri()).is_ok(), "{line}");
        let _ = write!(out, "{}\u{2E20}{}\u{2E21}", &line[last..m.start()], &line[m.range()]);
        (last, links) = (m.end(), links + 1);
    }
    out.push_str(&line[last..]);
    (out, links)
}

#[test]
fn link_detection_test_passes_whole() {
    let path = file();
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("SKIPPED: {} is not there; UTS #58 was NOT tested", path.display());
        eprintln!("SKIPPED: {} is not there; UTS #58 was NOT tested", path.display());
        return;
    };
    let finder = finder();
    let (mut lines, mut linked, mut links, mut wrong) = (0, 0, 0, String::new());
    for expected in text.lines() {
        if expected.trim().is_empty() || expected.starts_with('#') {
            continue;
        }
        let line = expected.replace(['\u{2E20}', '\u{2E21}'], "");
        let (got, found) = marked(&finder, &line);
        if got != expected {
            let _ = writeln!(wrong, "expected {expected}\n     got {got}");
        }
        lines += 1;
        linked += usize::from(found > 0);
        links += found;
    }
    println!(
        "UTS #58 LinkDetectionTest: {lines} lines, {linked} of them with links, {links} links"
    );
    assert!(lines > 300, "{} holds hardly any line", path.display());
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn kinds_and_other_schemes() {
    let text = "example.com/a(b) https://a.example jo@example.com mailto:al@example.com \
                http://a.example/\u{e9} http://a.example/x\"y urn:isbn:0451450523 ftp://a.example/";
    let finder = finder();
    let found: Vec<_> =
        finder.find_iter(text.as_bytes()).map(|m| (m.kind(), m.uri().into_owned())).collect();
    let expected = [
        (Kind::Abbreviated, "https://example.com/a(b)"),
        (Kind::Uri, "https://a.example"),
        (Kind::Email, "mailto:jo@example.com"),
        (Kind::Uri, "mailto:al@example.com"),
        (Kind::Iri, "http://a.example/%C3%A9"),
        (Kind::Lax, "http://a.example/x%22y"),
        (Kind::Urn, "urn:isbn:0451450523"),
        (Kind::Uri, "ftp://a.example/"),
    ];
    assert_eq!(found, expected.map(|(kind, uri)| (kind, uri.to_owned())));
}
