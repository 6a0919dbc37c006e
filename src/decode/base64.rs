//! Decodes the content transfer encoding base64 (RFC 2045 §6.8).
//!
//! Other characters are skipped, as the RFC requires, and reported, because they may be text: a
//! footer that a mailing list appended, or a body that is not encoded at all.

use memchr::memchr;

use crate::offset_map::{OffsetMap, Unit};
use crate::span::Span;
use crate::work_counter;

/// Three bytes of text from four characters.
const QUAD: Unit = Unit { text: 3, source: 4 };

/// Bytes that the fast loop writes past the output.
const SPARE: usize = 2;

const BAD: u32 = 1 << 31;

/// The bits of each character at each of the four positions in a quad.
#[expect(clippy::indexing_slicing, reason = "the compiler does it, and would notice")]
const TABLES: [[u32; 256]; 4] = {
    let mut tables = [[BAD; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        if let Some(value) = value(byte as u8) {
            tables[0][byte] = value << 18;
            tables[1][byte] = value << 12;
            tables[2][byte] = value << 6;
            tables[3][byte] = value;
        }
        byte += 1;
    }
    tables
};
use crate::slice::SliceExt as _;

/// Returns the bits of a quad, or a value with [`BAD`] set.
#[expect(clippy::indexing_slicing, reason = "a table has an entry for each byte")]
fn quad(&[a, b, c, d]: &[u8; 4]) -> u32 {
    let [first, second, third, fourth] = &TABLES;
    first[usize::from(a)] | second[usize::from(b)] | third[usize::from(c)] | fourth[usize::from(d)]
}

/// Decodes whole quads without padding into `room`, which must be [`SPARE`] bytes longer than the
/// output. Returns false if there are other characters.
fn decode_quads(quads: &[u8], room: &mut [u8]) -> bool {
    // Bad characters are collected in `all` and checked once after the loop, so the loop has no
    // branch per quad. `room` is discarded if there were any.
    let (mut all, mut made) = (0, 0);
    let (pairs, last) = quads.as_chunks::<8>();
    for pair in pairs {
        let [a, b, c, d, e, f, g, h] = *pair;
        let (high, low) = (quad(&[a, b, c, d]), quad(&[e, f, g, h]));
        all |= high | low;
        let bits = u64::from(high) << 40 | u64::from(low) << 16;
        // Two quads decode to six bytes. One eight-byte store is cheaper than six single ones; the
        // next store overwrites its two extra bytes.
        let Some(eight) = room.get_mut(made..made + 8) else {
            return false;
        };
        eight.copy_from_slice(&bits.to_be_bytes());
        made += 6;
    }
    if let (Some(last), Some(three)) = (last.first_chunk(), room.get_mut(made..made + 3)) {
        let bits = quad(last);
        all |= bits;
        three.copy_from_slice(&bits.to_be_bytes()[1..]);
    }
    all & BAD == 0
}

/// Damage in a base64 text: characters that are neither base64 nor white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// From the first to the last line with a character that is neither base64 nor white space.
    pub lines: Span,
    /// The start of the first line, after a damaged one, at which the quads are shifted. Without
    /// the damaged line, the rest would decode differently.
    pub shifted: Option<usize>,
}

/// Positions at which quads may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quads {
    /// Only after the previous quad.
    Anywhere,
    /// Also at the start of the line after a damaged one, as if that line were missing.
    AfterDamage,
}

/// Appends the decoded `source` to `text` and the position of each byte to `map`, and returns the
/// damage. Data after padding is decoded as well.
///
/// ```
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::{Span, decode};
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// let source = b"aHR0cDovL2EuZXhhbXBs\r\nZS8=\r\n-- \r\nlist";
/// let damage = decode::base64(source, decode::Quads::Anywhere, &mut text, &mut map);
/// assert!(text.starts_with(b"http://a.example/"));
/// assert_eq!(map.source(Span::new(15, 17)), Span::new(22, 25)); // `e/`
/// assert_eq!(damage.unwrap().lines, Span::new(28, 30)); // `--`
/// ```
pub fn base64(
    source: &[u8],
    quads: Quads,
    text: &mut Vec<u8>,
    map: &mut OffsetMap,
) -> Option<Damage> {
    base64_at(source, (0, quads), text, map)
}

