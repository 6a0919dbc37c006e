//! The numbers, bit lists and checksums of headers. Only their positions are kept, so that what a
//! header promises costs no memory.

use super::corrupt;
use crate::container::archive::ArchiveProblem;

pub(super) type HeaderResult<T> = Result<T, ArchiveProblem>;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeaderCursor<'h>(pub &'h [u8]);

impl<'h> HeaderCursor<'h> {
    pub fn byte(&mut self) -> HeaderResult<u8> {
        let (&byte, rest) = self.0.split_first().ok_or_else(ended)?;
        self.0 = rest;
        Ok(byte)
    }

    pub fn bytes(&mut self, count: u64) -> HeaderResult<&'h [u8]> {
        let count = usize::try_from(count).map_err(|_| ended())?;
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(ended)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The count of leading ones in the first byte is the count of bytes that follow, the lowest first;
    /// the bits of the first after these ones and a zero are the highest ("UINT64" in 7zFormat.txt).
    pub fn number(&mut self) -> HeaderResult<u64> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let low = self.bytes(more.into())?.iter().rev();
        let low = low.fold(0, |number, &byte| number << 8 | u64::from(byte));
        let high = first & 0x7f_u8.checked_shr(more).unwrap_or(0);
        let high = u64::from(high).checked_shl(8 * more).unwrap_or(0);
        Ok(low | high)
    }

    /// Numbers to read later. Each has a byte at least, so a false count soon fails.
    pub fn numbers(&mut self, count: u64) -> HeaderResult<Self> {
        let numbers = *self;
        for _ in 0..count {
            self.number()?;
        }
        Ok(numbers)
    }

    /// As many bits, in whole bytes.
    pub fn bits(&mut self, count: u64) -> HeaderResult<Bits<'h>> {
        let bytes = self.bytes(count.div_ceil(8))?;
        Ok(Bits { bytes, at: 0 })
    }

    /// The checksums of `count` streams, of which some may have none ("Digests").
    pub fn digests(&mut self, count: u64) -> HeaderResult<Digests<'h>> {
        let mut defined = Defined::All;
        let mut there = count;
        if self.byte()? == 0 {
            let mut bits = self.bits(count)?;
            defined = Defined::Some(bits);
            there = (0..count).filter(|_| bits.next()).count() as u64;
        }
        let width = there.checked_mul(4).ok_or_else(ended)?;
        let sums = Self(self.bytes(width)?);
        Ok(Digests { defined, sums })
    }
}

/// Bits, the highest of each byte first; missing ones are zero.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bits<'h> {
    bytes: &'h [u8],
    at: u32,
}

impl Bits<'_> {
    pub fn next(&mut self) -> bool {
        let Some((first, rest)) = self.bytes.split_first() else {
            return false;
        };
        let bit = first & 0x80 >> self.at;
        self.at = (self.at + 1) % 8;
        if self.at == 0 {
            self.bytes = rest;
        }
        bit != 0
    }
}

#[derive(Clone, Copy, Debug)]
enum Defined<'h> {
    All,
    Some(Bits<'h>),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Digests<'h> {
    defined: Defined<'h>,
    sums: HeaderCursor<'h>,
}

impl Default for Digests<'_> {
    fn default() -> Self {
        Self { defined: Defined::Some(Bits::default()), sums: HeaderCursor::default() }
    }
}

impl Digests<'_> {
    pub fn next(&mut self) -> Option<u32> {
        let is_defined = match &mut self.defined {
            Defined::All => true,
            Defined::Some(bits) => bits.next(),
        };
        let (sum, rest) = self.sums.0.split_first_chunk().filter(|_| is_defined)?;
        self.sums.0 = rest;
        Some(u32::from_le_bytes(*sum))
    }
}

fn ended() -> ArchiveProblem {
    corrupt("its header ends too early")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bytes: &[u8]) -> Option<(u64, usize)> {
        let mut cursor = HeaderCursor(bytes);
        let number = cursor.number().ok()?;
        Some((number, cursor.0.len()))
    }

    /// The rows of the table in 7zFormat.txt.
    #[test]
    fn numbers_of_every_width() {
        for (bytes, expected) in [
            (&b"\x00"[..], 0),
            (b"\x7f", 0x7f),
            (b"\x80\x80", 0x80),
            (b"\xbf\xff", 0x3fff),
            (b"\xc1\x34\x12", 0x11234),
            (b"\xe0\x01\x02\x03", 0x030201),
            (b"\xf7\x01\x02\x03\x04", 0x07_0403_0201),
            (b"\xf8\x01\x02\x03\x04\x05", 0x05_0403_0201),
            (b"\xfd\x01\x02\x03\x04\x05\x06", 0x0001_0605_0403_0201),
            (b"\xfe\x01\x02\x03\x04\x05\x06\x07", 0x07_0605_0403_0201),
            (b"\xff\x01\x02\x03\x04\x05\x06\x07\x88", 0x8807_0605_0403_0201),
        ] {
            assert_eq!(number(bytes), Some((expected, 0)), "{bytes:x?}");
            for cut in 0..bytes.len() {
                assert_eq!(number(&bytes[..cut]), None, "{bytes:x?} {cut}");
            }
        }
        assert_eq!(number(b"\x05\x06"), Some((5, 1)));
    }

    #[test]
    fn counts_that_lie() {
        let promised = 1 << 60;
        assert!(HeaderCursor(&[1; 100]).numbers(promised).is_err());
        assert!(HeaderCursor(&[1; 100]).bits(promised).is_err());
        assert!(HeaderCursor(&[1; 100]).digests(promised).is_err());
        assert!(HeaderCursor(&[0; 100]).digests(u64::MAX).is_err());
        assert!(HeaderCursor(&[1; 100]).bytes(101).is_err());
    }

    #[test]
    fn digests_of_some() {
        // The second and the tenth of ten.
        let mut cursor = HeaderCursor(b"\0\x40\x40\x01\0\0\0\x02\0\0\0rest");
        let mut digests = cursor.digests(10).unwrap();
        let sums: Vec<_> = (0..11).map(|_| digests.next()).collect();
        let mut expected = [None; 11];
        (expected[1], expected[9]) = (Some(1), Some(2));
        assert_eq!((&sums[..], cursor.0), (&expected[..], &b"rest"[..]));
        let mut all = HeaderCursor(b"\x01\xff\0\0\0").digests(1).unwrap();
        assert_eq!((all.next(), all.next()), (Some(255), None));
        assert_eq!(Digests::default().next(), None);
    }
}
