//! The progress of a search, for another thread to show: [`Progress`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::search::{ByteCounter, Root};

/// The progress of a search. Clones show the same search.
///
/// ```
/// use urigrep::search::{Progress, Search};
/// let progress = Progress::default();
/// let search = Search::builder().progress(progress.clone()).build()?;
/// let hits = search.paths(["Cargo.toml"])?.count();
/// assert_eq!((progress.files(), progress.bytes_total()), (1, Some(progress.bytes())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress {
    bytes: ByteCounter,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    files: AtomicU64,
    /// One more than the size of all roots; 0 if it is unknown.
    total: AtomicU64,
}

impl Progress {
    /// The number of files that were searched, with the members of archives.
    pub fn files(&self) -> u64 {
        self.counts.files.load(Ordering::Relaxed)
    }

    /// The number of bytes that were read, before decompression.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// The number of bytes to read. `None` before the search starts, for streams, and for
    /// directories, whose size is known only when they were read.
    pub fn bytes_total(&self) -> Option<u64> {
        self.counts.total.load(Ordering::Relaxed).checked_sub(1)
    }

    pub(crate) fn bytes_read(&self) -> ByteCounter {
        self.bytes.clone()
    }

    pub(crate) fn add_files(&self, files: u64) {
        self.counts.files.fetch_add(files, Ordering::Relaxed);
    }

    /// Sets the total, if all roots are files.
    pub(crate) fn start(&self, roots: &[Root]) {
        let size = |root: &Root| match root {
            Root::Path(path) => {
                let metadata = std::fs::metadata(path).ok()?;
                metadata.is_file().then_some(metadata.len())
            }
            _ => None,
        };
        let total: Option<u64> = roots.iter().map(size).sum();
        self.counts.total.store(total.map_or(0, |total| total + 1), Ordering::Relaxed);
    }
}
