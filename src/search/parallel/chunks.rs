//! The chunks of a file, each with the number of its first line, in their order.

use crate::search::LineCounter;
use crate::search::source::positioned::PositionedFile;
use crate::search::source::text_source::RawText;
use crate::slice::SliceExt;

/// Where a chunk starts.
#[derive(Clone, Debug)]
pub struct ChunkStart {
    pub base: u64,
    /// Has counted up to there, when that is wanted.
    pub lines: Option<LineCounter>,
}

/// Where the chunks of a file start. To count lines, what is before the next chunk is read once more, which takes
/// little of the time that records with line numbers do.
pub struct ChunkStarts<'s> {
    next: ChunkStart,
    size: usize,
    source: &'s PositionedFile,
    buffer: Vec<u8>,
}

impl<'s> ChunkStarts<'s> {
    /// The chunks of so many bytes from `first` on.
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
            // Who searches the chunk reports what can't be read.
            let (length, _) = self.source.read_at(&mut self.buffer, start.base);
            lines.count_to(self.buffer.part(..length), start.base, length, &RawText(()));
        }
        self.next.base += self.size as u64;
        Some(start)
    }
}
