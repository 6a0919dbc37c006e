//! Looks up a byte for each of 64 ASCII characters at once.

use core::arch::x86_64::{__m512i, _mm512_permutex2var_epi8};

use super::{VECTOR, load};

/// A table of 128 bytes. A byte above ASCII gets the entry of the one 128 below it, so callers must
/// mask it out.
pub(super) struct ByteLookup([[u8; VECTOR]; 2]);

impl ByteLookup {
    pub const EMPTY: Self = Self([[0; VECTOR]; 2]);

    #[expect(clippy::indexing_slicing, reason = "the compiler would refuse the constants")]
    pub const fn with(mut self, byte: u8, value: u8) -> Self {
        let byte = byte as usize;
        self.0[byte / VECTOR][byte % VECTOR] = value;
        self
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub fn look_up(&self, bytes: __m512i) -> __m512i {
        let Self([low, high]) = self;
        // The instruction indexes both vectors by the low seven bits of each byte.
        _mm512_permutex2var_epi8(load(low), bytes, load(high))
    }
}

/// Builds the table of a constant function.
macro_rules! table {
    ($of:path) => {{
        let mut table = crate::scan::avx512::table::ByteLookup::EMPTY;
        let mut byte = 0;
        while byte < 0x80 {
            table = table.with(byte, $of(byte));
            byte += 1;
        }
        table
    }};
}
pub(super) use table;
