//! Ranges of code points, packed into bytes by the compiler: [`PackedRanges`].
//!
//! Unpacked, a range takes 12 bytes, which a page would have to load. Packed, it takes three, and a
//! search two to four times as long.

use super::range_table::{CodePointRange, Word};

/// Ranges from one entry of the index to the next. The first of them are found by halving, the
/// others are read one by one.
const BLOCK: usize = 16;

/// Each range is the distance from the end of the one before, its length, and the place of its word
/// in `words`. A distance and a length have seven bits per byte, the lowest first; the highest bit
/// says that more follow (LEB128).
pub(super) struct PackedRanges<const BYTES: usize, const BLOCKS: usize, const WORDS: usize> {
    ranges: [u8; BYTES],
    /// The first code point of every block, and where it starts in `ranges`.
    blocks: [(u32, u16); BLOCKS],
    words: [Word; WORDS],
}

/// Packs ranges.
macro_rules! packed {
    ($ranges:ident) => {{
        use $crate::registry::packed_ranges::{PackedRanges, blocks, packed_len, words};
        static PACKED: PackedRanges<
            { packed_len(&$ranges) },
            { blocks(&$ranges) },
            { words(&$ranges) },
        > = PackedRanges::new(&$ranges);
        &PACKED
    }};
}
#[cfg(target_family = "wasm")]
pub(super) use packed;

impl<const BYTES: usize, const BLOCKS: usize, const WORDS: usize>
    PackedRanges<BYTES, BLOCKS, WORDS>
{
    pub const fn new(ranges: &[CodePointRange]) -> Self {
        // The index stores offsets in 16 bits, and a range the place of its word in 8.
        assert!(BYTES < u16::MAX as usize && WORDS < u8::MAX as usize);
        let mut table =
            Self { ranges: [0; BYTES], blocks: [(0, 0); BLOCKS], words: [[0; 4]; WORDS] };
        pack(ranges, &mut table.ranges, &mut table.blocks, &mut table.words);
        table
    }

    /// Returns the word of the range of `c`.
    pub fn word(&self, c: char) -> Option<&Word> {
        let c = u32::from(c);
        let after = self.blocks.partition_point(|&(first, _)| first <= c);
        let (first, at) = *self.blocks.get(after.checked_sub(1)?)?;
        let (mut last, mut rest) = (first, self.ranges.get(usize::from(at)..)?);
        for _ in 0..BLOCK {
            let first = last + number(&mut rest)?;
            last = first + number(&mut rest)?;
            let (&word, after) = rest.split_first()?;
            rest = after;
            if c <= last {
                return self.words.get(usize::from(word)).filter(|_| c >= first);
            }
        }
        None
    }
}

/// Reads a number; code points need three bytes.
fn number(rest: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for bits in [0, 7, 14] {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= u32::from(byte & 0x7f) << bits;
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

pub(super) const fn packed_len(ranges: &[CodePointRange]) -> usize {
    pack(ranges, &mut [], &mut [], &mut []).0
}

pub(super) const fn words(ranges: &[CodePointRange]) -> usize {
    pack(ranges, &mut [], &mut [], &mut [[0; 4]; 256]).1
}

pub(super) const fn blocks(ranges: &[CodePointRange]) -> usize {
    ranges.len().div_ceil(BLOCK)
}

/// Packs ranges as far as there is room. Returns the number of bytes and of words.
const fn pack(
    ranges: &[CodePointRange],
    bytes: &mut [u8],
    blocks: &mut [(u32, u16)],
    words: &mut [Word],
) -> (usize, usize) {
    let (mut at, mut count, mut row, mut before) = (0, 0, 0, 0);
    while row < ranges.len() {
        let (first, last, word) = (ranges[row].0 as u32, ranges[row].1 as u32, ranges[row].2);
        if row.is_multiple_of(BLOCK) {
            // The index holds the code point itself, so a block is read without the blocks before
            // it.
            before = first;
            if row / BLOCK < blocks.len() {
                blocks[row / BLOCK] = (first, at as u16);
            }
        }
        at = put_number(first - before, bytes, at);
        at = put_number(last - first, bytes, at);
        let mut place = 0;
        // When only the length is wanted, there is no room for words, and every place comes out as
        // 0. It takes one byte either way.
        while place < count && place < words.len() && !is_same(words[place], word) {
            place += 1;
        }
        if place == count && place < words.len() {
            words[place] = word;
            count += 1;
        }
        at = put(place as u8, bytes, at);
        (before, row) = (last, row + 1);
    }
    (at, count)
}

const fn is_same(a: Word, b: Word) -> bool {
    u32::from_le_bytes(a) == u32::from_le_bytes(b)
}

const fn put_number(mut number: u32, bytes: &mut [u8], mut at: usize) -> usize {
    while number >= 0x80 {
        at = put(number as u8 | 0x80, bytes, at);
        number >>= 7;
    }
    put(number as u8, bytes, at)
}

const fn put(byte: u8, bytes: &mut [u8], at: usize) -> usize {
    if at < bytes.len() {
        bytes[at] = byte;
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::super::list::{self, list};
    use super::super::range_table::{CodePointRange, ranges, word_in};

    #[test]
    fn packed_ranges_are_the_list() {
        const LIST: &str = list!("script.txt");
        const RANGES: [CodePointRange; list::count(LIST)] = ranges(LIST);
        static TABLE: &[CodePointRange] = &RANGES;
        for c in '\0'..=char::MAX {
            assert_eq!(packed!(RANGES).word(c), word_in(TABLE, c), "{c:?}");
        }
    }
}
