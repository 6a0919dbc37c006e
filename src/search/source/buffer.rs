//! Buffers the bytes that were read and not yet consumed.

use std::io::{Error, ErrorKind, Read, Result};

use crate::memory::TOO_LITTLE;
use crate::slice::SliceExt;

/// A buffer that one thread reuses for all inputs.
///
/// Reads start at a page boundary, as the bytes do in the file, and the rest of the window is moved
/// right before them. If source and target of a read differ by a few bytes, a kernel that copies
/// with `rep movsb` takes up to four times as long (AMD Zen 3).
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    /// The start of the window, if it was placed since the last input.
    placed: Option<usize>,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    More,
    Eof,
}

/// Memory above this is freed after an input that needed it.
const MAX_KEPT_BYTES: usize = 2 << 20;
const STEP: usize = 64 << 10;
const PAGE: usize = 4 << 10;

impl Buffer {
    /// Drops everything. Call it before each input.
    pub fn clear(&mut self) {
        (self.placed, self.start, self.end) = (None, 0, 0);
        if self.bytes.len() > MAX_KEPT_BYTES {
            *self = Self::default();
        }
    }

    pub fn window(&self) -> &[u8] {
        self.bytes.part(self.start..self.end)
    }

    /// Drops the first `count` bytes of the window.
    pub fn consume(&mut self, count: usize) {
        self.start = self.end.min(self.start + count);
    }

    /// Reads until the window holds `enough` bytes; it has room for at least `room`.
    ///
    /// After an error, the window has the bytes that were read before it.
    pub fn fill(&mut self, reader: &mut impl Read, enough: usize, room: usize) -> Result<Filled> {
        // Grow in whole steps, or a window that grows by a byte at a time would be copied for each.
        let limit = self.make_room(room.max(enough).next_multiple_of(STEP))?;
        while self.end - self.start < enough {
            match reader.read(&mut self.bytes[self.end..limit]) {
                Ok(0) => return Ok(Filled::Eof),
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Filled::More)
    }

    /// Makes room for `room` bytes from the start of the window, and returns the end of that room.
    fn make_room(&mut self, room: usize) -> Result<usize> {
        // Nothing was consumed since the window was placed, so the rest of the space is still
        // page-aligned.
        if self.placed == Some(self.start) && self.start + room <= self.bytes.len() {
            return Ok(self.start + room);
        }
        let held = self.end - self.start;
        let (ahead, behind) =
            (held.next_multiple_of(PAGE), room.saturating_sub(held).next_multiple_of(PAGE));
        let size = PAGE + ahead + behind;
        if self.bytes.len() < size {
            let more = size - self.bytes.len();
            // The size depends on the input. A failed `resize` would end the process, a failed
            // reservation is an error of this file.
            self.bytes.try_reserve_exact(more).map_err(|_| Error::other(TOO_LITTLE))?;
            self.bytes.resize(size, 0);
        }
        // `align_offset` may return `usize::MAX`. Then the read is only slower, not wrong.
        let page = self.bytes.as_ptr().align_offset(PAGE).min(PAGE);
        let start = page + ahead - held;
        self.bytes.copy_within(self.start..self.end, start);
        (self.placed, self.start, self.end) = (Some(start), start, page + ahead);
        Ok(self.end + behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns zeros forever, in whole pages up to a page boundary.
    struct Pages;

    impl Read for Pages {
        fn read(&mut self, out: &mut [u8]) -> Result<usize> {
            assert_eq!((out.as_ptr().addr() % PAGE, out.len() % PAGE), (0, 0));
            out.fill(0);
            Ok(out.len())
        }
    }

    #[test]
    fn reads_to_where_a_page_starts() {
        let mut buffer = Buffer::default();
        for input in 0..3 {
            buffer.clear();
            for left in [0, 1, 700, 70_000, PAGE, 3 * STEP + 5, 31] {
                let room = left + input * STEP + 1;
                assert_eq!(buffer.fill(&mut Pages, room, room).unwrap(), Filled::More, "{left}");
                let held = buffer.window().len();
                assert!(held >= room, "{left}");
                buffer.consume(held - left.min(held));
            }
        }
    }
}
