//! What may open a message or a file, 32 bytes a step.

use std::arch::x86_64::{_mm256_and_si256, _mm256_or_si256};

use super::super::opening::scalar;
use super::super::prefetch::prefetch;
use super::{VECTOR, equals, load, mask};

#[target_feature(enable = "avx2,bmi1")]
pub(super) fn next(text: &[u8], at: usize) -> usize {
    let mut at = at.max(1);
    while let Some(before) = text.get(at - 1..).and_then(|rest| rest.first_chunk())
        && let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk())
    {
        prefetch(text, at);
        let (before, here) = (load(before), load(here));
        let (f, file) = (
            equals(here, b'F'),
            _mm256_or_si256(equals(here, b'b'), equals(here, b'=')),
        );
        let line = _mm256_and_si256(equals(before, b'\n'), _mm256_or_si256(f, file));
        let quote = _mm256_and_si256(equals(before, b'>'), f);
        let found = mask(_mm256_or_si256(line, quote));
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += VECTOR;
    }
    scalar(text, at)
}
