//! Prefetches text, so that memory delivers the next batch while the candidates of this one are
//! examined.
#![allow(unsafe_code)]

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

const AHEAD: usize = 4096;

/// Prefetches the cache line [`AHEAD`] bytes after the byte `at` of `text`, if there is one.
#[inline(always)]
pub(super) fn prefetch(text: &[u8], at: usize) {
    let line = text.as_ptr().wrapping_add(at).wrapping_add(AHEAD);
    // SAFETY: a prefetch is a hint. It reads nothing and never faults, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
}
