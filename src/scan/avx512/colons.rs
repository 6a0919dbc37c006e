//! Colons, 64 bytes a step, with no branch that depends on where they are.

use crate::slice::SliceExt;
use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_mask_test_epi8_mask, _mm512_set1_epi8,
};

use super::super::batch::CandidateBatch;
use super::super::colon::{kinds_after, kinds_before};
use super::super::prefetch::prefetch;
use super::table::{ByteLookup, table};
use super::{VECTOR, load, load_some};

/// Vectors between two questions whether there is room, a bit each: in a long text and in a short one.
const LONG: usize = u64::BITS as usize;
const SHORT: usize = 8;

const BEFORE: ByteLookup = table!(kinds_before);
const AFTER: ByteLookup = table!(kinds_after);

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
pub(super) fn fill(haystack: &[u8], batch: &mut CandidateBatch) {
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit && !batch.is_full() {
        let length = haystack.len().saturating_sub(at + 1);
        at = match length / VECTOR {
            0 if length == 0 => return batch.reach(haystack.len()),
            0 => some(haystack, at, length, batch),
            count @ ..LONG => stretch::<SHORT>(haystack, at, count.min(SHORT), batch),
            _ => stretch::<LONG>(haystack, at, LONG, batch),
        };
        batch.reach(at);
    }
}

/// Pushes the colons of so many vectors from `at` on, as far as there is room, and gives where it came to.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
fn stretch<const MOST: usize>(
    haystack: &[u8],
    at: usize,
    count: usize,
    batch: &mut CandidateBatch,
) -> usize {
    let [before, here, after] = [
        vectors(haystack, at - 1, count),
        vectors(haystack, at, count),
        vectors(haystack, at + 1, count),
    ];
    let mut colons = [0; MOST];
    let mut some = 0u64;
    // as indexes, since three iterators zipped leave no registers for the tables
    for n in 0..count {
        let here_and_around = (before.get(n), here.get(n), after.get(n), colons.get_mut(n));
        let (Some(before), Some(here), Some(after), Some(found)) = here_and_around else {
            break;
        };
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
    at + VECTOR * count
}

/// Pushes the colons of less than a vector, and gives where it came to.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
fn some(haystack: &[u8], at: usize, length: usize, batch: &mut CandidateBatch) -> usize {
    let from = |at: usize| load_some(haystack.part(at..), length);
    batch.push(at, worth(from(at - 1), from(at), from(at + 1)));
    at + length
}

/// So many vectors from `at` on.
#[inline(always)]
fn vectors(haystack: &[u8], at: usize, count: usize) -> &[[u8; VECTOR]] {
    let bytes = haystack.part(at..);
    bytes.as_chunks().0.part(..count)
}

/// The colons in `here` whose neighbours go together, a bit each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn worth(before: __m512i, here: __m512i, after: __m512i) -> u64 {
    let colons = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8(b':' as i8));
    let (before, after) = (BEFORE.look_up(before), AFTER.look_up(after));
    _mm512_mask_test_epi8_mask(colons, before, after)
}
