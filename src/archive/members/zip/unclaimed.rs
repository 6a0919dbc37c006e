//! Bytes of a zip that belong to no member: before, between, and after the members.

use std::io::{BufRead, ErrorKind, Read, Result};

use memchr::memmem;

use super::header::{CENTRAL, END, LOCAL};
use crate::slice::SliceExt as _;

/// A source whose next bytes can be examined before they are read.
pub(super) struct PeekedBytes<'s> {
    source: &'s mut dyn BufRead,
    /// Bytes that were examined but not read, from an offset.
    held: Vec<u8>,
    at: usize,
}

impl<'s> PeekedBytes<'s> {
    pub fn new(source: &'s mut dyn BufRead) -> Self {
        Self { source, held: Vec::new(), at: 0 }
    }

    /// Returns the next `count` bytes, or all remaining ones.
    pub fn peek(&mut self, count: usize) -> Result<&[u8]> {
        self.held.drain(..self.at);
        self.at = 0;
        while self.held.len() < count {
            let buffered = match self.source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                other => other?,
            };
            let more = buffered.clamped(..count - self.held.len());
            if more.is_empty() {
                break;
            }
            let read = more.len();
            self.held.extend_from_slice(more);
            self.source.consume(read);
        }
        Ok(self.held.clamped(..count))
    }
}

impl Read for PeekedBytes<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        match self.held.clamped(self.at..) {
            [] => self.source.read(out),
            mut held => {
                let count = held.read(out)?;
                self.at += count;
                Ok(count)
            }
        }
    }
}

impl BufRead for PeekedBytes<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        match self.held.clamped(self.at..) {
            [] => self.source.fill_buf(),
            held => Ok(held),
        }
    }

    fn consume(&mut self, count: usize) {
        if self.at < self.held.len() { self.at += count } else { self.source.consume(count) }
    }
}

/// Reads the bytes before the next signature.
pub(super) struct Unclaimed<'l, 's> {
    source: &'l mut PeekedBytes<'s>,
    /// True until something was read. The very first byte never starts a signature, whatever it
    /// looks like.
    is_first: bool,
}

impl<'l, 's> Unclaimed<'l, 's> {
    pub fn new(source: &'l mut PeekedBytes<'s>) -> Self {
        Self { source, is_first: true }
    }
}

impl Read for Unclaimed<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let length = LOCAL.len();
        // A signature may lie across the end of the buffer.
        let bytes = if self.source.fill_buf()?.len() < length {
            self.source.peek(length)?
        } else {
            self.source.fill_buf()?
        };
        let before = match signature(bytes, usize::from(self.is_first)) {
            Some(at) => at,
            // Fewer bytes than a signature: the source ends here.
            None if bytes.len() < length => bytes.len(),
            None => bytes.len() - started(bytes),
        };
        let count = bytes.clamped(..before).read(out)?;
        self.source.consume(count);
        self.is_first &= count == 0;
        Ok(count)
    }
}

/// Returns the offset of the first signature at or after `from`.
fn signature(bytes: &[u8], from: usize) -> Option<usize> {
    let is_one =
        |at: &usize| [LOCAL, CENTRAL, END].iter().any(|one| bytes.clamped(*at..).starts_with(*one));
    memmem::find_iter(bytes.clamped(from..), b"PK").map(|at| from + at).find(is_one)
}

/// Returns the number of last bytes that may be the start of a signature.
fn started(bytes: &[u8]) -> usize {
    let starts = |count: &usize| {
        let end = bytes.clamped(bytes.len().saturating_sub(*count)..);
        end.len() == *count && [LOCAL, CENTRAL, END].iter().any(|all| all.starts_with(end))
    };
    (1..LOCAL.len()).rev().find(starts).unwrap_or(0)
}
