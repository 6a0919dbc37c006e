//! Links in the instructions of fields and in formulas: `HYPERLINK "http://a.example/" \l "b"`,
//! `=HYPERLINK("http://a.example/";"the label")`.

use memchr::memmem;

use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// A link in an instruction or a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) struct FieldLink {
    pub destination: Span,
    pub label: Option<Span>,
    pub kind: FieldTarget,
}

/// What the destination of a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum FieldTarget {
    /// A URI, or the path of a file.
    Uri,
    /// The name of a bookmark in the same document.
    Bookmark,
}

const KEYWORD: &[u8] = b"HYPERLINK";

/// Returns the link of the instruction of a field.
pub(in crate::document) fn of_instruction(text: &[u8]) -> Option<FieldLink> {
    let start = find_keyword(text)? + KEYWORD.len();
    let mut at = start + text.clamped(start..).leading(|byte| byte.is_ascii_whitespace());
    let mut kind = FieldTarget::Uri;
    while text.get(at) == Some(&b'\\') {
        let switch = text.clamped(at..);
        let letter = switch.get(1).copied().unwrap_or_default();
        at += 2 + switch.clamped(2..).leading(|byte| byte.is_ascii_whitespace());
        match letter {
            // `\l "b"` without a URI leads to a bookmark of the same document.
            b'l' => kind = FieldTarget::Bookmark,
            b'o' | b't' | b's' => return None,
            _ => {}
        }
    }
    let destination = literal(text, at).or_else(|| word(text, at))?;
    Some(FieldLink { destination, label: None, kind })
}

/// Returns the links of a formula whose arguments are literals.
pub(in crate::document) fn of_formula(text: &[u8]) -> Option<FieldLink> {
    let start = find_keyword(text)? + KEYWORD.len();
    let skip = |at: usize| at + text.clamped(at..).leading(|byte| byte.is_ascii_whitespace());
    let open = skip(start);
    if text.get(open) != Some(&b'(') {
        return None;
    }
    let destination = literal(text, skip(open + 1))?;
    let separator = skip(destination.end() + 1);
    let label = match text.get(separator) {
        Some(b',' | b';') => literal(text, skip(separator + 1)),
        _ => None,
    };
    Some(FieldLink { destination, label, kind: FieldTarget::Uri })
}

fn find_keyword(text: &[u8]) -> Option<usize> {
    memmem::find(text, KEYWORD).or_else(|| memmem::find(&text.to_ascii_uppercase(), KEYWORD))
}

/// Returns the inside of the quoted text at `at`.
fn literal(text: &[u8], at: usize) -> Option<Span> {
    let open = text.get(at).filter(|byte| **byte == b'"')?;
    let length = memchr::memchr(*open, text.clamped(at + 1..))?;
    (length > 0).then(|| Span::new(at + 1, at + 1 + length))
}

fn word(text: &[u8], at: usize) -> Option<Span> {
    let length = text.clamped(at..).leading(|byte| !byte.is_ascii_whitespace() && byte != b'\\');
    (length > 0).then(|| Span::new(at, at + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_fields_and_formulas() {
        let field = |text: &'static str| {
            let link = of_instruction(text.as_bytes())?;
            (link.kind == FieldTarget::Uri).then(|| &text[link.destination.range()])
        };
        let bookmark = of_instruction(b" HYPERLINK \\l \"_Toc1\" ").map(|link| link.kind);
        assert_eq!(bookmark, Some(FieldTarget::Bookmark));
        assert_eq!(field(" HYPERLINK \"http://a.example/\" \\o \"b\" "), Some("http://a.example/"));
        assert_eq!(field("hyperlink http://a.example/ \\h"), Some("http://a.example/"));
        assert_eq!(field(" HYPERLINK \\l \"_Toc1\" "), None);
        assert_eq!(field(" HYPERLINK \\n \"http://a.example/\""), Some("http://a.example/"));
        assert_eq!(field(" PAGE "), None);
        let formula = |text: &'static str| {
            let link = of_formula(text.as_bytes())?;
            Some((&text[link.destination.range()], link.label.map(|label| &text[label.range()])))
        };
        assert_eq!(
            formula("HYPERLINK(\"http://a.example/\", \"b\")"),
            Some(("http://a.example/", Some("b")))
        );
        assert_eq!(formula("of:=HYPERLINK(\"x:y\";[.A1])"), Some(("x:y", None)));
        assert_eq!(formula("HYPERLINK(A1)"), None);
    }
}
