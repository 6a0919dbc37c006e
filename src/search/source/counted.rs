//! Counts the bytes that are read, so that a progress display can show them.

use std::io::{Read, Result, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number of bytes that several threads add to; clones count together.
///
/// ```
/// use urigrep::search::{ByteCounter, Search};
/// let counter = ByteCounter::default();
/// let search = Search::builder().byte_counter(counter.clone()).build().unwrap();
/// assert_eq!(counter.get(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ByteCounter(Arc<AtomicU64>);

impl ByteCounter {
    /// The number of bytes read so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

pub(crate) struct CountedReader<R> {
    inner: R,
    counter: ByteCounter,
}

impl<R> CountedReader<R> {
    pub fn new(inner: R, counter: ByteCounter) -> Self {
        Self { inner, counter }
    }
}

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        self.counter.add(count as u64);
        Ok(count)
    }
}

impl<R: Seek> Seek for CountedReader<R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.inner.seek(to)
    }
}
