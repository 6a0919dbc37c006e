//! A budget for results that wait.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bounds the memory of all threads of a search.
#[derive(Debug)]
pub struct MemoryBudget {
    /// Bytes left for results that wait for their turn.
    left: AtomicUsize,
}

impl MemoryBudget {
    /// Creates a budget of `bytes` bytes for results that wait for their turn.
    pub const fn new(bytes: usize) -> Self {
        Self { left: AtomicUsize::new(bytes) }
    }

    /// Takes `bytes` from the budget, to be returned with [`MemoryBudget::give_back`]. Returns
    /// false if not enough is left.
    pub fn take(&self, bytes: usize) -> bool {
        // Only the number is shared. No other data is published with it.
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let taken = self.left.fetch_update(set, get, |left| left.checked_sub(bytes));
        taken.is_ok()
    }

    /// Returns `bytes` to the budget.
    pub fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes left.
    pub fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }
}
