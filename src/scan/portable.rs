//! The loops for any machine, with memchr and with what the compiler makes of them.

use super::batch::CandidateBatch;
use super::colon;
use super::dotted_name::last_label;
use super::kernel::KernelLoops;
use super::plain_bytes::{in_host, in_path};
use super::trigger_set;
use crate::chunk;
use crate::slice::SliceExt;

/// How far the first loop goes at once.
const STRETCH: usize = 4096;

pub(super) const LOOPS: KernelLoops = KernelLoops {
    fill,
    #[cfg(feature = "search")]
    first: |haystack| first(haystack, 0),
    fill_any: trigger_set::fill,
    host_and_path: |text, at| {
        let host = run(text, at, in_host);
        (host, path(text, host))
    },
    path,
    last_label,
    field: None,
    #[cfg(feature = "search")]
    mail: None,
};

pub(super) fn fill(haystack: &[u8], batch: &mut CandidateBatch) {
    let from = batch.end();
    let tail = haystack.part(from..);
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

/// The first colon from `from` on that is worth a look; the length of the text if there is none.
#[cfg(feature = "search")]
pub(super) fn first(haystack: &[u8], from: usize) -> usize {
    let mut colons = memchr::memchr_iter(b':', haystack.clamped(from..));
    let found = colons.find(|found| is_worth(haystack, from + found));
    found.map_or(haystack.len(), |found| from + found)
}

/// Whether the colon at `at` is worth a closer look, by its neighbours.
#[inline(always)]
fn is_worth(haystack: &[u8], at: usize) -> bool {
    match haystack.get(at.wrapping_sub(1)..) {
        Some(&[before, _, after, ..]) => colon::fit(before, after),
        _ => false,
    }
}

pub(super) fn path(text: &[u8], at: usize) -> usize {
    run(text, at, in_path)
}

/// One past the run of bytes from `at` on that are `plain`.
#[inline(always)]
fn run(text: &[u8], at: usize, plain: impl Fn(u8) -> bool) -> usize {
    at + chunk::run(text.part(at..), plain)
}
