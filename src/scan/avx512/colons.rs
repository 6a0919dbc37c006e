//! Colons, 64 bytes a step, with no branch that depends on where they stand.

use std::arch::x86_64::{_mm512_cmpeq_epi8_mask, _mm512_mask_test_epi8_mask, _mm512_set1_epi8};

use super::super::batch::Batch;
use super::super::colon::{kinds_after, kinds_before};
use super::super::portable;
use super::super::prefetch::prefetch;
use super::table::{Table, table};
use super::{VECTOR, load};

/// Vectors between two questions whether there is room: a bit each.
const STRETCH: usize = u64::BITS as usize;

const BEFORE: Table = table!(kinds_before);
const AFTER: Table = table!(kinds_after);

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1")]
pub(super) fn fill(haystack: &[u8], batch: &mut Batch) {
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit {
        let [before, here, after] = [at - 1, at, at + 1].map(|at| vectors(haystack, at));
        if after.is_empty() {
            return portable::fill(haystack, batch);
        }
        let mut colons = [0; STRETCH];
        let mut some = 0u64;
        let neighbours = before.iter().zip(here).zip(after);
        for (n, (found, ((before, here), after))) in colons.iter_mut().zip(neighbours).enumerate() {
            prefetch(here, 0);
            *found = worth(before, here, after);
            some |= u64::from(*found != 0) << n;
        }
        let end = at + VECTOR * after.len().min(STRETCH);
        while some != 0 {
            let n = some.trailing_zeros() as usize;
            let base = at + VECTOR * n;
            if batch.is_full() {
                return batch.reach(base);
            }
            batch.push(base, colons.get(n).copied().unwrap_or_default());
            some &= some - 1;
        }
        batch.reach(end);
        at = end;
    }
}

/// The whole vectors from `at` on.
#[inline(always)]
fn vectors(haystack: &[u8], at: usize) -> &[[u8; VECTOR]] {
    haystack.get(at..).unwrap_or_default().as_chunks().0
}

/// The colons in `here` whose neighbours go together, a bit each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn worth(before: &[u8; VECTOR], here: &[u8; VECTOR], after: &[u8; VECTOR]) -> u64 {
    let colons = _mm512_cmpeq_epi8_mask(load(here), _mm512_set1_epi8(b':' as i8));
    let (before, after) = (BEFORE.look_up(load(before)), AFTER.look_up(load(after)));
    _mm512_mask_test_epi8_mask(colons, before, after)
}
