//! Text is asked for before it is needed: what the next batch needs comes from memory while the candidates of
//! this one are looked at.
#![allow(unsafe_code)]

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// How far ahead.
const AHEAD: usize = 4096;

/// Asks for the line that is so far behind the byte `at` of `text`, if there is one.
#[inline(always)]
pub(super) fn prefetch(text: &[u8], at: usize) {
    let line = text.as_ptr().wrapping_add(at).wrapping_add(AHEAD);
    // SAFETY: a hint, which reads nothing and never faults, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
}
