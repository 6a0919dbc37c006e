//! The header of a message or of a part of one: its fields and its end (RFC 5322 §2.2, RFC 2045 §3).
//!
//! Lenient: a line that is neither a field nor the continuation of one ends the header, and is text.

use memchr::{memchr, memrchr};

use crate::chunk;
use crate::scan::is_in_name;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A header as written, without the empty line that ends it.
///
/// ```
/// use urigrep::container::document::mail::Header;
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
    /// Its name.
    pub name: &'h str,
    /// Its value as written, with inner line breaks, trimmed.
    pub value: &'h [u8],
    /// The span of the value in the header.
    pub span: Span,
    /// From the name to the end of its last line.
    pub whole: Span,
}

impl<'h> Header<'h> {
    /// A header that consists of `bytes`.
    pub const fn new(bytes: &'h [u8]) -> Self {
        Self { bytes }
    }

    /// The header at the start of `text`, up to an empty line or a line that is not part of a header.
    ///
    /// ```
    /// use urigrep::container::document::mail::Header;
    /// let header = Header::at_start_of(b"Subject: a\n\nText");
    /// assert_eq!(header.as_bytes(), b"Subject: a\n");
    /// ```
    pub fn at_start_of(text: &'h [u8]) -> Self {
        let mut fields = FieldIter { text, at: 0 };
        while fields.next().is_some() {}
        Self::new(text.part(..fields.at))
    }

    /// The header as written.
    pub const fn as_bytes(self) -> &'h [u8] {
        self.bytes
    }

    /// Its fields, in order.
    pub fn fields(self) -> impl Iterator<Item = Field<'h>> {
        FieldIter::new(self.bytes, 0).map(|field| field.field())
    }

    /// The first field of this name; ASCII case is ignored.
    pub fn field(self, name: &str) -> Option<Field<'h>> {
        let mut all = FieldIter::new(self.bytes, 0);
        let is = |field: &FieldLines<'_>| field.name.eq_ignore_ascii_case(name.as_bytes());
        all.find(is).map(|field| field.field())
    }

    /// The name of the field that contains the byte `at`.
    ///
    /// ```
    /// use urigrep::container::document::mail::Header;
    /// let header = Header::new(b"Subject: a\nX-Url:\n http://a.example/\n");
    /// assert_eq!(header.field_at(20), Some("X-Url"));
    /// ```
    pub fn field_at(self, at: usize) -> Option<&'h str> {
        let mut end = at.min(self.bytes.len());
        loop {
            let before = self.bytes.get(..end)?;
            let start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
            let line = self.bytes.get(start..)?;
            if start == 0 || !matches!(line.first(), Some(b' ' | b'\t')) {
                return std::str::from_utf8(name(line)?.0).ok();
            }
            end = start - 1;
        }
    }
}

impl<'h> Field<'h> {
    /// The field without the first `count` bytes of its value.
    pub(super) fn after(self, count: usize) -> Self {
        let value = self.value.clamped(count..);
        Self { value, span: Span::new(self.span.end() - value.len(), self.span.end()), ..self }
    }
}

/// The lines of a field, parsed no further than the name.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldLines<'h> {
    /// The name, which is ASCII.
    pub name: &'h [u8],
    /// The rest after the colon, up to the end of the last line.
    rest: &'h [u8],
    /// As [`Field::whole`].
    pub whole: Span,
}

impl<'h> FieldLines<'h> {
    /// As [`Field::value`].
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

/// The fields at the start of a text.
#[derive(Clone, Debug)]
pub(super) struct FieldIter<'h> {
    text: &'h [u8],
    /// The start of the next field, or the end of the header.
    pub at: usize,
}

impl<'h> FieldIter<'h> {
    pub fn new(text: &'h [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// The length of the line at `at`, with its break.
    fn line(&self, at: usize) -> usize {
        let rest = self.text.clamped(at..);
        memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)
    }
}

impl<'h> Iterator for FieldIter<'h> {
    type Item = FieldLines<'h>;

    // Inlined, as the result would else be stored in small pieces and loaded in large ones, which stalls.
    #[inline(always)]
    fn next(&mut self) -> Option<FieldLines<'h>> {
        let start = self.at;
        let (name, value) = loop {
            let rest = self.text.get(self.at..)?;
            if let Some(found) = name(rest) {
                break found;
            }
            // The line of an mbox before a message, or quoted by a program in its header.
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

/// The name of the field at the start of `line`, and where its value begins. White space before the
/// colon is allowed, as in RFC 822.
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
