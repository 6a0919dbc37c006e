//! The bytes that are searched: what was read and not yet consumed.

use std::io::{Error, ErrorKind, Read, Result};

use crate::search::memory::TOO_LITTLE;
use crate::slice::SliceExt;

/// A buffer of one thread, used for one input after the other.
///
/// Bytes are read to the start of a page, as they are in the file, and what was left of the window is right
/// before them. Where source and target of a read are some bytes apart, a kernel that copies with
/// `rep movsb` takes up to four times as long (AMD Zen 3).
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    /// Where the window was put, if it was since the last input.
    placed: Option<usize>,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    More,
    Eof,
}

/// More than this is given back after an input that needed it.
const KEEP: usize = 2 << 20;
const STEP: usize = 64 << 10;
const PAGE: usize = 4 << 10;

impl Buffer {
    /// Forgets everything; to be called before each input.
    pub fn clear(&mut self) {
        (self.placed, self.start, self.end) = (None, 0, 0);
        if self.bytes.len() > KEEP {
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

    /// Reads until the window holds `enough` bytes; it has room for `room` at least.
    ///
    /// On an error, what was read before it is in the window.
    pub fn fill(&mut self, reader: &mut impl Read, enough: usize, room: usize) -> Result<Filled> {
        // Whole steps, so that a window that grows by a byte is not copied for each.
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

    /// Makes the buffer hold `room` bytes from the start of the window on, and says where they end.
    fn make_room(&mut self, room: usize) -> Result<usize> {
        if self.placed == Some(self.start) && self.start + room <= self.bytes.len() {
            return Ok(self.start + room);
        }
        let held = self.end - self.start;
        let (ahead, behind) =
            (held.next_multiple_of(PAGE), room.saturating_sub(held).next_multiple_of(PAGE));
        let size = PAGE + ahead + behind;
        if self.bytes.len() < size {
            let more = size - self.bytes.len();
            self.bytes.try_reserve_exact(more).map_err(|_| Error::other(TOO_LITTLE))?;
            self.bytes.resize(size, 0);
        }
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

    /// Gives zeros for ever, in whole pages to where a page starts.
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
