//! A run with its escapes read (D2.4), and the map back to the source.

use super::byte_class::is_hard;
use super::escape::{self, EscapeDialect, EscapeMeaning};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// How much of what follows a run is appended, for the rules that look past its end.
pub(super) const TAIL: usize = 64;

/// The most room that is made before there is a need.
pub(super) const MOST_AT_ONCE: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodedExtent {
    Whole,
    /// It goes on; a walk that comes near its end needs more.
    Part,
}

/// The run at `haystack[at]`, decoded up to about `most` bytes into `derived`.
pub(crate) fn decode(
    haystack: &[u8],
    at: usize,
    dialect: EscapeDialect,
    most: usize,
    derived: &mut DerivedText,
) -> DecodedExtent {
    derived.restart(most.min(MOST_AT_ONCE) + TAIL);
    let mut i = at;
    while derived.text().len() < most {
        match haystack.get(i) {
            Some(b'\\') => match escape::read(haystack, i, dialect) {
                EscapeMeaning::Char { char, width } => {
                    let mut utf8 = [0; 4];
                    let bytes = char.encode_utf8(&mut utf8).as_bytes();
                    derived.replace(bytes, Span::new(i, i + width), RunOrigin::Decoded);
                    i += width;
                }
                EscapeMeaning::Nothing { width } => {
                    derived.replace(b"", Span::new(i, i + width), RunOrigin::Decoded);
                    i += width;
                }
                EscapeMeaning::Hard | EscapeMeaning::Unreadable => break,
            },
            Some(&byte) if !is_hard(byte) => {
                let part = haystack.clamped(i..i + most);
                let length = part.leading(|b| !is_hard(b));
                derived.copy(part.part(..length), i);
                i += length;
            }
            _ => break,
        }
    }
    work_counter::add(i - at);
    end_part(derived, haystack, i, most)
}

/// Ends a derived text of which about `most` bytes were asked for, at the source offset `at`.
pub(super) fn end_part(
    derived: &mut DerivedText,
    haystack: &[u8],
    at: usize,
    most: usize,
) -> DecodedExtent {
    let extent = match derived.text().len() < most {
        true => DecodedExtent::Whole,
        false => DecodedExtent::Part,
    };
    derived.copy(haystack.clamped(at..at + TAIL), at);
    extent
}
