//! Half-open byte spans.
//!
//! Invariant: `start <= end`, by construction.

use core::ops::{Index, Range};

/// A half-open range of bytes `start..end`, 0-based, with `start <= end`.
///
/// ```
/// use urigrep::Span;
/// let span = Span::new(4, 9);
/// assert_eq!((span.start(), span.end(), span.len()), (4, 9, 5));
/// assert_eq!(&b"see urn:x"[span.range()], b"urn:x");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// Creates the span `start..end`; if `end` is before `start`, the empty span at `start`.
    ///
    /// ```
    /// assert_eq!(urigrep::Span::new(3, 1), urigrep::Span::new(3, 3));
    /// ```
    pub const fn new(start: usize, end: usize) -> Self {
        let end = if end < start { start } else { end };
        Self { start, end }
    }

    /// Byte offset of its start.
    ///
    /// ```
    /// assert_eq!(urigrep::Span::new(1, 3).start(), 1);
    /// ```
    pub const fn start(self) -> usize {
        self.start
    }

    /// Byte offset just past its end.
    ///
    /// ```
    /// assert_eq!(urigrep::Span::new(1, 3).end(), 3);
    /// ```
    pub const fn end(self) -> usize {
        self.end
    }

    /// Length in bytes.
    ///
    /// ```
    /// assert_eq!(urigrep::Span::new(1, 3).len(), 2);
    /// ```
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// True if the span is empty.
    ///
    /// ```
    /// assert!(urigrep::Span::new(1, 1).is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span as a range that can index a slice.
    ///
    /// ```
    /// assert_eq!(&"abcd"[urigrep::Span::new(1, 3).range()], "bc");
    /// ```
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.range()
    }
}

/// The part of a text in a span. Panics like a range if the span is not inside, or splits a
/// character.
///
/// ```
/// let text = "see <http://a.example/>";
/// let m = urigrep::Finder::new().find(text).unwrap();
/// assert_eq!(&text[m.span()], "http://a.example/");
/// ```
impl Index<Span> for str {
    type Output = str;

    fn index(&self, span: Span) -> &str {
        &self[span.range()]
    }
}

/// The part of a text in a span. Panics like a range if the span is not inside.
impl Index<Span> for [u8] {
    type Output = [u8];

    fn index(&self, span: Span) -> &[u8] {
        &self[span.range()]
    }
}
