//! Where findings stand: lines and columns of a document's text.
//!
//! Invariant: places are asked for from the start to the end, so that a line is counted once,
//! however long it is and however many findings stand in it.

use memchr::memchr_iter;

use urigrep::search::InputText;
use urigrep::search::count_characters;

/// Where something stands. All count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line; `\n` ends one.
    pub line: u64,
    /// The column in bytes of the source.
    pub column: u64,
    /// The column in characters.
    pub character: u64,
}

/// Where the lines of a text start.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    len: usize,
}

impl Lines {
    /// The lines of this text.
    pub fn of(text: &[u8]) -> Self {
        let ends = memchr_iter(b'\n', text).map(|end| end + 1);
        Self {
            starts: std::iter::once(0).chain(ends).collect(),
            len: text.len(),
        }
    }

    /// The line that this byte stands in, counted from 0.
    pub fn number(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at).max(1) - 1
    }

    /// Where the line of this number starts; the end of the text for one that is not there.
    pub fn start(&self, number: usize) -> usize {
        self.starts.get(number).copied().unwrap_or(self.len)
    }

    /// The line of this number without its end.
    pub fn line<'t>(&self, text: &'t [u8], number: usize) -> &'t [u8] {
        let line = text
            .get(self.start(number)..self.start(number + 1))
            .unwrap_or_default();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }
}

/// Counts the columns of one text.
#[derive(Clone, Debug)]
pub struct Columns<'t> {
    text: &'t InputText,
    lines: &'t Lines,
    /// Up to where characters were counted, and how many of that line.
    counted: (usize, u64),
}

impl<'t> Columns<'t> {
    /// Has counted nothing.
    pub fn new(text: &'t InputText, lines: &'t Lines) -> Self {
        Self {
            text,
            lines,
            counted: (0, 0),
        }
    }

    /// The places of the first byte of a span and of what follows it; a later call is for a span that
    /// starts no earlier.
    pub fn places(&mut self, start: usize, end: usize) -> [Place; 2] {
        let from = self.place(start);
        let counted = self.counted;
        let to = self.place(end.max(start));
        self.counted = counted;
        [from, to]
    }

    fn place(&mut self, at: usize) -> Place {
        let number = self.lines.number(at);
        let start = self.lines.start(number);
        if self.counted.0 < start || self.counted.0 > at {
            self.counted = (start, 0);
        }
        let (counted, before) = self.counted;
        let new = self.text.bytes().get(counted..at).unwrap_or_default();
        self.counted = (at, before + count_characters(new));
        Place {
            line: number as u64 + 1,
            column: self.text.source(at).saturating_sub(self.text.source(start)) + 1,
            character: self.counted.1 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let text = InputText::new("ab\r\né x\n\n\tz".as_bytes().to_vec());
        let lines = Lines::of(text.bytes());
        let shown: Vec<_> = (0..5).map(|n| lines.line(text.bytes(), n)).collect();
        assert_eq!(shown, [&b"ab"[..], "é x".as_bytes(), b"", b"\tz", b""]);
        let mut columns = Columns::new(&text, &lines);
        let place = |line, column, character| Place {
            line,
            column,
            character,
        };
        assert_eq!(columns.places(1, 2), [place(1, 2, 2), place(1, 3, 3)]);
        assert_eq!(columns.places(4, 7), [place(2, 1, 1), place(2, 4, 3)]);
        assert_eq!(columns.places(7, 11), [place(2, 4, 3), place(4, 2, 2)]);
        assert_eq!(columns.places(10, 99)[0], place(4, 1, 1));
    }
}
