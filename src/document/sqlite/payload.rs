//! The content of a row (§2.1): a header with the type of each value, then the values.

use std::borrow::Cow;
use std::ops::Range;

use crate::slice::SliceExt as _;

/// The bytes of a row, in one piece or more.
pub(super) struct Payload<'d> {
    file: &'d [u8],
    pieces: Vec<PayloadPiece>,
}

/// A part of a payload.
#[derive(Clone, Copy)]
struct PayloadPiece {
    /// Offset of its end in the payload.
    end: usize,
    /// Offset in the file.
    start: usize,
    length: usize,
}

/// A value of a row.
pub(super) enum Value {
    Integer(i64),
    /// The range of a text in the payload.
    Text(Range<usize>),
    /// A blob, a real number, or nothing.
    Other,
}

impl<'d> Payload<'d> {
    pub fn new(file: &'d [u8]) -> Self {
        Self { file, pieces: Vec::with_capacity(1) }
    }

    pub fn push(&mut self, start: usize, length: usize) {
        let before = self.pieces.last().map_or(0, |piece| piece.end);
        self.pieces.push(PayloadPiece { end: before + length, start, length });
    }

    /// Returns the number of bytes that are in the cell itself.
    pub fn local(&self) -> usize {
        self.pieces.first().map_or(0, |piece| piece.length)
    }

    /// Returns the pieces of the file that hold a range of the payload: offsets and lengths.
    // A row may have many values and many pieces, so the first piece is not looked for from the
    // start.
    pub fn pieces_of(&self, range: Range<usize>) -> Vec<(usize, usize)> {
        let first = self.pieces.partition_point(|piece| piece.end <= range.start);
        let pieces = self.pieces.get(first..).unwrap_or_default().iter();
        let pieces = pieces.map(|piece| (piece.end - piece.length, piece));
        let within = pieces.take_while(|(before, _)| *before < range.end);
        let cut = within.map(|(before, piece)| {
            let from = range.start.max(before);
            (piece.start + from - before, range.end.min(piece.end).saturating_sub(from))
        });
        cut.filter(|(_, length)| *length > 0).collect()
    }

    /// Returns a range of the payload.
    pub fn bytes(&self, range: Range<usize>) -> Cow<'d, [u8]> {
        let pieces = self.pieces_of(range);
        let slice = |(start, length): (usize, usize)| self.file.clamped(start..start + length);
        match pieces.as_slice() {
            [piece] => Cow::Borrowed(slice(*piece)),
            pieces => Cow::Owned(pieces.iter().flat_map(|&piece| slice(piece)).copied().collect()),
        }
    }

    /// Returns the values. Those of a damaged row end where its types do.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        // The longest length of a header is nine bytes.
        let start = self.bytes(0..9);
        let (size, types) = varint(&start, 0).unwrap_or_default();
        let size = usize::try_from(size).unwrap_or_default();
        let header = self.bytes(0..size);
        let (mut at, mut value) = (types, size);
        std::iter::from_fn(move || {
            let (kind, next) = varint(&header, at)?;
            let length = length_of(kind)?;
            let range = value..value.checked_add(length)?;
            (at, value) = (next, range.end);
            Some(match kind {
                1..=6 => Value::Integer(integer(&self.bytes(range))),
                8 => Value::Integer(0),
                9 => Value::Integer(1),
                // From 12 on, even types are blobs and odd ones texts (§2.1).
                13.. if kind % 2 == 1 => Value::Text(range),
                _ => Value::Other,
            })
        })
    }
}

/// Returns the number of bytes of a value of this type (§2.1).
fn length_of(kind: u64) -> Option<usize> {
    match kind {
        // NULL, 0, and 1 have no bytes.
        0 | 8 | 9 => Some(0),
        1..=4 => usize::try_from(kind).ok(),
        5 => Some(6),
        6 | 7 => Some(8),
        // Reserved: no database that is whole has them (§2.1), so the lengths after them are
        // unknown.
        10 | 11 => None,
        _ => usize::try_from((kind - 12) / 2).ok(),
    }
}

/// Returns a signed number, the highest byte first.
fn integer(bytes: &[u8]) -> i64 {
    // Integers are in two's complement, and as short as they can be (§2.1).
    let sign = if bytes.first().is_some_and(|byte| *byte >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte))
}

/// Returns the number at `at` and the offset after it: seven bits a byte, and eight in the ninth.
pub(super) fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut number = 0;
    for length in 0..9 {
        let byte = *bytes.get(at + length)?;
        if length == 8 {
            // All eight bits of a ninth byte count (§1.6).
            return Some((number << 8 | u64::from(byte), at + 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((number, at + length + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(varint(b"\x07", 0), Some((7, 1)));
        assert_eq!(varint(b"\x81\x00", 0), Some((128, 2)));
        assert_eq!(varint(&[0xff; 9], 0), Some((u64::MAX, 9)));
        assert_eq!(varint(b"\x81", 0), None);
        assert_eq!((integer(b"\xff\xfe"), integer(b"\x01\x00"), integer(b"")), (-2, 256, 0));
    }

    #[test]
    fn pieces() {
        let mut payload = Payload::new(b"ab-cdef-gh");
        payload.push(0, 2);
        payload.push(3, 4);
        payload.push(8, 2);
        assert_eq!(&*payload.bytes(1..7), b"bcdefg");
        assert_eq!(payload.pieces_of(2..5), [(3, 3)]);
        assert_eq!(payload.pieces_of(7..20), [(9, 1)]);
        assert_eq!(payload.pieces_of(9..20), []);
    }
}
