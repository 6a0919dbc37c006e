//! The bytes that are searched: what was read and not yet consumed.

use std::io::{ErrorKind, Read, Result};

/// A buffer of one thread, used for one input after the other.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

/// How a read ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// There may be more.
    More,
    /// There is no more.
    Eof,
}

/// More than this is given back after an input that needed it.
const KEEP: usize = 2 << 20;
const STEP: usize = 64 << 10;

impl Buffer {
    /// Forgets everything; to be called before each input.
    pub fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
        if self.bytes.len() > KEEP {
            self.bytes = Vec::new();
        }
    }

    /// The bytes that were read and not consumed.
    pub fn window(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
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
        self.make_room(room.max(enough).next_multiple_of(STEP));
        while self.end - self.start < enough {
            match reader.read(&mut self.bytes[self.end..]) {
                Ok(0) => return Ok(Filled::Eof),
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Filled::More)
    }

    /// Moves the window to the front and makes the buffer hold `room` bytes.
    fn make_room(&mut self, room: usize) {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.bytes.len() < room {
            self.bytes.reserve_exact(room - self.bytes.len());
            self.bytes.resize(room, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_over() {
        let mut buffer = Buffer::default();
        assert_eq!(buffer.fill(&mut &b"abc"[..], 3, 3).unwrap(), Filled::More);
        assert_eq!(buffer.window(), b"abc");
        buffer.consume(2);
        assert_eq!(buffer.fill(&mut &b"def"[..], 2, 4).unwrap(), Filled::More);
        assert_eq!(buffer.window(), b"cdef");
        assert_eq!(buffer.fill(&mut &b"gh"[..], 9, 9).unwrap(), Filled::Eof);
        assert_eq!(buffer.window(), b"cdefgh");
        buffer.clear();
        assert_eq!(buffer.window(), b"");
    }
}
