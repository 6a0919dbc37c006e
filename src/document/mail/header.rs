//! The header of a message or part: its fields and its end (RFC 5322 §2.2, RFC 2045 §3).
//!
//! Parsing is lenient: a line that neither is nor continues a field ends the header and is text.

use memchr::{memchr, memchr_iter, memrchr};

use crate::chunk;
use crate::scan::is_in_name;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// A header as written, without the empty line after it.
///
/// ```
/// use urigrep::document::mail::Header;
/// let header = Header::new(b"Subject: a\r\n b\r\nX-Url:http://a.example/\r\n");
/// let names: Vec<_> = header.fields().map(|field| field.name).collect();
/// assert_eq!(names, ["Subject", "X-Url"]);
/// assert_eq!(header.field("x-url").unwrap().value, b"http://a.example/");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header<'h> {
    bytes: &'h [u8],
}

/// A field of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field<'h> {
    /// Name of the field.
    pub name: &'h str,
    /// Value as written and trimmed; it may contain line breaks.
    pub value: &'h [u8],
    /// Span of the value in the header.
    pub span: Span,
    /// Span from the name to the end of the last line.
    pub whole: Span,
}

impl<'h> Header<'h> {
    /// Wraps the bytes of a header.
    pub const fn new(bytes: &'h [u8]) -> Self {
        Self { bytes }
    }

    /// Returns the header at the start of `text`, up to an empty line or a line that is not part of
    /// a header.
    ///
    /// ```
    /// use urigrep::document::mail::Header;
    /// let header = Header::at_start_of(b"Subject: a\n\nText");
    /// assert_eq!(header.as_bytes(), b"Subject: a\n");
    /// ```
    pub fn at_start_of(text: &'h [u8]) -> Self {
        let mut fields = FieldIter { text, at: 0 };
        while fields.next().is_some() {}
        Self::new(text.part(..fields.at))
    }

    /// Returns the header as written.
    pub const fn as_bytes(self) -> &'h [u8] {
        self.bytes
    }

    /// Returns its fields, in order.
    pub fn fields(self) -> impl Iterator<Item = Field<'h>> {
        FieldIter::new(self.bytes, 0).map(|field| field.field())
    }

    /// Returns the first field with this name; ASCII case is ignored.
    pub fn field(self, name: &str) -> Option<Field<'h>> {
        let mut all = FieldIter::new(self.bytes, 0);
        let is = |field: &FieldLines<'_>| field.name.eq_ignore_ascii_case(name.as_bytes());
        all.find(is).map(|field| field.field())
    }

    /// Returns the name of the field that contains the byte `at`.
    ///
    /// ```
    /// use urigrep::document::mail::Header;
    /// let header = Header::new(b"Subject: a\nX-Url:\n http://a.example/\n");
    /// assert_eq!(header.field_at(20), Some("X-Url"));
    /// ```
    pub fn field_at(self, at: usize) -> Option<&'h str> {
        FieldCursor::default().name_at(self, at)
    }

    /// Returns the start of the field that contains the byte `at`.
    fn field_start(self, at: usize) -> usize {
        let mut end = at;
        loop {
            let before = self.bytes.clamped(..end);
            let start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
            work_counter::add(end - start);
            if start == 0 || !is_folded(self.bytes.get(start)) {
                return start;
            }
            end = start - 1;
        }
    }
}

/// True for the first byte of a line that continues a field.
fn is_folded(first: Option<&u8>) -> bool {
    matches!(first, Some(b' ' | b'\t'))
}

/// Remembers the field of the last lookup. Lookups at growing offsets scan each byte once, however
/// long a line is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FieldCursor {
    /// Start of the field and span of its name; empty if there is none.
    start: usize,
    name: Span,
    at: usize,
}

