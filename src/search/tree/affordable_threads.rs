//! Limits the number of threads to those that the system can start.

use crate::threads::can_start;

/// Returns the number of threads that a walk can start: `threads`, or fewer if the system has no
/// more.
///
/// A walk of `ignore` cannot continue without the threads that it was promised, and it needs one
/// besides those.
pub(crate) fn affordable_threads(mut threads: usize) -> usize {
    while threads > 0 && !can_start(threads) {
        // Each try starts as many threads, so there must be few tries.
        threads /= 2;
    }
    threads
}
