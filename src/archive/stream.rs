//! A reader on top of another: it counts bytes, and after a failure it keeps failing.

use std::io::{BufRead, BufReader, Chain, Cursor, Error, ErrorKind, Read, Result, Seek, SeekFrom};

use super::limits::Ledger;
use super::reader::{Detected, Readers};
use super::{ArchiveFormat, ArchiveProblem, HEAD_BYTES, Stop, WalkResult};
use crate::slice::SliceExt as _;
use crate::sniff::Rest;

/// Bytes buffered between two streams.
const BUFFER_BYTES: usize = 32 << 10;

/// The origin of the bytes of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamRole {
    /// The output of a decoder, which counts against the limits.
    Unpacked(ArchiveFormat),
    /// The raw bytes of a member of such an archive, and their checksum.
    Member(ArchiveFormat),
    /// The bytes of the reader below, which already counted them.
    PassThrough,
}

/// Reads another reader until that fails. From then on, every read fails.
///
/// After a failure a decoder may return anything, and the reader of a tar would continue with the
/// next header. The first stream to fail records the reason in the [`Ledger`]; the streams above it
/// only pass the error on.
pub(super) struct FusedStream<'l> {
    inner: Box<dyn Read + 'l>,
    role: StreamRole,
    ledger: &'l Ledger,
    reached: Option<ArchiveProblem>,
    broken: bool,
}

impl<'l> FusedStream<'l> {
    pub fn new(inner: impl Read + 'l, role: StreamRole, ledger: &'l Ledger) -> Self {
        Self { inner: Box::new(inner), role, ledger, reached: None, broken: false }
    }

    pub fn is_broken(&self) -> bool {
        self.broken
    }

    fn broken(&mut self, problem: Option<ArchiveProblem>) -> Error {
        self.broken = true;
        self.ledger.fail(problem);
        Error::other("the stream is broken")
    }
}

impl Read for FusedStream<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if self.broken {
            return Err(self.broken(None));
        }
        if let Some(problem) = self.reached.take() {
            return Err(self.broken(Some(problem)));
        }
        match self.inner.read(out) {
            Ok(count) => {
                if let StreamRole::Unpacked(_) = self.role
                    && let Err(problem) = self.ledger.unpack(count as u64)
                {
                    // The bytes that exceed the limit are already here. Deliver them, and fail at
                    // the next read.
                    self.reached = Some(problem);
                }
                Ok(count)
            }
            // The caller reads again, and nothing is lost.
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => Err(self.broken(Some(ArchiveProblem::from_read_error(error, self.role)))),
        }
    }
}

/// The input, which records the number of bytes read.
pub(super) struct CountedInput<'l, R> {
    inner: R,
    at: u64,
    ledger: &'l Ledger,
}

impl<'l, R: Read> CountedInput<'l, R> {
    pub fn new(inner: R, ledger: &'l Ledger) -> Self {
        Self { inner, at: 0, ledger }
    }
}

impl<R> CountedInput<'_, R> {
    fn failed(&self, error: Error) -> Error {
        if error.kind() != ErrorKind::Interrupted {
            self.ledger.fail(Some(ArchiveProblem::Unreadable(copy_error(&error))));
        }
        error
    }
}

impl<R: Read> Read for CountedInput<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        match self.inner.read(out) {
            Ok(count) => {
                self.at += count as u64;
                self.ledger.read_to(self.at);
                Ok(count)
            }
            Err(error) => Err(self.failed(error)),
        }
    }
}

impl<R: Seek> Seek for CountedInput<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.at = self.inner.seek(to).map_err(|error| self.failed(error))?;
        Ok(self.at)
    }
}

/// Copies an error: one goes to the reader, the other into the report.
pub(crate) fn copy_error(error: &Error) -> Error {
    // An `io::Error` has no `Clone`, and the reader and the report need one each.
    match error.raw_os_error() {
        Some(code) => Error::from_raw_os_error(code),
        None => Error::new(error.kind(), error.to_string()),
    }
}

/// A reader whose first bytes were already read.
pub(super) type Peeked<R> = Chain<Cursor<Vec<u8>>, BufReader<R>>;

