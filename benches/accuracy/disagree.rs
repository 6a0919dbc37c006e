//! Why a span that was found is not the one that a parser derived: a guess, to sort by.

use std::ops::Range;

use urigrep::{Iri, Rejected, Uri};

use crate::truth::Link;

/// The cause of a disagreement about `link`.
pub fn cause(text: &str, link: &Link, found: &[Range<usize>], rejected: &[Rejected<'_>]) -> String {
    let invalid = Uri::parse(&link.destination).is_err() && Iri::parse(&link.destination).is_err();
    let note = if invalid { " [no valid URI or IRI]" } else { "" };
    format!("{}{note}", difference(text, link, found, rejected))
}

fn difference(
    text: &str,
    link: &Link,
    found: &[Range<usize>],
    rejected: &[Rejected<'_>],
) -> String {
    let [span] = found else {
        return if found.is_empty() {
            missing(link, rejected)
        } else {
            let at = found[0].end;
            format!("in pieces, the first one ends before {}", character(text, at))
        };
    };
    let want = &link.span;
    if span.start < want.start {
        format!("starts earlier, with {}", character(text, span.start))
    } else if span.start > want.start {
        format!("starts later, with {}", character(text, span.start))
    } else if span.end > want.end {
        format!("goes on over {}", character(text, want.end))
    } else {
        let rest = text.get(span.end..want.end).unwrap_or_default();
        if rest.chars().all(|c| !c.is_alphanumeric()) {
            let start: String = rest.chars().take(4).collect();
            format!("drops {start:?} at the end")
        } else {
            format!("ends before {}", character(text, span.end))
        }
    }
}

fn missing(link: &Link, rejected: &[Rejected<'_>]) -> String {
    if let Some(rejected) = rejected.first() {
        return format!("rejected, {}", rejected.reason().name());
    }
    let (scheme, rest) = link.destination.split_once(':').unwrap_or_default();
    let scheme = scheme.to_ascii_lowercase();
    if rest.starts_with("//") {
        format!("not found, {scheme}://")
    } else {
        format!("not found, {scheme}: without //")
    }
}

fn character(text: &str, at: usize) -> String {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => "the end".to_owned(),
        Some('\n' | '\r') => "a line break".to_owned(),
        Some(c) if c.is_ascii_alphabetic() => "a letter".to_owned(),
        Some(c) if c.is_ascii_digit() => "a digit".to_owned(),
        Some(c) if c.is_ascii() => format!("{c:?}"),
        Some(c) if c.is_alphabetic() => "a non-ASCII letter".to_owned(),
        Some(c) => format!("{c:?} U+{:04X}", u32::from(c)),
    }
}
