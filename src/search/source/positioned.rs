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

/// A file, as long as it was when it was opened. Offsets count from where the input starts in it.
#[derive(Debug)]
pub(crate) struct PositionedFile {
    file: File,
    range: Range<u64>,
    counter: Option<ByteCounter>,
    /// Up to where anything was read: bytes that are read twice count once.
    seen: AtomicU64,
}

impl PositionedFile {
    /// The bytes of `file` in `range`; what is read of them is added to `counter`.
    pub fn new(file: File, range: Range<u64>, counter: Option<ByteCounter>) -> Self {
        Self { file, range, counter, seen: AtomicU64::new(0) }
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    /// Fills `out` from `at` on, as far as there is anything: less is all there is, or what comes before an error.
    pub fn read_at(&self, out: &mut [u8], at: u64) -> (usize, Result<()>) {
        let (filled, result) = self.fill(out, at);
        if let Some(counter) = &self.counter
            && filled > 0
        {
            let end = at + filled as u64;
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

/// An archive is not read from its start to its end: all that is read of it counts.
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
