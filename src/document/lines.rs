//! Lines of a text markup: [`TextLine`].

use memchr::memchr;

use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLine {
    pub start: usize,
    /// Start of its text, after the indentation.
    pub text: usize,
    /// End of its text, before trailing white space.
    pub end: usize,
    /// Start of the next line.
    pub next: usize,
}

impl TextLine {
    /// Returns the line that starts at `start`.
    pub fn at(bytes: &[u8], start: usize) -> Self {
        let rest = bytes.clamped(start..);
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        work_counter::add(length + 1);
        let next = (start + length + 1).min(bytes.len());
        let line = rest.clamped(..length);
        let end = start + line.len() - line.trailing(|byte| byte.is_ascii_whitespace());
        let blanks = line.leading(|byte| byte.is_ascii_whitespace());
        Self { start, text: (start + blanks).min(end), end, next }
    }

    pub fn is_blank(self) -> bool {
        self.text == self.end
    }

    /// Returns the indentation. Tabs count as one column: that only matters where tabs and spaces
    /// are mixed.
    pub fn indent(self) -> usize {
        self.text - self.start
    }

    /// Returns the span of its text.
    pub fn span(self) -> Span {
        Span::new(self.text, self.end)
    }
}
