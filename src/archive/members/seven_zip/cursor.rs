//! Numbers, bit lists, and checksums of headers. Only their positions are kept, so that a header
//! with false counts takes no memory.

use super::{ArchiveProblem, HeaderResult, SEVEN_ZIP, malformed};

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

    /// True if this property is next; it is then consumed.
    pub fn has(&mut self, id: u8) -> bool {
        let rest = self.0.strip_prefix(&[id]);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    pub fn expect(&mut self, id: u8) -> HeaderResult<()> {
        if self.byte()? == id { Ok(()) } else { Err(malformed()) }
    }

    /// Reads a number. The leading ones of the first byte count the bytes that follow, lowest
    /// first. The bits of the first byte after these ones and a zero are the highest ("UINT64" in
    /// 7zFormat.txt).
    pub fn number(&mut self) -> HeaderResult<u64> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let low = self.bytes(more.into())?.iter().rev();
        let low = low.fold(0, |number, &byte| number << 8 | u64::from(byte));
        // With seven or eight leading ones, the first byte holds no bits of the number. A plain
        // shift by that much would overflow.
        let high = first & 0x7f_u8.checked_shr(more).unwrap_or(0);
        let high = u64::from(high).checked_shl(8 * more).unwrap_or(0);
        Ok(low | high)
    }

    /// Returns numbers to read later. Each has at least one byte, so a false count soon fails.
    pub fn numbers(&mut self, count: u64) -> HeaderResult<Self> {
        // Walk over the numbers once to find their end, and keep only where they start. A list of
        // them would take the memory that the header promises.
        let numbers = *self;
        for _ in 0..count {
            self.number()?;
        }
        Ok(numbers)
    }

    /// Reads `count` bits, in whole bytes.
    pub fn bits(&mut self, count: u64) -> HeaderResult<Bits<'h>> {
        self.bytes(count.div_ceil(8)).map(Bits::new)
    }

    /// Reads the checksums of `count` streams, some of which may have none ("Digests").
    pub fn digests(&mut self, count: u64) -> HeaderResult<Digests<'h>> {
        // Any other byte says that all are defined ("AllAreDefined"), and no list follows.
        let defined = if self.byte()? == 0 { Some(self.bits(count)?) } else { None };
        let there =
            defined.map_or(count, |mut bits| (0..count).filter(|_| bits.next()).count() as u64);
        let sums = self.bytes(there.checked_mul(4).ok_or_else(ended)?)?;
        Ok(Digests { defined, sums })
    }
}

/// Bits, the highest of each byte first; missing bits are zero.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bits<'h> {
    bytes: &'h [u8],
    at: u32,
}

impl<'h> Bits<'h> {
    pub fn new(bytes: &'h [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub fn next(&mut self) -> bool {
        let Some((first, rest)) = self.bytes.split_first() else {
            return false;
        };
        // The highest bit of a byte is the first one.
        let bit = first & 0x80 >> self.at;
        self.at = (self.at + 1) % 8;
        if self.at == 0 {
            self.bytes = rest;
        }
        bit != 0
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Digests<'h> {
    /// `None` if all streams have one.
    defined: Option<Bits<'h>>,
    sums: &'h [u8],
}

impl Digests<'_> {
    pub fn next(&mut self) -> Option<u32> {
        if self.defined.as_mut().is_some_and(|bits| !bits.next()) {
            return None;
        }
        let (sum, rest) = self.sums.split_first_chunk()?;
        self.sums = rest;
        Some(u32::from_le_bytes(*sum))
    }
}

fn ended() -> ArchiveProblem {
    SEVEN_ZIP.corrupt("its header ends too early")
}
