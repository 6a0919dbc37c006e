//! Finds colons, 64 bytes per step, with no branch that depends on their positions.

use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_mask_test_epi8_mask, _mm512_set1_epi8,
};

use super::super::batch::CandidateBatch;
use super::super::colon::{kinds_after, kinds_before};
use super::steps;
use super::table::{ByteLookup, table};

const BEFORE: ByteLookup = table!(kinds_before);
const AFTER: ByteLookup = table!(kinds_after);

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn fill(haystack: &[u8], batch: &mut CandidateBatch) {
    steps::fill(haystack, batch, |before, here, after| worth(before, here, after));
}

#[cfg(feature = "search")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn first(haystack: &[u8]) -> usize {
    steps::first(haystack, |before, here, after| worth(before, here, after))
}

/// Returns a bit for each colon in `here` that its two neighbours allow.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn worth(before: __m512i, here: __m512i, after: __m512i) -> u64 {
    let colons = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8(b':' as i8));
    // One test compares all classes of both neighbours. A byte above ASCII has the classes of
    // another byte here. That is harmless: the rules accept no such byte next to a colon, so it
    // only adds candidates that they refuse.
    let (before, after) = (BEFORE.look_up(before), AFTER.look_up(after));
    _mm512_mask_test_epi8_mask(colons, before, after)
}
