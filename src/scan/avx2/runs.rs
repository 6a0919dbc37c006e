//! Classifies the bytes of a run, 32 bytes per step.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16,
};

use super::super::plain_bytes::{in_host, in_path};
use super::super::run_masks::{MASK_BYTES, RunMasks, padded};
use super::{VECTOR, equals, load, mask};

/// A class of ASCII characters, looked up by low and high nibble.
struct NibbleClass {
    /// By low nibble: one bit for each high nibble in the class. Repeated for each half of a
    /// vector, because the shuffle works within halves.
    low: [u8; VECTOR],
    /// By high nibble: its bit.
    high: [u8; VECTOR],
}

impl NibbleClass {
    const EMPTY: Self = Self { low: [0; VECTOR], high: [0; VECTOR] };

    #[expect(
        clippy::indexing_slicing,
        reason = "nibbles, and the compiler would refuse the constants"
    )]
    const fn with(mut self, byte: u8) -> Self {
        let (low, high) = ((byte & 15) as usize, (byte >> 4) as usize);
        self.low[low] |= 1 << high;
        self.low[low + VECTOR / 2] |= 1 << high;
        self.high[high] = 1 << high;
        self.high[high + VECTOR / 2] = 1 << high;
        self
    }

    /// Returns a bit for each byte outside the class.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn others(&self, bytes: __m256i) -> u32 {
        let highs = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
        // The shuffle returns zero for a byte with its top bit set, so non-ASCII bytes match no
        // class.
        let low = _mm256_shuffle_epi8(load(&self.low), bytes);
        let both = _mm256_and_si256(low, _mm256_shuffle_epi8(load(&self.high), highs));
        mask(_mm256_cmpeq_epi8(both, _mm256_setzero_si256()))
    }
}

/// Builds the class of the ASCII characters for which `$is` holds.
macro_rules! class {
    ($is:path) => {{
        let mut class = NibbleClass::EMPTY;
        let mut byte = 0;
        while byte < 0x80 {
            if $is(byte) {
                class = class.with(byte);
            }
            byte += 1;
        }
        class
    }};
}

const HOST: NibbleClass = class!(in_host);
const PATH: NibbleClass = class!(in_path);

#[target_feature(enable = "avx2,bmi1")]
pub(super) fn masks(text: &[u8], at: usize) -> RunMasks {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => masks_of(bytes),
        None => masks_of(&padded(text, at)),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn masks_of(bytes: &[u8; MASK_BYTES]) -> RunMasks {
    let (halves, _) = bytes.as_chunks::<VECTOR>();
    let mut masks = RunMasks { host: 0, path: 0, hyphens: 0 };
    for half in halves.iter().rev() {
        let bytes = load(half);
        let push = |mask: u64, bits: u32| mask << VECTOR | u64::from(bits);
        masks.host = push(masks.host, HOST.others(bytes));
        masks.path = push(masks.path, PATH.others(bytes));
        masks.hyphens = push(masks.hyphens, mask(equals(bytes, b'-')));
    }
    masks
}