/// Reads enough first bytes to decide on a format, and returns a reader that starts with them.
///
/// It does not wait for a pipe once the format is known. Errors are left to later reads.
pub(super) fn peek<R: Read>(reader: R, name: &[u8], readers: Readers) -> Peeked<R> {
    let (mut reader, mut head) = (BufReader::with_capacity(BUFFER_BYTES, reader), Vec::new());
    // A name such as `a.zlib` counts only if the first bytes are not text, and that takes more
    // bytes to see than a magic number.
    let is_named = readers.by_name(name).is_some();
    let is_open = |head: &[u8]| matches!(readers.sniff(head, Rest::More), Detected::NeedMore);
    while head.len() < HEAD_BYTES && (is_named || is_open(&head)) {
        match reader.fill_buf() {
            Ok([]) => break,
            Ok(more) => {
                let count = more.len().min(HEAD_BYTES - head.len());
                head.extend(more.iter().take(count));
                reader.consume(count);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    Cursor::new(head).chain(reader)
}

/// Keeps the first bytes that are read, so that they can be read again in another format.
pub(super) struct Recorded<R> {
    inner: R,
    record: Vec<u8>,
    is_whole: bool,
}

/// Limit on the kept bytes. A reader rejects other formats after fewer bytes.
const MAX_RECORDED_BYTES: usize = 64 << 10;

impl<R: Read> Recorded<Peeked<R>> {
    /// Returns the peeked bytes.
    pub fn head(&self) -> &[u8] {
        self.inner.get_ref().0.get_ref()
    }
}

impl<R: BufRead> Recorded<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, record: Vec::new(), is_whole: true }
    }

    /// Returns all bytes from the first on; `None` if too many were read to keep.
    pub fn again(self) -> Option<impl BufRead> {
        self.is_whole.then(|| Cursor::new(self.record).chain(self.inner))
    }
}

impl<R: BufRead> Read for Recorded<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let buffered = self.fill_buf()?;
        let count = buffered.len().min(out.len());
        out.get_mut(..count).unwrap_or_default().copy_from_slice(buffered.part(..count));
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Recorded<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if self.is_whole && count > 0 {
            self.is_whole = self.record.len() + count <= MAX_RECORDED_BYTES;
            match self.inner.fill_buf() {
                Ok(buffered) if self.is_whole => {
                    self.record.extend_from_slice(buffered.clamped(..count));
                }
                // Too much was read to be kept. Free the memory at once, as a stream may be long.
                _ => self.record = Vec::new(),
            }
        }
        self.inner.consume(count);
    }
}

/// The bytes of a member of known size; an early end is an error.
pub(super) struct MemberBytes<'s> {
    source: &'s mut dyn BufRead,
    left: u64,
    short: bool,
}

impl<'s> MemberBytes<'s> {
    pub fn new(source: &'s mut dyn BufRead, size: u64) -> Self {
        Self { source, left: size, short: false }
    }

    pub fn left(&self) -> u64 {
        self.left
    }

    /// Skips the remaining bytes.
    pub fn rest(self, archive: ArchiveFormat) -> WalkResult {
        if self.short {
            return Err(Stop::ReadFailed);
        }
        if skip(self.source, self.left)? { Ok(()) } else { Err(archive.truncated()) }
    }
}

impl Read for MemberBytes<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if self.left == 0 {
            // Don't touch the bytes after the member: their errors belong to the next read.
            return Ok(0);
        }
        let room = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let count = self.source.read(out.get_mut(..room).unwrap_or_default())?;
        self.left -= count as u64;
        if count == 0 && room > 0 {
            self.short = true;
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }
}

/// Reads until `out` is full or the input ends; returns the count.
pub(super) fn fill(reader: &mut (impl Read + ?Sized), out: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < out.len() {
        match reader.read(out.get_mut(filled..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Skips `count` bytes; returns false if the input ends before.
pub(super) fn skip(reader: &mut (impl BufRead + ?Sized), mut count: u64) -> Result<bool> {
    while count > 0 {
        let buffered = match reader.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other?.len(),
        };
        if buffered == 0 {
            return Ok(false);
        }
        let step = usize::try_from(count).unwrap_or(usize::MAX).min(buffered);
        reader.consume(step);
        count -= step as u64;
    }
    Ok(true)
}

/// Skips zeros that pad a file; returns true if other bytes follow.
pub(super) fn skip_zeros(reader: &mut (impl BufRead + ?Sized)) -> Result<bool> {
    loop {
        let buffered = match reader.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        };
        let zeros = buffered.iter().take_while(|&&byte| byte == 0).count();
        let (is_end, is_over) = (buffered.is_empty(), zeros < buffered.len());
        reader.consume(zeros);
        if is_end || is_over {
            return Ok(is_over);
        }
    }
}