impl FieldCursor {
    /// Returns the name of the field that contains the byte `at`. Each call must pass the same
    /// header.
    // A header may be one line of megabytes with many URIs. Scanning back to the start of the field
    // for each of them would take quadratic time.
    pub fn name_at<'h>(&mut self, header: Header<'h>, at: usize) -> Option<&'h str> {
        let at = at.min(header.bytes.len());
        let start = match header.bytes.get(self.at..at) {
            Some(between) if self.at > 0 => {
                work_counter::add(between.len());
                let lines = memchr_iter(b'\n', between).map(|newline| self.at + newline + 1);
                let mut fields = lines.filter(|start| !is_folded(header.bytes.get(*start)));
                fields.next_back().unwrap_or(self.start)
            }
            _ => header.field_start(at),
        };
        if start != self.start || self.at == 0 {
            let name = header.bytes.get(start..).and_then(name);
            self.name =
                name.map_or(Span::default(), |(name, _)| Span::new(start, start + name.len()));
        }
        (self.start, self.at) = (start, at);
        let name = header.bytes.get(self.name.range()).filter(|name| !name.is_empty())?;
        std::str::from_utf8(name).ok()
    }
}

impl<'h> Field<'h> {
    /// Returns the field without the first `count` bytes of its value.
    pub(super) fn after(self, count: usize) -> Self {
        let value = self.value.clamped(count..);
        Self { value, span: Span::new(self.span.end() - value.len(), self.span.end()), ..self }
    }
}

/// The lines of a field, of which only the name is parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldLines<'h> {
    /// The name, which is ASCII.
    pub name: &'h [u8],
    /// Rest after the colon, up to the end of the last line.
    rest: &'h [u8],
    /// Like [`Field::whole`].
    pub whole: Span,
}

impl<'h> FieldLines<'h> {
    /// Like [`Field::value`].
    pub fn value(&self) -> &'h [u8] {
        self.rest.trim_ascii()
    }

    pub fn field(&self) -> Field<'h> {
        let value = self.rest.trim_ascii_start();
        let start = self.whole.end() - value.len();
        let value = value.trim_ascii_end();
        Field {
            name: std::str::from_utf8(self.name).unwrap_or_default(),
            value,
            span: Span::new(start, start + value.len()),
            whole: self.whole,
        }
    }
}

/// Iterator over the fields at the start of a text.
#[derive(Clone, Debug)]
pub(super) struct FieldIter<'h> {
    text: &'h [u8],
    /// Start of the next field, or the end of the header.
    pub at: usize,
}

impl<'h> FieldIter<'h> {
    pub fn new(text: &'h [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// Returns the length of the line at `at`, including its break.
    fn line(&self, at: usize) -> usize {
        let rest = self.text.clamped(at..);
        memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)
    }
}

impl<'h> Iterator for FieldIter<'h> {
    type Item = FieldLines<'h>;

    // Inlined, because the result would otherwise be stored in small pieces and loaded in large
    // ones, which stalls.
    #[inline(always)]
    fn next(&mut self) -> Option<FieldLines<'h>> {
        let start = self.at;
        let (name, value) = loop {
            let rest = self.text.get(self.at..)?;
            if let Some(found) = name(rest) {
                break found;
            }
            // Skip an mbox separator before a message, or one that a program quoted in the header.
            let is_envelope = rest.starts_with(b"From ") || rest.starts_with(b">From ");
            if !is_envelope {
                return None;
            }
            self.at += self.line(self.at);
        };
        let value = self.at + value;
        self.at = value + self.line(value);
        while let Some(b' ' | b'\t') = self.text.get(self.at) {
            self.at += self.line(self.at);
        }
        let whole = Span::new(start, self.at);
        let rest = self.text.part(value..self.at);
        Some(FieldLines { name, rest, whole })
    }
}

/// Returns the name of the field at the start of `line`, and the offset of its value. White space
/// before the colon is allowed, as in RFC 822.
fn name(line: &[u8]) -> Option<(&[u8], usize)> {
    let length = chunk::run(line, is_in_name);
    let mut rest = line.get(length..)?;
    while let [b' ' | b'\t', tail @ ..] = rest {
        rest = tail;
    }
    match rest {
        [b':', value @ ..] if length > 0 => Some((line.get(..length)?, line.len() - value.len())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A cursor finds the same field as a scan from the start, in any order of lookups.
        #[test]
        fn cursors_know_the_field(text in "([a-c]{1,3}: [a-c\n ]{0,9}|\n \t?x|[a-c]+\n){0,9}", asked in prop::collection::vec(0usize..90, 0..30)) {
            let header = Header::new(text.as_bytes());
            let mut cursor = FieldCursor::default();
            for at in asked {
                prop_assert_eq!(cursor.name_at(header, at), header.field_at(at), "{}", at);
            }
        }
    }
}
