//! Classifies the bytes of lines: one lookup, and a test for each class.

use core::arch::x86_64::{_mm512_mask_test_epi8_mask, _mm512_movepi8_mask, _mm512_set1_epi8};

use super::super::lines::{BLOCK, LineKinds, kinds};
use super::super::outline::HeaderOutline;
use super::load;
use super::table::{ByteLookup, table};

const KINDS: ByteLookup = table!(kinds);

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn outline(bytes: &[u8], at: usize) -> HeaderOutline {
    HeaderOutline::scan_with(|block| lines(block), bytes, at)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn lines(block: &[u8; BLOCK]) -> LineKinds {
    let bytes = load(block);
    let ascii = !_mm512_movepi8_mask(bytes);
    let kinds = KINDS.look_up(bytes);
    LineKinds::collect(|kind| {
        _mm512_mask_test_epi8_mask(ascii, kinds, _mm512_set1_epi8(kind as i8))
    })
}