/// Like [`base64`], for a source at `offset`.
pub(super) fn base64_at(
    source: &[u8],
    (offset, quads): (usize, Quads),
    text: &mut Vec<u8>,
    map: &mut OffsetMap,
) -> Option<Damage> {
    work_counter::add(source.len());
    // Room for the whole output at once, plus the rest of an open quad.
    text.reserve(source.len() / 4 * 3 + 3);
    let mut open = OpenQuad::default();
    let mut damage: Option<Damage> = None;
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.part(..length).trim_ascii_end();
        let line = Base64Line { bytes: line, at: offset + at };
        let before = open.count;
        let is_clean = line.decode(&mut open, text, map);
        at += length + 1;
        if !is_clean {
            let end = line.at + line.bytes.len();
            let start = damage.map_or(line.at, |damage| damage.lines.start());
            // The remaining lines are shifted only if the bad line left a different number of
            // characters in the open quad.
            let next = (open.count != before && at < source.len()).then_some(offset + at);
            damage = Some(Damage {
                lines: Span::new(start, end),
                shifted: damage.and_then(|damage| damage.shifted).or(next),
            });
            // The line is treated as if it were missing, so its characters must not become a part
            // of the next quad.
            if quads == Quads::AfterDamage {
                open.close(text, map);
            }
        }
    }
    open.close(text, map);
    damage
}

struct Base64Line<'l> {
    bytes: &'l [u8],
    at: usize,
}

impl Base64Line<'_> {
    /// Decodes a line; returns false if it has other characters.
    fn decode(&self, open: &mut OpenQuad, text: &mut Vec<u8>, map: &mut OffsetMap) -> bool {
        let mut done = 0;
        // The fast path works only at a quad boundary. A quad that the previous line left open is
        // completed character by character.
        if open.count == 0 {
            done = self.bytes.len() / 4 * 4;
            // The last quad may be padded, so the slow path decodes it.
            if self.bytes.last() == Some(&b'=') {
                done = done.saturating_sub(4);
            }
            let quads = self.bytes.part(..done);
            let start = text.len();
            text.resize(start + done / 4 * 3 + SPARE, 0);
            let room = text.get_mut(start..).unwrap_or_default();
            if decode_quads(quads, room) {
                text.truncate(start + done / 4 * 3);
                map.units(done / 4 * 3, Span::new(self.at, self.at + done), QUAD);
            } else {
                text.truncate(start);
                done = 0;
            }
        }
        let mut is_clean = true;
        for (index, &byte) in self.bytes.iter().enumerate().skip(done) {
            match byte {
                b'=' => open.close(text, map),
                b' ' | b'\t' | b'\r' => {}
                _ => match value(byte) {
                    Some(value) => open.push(value, self.at + index, text, map),
                    None => is_clean = false,
                },
            }
        }
        is_clean
    }
}

#[derive(Default)]
struct OpenQuad {
    bits: u32,
    count: usize,
    /// From its first to its last character; skipped characters may lie between.
    span: Span,
}

impl OpenQuad {
    fn push(&mut self, value: u32, at: usize, text: &mut Vec<u8>, map: &mut OffsetMap) {
        let start = if self.count == 0 { at } else { self.span.start() };
        self.span = Span::new(start, at + 1);
        self.bits = self.bits << 6 | value;
        self.count += 1;
        if self.count == 4 {
            self.close(text, map);
        }
    }

    /// Ends the quad; its remaining bits make one or two bytes.
    // `count` characters hold `count - 1` whole bytes; the remaining bits are padding.
    fn close(&mut self, text: &mut Vec<u8>, map: &mut OffsetMap) {
        let (count, span) = (std::mem::take(&mut self.count), self.span);
        let bits = std::mem::take(&mut self.bits) << (6 * (4 - count.min(4)));
        let bytes = count.saturating_sub(1);
        let [_, made @ ..] = bits.to_be_bytes();
        text.extend_from_slice(made.part(..bytes));
        // If characters were skipped inside the quad, a byte no longer has its own characters. The
        // quad then maps as a whole.
        if span.len() == count {
            map.units(bytes, span, QUAD);
        } else {
            map.replace(bytes, span);
        }
    }
}

/// Returns the value of a digit (RFC 4648 table 1).
pub(super) const fn value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value as u32)
}
