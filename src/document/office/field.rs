//! Links in the instructions of fields and in formulas: `HYPERLINK "http://a.example/" \l "b"`,
//! `=HYPERLINK("http://a.example/";"the label")`.

use memchr::memmem;

use crate::offset_map::{DerivedText, RunOrigin};
use crate::percent::{self, PercentSet};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// A link in an instruction or a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) struct FieldLink {
    pub destination: Span,
    /// The place in the target, which fields write apart: `"http://a.example/" \l "b"`.
    pub fragment: Option<Span>,
    pub label: Option<Span>,
    pub kind: FieldTarget,
}

impl FieldLink {
    const fn new(destination: Span) -> Self {
        Self { destination, fragment: None, label: None, kind: FieldTarget::Uri }
    }

    /// Returns the same link in a text in which its own text begins at `start`.
    pub fn at(self, start: usize) -> Self {
        let moved = |span: Span| Span::new(start + span.start(), start + span.end());
        Self {
            destination: moved(self.destination),
            fragment: self.fragment.map(moved),
            label: self.label.map(moved),
            kind: self.kind,
        }
    }

    /// Returns the end of its last argument, without the quotation mark.
    const fn end(&self) -> usize {
        match self.label {
            Some(label) => label.end(),
            None => self.destination.end(),
        }
    }

    /// Returns the target with its fragment, and its span in the text of the field.
    pub fn target(&self, text: &[u8]) -> DerivedText {
        let mut target = DerivedText::default();
        let address = text.part(self.destination.range());
        target.copy(address, self.destination.start());
        if let Some(fragment) = self.fragment.filter(|_| !address.contains(&b'#')) {
            let between = Span::new(self.destination.end(), fragment.start());
            target.replace(b"#", between, RunOrigin::Decoded);
            let encoded = percent::encode_rest(text.part(fragment.range()), PercentSet::Fragment);
            target.replace(encoded.as_bytes(), fragment, RunOrigin::Decoded);
        }
        target
    }
}

/// The kind of a field's destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum FieldTarget {
    /// A URI, or the path of a file.
    Uri,
    /// The name of a bookmark in the same document.
    Bookmark,
}

const KEYWORD: &[u8] = b"HYPERLINK";

/// Returns the link of the instruction of a field (ECMA-376 part 1, §17.16.5.25).
pub(in crate::document) fn of_instruction(text: &[u8]) -> Option<FieldLink> {
    let skip = |at: usize| at + text.clamped(at..).leading(|byte| byte.is_ascii_whitespace());
    let argument = |at: usize| match text.get(at) {
        Some(b'"') => literal(text, at),
        _ => word(text, at),
    };
    let mut at = skip(find_keyword(text)? + KEYWORD.len());
    let (mut destination, mut fragment) = (None, None);
    while at < text.len() {
        let switch = (text.get(at) == Some(&b'\\')).then(|| text.get(at + 1)).flatten();
        let value = match switch {
            // The text of a tip and the name of a window are arguments, but no addresses.
            Some(b'l' | b'L' | b'o' | b'O' | b't' | b'T') => argument(skip(at + 2)),
            Some(_) => None,
            None => argument(at),
        };
        match switch {
            Some(b'l' | b'L') => fragment = fragment.or(value),
            Some(_) => {}
            None => destination = destination.or(value),
        }
        let quote = |value: Span| usize::from(text.get(value.end()) == Some(&b'"'));
        at = match (value, switch) {
            (Some(value), _) => skip(value.end() + quote(value)),
            (None, Some(_)) => {
                let next = skip(at + 2);
                // `\l ""` has an empty argument.
                skip(next + if text.clamped(next..).starts_with(b"\"\"") { 2 } else { 0 })
            }
            // An empty quotation, or one that is not closed.
            (None, None) => skip(at + 1 + usize::from(text.get(at + 1) == Some(&b'"'))),
        };
    }
    match (destination, fragment) {
        (Some(destination), fragment) => {
            Some(FieldLink { fragment, ..FieldLink::new(destination) })
        }
        // `\l "b"` without a URI leads to a bookmark of the same document.
        (None, Some(bookmark)) => {
            Some(FieldLink { kind: FieldTarget::Bookmark, ..FieldLink::new(bookmark) })
        }
        (None, None) => None,
    }
}

/// A part of a formula that may contain a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormulaPart {
    Link(FieldLink),
    /// The text between links, if it has a string.
    Strings(Span),
}

/// Returns these parts of a formula, in order.
pub(super) fn formula_parts(text: &[u8]) -> Vec<FormulaPart> {
    let mut parts = Vec::new();
    // Most formulas have no string, and so no link.
    if memchr::memchr(b'"', text).is_none() {
        return parts;
    }
    let strings = |start: usize, end: usize| {
        let span = Span::new(start.min(end), end);
        let has_string = memchr::memchr(b'"', text.part(span.range())).is_some();
        has_string.then_some(FormulaPart::Strings(span))
    };
    let mut start = 0;
    for link in links_of_formula(text) {
        parts.extend(strings(start, link.destination.start() - 1));
        parts.push(FormulaPart::Link(link));
        start = link.end() + 1;
    }
    parts.extend(strings(start, text.len()));
    parts
}

