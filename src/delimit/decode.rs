//! A run with its escapes read (D2.4), and the map back to the source.

use super::byte_class::is_hard;
use super::escape::{self, EscapeDialect, EscapeMeaning, EscapeZone};
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
    append(haystack, at, dialect, most, derived)
}

/// Appends the run at `haystack[at]`, decoded, until `derived` holds about `most` bytes.
pub(super) fn append(
    haystack: &[u8],
    at: usize,
    dialect: EscapeDialect,
    most: usize,
    derived: &mut DerivedText,
) -> DecodedExtent {
    let mut i = at;
    let mut place = UriPlace::Scheme;
    while derived.text().len() < most {
        match haystack.get(i) {
            Some(b'\\') => match escape::read(haystack, i, dialect, place.zone()) {
                EscapeMeaning::Char { char, width } => {
                    let mut utf8 = [0; 4];
                    let bytes = char.encode_utf8(&mut utf8).as_bytes();
                    derived.replace(bytes, Span::new(i, i + width), RunOrigin::Decoded);
                    place = place.after(bytes);
                    i += width;
                }
                EscapeMeaning::Nothing { width } => {
                    derived.replace(b"", Span::new(i, i + width), RunOrigin::Decoded);
                    i += width;
                }
                EscapeMeaning::Hard | EscapeMeaning::Unreadable => break,
            },
            Some(&byte) if may_go_on(byte) => {
                let part = haystack.clamped(i..i + most);
                let length = part.leading(may_go_on);
                derived.copy(part.part(..length), i);
                place = place.after(part.part(..length));
                i += length;
            }
            _ => break,
        }
    }
    work_counter::add(i - at);
    end_part(derived, haystack, i, most)
}

/// D2.3: a `|` may be part of a query.
fn may_go_on(byte: u8) -> bool {
    !is_hard(byte) || byte == b'|'
}

/// How far the decoded text has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UriPlace {
    Scheme,
    Colon,
    Slash,
    Authority,
    Rest,
    Opaque,
}

impl UriPlace {
    fn after(self, text: &[u8]) -> Self {
        let mut place = self;
        for &byte in text {
            place = match (place, byte) {
                (Self::Rest | Self::Opaque, _) => break,
                (Self::Scheme, b':') => Self::Colon,
                (Self::Colon, b'/') => Self::Slash,
                (Self::Slash, b'/') => Self::Authority,
                (Self::Colon | Self::Slash, _) => Self::Opaque,
                (Self::Authority, b'/' | b'?' | b'#') => Self::Rest,
                (place, _) => place,
            };
        }
        place
    }

    fn zone(self) -> EscapeZone {
        match self {
            Self::Rest => EscapeZone::Rest,
            Self::Opaque => EscapeZone::Opaque,
            Self::Scheme | Self::Colon | Self::Slash | Self::Authority => EscapeZone::Host,
        }
    }
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
