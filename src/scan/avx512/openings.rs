//! What may open a message or a file, 64 bytes a step.

use core::arch::x86_64::{_mm512_mask_test_epi8_mask, _mm512_movepi8_mask, _mm512_or_si512};

use super::super::opening::{self, kinds_before, kinds_of};
use super::table::{ByteLookup, table};
use super::{VECTOR, load};

const BEFORE: ByteLookup = table!(kinds_before);
const OF: ByteLookup = table!(kinds_of);

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
pub(super) fn next(text: &[u8], at: usize) -> usize {
    opening::next::<VECTOR>(text, at, |before, here| open(before, here))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn open(before: &[u8; VECTOR], here: &[u8; VECTOR]) -> u64 {
    let (before, here) = (load(before), load(here));
    // a byte above ASCII is looked up as the one 128 below it
    let ascii = !_mm512_movepi8_mask(_mm512_or_si512(before, here));
    _mm512_mask_test_epi8_mask(ascii, BEFORE.look_up(before), OF.look_up(here))
}
