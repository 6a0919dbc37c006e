//! The searched text, and the map from its offsets back to the bytes of the input.

use std::io::{Read, Result};

use crate::decode::{Encoding, Transcoder};

/// Maps offsets of the text to offsets of the input; both count from the start.
pub trait SourceOffsets {
    /// The offset in the input of the text offset `at`.
    fn source(&self, at: u64) -> u64;

    /// One past the last byte of the input from which the text before `end` was made.
    fn source_end(&self, end: u64) -> u64 {
        self.source(end)
    }

    /// True if each stretch of the text comes from one range of the input.
    fn has_one_range(&self) -> bool {
        true
    }

    /// The ranges of the input from which the text from `start` to `end` was made.
    fn ranges(&self, start: u64, end: u64) -> Vec<[u64; 2]> {
        vec![[self.source(start), self.source_end(end)]]
    }

    /// True if the text from `start` to `end` is the bytes of the input, not decoded from them.
    fn is_verbatim(&self, start: u64, end: u64) -> bool;

    /// The bytes of the input from which the text from `start` to `end` was made, if they differ
    /// from it and are available.
    fn source_bytes(&self, _start: u64, _end: u64) -> Option<&[u8]> {
        None
    }
}

/// An input as text.
pub(crate) trait TextSource: Read + SourceOffsets {
    /// Frees the map before `at`; no earlier offset will be mapped.
    fn forget(&mut self, at: u64);
}

/// An input whose bytes are searched unchanged.
pub(crate) struct RawText<R>(pub R);

impl<R: Read> Read for RawText<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.0.read(out)
    }
}

impl<R> SourceOffsets for RawText<R> {
    fn source(&self, at: u64) -> u64 {
        at
    }

    fn is_verbatim(&self, _: u64, _: u64) -> bool {
        true
    }
}

impl<R: Read> TextSource for RawText<R> {
    fn forget(&mut self, _: u64) {}
}

pub(crate) struct UnicodeText<R> {
    reader: R,
    transcoder: Transcoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    given: usize,
    ended: bool,
}

/// Bytes decoded at a time.
const DECODE_SIZE: usize = 64 << 10;

impl<R: Read> UnicodeText<R> {
    /// Decodes the bytes of `reader`. A byte order mark becomes U+FEFF, which no URI starts with.
    pub fn new(reader: R, encoding: Encoding) -> Self {
        Self {
            reader,
            transcoder: Transcoder::new(encoding, 0),
            raw: vec![0; DECODE_SIZE],
            text: Vec::new(),
            given: 0,
            ended: false,
        }
    }
}

impl<R: Read> Read for UnicodeText<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        // A read may end within a character, and so produce no text yet. Returning 0 would mean the
        // end.
        while self.given == self.text.len() && !self.ended {
            self.text.clear();
            self.given = 0;
            let count = self.reader.read(&mut self.raw)?;
            if count == 0 {
                self.ended = true;
                self.transcoder.finish(&mut self.text);
            }
            self.transcoder.push(&self.raw[..count], &mut self.text);
        }
        let rest = &self.text[self.given..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}

impl<R> SourceOffsets for UnicodeText<R> {
    fn source(&self, at: u64) -> u64 {
        self.transcoder.source_of(at)
    }

    fn is_verbatim(&self, _: u64, _: u64) -> bool {
        false
    }
}

impl<R: Read> TextSource for UnicodeText<R> {
    fn forget(&mut self, at: u64) {
        self.transcoder.forget(at);
    }
}