/// Returns the links of a formula whose arguments are literals.
fn links_of_formula(text: &[u8]) -> Vec<FieldLink> {
    let capitals = text.to_ascii_uppercase();
    let mut links: Vec<FieldLink> = Vec::new();
    for start in memmem::find_iter(&capitals, KEYWORD) {
        // A link may be named in the text of another one.
        if links.last().is_none_or(|last| last.end() <= start) {
            links.extend(call(text, start + KEYWORD.len()));
        }
    }
    links
}

/// Returns the link that a call makes whose name ends at `start`.
fn call(text: &[u8], start: usize) -> Option<FieldLink> {
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
    Some(FieldLink { label, ..FieldLink::new(destination) })
}

fn find_keyword(text: &[u8]) -> Option<usize> {
    memmem::find(text, KEYWORD).or_else(|| memmem::find(&text.to_ascii_uppercase(), KEYWORD))
}

/// Returns the inside of the quoted text at `at`. A backslash quotes a quotation mark in it.
fn literal(text: &[u8], at: usize) -> Option<Span> {
    text.get(at).filter(|byte| **byte == b'"')?;
    let inside = text.clamped(at + 1..);
    let is_quoted = |mark: usize| inside.part(..mark).trailing(|byte| byte == b'\\') % 2 == 1;
    let length = memchr::memchr_iter(b'"', inside).find(|&mark| !is_quoted(mark))?;
    (length > 0).then(|| Span::new(at + 1, at + 1 + length))
}

fn word(text: &[u8], at: usize) -> Option<Span> {
    let length = text.clamped(at..).leading(|byte| !byte.is_ascii_whitespace() && byte != b'\\');
    (length > 0).then(|| Span::new(at, at + length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slice::lossy;

    #[test]
    fn links_of_fields_and_formulas() {
        let field = |text: &str| {
            let link = of_instruction(text.as_bytes())?;
            let target = lossy(link.target(text.as_bytes()).text()).into_owned();
            (link.kind == FieldTarget::Uri).then_some(target)
        };
        let bookmark = of_instruction(b" HYPERLINK \\l \"_Toc1\" ").map(|link| link.kind);
        assert_eq!(bookmark, Some(FieldTarget::Bookmark));
        assert_eq!(
            field(" HYPERLINK \"http://a.example/\" \\o \"b\" ").as_deref(),
            Some("http://a.example/")
        );
        assert_eq!(field("hyperlink http://a.example/ \\h").as_deref(), Some("http://a.example/"));
        assert_eq!(field(" HYPERLINK \\l \"_Toc1\" "), None);
        assert_eq!(field("HYPERLINK \\o \"b\" \"x:y\" \\t _new").as_deref(), Some("x:y"));
        assert_eq!(field("HYPERLINK \"x:y\" \\l \"b c%20\" \\h").as_deref(), Some("x:y#b%20c%20"));
        assert_eq!(field("HYPERLINK \"x:y#a\" \\l \"b\"").as_deref(), Some("x:y#a"));
        // A quotation that is not closed is read as a word, so nothing is lost.
        assert_eq!(field("HYPERLINK \"\" \"open").as_deref(), Some("open"));
        assert_eq!(field("HYPERLINK \"x:y\" \\l \"\" \\h").as_deref(), Some("x:y"));
        assert_eq!(field("HYPERLINK \"x:\\\"y\" \\l b").as_deref(), Some("x:\\\"y#b"));
        assert_eq!(
            field(" HYPERLINK \\n \"http://a.example/\"").as_deref(),
            Some("http://a.example/")
        );
        assert_eq!(field(" PAGE "), None);
        let formula = |text: &'static str| {
            let link = links_of_formula(text.as_bytes()).first().copied()?;
            Some((&text[link.destination.range()], link.label.map(|label| &text[label.range()])))
        };
        assert_eq!(
            formula("HYPERLINK(\"http://a.example/\", \"b\")"),
            Some(("http://a.example/", Some("b")))
        );
        assert_eq!(formula("of:=HYPERLINK(\"x:y\";[.A1])"), Some(("x:y", None)));
        assert_eq!(formula("HYPERLINK(A1)"), None);
        assert_eq!(formula("IF(A1,HYPERLINK(A1),Hyperlink(\"x:y\"))"), Some(("x:y", None)));
        assert_eq!(links_of_formula(b"IF(A1,HYPERLINK(\"x:y\"),HYPERLINK(\"x:z\"))").len(), 2);
        let parts = formula_parts(b"A1&\"a\"&HYPERLINK(\"x:y\")&\"b\"");
        assert!(matches!(
            parts[..],
            [FormulaPart::Strings(_), FormulaPart::Link(_), FormulaPart::Strings(_)]
        ));
        assert_eq!(formula_parts(b"SUM(A1:A9)"), []);
    }
}
