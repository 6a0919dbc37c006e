//! A file that several threads read at any offset.

use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use rayon::ThreadPool;

/// A file, or part of one, that threads can share since no read moves it.
///
/// ```
/// use urigrep::archive::ReadAt;
///
/// struct Bytes<'b>(&'b [u8]);
///
/// impl ReadAt for Bytes<'_> {
///     fn size(&self) -> u64 {
///         self.0.len() as u64
///     }
///
///     fn read_at(&self, out: &mut [u8], at: u64) -> std::io::Result<usize> {
///         let after = usize::try_from(at).ok().and_then(|at| self.0.get(at..));
///         std::io::Read::read(&mut after.unwrap_or_default(), out)
///     }
/// }
///
/// let mut out = [0; 4];
/// assert_eq!(Bytes(b"abcdef").read_at(&mut out, 3).unwrap(), 3);
/// assert_eq!(&out[..3], b"def");
/// ```
pub trait ReadAt: Sync {
    /// Its length in bytes.
    fn size(&self) -> u64;

    /// Reads from the 0-based byte `at` until `out` is full or the data ends. Returns the number of
    /// bytes.
    ///
    /// # Errors
    /// If nothing could be read. Bytes before an error are returned first.
    fn read_at(&self, out: &mut [u8], at: u64) -> Result<usize>;
}

/// A file, and the threads that may read it beside the calling one.
#[derive(Clone, Copy)]
pub(super) struct SharedFile<'f> {
    pub file: &'f dyn ReadAt,
    pub pool: &'f ThreadPool,
}

/// Reads such a file from an offset.
pub(super) struct SharedReader<'f> {
    file: &'f dyn ReadAt,
    at: u64,
}

impl<'f> SharedReader<'f> {
    pub fn new(file: &'f dyn ReadAt, at: u64) -> Self {
        Self { file, at }
    }
}

impl Read for SharedReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.file.read_at(out, self.at)?;
        self.at = self.at.saturating_add(count as u64);
        Ok(count)
    }
}

impl Seek for SharedReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.file.size().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| Error::from(ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}
