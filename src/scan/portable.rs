//! The loops for any machine: memchr, and loops that the compiler may vectorize.

use super::batch::CandidateBatch;
use super::colon;
use super::dotted_name::last_label;
use super::kernel::KernelLoops;
use super::run_masks;
use super::trigger_set;
use crate::slice::SliceExt;

/// Most bytes that [`fill`] searches per call.
const STRETCH: usize = 4096;

pub(super) const LOOPS: KernelLoops = KernelLoops {
    fill,
    #[cfg(feature = "search")]
    first: |haystack| first(haystack, 0),
    fill_any: trigger_set::fill,
    masks: run_masks::portable,
    last_label,
    field: None,
    #[cfg(feature = "search")]
    landmark: super::landmark::portable,
    #[cfg(feature = "search")]
    mail: None,
};

pub(super) fn fill(haystack: &[u8], batch: &mut CandidateBatch) {
    let from = batch.end();
    let tail = haystack.part(from..);
    // Bounded, because the offsets of a batch must fit into two bytes.
    let stretch = tail.get(..STRETCH).unwrap_or(tail);
    for at in memchr::memchr_iter(b':', stretch).map(|found| from + found) {
        if batch.is_full() {
            batch.reach(at);
            return;
        }
        if is_worth(haystack, at) {
            batch.push::<1>(at, 1);
        }
    }
    batch.reach(from + stretch.len());
}

/// Returns the first colon from `from` on that is worth examining, or the length of the text.
#[cfg(feature = "search")]
pub(super) fn first(haystack: &[u8], from: usize) -> usize {
    let mut colons = memchr::memchr_iter(b':', haystack.clamped(from..));
    let found = colons.find(|found| is_worth(haystack, from + found));
    found.map_or(haystack.len(), |found| from + found)
}

/// True if the neighbours of the colon at `at` allow a scheme.
#[inline(always)]
fn is_worth(haystack: &[u8], at: usize) -> bool {
    match haystack.get(at.wrapping_sub(1)..) {
        Some(&[before, _, after, ..]) => colon::fit(before, after),
        _ => false,
    }
}
