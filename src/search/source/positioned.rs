//! A large regular file, read from any offset by any thread.

use std::fs::File;
use std::io::{ErrorKind, Result};
use std::ops::Range;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
#[cfg(windows)]
use std::os::windows::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::archive::ReadAt;
use crate::search::ByteCounter;

/// A file, with the length it had when it was opened. Offsets count from the start of the input in
/// it.
#[derive(Debug)]
pub(crate) struct PositionedFile {
    file: File,
    range: Range<u64>,
    counter: Option<ByteCounter>,
    /// Highest offset read so far. Bytes that are read twice count once.
    seen: AtomicU64,
}

impl PositionedFile {
    /// Opens the bytes of `file` in `range`; reads are added to `counter`.
    pub fn new(file: File, range: Range<u64>, counter: Option<ByteCounter>) -> Self {
        Self { file, range, counter, seen: AtomicU64::new(0) }
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    /// Fills `out` from offset `at`. It returns fewer bytes at the end of the file or before an
    /// error.
    pub fn read_at(&self, out: &mut [u8], at: u64) -> (usize, Result<()>) {
        let (filled, result) = self.fill(out, at);
        if let Some(counter) = &self.counter
            && filled > 0
        {
            let end = at + filled as u64;
            // Chunks overlap, and some are read twice. Only bytes beyond the furthest read so far
            // count as progress.
            let before = self.seen.fetch_max(end, Ordering::Relaxed);
            counter.add(end.saturating_sub(before));
        }
        (filled, result)
    }

    fn fill(&self, out: &mut [u8], at: u64) -> (usize, Result<()>) {
        let left = usize::try_from(self.len().saturating_sub(at)).unwrap_or(usize::MAX);
        let room = out.len().min(left);
        let mut filled = 0;
        while filled < room {
            let offset = self.range.start + at + filled as u64;
            let rest = &mut out[filled..room];
            #[cfg(unix)]
            let read = self.file.read_at(rest, offset);
            #[cfg(windows)]
            let read = self.file.seek_read(rest, offset);
            match read {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return (filled, Err(error)),
            }
        }
        (filled, Ok(()))
    }
}

/// An archive is not read sequentially, so every read counts.
impl ReadAt for PositionedFile {
    fn size(&self) -> u64 {
        self.len()
    }

    fn read_at(&self, out: &mut [u8], at: u64) -> Result<usize> {
        let (filled, result) = self.fill(out, at);
        if let Some(counter) = &self.counter {
            counter.add(filled as u64);
        }
        match result {
            Err(error) if filled == 0 => Err(error),
            _ => Ok(filled),
        }
    }
}
