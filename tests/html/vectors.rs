//! Runs `corpus/html/parts.toml`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use urigrep::document::{Content, Format};

use super::support::{Keep, Kept, read, read_as};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    document: Vec<Document>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: String,
    rule: String,
    #[serde(default)]
    html: String,
    /// A style sheet instead.
    #[serde(default)]
    css: String,
    /// One line a part: role, content, owner, text; then its source if that is not the text.
    parts: Vec<Vec<String>>,
    marks: Option<Vec<String>>,
}

fn row(part: &Kept, html: &str) -> Vec<String> {
    let content = match part.content {
        Content::Reference => "reference",
        Content::Value => "value",
        Content::Autolinks => "autolinks",
        _ => "text",
    };
    let owner = match (&part.element, &part.attribute) {
        (None, _) => String::new(),
        (Some(element), None) => element.clone(),
        (Some(element), Some(attribute)) => format!("{element} {attribute}"),
    };
    let text = String::from_utf8_lossy(&part.text).into_owned();
    let source = &html[part.span.range()];
    let mut row = vec![part.role.name().into(), content.into(), owner, text.clone()];
    if source != text {
        row.push(source.into());
    }
    row
}

#[test]
fn documents_give_what_is_labelled() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/html/parts.toml");
    let text = fs::read_to_string(&path).expect("a readable corpus file");
    let corpus: Corpus = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut report = String::new();
    for case in &corpus.document {
        let (format, text) = match case.css.as_str() {
            "" => (Format::HTML, &case.html),
            _ => (Format::CSS, &case.css),
        };
        let got = read_as(format, text.as_bytes(), Keep::Parts);
        let rows: Vec<_> = got.parts.iter().map(|part| row(part, text)).collect();
        let marks = case.marks.as_ref();
        if rows != case.parts || marks.is_some_and(|marks| *marks != got.marks) {
            let _ = writeln!(report, "{} ({})\n  html {}", case.name, case.rule, text);
            for row in &rows {
                let _ = writeln!(report, "  got {row:?},");
            }
            let _ = writeln!(report, "  marks = {:?}", got.marks);
        }
    }
    assert!(!corpus.document.is_empty(), "the corpus holds no document");
    assert!(report.is_empty(), "not as labelled:\n{report}");
    println!("{} documents", corpus.document.len());
}

/// Also those that need no semicolon.
#[test]
fn every_named_reference_is_decoded() {
    let list = include_str!("../../src/registry/data/references.txt");
    let legacy = include_str!("../../src/registry/data/legacy_references.txt");
    for record in list.lines().filter(|line| !line.starts_with('#')) {
        let (name, codes) = record.split_once(' ').expect("a name");
        let code = |code| char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
        let expected: String = codes.split(' ').map(code).collect();
        let decoded = |reference: &str| {
            let html = format!("<p title='://{reference}'>");
            String::from_utf8(read(html.as_bytes(), Keep::Parts).parts[0].text.clone()).unwrap()
        };
        assert_eq!(decoded(&format!("&{name};")), format!("://{expected}"));
        if legacy.lines().any(|line| line == name) {
            assert_eq!(decoded(&format!("&{name}")), format!("://{expected}"));
        }
    }
}
