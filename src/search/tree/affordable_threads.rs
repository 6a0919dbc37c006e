//! How many threads the system gives.

use crate::threads::can_start;

/// The number of threads that a walk can start: `threads`, or fewer where the system gives no more.
///
/// A walk of `ignore` can't go on without those that it was promised, and needs one beside them.
pub(crate) fn affordable_threads(mut threads: usize) -> usize {
    while threads > 0 && !can_start(threads) {
        threads /= 2;
    }
    threads
}
