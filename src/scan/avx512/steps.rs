//! Walks a text, 64 bytes per step with the bytes on both sides of each, with no branch that
//! depends on the text.

use core::arch::x86_64::__m512i;

use super::super::batch::CandidateBatch;
use super::super::prefetch::prefetch;
use super::{VECTOR, load, load_some};
use crate::slice::SliceExt;

/// Returns a bit for each of 64 bytes that may be a candidate, given the bytes before them,
/// themselves, and the bytes after them.
pub(super) trait Predicate: Fn(__m512i, __m512i, __m512i) -> u64 {}
impl<F: Fn(__m512i, __m512i, __m512i) -> u64> Predicate for F {}

/// Vectors processed between two checks for room in the batch, a bit each: in a long text and in a
/// short one.
const LONG: usize = u64::BITS as usize;
const SHORT: usize = 8;

/// Fills a restarted batch with the bytes that are `worth` examining, and moves its end.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn fill(haystack: &[u8], batch: &mut CandidateBatch, worth: impl Predicate) {
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit && !batch.is_full() {
        let length = haystack.len().saturating_sub(at + 1);
        at = match length / VECTOR {
            0 if length == 0 => return batch.reach(haystack.len()),
            0 => some(haystack, at, length, batch, &worth),
            count @ ..LONG => block::<SHORT>(haystack, at, count.min(SHORT), batch, &worth),
            _ => block::<LONG>(haystack, at, LONG, batch, &worth),
        };
        batch.reach(at);
    }
}

/// Returns the first byte that is `worth` examining, or the length of the text.
#[cfg(feature = "search")]
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn first(haystack: &[u8], worth: impl Predicate) -> usize {
    let mut at = 1;
    let vector = |at: usize| haystack.get(at..).and_then(|rest| rest.first_chunk());
    while let Some(after) = vector(at + 1)
        && let (Some(here), Some(before)) = (vector(at), vector(at - 1))
    {
        prefetch(haystack, at);
        let found = worth(load(before), load(here), load(after));
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += VECTOR;
    }
    let length = haystack.len().saturating_sub(at + 1);
    let from = |at: usize| load_some(haystack.clamped(at..), length);
    match worth(from(at - 1), from(at), from(at + 1)) {
        0 => haystack.len(),
        found => at + found.trailing_zeros() as usize,
    }
}

/// Pushes the candidates of `count` vectors from `at` on while there is room. Returns the end of
/// the processed text.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn block<const MAX_VECTORS: usize>(
    haystack: &[u8],
    at: usize,
    count: usize,
    batch: &mut CandidateBatch,
    worth: &impl Predicate,
) -> usize {
    let [before, here, after] = [
        vectors(haystack, at - 1, count),
        vectors(haystack, at, count),
        vectors(haystack, at + 1, count),
    ];
    let mut found = [0; MAX_VECTORS];
    // The first loop has no branch on the text: it stores a mask per vector, and which masks are
    // not zero. Most are zero, and the second loop skips them.
    let mut some = 0u64;
    // Indexed on purpose: three zipped iterators leave no registers for the lookup tables.
    for n in 0..count {
        let here_and_around = (before.get(n), here.get(n), after.get(n), found.get_mut(n));
        let (Some(before), Some(here), Some(after), Some(worthy)) = here_and_around else {
            break;
        };
        prefetch(here, 0);
        *worthy = worth(load(before), load(here), load(after));
        some |= u64::from(*worthy != 0) << n;
    }
    while some != 0 {
        let n = some.trailing_zeros() as usize;
        let base = at + VECTOR * n;
        if batch.is_full() {
            // The next batch starts here and searches the rest of the block again.
            return base;
        }
        batch.push::<4>(base, found.get(n).copied().unwrap_or_default());
        some &= some - 1;
    }
    at + VECTOR * count
}

/// Pushes the candidates of less than a vector. Returns the end of the processed text.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn some(
    haystack: &[u8],
    at: usize,
    length: usize,
    batch: &mut CandidateBatch,
    worth: &impl Predicate,
) -> usize {
    let from = |at: usize| load_some(haystack.part(at..), length);
    batch.push::<4>(at, worth(from(at - 1), from(at), from(at + 1)));
    at + length
}

/// Returns `count` vectors from `at` on.
#[inline(always)]
fn vectors(haystack: &[u8], at: usize, count: usize) -> &[[u8; VECTOR]] {
    let bytes = haystack.part(at..);
    bytes.as_chunks().0.part(..count)
}
