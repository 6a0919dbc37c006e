//! Counts the bytes that search and readers look at, so that tests can prove that their work is linear.
//!
//! Only builds with debug assertions count; elsewhere `add` is nothing.

#[cfg(debug_assertions)]
use std::cell::Cell;

#[cfg(debug_assertions)]
thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });

/// Adds `bytes` looked at.
#[inline(always)]
pub(crate) fn add(bytes: usize) {
    #[cfg(debug_assertions)]
    COUNT.with(|count| count.set(count.get() + bytes as u64));
    #[cfg(not(debug_assertions))]
    let _ = bytes;
}

/// The bytes looked at by this thread since the last call; `None` in builds that don't count.
pub fn take() -> Option<u64> {
    #[cfg(debug_assertions)]
    return Some(COUNT.with(Cell::take));
    #[cfg(not(debug_assertions))]
    None
}
