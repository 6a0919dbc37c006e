//! The characters that separate two URIs in one run (D4.7).

use super::run::BracketRule;
use super::text_view::last_char;
use crate::registry::{LinkTerm, link_term};
use crate::slice::SliceExt;

/// D4.7: true if a `scheme://` directly after `before` is a new URI.
pub(super) fn divides(before: &[u8], brackets: BracketRule) -> bool {
    match last_char(before) {
        // It opens a string. A bracket before it is a call in the URI:
        // `/Items('http://a.example/')` of OData.
        Some('\'') => {
            let outer = last_char(before.part(..before.len() - 1));
            outer.is_some_and(is_mark)
        }
        // D3.8: between exact delimiters brackets and bars are characters of the URI.
        Some('|' | '(' | ')' | '[' | ']' | '{' | '}') => brackets == BracketRule::Pair,
        // The type of a literal of RDF:
        // `https://a.example/^^http://www.w3.org/2001/XMLSchema#anyURI`
        Some('^') => before.ends_with(b"^^"),
        last => last.is_some_and(is_mark),
    }
}

/// Returns how many bytes at the end of `before` belong to neither URI. Other separators may be
/// part of the first URI, and are trimmed (D4.3).
pub(super) fn length_left_out(before: &[u8]) -> usize {
    match before {
        [.., b'^', b'^'] => 2,
        [.., b'\''] => 1,
        _ => 0,
    }
}

/// True for a comma, also of another script, and a semicolon.
fn is_mark(c: char) -> bool {
    matches!(c, ',' | ';') || !c.is_ascii() && link_term(c) == LinkTerm::Soft
}
