//! Finds bytes that may open a message or a file, 32 bytes per step.

use core::arch::x86_64::{_mm256_and_si256, _mm256_or_si256};

use super::super::opening;
use super::{VECTOR, equals, load, mask};

#[target_feature(enable = "avx2,bmi1")]
pub(super) fn next(text: &[u8], at: usize) -> usize {
    opening::next::<VECTOR>(text, at, |before, here| open(before, here).into())
}

#[inline]
#[target_feature(enable = "avx2")]
fn open(before: &[u8; VECTOR], here: &[u8; VECTOR]) -> u32 {
    let (before, here) = (load(before), load(here));
    let f = equals(here, b'F');
    let file = _mm256_or_si256(equals(here, b'b'), equals(here, b'='));
    let line = _mm256_and_si256(equals(before, b'\n'), _mm256_or_si256(f, file));
    // Only `From ` is quoted in an mbox, so only `F` may follow a `>`.
    let quote = _mm256_and_si256(equals(before, b'>'), f);
    mask(_mm256_or_si256(line, quote))
}
