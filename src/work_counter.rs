//! Counts the bytes that searches and readers read, so that tests can prove that their work is
//! linear.
//!
//! Only builds with debug assertions and the standard library count; elsewhere `add` does nothing.

#[cfg(all(debug_assertions, feature = "std"))]
use std::cell::Cell;

#[cfg(all(debug_assertions, feature = "std"))]
thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });

/// Adds `bytes` to the count.
#[inline(always)]
pub(crate) fn add(bytes: usize) {
    #[cfg(all(debug_assertions, feature = "std"))]
    COUNT.with(|count| count.set(count.get() + bytes as u64));
    #[cfg(not(all(debug_assertions, feature = "std")))]
    let _ = bytes;
}

/// Returns the bytes read by this thread since the last call, or `None` in builds that do not
/// count.
pub fn take() -> Option<u64> {
    #[cfg(all(debug_assertions, feature = "std"))]
    return Some(COUNT.with(Cell::take));
    #[cfg(not(all(debug_assertions, feature = "std")))]
    None
}
