//! Decodes the escapes of a run (D2.4) and maps offsets back to the source.

use super::colour::{self, OpenedStyles};
use super::escape::{self, EscapeDialect, EscapeMeaning, EscapeZone};
use super::escape_tex;
use crate::chunk;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Bytes after a run that are appended for the rules that read past its end.
pub(super) const LOOKAHEAD_BYTES: usize = 64;

/// Largest initial reservation of the derived text, in bytes.
pub(super) const MAX_RESERVED_BYTES: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodedExtent {
    Whole,
    /// The run continues; a walk that comes near its end must ask for more.
    Part,
}

/// Decodes the run at `haystack[at]` into `derived`, up to about `most` bytes.
pub(crate) fn decode(
    haystack: &[u8],
    at: usize,
    dialect: EscapeDialect,
    most: usize,
    derived: &mut DerivedText,
) -> DecodedExtent {
    derived.restart(most.min(MAX_RESERVED_BYTES) + LOOKAHEAD_BYTES);
    let writing = RunSpelling { dialect, style: colour::before(haystack.part(..at)) };
    append(haystack, at, writing, most, derived)
}

/// The spelling of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunSpelling {
    /// The escapes of the text around it.
    pub dialect: EscapeDialect,
    /// The colours in which a terminal shows its start.
    pub style: OpenedStyles,
}

/// Appends the decoded run at `haystack[at]` until `derived` holds about `most` bytes.
pub(super) fn append(
    haystack: &[u8],
    at: usize,
    RunSpelling { dialect, style }: RunSpelling,
    most: usize,
    derived: &mut DerivedText,
) -> DecodedExtent {
    let mut i = at;
    let mut place = ReachedComponent::Scheme;
    while derived.text().len() < most {
        match haystack.get(i) {
            Some(0x1b | b'\\')
                if i > at
                    && let Some(meaning) = colour::read(haystack.part(i..), style) =>
            {
                let Some(after) = append_meaning(meaning, i, &mut place, derived) else { break };
                i = after;
            }
            Some(b'\\') => {
                let meaning = escape::read(haystack, i, dialect, place.zone());
                let Some(after) = append_meaning(meaning, i, &mut place, derived) else { break };
                i = after;
            }
            Some(b'{' | b'$')
                if dialect == EscapeDialect::Tex
                    && let Some(meaning) = escape_tex::group(haystack.part(i..)) =>
            {
                let Some(after) = append_meaning(meaning, i, &mut place, derived) else { break };
                i = after;
            }
            Some(&byte) if may_continue(byte) => {
                // Bounded, so that a long run is not read to its end for each of its parts.
                let part = haystack.clamped(i..i + most);
                let mut length = chunk::run(part, may_continue);
                if dialect == EscapeDialect::Tex {
                    let starts_group = |byte| matches!(byte, b'{' | b'$');
                    // Only within the run: a search beyond it, for each of many, is quadratic.
                    let run = part.part(1..length);
                    length = 1 + run.leading(|byte| !starts_group(byte));
                }
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

/// Appends the meaning of the escape at `at`, and returns where the escape ends. Returns `None` if
/// it ends the run.
#[inline]
fn append_meaning(
    meaning: EscapeMeaning,
    at: usize,
    place: &mut ReachedComponent,
    derived: &mut DerivedText,
) -> Option<usize> {
    let mut utf8 = [0; 4];
    let (bytes, width) = match meaning {
        EscapeMeaning::Char { char, width } => (char.encode_utf8(&mut utf8).as_bytes(), width),
        EscapeMeaning::Nothing { width } => (&b""[..], width),
        EscapeMeaning::Hard | EscapeMeaning::Unreadable => return None,
    };
    derived.replace(bytes, Span::new(at, at + width), RunOrigin::Decoded);
    *place = place.after(bytes);
    Some(at + width)
}

/// True for a byte that does not end the decoded text: one that is not hard, or a `|`, which may be
/// part of a query (D2.3). Without branches, for [`chunk::run`].
fn may_continue(byte: u8) -> bool {
    let is_control = (byte <= b' ') | (byte == 0x7F);
    let ends = (byte == b'"') | (byte == b'<') | (byte == b'>') | (byte == b'`') | (byte == b'\\');
    !(is_control | ends)
}

/// Component of the URI that the decoded text has reached. A backslash means something else in a
/// host than in a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReachedComponent {
    Scheme,
    Colon,
    Slash,
    Authority,
    Rest,
    Opaque,
}

impl ReachedComponent {
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

/// Ends a derived text limited to about `most` bytes, at the source offset `at`.
pub(super) fn end_part(
    derived: &mut DerivedText,
    haystack: &[u8],
    at: usize,
    most: usize,
) -> DecodedExtent {
    let extent =
        if derived.text().len() < most { DecodedExtent::Whole } else { DecodedExtent::Part };
    // Some rules read past the end of the run, for example to find a closer. They get the source
    // there, undecoded.
    derived.copy(haystack.clamped(at..at + LOOKAHEAD_BYTES), at);
    extent
}

#[cfg(test)]
mod tests {
    use super::super::byte_class::is_hard;
    use super::*;

    #[test]
    fn hard_bytes_end_it() {
        for byte in 0..=u8::MAX {
            assert_eq!(may_continue(byte), !is_hard(byte) || byte == b'|', "{byte}");
        }
    }
}
