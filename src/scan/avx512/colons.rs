//! Colons, 64 bytes a step, with no branch that depends on where they stand.

use std::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_mask_test_epi8_mask, _mm512_set1_epi8,
};

use super::super::batch::Batch;
use super::super::colon::{kinds_after, kinds_before};
use super::super::prefetch::prefetch;
use super::table::{Table, table};
use super::{VECTOR, load, load_some};

/// Vectors between two questions whether there is room, a bit each: in a long text and in a short one.
const LONG: usize = u64::BITS as usize;
const SHORT: usize = 8;

const BEFORE: Table = table!(kinds_before);
const AFTER: Table = table!(kinds_after);

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
pub(super) fn fill(haystack: &[u8], batch: &mut Batch) {
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit && !batch.is_full() {
        at = match haystack.len().saturating_sub(at + 1) {
            0 => return batch.reach(haystack.len()),
            length @ 1..VECTOR => some(haystack, at, length, batch),
            length if length < LONG * VECTOR => stretch::<SHORT>(haystack, at, batch),
            _ => stretch::<LONG>(haystack, at, batch),
        };
        batch.reach(at);
    }
}

/// Pushes the colons of so many vectors from `at` on, as far as there are so many and there is room, and gives
/// where it came to.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
fn stretch<const MOST: usize>(haystack: &[u8], at: usize, batch: &mut Batch) -> usize {
    let (before, here) = (vectors(haystack, at - 1), vectors(haystack, at));
    let after = vectors(haystack, at + 1);
    let mut colons = [0; MOST];
    let mut some = 0u64;
    let neighbours = before.iter().zip(here).zip(after);
    for (n, (found, ((before, here), after))) in colons.iter_mut().zip(neighbours).enumerate() {
        prefetch(here, 0);
        *found = worth(load(before), load(here), load(after));
        some |= u64::from(*found != 0) << n;
    }
    while some != 0 {
        let n = some.trailing_zeros() as usize;
        let base = at + VECTOR * n;
        if batch.is_full() {
            return base;
        }
        batch.push(base, colons.get(n).copied().unwrap_or_default());
        some &= some - 1;
    }
    at + VECTOR * after.len().min(MOST)
}

/// Pushes the colons of less than a vector, and gives where it came to.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
fn some(haystack: &[u8], at: usize, length: usize, batch: &mut Batch) -> usize {
    let from = |at: usize| load_some(haystack.get(at..).unwrap_or_default(), length);
    batch.push(at, worth(from(at - 1), from(at), from(at + 1)));
    at + length
}

/// The whole vectors from `at` on.
#[inline(always)]
fn vectors(haystack: &[u8], at: usize) -> &[[u8; VECTOR]] {
    haystack.get(at..).unwrap_or_default().as_chunks().0
}

/// The colons in `here` whose neighbours go together, a bit each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn worth(before: __m512i, here: __m512i, after: __m512i) -> u64 {
    let colons = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8(b':' as i8));
    let (before, after) = (BEFORE.look_up(before), AFTER.look_up(after));
    _mm512_mask_test_epi8_mask(colons, before, after)
}
