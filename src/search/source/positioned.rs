//! A large regular file, read from any offset by any thread.

use std::fs::File;
use std::io::{ErrorKind, Result};
use std::ops::Range;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
#[cfg(windows)]
use std::os::windows::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::counted::ByteCounter;

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
}

/// Can be read at any offset.
pub(crate) trait ReadAt: Sync {
    /// The length in bytes.
    fn len(&self) -> u64;

    /// Fills `out` from `at` on, as far as there is anything: less is all there is, or what comes before an error.
    fn read_at(&self, out: &mut [u8], at: u64) -> (usize, Result<()>);
}

impl ReadAt for PositionedFile {
    fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    fn read_at(&self, out: &mut [u8], at: u64) -> (usize, Result<()>) {
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
        if let Some(counter) = &self.counter
            && filled > 0
        {
            let end = at + filled as u64;
            let before = self.seen.fetch_max(end, Ordering::Relaxed);
            counter.add(end.saturating_sub(before));
        }
        (filled, Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_part_and_counts_each_byte_once() {
        let path = std::env::temp_dir().join(format!("urigrep-large-{}", std::process::id()));
        std::fs::write(&path, b"0123456789").unwrap();
        let counter = ByteCounter::default();
        let file = File::open(&path).unwrap();
        let large = PositionedFile::new(file, 2..9, Some(counter.clone()));
        assert_eq!(large.len(), 7);
        let mut out = [0; 4];
        for (at, read) in [(0, &b"2345"[..]), (3, b"5678"), (5, b"78"), (9, b"")] {
            let (count, result) = large.read_at(&mut out, at);
            assert!(result.is_ok());
            assert_eq!(&out[..count], read);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(counter.get(), 7);
    }
}
