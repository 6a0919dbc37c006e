//! What may open a message or a file, 64 bytes a step.

use std::arch::x86_64::{_mm512_mask_test_epi8_mask, _mm512_movepi8_mask, _mm512_or_si512};

use super::super::opening::{kinds_before, kinds_of, scalar};
use super::super::prefetch::prefetch;
use super::table::{Table, table};
use super::{VECTOR, load};

const BEFORE: Table = table!(kinds_before);
const OF: Table = table!(kinds_of);

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
pub(super) fn next(text: &[u8], at: usize) -> usize {
    let mut at = at.max(1);
    while let Some(before) = text.get(at - 1..).and_then(|rest| rest.first_chunk())
        && let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk())
    {
        prefetch(text, at);
        let (before, here) = (load(before), load(here));
        // a byte above ASCII is looked up as the one 128 below it
        let ascii = !_mm512_movepi8_mask(_mm512_or_si512(before, here));
        let (before, here) = (BEFORE.look_up(before), OF.look_up(here));
        let found = _mm512_mask_test_epi8_mask(ascii, before, here);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += VECTOR;
    }
    scalar(text, at)
}
