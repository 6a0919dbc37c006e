//! Offsets of the text that is searched, as offsets of the bytes it came from.

use std::io::{Read, Result};

use urigrep::decode::{Encoding, Transcoder};

/// Where text came from. All offsets count from the start of the input.
pub trait Offsets {
    /// The source offset of the text offset `at`.
    fn source(&self, at: u64) -> u64;

    /// One past the last source byte that made the text before `end`.
    fn source_end(&self, end: u64) -> u64 {
        self.source(end)
    }

    /// The pieces of the source that made the text from `start` to `end`.
    fn ranges(&self, start: u64, end: u64) -> Vec<[u64; 2]> {
        vec![[self.source(start), self.source_end(end)]]
    }

    /// Whether the text from `start` to `end` and its source are the same.
    fn relation(&self, start: u64, end: u64) -> Relation;

    /// The source from `start` to `end`, in offsets of the text, where it is other than the text and known.
    fn raw(&self, _start: u64, _end: u64) -> Option<&[u8]> {
        None
    }
}

/// Whether the text is the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is.
    Same,
    /// It was decoded from it.
    Decoded,
}

/// The bytes of an input as text.
pub trait Feed: Read + Offsets {
    /// No offset before `at` will be asked for any more.
    fn forget(&mut self, at: u64);
}

/// Bytes that are searched as they are.
pub struct Plain<R>(pub R);

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.0.read(out)
    }
}

impl<R> Offsets for Plain<R> {
    fn source(&self, at: u64) -> u64 {
        at
    }

    fn relation(&self, _: u64, _: u64) -> Relation {
        Relation::Same
    }
}

impl<R: Read> Feed for Plain<R> {
    fn forget(&mut self, _: u64) {}
}

/// UTF-16 or UTF-32 that is searched as UTF-8.
pub struct Decoded<R> {
    reader: R,
    transcoder: Transcoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    given: usize,
    ended: bool,
}

const CHUNK: usize = 64 << 10;

impl<R: Read> Decoded<R> {
    /// Decodes what `reader` gives; a byte order mark becomes U+FEFF, which no URI starts with.
    pub fn new(reader: R, encoding: Encoding) -> Self {
        Self {
            reader,
            transcoder: Transcoder::new(encoding, 0),
            raw: vec![0; CHUNK],
            text: Vec::new(),
            given: 0,
            ended: false,
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
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

impl<R> Offsets for Decoded<R> {
    fn source(&self, at: u64) -> u64 {
        self.transcoder.source_of(at)
    }

    fn relation(&self, _: u64, _: u64) -> Relation {
        Relation::Decoded
    }
}

impl<R: Read> Feed for Decoded<R> {
    fn forget(&mut self, at: u64) {
        self.transcoder.forget(at);
    }
}
