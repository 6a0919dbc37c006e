//! Converts byte offsets to lines and columns: [`LineIndex`].

use crate::slice::SliceExt;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr_iter;

/// The offsets at which the lines of a text start, to convert byte offsets to lines and columns.
///
/// A line ends with `\n`; a `\r` before it belongs to the line end. After the last `\n` comes one
/// more line, which may be empty. Building the index takes one pass over the text and eight bytes
/// per line; a lookup is a binary search.
///
/// ```
/// use urigrep::{Finder, LineIndex};
/// let text = "# Links\r\n\r\n– http://a.example/\r\n".as_bytes();
/// let m = Finder::new().find(text).unwrap();
/// let lines = LineIndex::new(text);
/// let at = lines.position(m.start());
/// assert_eq!((at.line(), at.column(), at.character()), (3, 5, 3));
/// assert_eq!(lines.text(at.line()), Some("– http://a.example/".as_bytes()));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t [u8],
    /// Ascending; the first is 0.
    starts: Vec<usize>,
}

/// A position in a text. All numbers count from 1.
///
/// ```
/// let index = urigrep::LineIndex::new("a\né!".as_bytes());
/// let at = index.position(4);
/// assert_eq!((at.line(), at.column(), at.character()), (2, 3, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    line: usize,
    column: usize,
    character: usize,
    utf16: usize,
}

impl LineColumn {
    /// Line number.
    ///
    /// ```
    /// assert_eq!(urigrep::LineIndex::new(b"a\nb").position(2).line(), 2);
    /// ```
    pub const fn line(self) -> usize {
        self.line
    }

    /// Column in bytes.
    ///
    /// ```
    /// assert_eq!(urigrep::LineIndex::new("é!".as_bytes()).position(2).column(), 3);
    /// ```
    pub const fn column(self) -> usize {
        self.column
    }

    /// Column in characters: bytes of UTF-8 that are not continuation bytes.
    ///
    /// ```
    /// assert_eq!(urigrep::LineIndex::new("é!".as_bytes()).position(2).character(), 2);
    /// ```
    pub const fn character(self) -> usize {
        self.character
    }

    /// Column in UTF-16 code units, as JavaScript and editors count, but from 1.
    ///
    /// ```
    /// let at = urigrep::LineIndex::new("\u{1F600}!".as_bytes()).position(4);
    /// assert_eq!((at.character(), at.utf16()), (2, 3));
    /// ```
    pub const fn utf16(self) -> usize {
        self.utf16
    }
}

impl<'t> LineIndex<'t> {
    /// Finds the lines of a text.
    ///
    /// ```
    /// assert_eq!(urigrep::LineIndex::new(b"a\nb\n").len(), 3);
    /// ```
    pub fn new(text: &'t [u8]) -> Self {
        let ends = memchr_iter(b'\n', text).map(|end| end + 1);
        Self { text, starts: core::iter::once(0).chain(ends).collect() }
    }

    /// Number of lines, at least 1.
    ///
    /// ```
    /// assert_eq!(urigrep::LineIndex::new(b"").len(), 1);
    /// ```
    #[expect(clippy::len_without_is_empty, reason = "there is always a line")]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line number, from 1, of the byte at this offset; past the end, that of the last
    /// line.
    ///
    /// ```
    /// let index = urigrep::LineIndex::new(b"a\nb");
    /// assert_eq!([0, 1, 2, 99].map(|at| index.line(at)), [1, 1, 2, 2]);
    // The line of an offset is the number of line starts at or before it.
    /// ```
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }

    /// Returns the position of the byte at this offset; past the end of the text, that of its end.
    ///
    /// Takes time linear in the part of the line before the offset, whose characters it counts.
    ///
    /// ```
    /// let index = urigrep::LineIndex::new(b"ab\ncd");
    /// assert_eq!((index.position(4).line(), index.position(4).column()), (2, 2));
    /// ```
    pub fn position(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.text.len());
        let line = self.line(offset);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let before = self.text.part(start..offset);
        let characters = characters(before);
        LineColumn {
            line,
            column: before.len() + 1,
            character: characters + 1,
            utf16: characters + surrogate_pairs(before) + 1,
        }
    }

    /// Returns the byte range of a line, counted from 1, without its line end, or `None` if there
    /// is no such line.
    ///
    /// ```
    /// let index = urigrep::LineIndex::new(b"ab\r\ncd");
    /// assert_eq!((index.range(1), index.range(2), index.range(3)), (Some(0..2), Some(4..6), None));
    /// ```
    pub fn range(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let Some(&next) = self.starts.get(line) else {
            return Some(start..self.text.len());
        };
        let text = self.text.get(start..next - 1)?;
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Some(start..start + text.len())
    }

    /// Returns the text of a line, counted from 1, without its line end.
    ///
    /// ```
    /// assert_eq!(urigrep::LineIndex::new(b"ab\r\ncd").text(1), Some(&b"ab"[..]));
    /// ```
    pub fn text(&self, line: usize) -> Option<&'t [u8]> {
        self.text.get(self.range(line)?)
    }
}

/// Counts the characters in `text` that UTF-16 encodes as two units: those of four bytes.
fn surrogate_pairs(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte >= 0xF0).count()
}

/// Counts the characters in `text`: bytes of UTF-8 that are not continuation bytes.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
