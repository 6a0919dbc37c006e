//! Decodes the content transfer encoding quoted-printable (RFC 2045 §6.7).
//!
//! Only line breaks and white space at line ends are removed. Invalid escapes are copied.

use memchr::memchr2;

use crate::offset_map::{OffsetMap, Unit};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// The unit of an escape: one byte of text for the three of `=XX`.
const ESCAPE: Unit = Unit { text: 1, source: 3 };

/// Appends the decoded `source` to `text`, and the position of each byte to `map`.
///
/// Soft line breaks are removed, as is white space before any line break (RFC 2045 §6.7 rule 3).
/// Digits may be lower case. A `=` that does not start an escape is copied.
///
/// ```
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::{Span, decode};
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// decode::quoted_printable(b"http://a.example/?q=3D1&=\r\nlang=en", &mut text, &mut map);
/// assert_eq!(text, b"http://a.example/?q=1&lang=en");
/// assert_eq!(map.source(Span::new(19, 20)), Span::new(19, 22)); // `=`
/// assert_eq!(map.source(Span::new(20, 23)), Span::new(22, 28)); // `1&l`
/// ```
pub fn quoted_printable(source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    work_counter::add(source.len());
    // Start of the bytes to copy, up to the next escape.
    let mut kept = 0;
    let mut at = 0;
    let keep = |from: usize, to: usize, text: &mut Vec<u8>, map: &mut OffsetMap| {
        if let Some(bytes) = source.get(from..to) {
            text.extend_from_slice(bytes);
            map.copy(bytes.len(), from);
        }
    };
    while let Some(found) = source.get(at..).and_then(|rest| memchr2(b'=', b'\n', rest)) {
        let here = at + found;
        at = here + 1;
        if source.get(here) == Some(&b'\n') {
            let line = source.part(kept..here);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            // White space at the end of a line was added in transport (RFC 2045 §6.7 rule 3). The
            // line break stays.
            let bare = line.len() - blanks(line.iter().rev());
            if bare < line.len() {
                keep(kept, kept + bare, text, map);
                kept += line.len();
            }
            continue;
        }
        let rest = source.clamped(at..);
        if let Some(byte) = escape(rest) {
            keep(kept, here, text, map);
            text.push(byte);
            map.units(1, Span::new(here, here + 3), ESCAPE);
            at = here + 3;
            kept = at;
        // Neither an escape nor a soft break: the `=` stays in the range that is copied next.
        } else if let Some(length) = soft_break(rest) {
            keep(kept, here, text, map);
            at += length;
            kept = at;
        }
    }
    keep(kept, source.len(), text, map);
}

/// Returns the byte that the two digits at the start of `rest` encode.
fn escape(rest: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
    u8::try_from(digit(0)? << 4 | digit(1)?).ok()
}

/// Returns the length of the line break after a `=`, including white space before it. The end of
/// the text counts as one.
fn soft_break(rest: &[u8]) -> Option<usize> {
    let blanks = blanks(rest.iter());
    match rest.get(blanks..)? {
        [] => Some(blanks),
        [b'\n', ..] => Some(blanks + 1),
        [b'\r', b'\n', ..] => Some(blanks + 2),
        _ => None,
    }
}

fn blanks<'b>(bytes: impl Iterator<Item = &'b u8>) -> usize {
    bytes.take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}
