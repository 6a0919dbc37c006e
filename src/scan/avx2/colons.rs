//! Finds colons, 128 bytes per step.
//!
//! One branch tests whether a step contains any colon; most steps of prose contain none. There is
//! no branch per colon, because mispredicted branches dominated the time of this loop.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpgt_epi8, _mm256_max_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_testz_si256,
};

use super::super::batch::CandidateBatch;
use super::super::portable;
use super::super::prefetch::prefetch;
use super::{VECTOR, equals, load, mask};

const BLOCK: usize = 2 * VECTOR;
const STEP: usize = 2 * BLOCK;
const LINE: usize = 64;
/// A step, and the byte on each side of it.
type ColonStepBytes = [u8; 1 + STEP + 1];

#[target_feature(enable = "avx2,bmi1")]
pub(super) fn fill(haystack: &[u8], batch: &mut CandidateBatch) {
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit
        && !batch.is_full()
        && let Some(step) = haystack.get(at - 1..).and_then(|rest| rest.first_chunk())
    {
        prefetch(haystack, at);
        prefetch(haystack, at + LINE);
        if has_colon(step) {
            let [low, high] = [worth(step, 0), worth(step, BLOCK)];
            batch.push::<1>(at, low);
            batch.push::<1>(at + BLOCK, high);
        }
        at += STEP;
        batch.reach(at);
    }
    if haystack.len() < at + STEP + 1 {
        portable::fill(haystack, batch);
    }
}

/// Returns the first byte that [`fill`] would push, or the length of the text.
#[cfg(feature = "search")]
#[target_feature(enable = "avx2,bmi1")]
pub(super) fn first(haystack: &[u8]) -> usize {
    let mut at = 1;
    while let Some(step) = haystack.get(at - 1..).and_then(|rest| rest.first_chunk()) {
        prefetch(haystack, at);
        prefetch(haystack, at + LINE);
        if has_colon(step) {
            for (n, base) in [(0, at), (BLOCK, at + BLOCK)] {
                match worth(step, n) {
                    0 => {}
                    found => return base + found.trailing_zeros() as usize,
                }
            }
        }
        at += STEP;
    }
    portable::first(haystack, at)
}

#[inline]
#[target_feature(enable = "avx2")]
fn has_colon(step: &ColonStepBytes) -> bool {
    let [_, here @ ..] = step;
    let (vectors, _) = here.as_chunks();
    let mut any = _mm256_setzero_si256();
    for bytes in vectors {
        any = _mm256_or_si256(any, equals(load(bytes), b':'));
    }
    _mm256_testz_si256(any, any) == 0
}

/// Returns a bit for each colon that may end a scheme among the 64 bytes from byte `n` of the step
/// on. Excludes those of `key: value` and most of those of `std::string`, which are most colons of
/// most texts.
///
/// `urn::x` is kept: a URN without a NID must be rejected with that reason (D6).
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn worth(step: &ColonStepBytes, n: usize) -> u64 {
    let (low, low_n) = half(step, n);
    let (high, high_n) = half(step, n + VECTOR);
    let colons = u64::from(low) | u64::from(high) << VECTOR;
    let after_n = u64::from(low_n) | u64::from(high_n) << VECTOR;
    // A pair of colons across the edge of the block is kept; the rules refuse it.
    colons & !(colons << 1) & (!(colons >> 1) | after_n)
}

/// Returns the colons among 32 bytes that no space follows, and the bytes that follow an `n`.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn half(step: &ColonStepBytes, n: usize) -> (u32, u32) {
    let around = (vector(step, n), vector(step, n + 1), vector(step, n + 2));
    let (Some(before), Some(here), Some(after)) = around else {
        return (0, 0);
    };
    let lower = _mm256_or_si256(before, _mm256_set1_epi8(0x20));
    // `12:30`: a digit follows, and no letter precedes. In signed comparisons, bytes above ASCII
    // are negative, so they count as neither digits nor letters.
    let low = _mm256_cmpgt_epi8(_mm256_set1_epi8(b'9' as i8 + 1), _mm256_max_epi8(lower, after));
    let time = _mm256_and_si256(low, _mm256_cmpgt_epi8(after, _mm256_set1_epi8(b'/' as i8)));
    let none = _mm256_or_si256(equals(after, b' '), time);
    let colons = _mm256_andnot_si256(none, equals(here, b':'));
    (mask(colons), mask(equals(lower, b'n')))
}

#[inline]
#[target_feature(enable = "avx2")]
fn vector(step: &ColonStepBytes, at: usize) -> Option<__m256i> {
    let bytes = step.get(at..)?.first_chunk()?;
    Some(load(bytes))
}
