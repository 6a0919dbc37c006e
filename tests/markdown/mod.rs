//! Documents: what their readers make of the labelled texts of `corpus/documents/*.toml`, and what
//! holds for every text.
//!
//! A file of vectors has the name of its format. A `[[document]]` has a `name`, the `rule` that it
//! shows, its `text`, and all `parts` in order, each `[role, element, text]`, with a fourth string
//! where the source is not the text; an element may have its attribute, `link title`. Where a part
//! stands follows from their order: its source is looked for after the part before it. `marks`, the
//! `places` of all parts, the `labels` that parts have, and the labels that a search shows of all
//! links (`searched`) are given only where the document is about them. A package has `members` in
//! place of a text, each `[name, text]`, with `"utf-16"` behind it if the text is in that encoding.
//! `reads_values` means that values of data are read in their markup, as with `--embedded`.
//! Another binary document has `hex`: bytes in hexadecimal, and `*N` for that many zeros.

mod independent;
mod labels;
mod parts;
mod properties;

use std::fs;
use std::path::Path;

use parts::{Given, read, read_values};
use serde::Deserialize;
use urigrep::document::{FORMATS, Format};

use crate::pack::{Zipped, zip};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: String,
    rule: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    members: Vec<Vec<String>>,
    #[serde(default)]
    hex: String,
    #[serde(default)]
    reads_values: bool,
    parts: Vec<Vec<String>>,
    marks: Option<Vec<String>>,
    places: Option<Vec<String>>,
    labels: Option<Vec<String>>,
    searched: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct File {
    document: Vec<Document>,
}

impl Document {
    /// What is wrong with what the reader gives.
    fn check(&self, format: Format) -> Option<String> {
        let bytes = match self.members.as_slice() {
            [] if !self.hex.is_empty() => of_hex(&self.hex),
            [] => self.text.clone().into_bytes(),
            members => package(members),
        };
        let given = if self.reads_values { read_values } else { read }(format, &bytes);
        let parts: Vec<Vec<String>> = given.iter().map(Given::label).collect();
        let (mut last, mut at) = (0, 0);
        let is_copied = |part: &Given| {
            part.source.len() != part.text.len() || bytes[part.source.range()] == *part.text
        };
        let placed = given.iter().filter(|part| part.stream.is_none()).all(|part| {
            if !self.hex.is_empty() {
                return is_copied(part);
            }
            let source = &self.text[part.source.range()];
            let found = self.text[at..].find(source).map(|found| at + found);
            // A link may be inside the text that it belongs to, and cells may be beside each other.
            let is_inside = part.source.start() >= last && part.source.start() <= at;
            last = part.source.start();
            at = at.max(part.source.end());
            found == Some(part.source.start()) || is_inside
        });
        let marks = parts::marks(format, &bytes);
        let places: Vec<String> = given.iter().map(|part| part.place.clone()).collect();
        let labels = given.iter().map(|part| part.link_text.clone());
        let labels: Vec<String> = labels.filter(|label| !label.is_empty()).collect();
        let searched = labels::of_search(format, &bytes);
        let is = |known: &Option<Vec<String>>, found: &Vec<String>| {
            known.as_ref().is_none_or(|known| known == found)
        };
        let named = is(&self.marks, &marks) && is(&self.places, &places);
        let named = named && is(&self.labels, &labels) && is(&self.searched, &searched);
        (parts != self.parts || !placed || !named).then(|| {
            let placed = if placed { "" } else { ", out of place" };
            format!(
                "{} ({}): {parts:#?}{placed}, marks {marks:#?}, places {places:#?}, \
                 labels {labels:#?}, searched {searched:?}",
                self.name, self.rule
            )
        })
    }
}

/// The bytes of hexadecimal lines.
fn of_hex(lines: &str) -> Vec<u8> {
    let line = |line: &str| match line.strip_prefix('*') {
        Some(zeros) => vec![0; zeros.parse().expect("a number")],
        None => {
            let digits = line.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
            digits.map(|pair| u8::from_str_radix(pair, 16).expect("two digits")).collect()
        }
    };
    lines.lines().flat_map(line).collect()
}

fn package(members: &[Vec<String>]) -> Vec<u8> {
    let encoded = |member: &Vec<String>| match member.as_slice() {
        [name, text] => (name.clone(), text.clone().into_bytes()),
        [name, text, encoding] if encoding == "utf-16" => {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            (name.clone(), units.flat_map(u16::to_le_bytes).collect())
        }
        other => panic!("a member is a name, a text, and perhaps utf-16: {other:?}"),
    };
    let members: Vec<(String, Vec<u8>)> = members.iter().map(encoded).collect();
    zip(members.iter().map(|(name, bytes)| (&**name, &**bytes, Zipped::Deflated)))
}

/// The vectors of a format.
fn corpus_text(format: Format) -> String {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents");
    let path = corpus.join(format.name()).with_extension("toml");
    fs::read_to_string(path).expect("corpus/documents/NAME.toml of the format")
}

#[test]
fn documents_are_read_as_labelled() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    // Messages have parts of their own: tests/mail/vectors.rs reads theirs.
    for &format in FORMATS.iter().filter(|format| !format.is_message()) {
        let file: File = toml::from_str(&corpus_text(format)).expect("a file of documents");
        count += file.document.len();
        let checked = file.document.iter().filter_map(|it| it.check(format));
        wrong.extend(checked);
    }
    assert!(count > 0, "no document");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Editors of Windows write a byte order mark. Links in the first line of a document with one were
/// lost.
#[test]
fn a_byte_order_mark_changes_nothing() {
    for &format in FORMATS.iter().filter(|it| !it.is_message() && !it.is_binary()) {
        let file: File = toml::from_str(&corpus_text(format)).expect("a file of documents");
        for document in file.document.iter().filter(|it| !it.text.is_empty()) {
            let marked = format!("\u{feff}{}", document.text);
            let labels = |text: &str| {
                let given = read(format, text.as_bytes());
                let shift = text.len() - document.text.len();
                let spans = given.iter().map(move |it| it.source.start() - shift);
                spans.zip(given.iter().map(Given::label)).collect::<Vec<_>>()
            };
            assert_eq!(labels(&marked), labels(&document.text), "{}", document.name);
        }
    }
}

/// What can be said of any part, in any document.
fn sound(document: &[u8], parts: &[Given]) -> Result<(), String> {
    let mut at = 0;
    for part in parts {
        if part.source.start() < at || part.source.end() > document.len() {
            return Err(format!("out of order, after {at}: {part:?}"));
        }
        at = part.source.end();
    }
    Ok(())
}
