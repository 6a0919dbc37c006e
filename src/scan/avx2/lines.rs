//! Classifies the bytes of lines, half a block per step.

use core::arch::x86_64::{
    __m256i, _mm256_andnot_si256, _mm256_cmpgt_epi8, _mm256_or_si256, _mm256_set1_epi8,
};

use super::super::lines::{
    BLANK, BLOCK, COLON, DASH, EQUALS, FEED, INITIAL, LineKinds, NAME, QUESTION,
};
use super::super::outline::HeaderOutline;
use super::{VECTOR, equals, load, mask};

#[target_feature(enable = "avx2,bmi1")]
pub(super) fn outline(bytes: &[u8], at: usize) -> HeaderOutline {
    HeaderOutline::scan_with(|block| lines(block), bytes, at)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn lines(block: &[u8; BLOCK]) -> LineKinds {
    let (halves, _) = block.as_chunks::<VECTOR>();
    LineKinds::collect(|kind| {
        let mut bits = 0;
        for half in halves.iter().rev() {
            bits = bits << VECTOR | u64::from(mask(are(kind, load(half))));
        }
        bits
    })
}

#[inline]
#[target_feature(enable = "avx2")]
fn are(kind: u8, bytes: __m256i) -> __m256i {
    match kind {
        FEED => equals(bytes, b'\n'),
        // Non-ASCII bytes are negative in a signed comparison.
        NAME => _mm256_andnot_si256(
            _mm256_or_si256(equals(bytes, b':'), equals(bytes, 0x7f)),
            _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(b' ' as i8)),
        ),
        COLON => equals(bytes, b':'),
        BLANK => _mm256_or_si256(equals(bytes, b' '), equals(bytes, b'\t')),
        INITIAL => equals(_mm256_or_si256(bytes, _mm256_set1_epi8(0x20)), b'c'),
        DASH => equals(bytes, b'-'),
        EQUALS => equals(bytes, b'='),
        QUESTION => equals(bytes, b'?'),
        _ => equals(bytes, b'\0'),
    }
}
