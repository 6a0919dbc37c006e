//! The chunks of a file in order, each with the number of its first line.

use crate::search::LineCounter;
use crate::search::source::positioned::PositionedFile;
use crate::search::source::text_source::RawText;
use crate::slice::SliceExt;

/// The start of a chunk.
#[derive(Clone, Debug)]
pub struct ChunkStart {
    pub base: u64,
    /// A counter that has counted up to this start, if lines are counted.
    pub lines: Option<LineCounter>,
}

/// The starts of the chunks of a file. Line counting reads the bytes before the next chunk once
/// more. That is cheap beside writing records with line numbers.
pub struct ChunkStarts<'s> {
    next: ChunkStart,
    size: usize,
    source: &'s PositionedFile,
    buffer: Vec<u8>,
}

impl<'s> ChunkStarts<'s> {
    /// Cuts the file into chunks of `size` bytes, beginning at `first`.
    pub fn new(first: ChunkStart, size: usize, source: &'s PositionedFile) -> Self {
        Self { next: first, size, source, buffer: Vec::new() }
    }
}

impl Iterator for ChunkStarts<'_> {
    type Item = ChunkStart;

    fn next(&mut self) -> Option<ChunkStart> {
        let start = self.next.clone();
        if start.base >= self.source.len() {
            return None;
        }
        if let Some(lines) = &mut self.next.lines {
            self.buffer.resize(self.size, 0);
            // The thread that searches the chunk reports read errors.
            let (length, _) = self.source.read_at(&mut self.buffer, start.base);
            lines.count_to(self.buffer.part(..length), start.base, length, &RawText(()));
        }
        self.next.base += self.size as u64;
        Some(start)
    }
}
