//! Counts lines and columns as the search proceeds.
//!
//! Invariant: positions are requested in order, and never before bytes that were dropped.

use memchr::{memchr_iter, memrchr};

use crate::search::Positions;
use crate::search::source::text_source::SourceOffsets;
use crate::slice::SliceExt;

/// A line and a column; both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line; `\n` ends one.
    pub line: u64,
    /// The column, in bytes.
    pub column: u64,
    /// The column in characters (code points), when those are counted.
    pub character: Option<u64>,
}

/// Shorter texts are counted without the loop for long ones.
const SHORT: usize = 128;

/// Counts lines up to the last requested position.
#[derive(Clone, Debug)]
pub struct LineCounter {
    line: u64,
    /// Offset in the source of the first byte of that line.
    start: u64,
    /// Absolute offset up to which line ends were counted.
    counted: u64,
    /// Number of characters counted in that line, if characters are counted.
    characters: Option<u64>,
}

impl Default for LineCounter {
    fn default() -> Self {
        Self { line: 1, start: 0, counted: 0, characters: None }
    }
}

impl Position {
    /// The start of a text.
    pub(crate) const START: Self = Self { line: 1, column: 1, character: Some(1) };
}

impl LineCounter {
    /// Returns a counter for these positions; `None` if none are needed.
    pub fn for_positions(positions: Positions) -> Option<Self> {
        match positions {
            Positions::Ignored => None,
            Positions::Bytes => Some(Self::default()),
            Positions::Characters => Some(Self::with_characters()),
        }
    }

    /// Counts the characters of lines, too.
    pub fn with_characters() -> Self {
        Self { characters: Some(0), ..Self::default() }
    }

    /// Returns the position of `window[at]`, where `window` starts at the absolute offset `base`.
    pub fn position(
        &mut self,
        window: &[u8],
        base: u64,
        at: usize,
        offsets: &dyn SourceOffsets,
    ) -> Position {
        self.count_to(window, base, at, offsets);
        Position {
            line: self.line,
            column: offsets.source(base + at as u64).saturating_sub(self.start) + 1,
            character: self.characters.map(|before| before + 1),
        }
    }

    /// Returns the position even if it is before the last requested one.
    pub fn position_anywhere(
        &mut self,
        window: &[u8],
        base: u64,
        at: usize,
        offsets: &dyn SourceOffsets,
    ) -> Position {
        let counted = usize::try_from(self.counted.saturating_sub(base)).unwrap_or(usize::MAX);
        if let Some(back) = window.get(at..counted)
            && let Some(before) = window.get(..at)
            && !back.is_empty()
        {
            // Also remember a position within a line. Otherwise the next request would count the
            // same bytes again.
            self.counted = base + at as u64;
            let is_same_line = memrchr(b'\n', back).is_none();
            if is_same_line {
                let characters = count_characters(back);
                self.characters = self.characters.map(|before| before.saturating_sub(characters));
            } else {
                self.line -= line_feeds(back);
                // A document starts at the start of a line, so the count can go back to there.
                let start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
                self.start = offsets.source(base + start as u64);
                self.characters = self.characters.map(|_| count_characters(before.part(start..)));
            }
        }
        self.position(window, base, at, offsets)
    }

    /// Counts up to `window[at]`. Call it before bytes are dropped.
    pub fn count_to(&mut self, window: &[u8], base: u64, at: usize, offsets: &dyn SourceOffsets) {
        let from = usize::try_from(self.counted.saturating_sub(base)).unwrap_or(usize::MAX);
        let Some(new) = window.get(from..at) else {
            return;
        };
        let last = memrchr(b'\n', new);
        if let Some(before) = &mut self.characters {
            let line = last.map_or(new, |last| new.part(last + 1..));
            *before = count_characters(line) + if last.is_some() { 0 } else { *before };
        }
        if let Some(last) = last {
            self.line += 1 + line_feeds(new.part(..last));
            self.start = offsets.source(base + (from + last) as u64 + 1);
        }
        self.counted = base + at as u64;
    }
}

fn line_feeds(text: &[u8]) -> u64 {
    match text.len() {
        // For a short text, this loop finishes before memchr has set up.
        ..SHORT => count(text, |byte| byte == b'\n'),
        _ => memchr_iter(b'\n', text).count() as u64,
    }
}

/// Counts the characters that start in these bytes of UTF-8, which may be cut anywhere.
pub fn count_characters(text: &[u8]) -> u64 {
    count(text, |byte| byte & 0xC0 != 0x80)
}

fn count(text: &[u8], is_counted: impl Fn(u8) -> bool) -> u64 {
    // A vector register holds many one-byte counters. They can't overflow in chunks of 255 bytes.
    let pieces = text.chunks(usize::from(u8::MAX));
    let in_piece = |piece: &[u8]| {
        let add = |count: u8, &byte: &u8| count.wrapping_add(u8::from(is_counted(byte)));
        u64::from(piece.iter().fold(0, add))
    };
    pieces.map(in_piece).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_all() {
        for length in [0, 1, 127, 128, 254, 255, 256, 510, 511, 3000] {
            for text in [vec![b'\n'; length], vec![b'a'; length]] {
                let line_ends = if text.first() == Some(&b'\n') { length } else { 0 };
                assert_eq!(line_feeds(&text), line_ends as u64);
                assert_eq!(count_characters(&text), length as u64);
            }
        }
    }
}
