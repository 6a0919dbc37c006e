//! The memory of a search: one budget for what waits, and a question before what is heavy.
//!
//! An allocation that fails ends the process, so what needs much memory asks first where the system limits it
//! (`ulimit -v`).

use std::fs::File;
use std::io::Read;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::slice::SliceExt;

/// What every file needs: buffers, and records.
pub(crate) const PER_FILE: usize = 4 << 20;
/// What a decoder needs, unless it announces that it needs more.
pub(crate) const PER_DECODER: usize = 32 << 20;
/// What is reported when there is too little.
pub(crate) const TOO_LITTLE: &str = "there is not enough memory";

/// Bounds the memory of all threads of a search.
#[derive(Debug)]
pub struct MemoryBudget {
    /// Bytes that results may still take while they wait for their turn.
    left: AtomicUsize,
}

impl MemoryBudget {
    /// A budget of so many bytes for results that wait for their turn.
    pub const fn new(bytes: usize) -> Self {
        Self { left: AtomicUsize::new(bytes) }
    }

    /// Takes `bytes` from the budget, to be given back by [`MemoryBudget::give_back`]; false when they are not left.
    pub fn take(&self, bytes: usize) -> bool {
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let taken = self.left.fetch_update(set, get, |left| left.checked_sub(bytes));
        taken.is_ok()
    }

    /// Gives back what was taken.
    pub fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }

    /// What is left.
    pub fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }
}

/// Elsewhere the system stops a process before an allocation fails.
static IS_LIMITED: LazyLock<bool> = LazyLock::new(|| {
    let limits = proc_self("limits");
    let limit = |name| limits.lines().find_map(|line| line.strip_prefix(name));
    let known = ["Max address space", "Max data size"].into_iter();
    known.filter_map(limit).any(|limit| !limit.trim_start().starts_with("unlimited"))
});

/// True when so many bytes can be had now. Another thread may take them first; heavy inputs run one at a time.
#[doc(hidden)]
pub fn is_available(bytes: usize) -> bool {
    !*IS_LIMITED || Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// The start of a file of Linux's `/proc/self`; empty elsewhere. It is read at once, as the kernel generates it anew
/// for each read.
#[doc(hidden)]
pub fn proc_self(name: &str) -> String {
    let mut bytes = [0; 16 << 10];
    let file = File::open(format!("/proc/self/{name}"));
    let length = file.and_then(|mut file| file.read(&mut bytes));
    let bytes = bytes.part(..length.unwrap_or(0));
    String::from_utf8_lossy(bytes).into_owned()
}
