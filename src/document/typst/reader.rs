//! Reads Typst.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, trimmed};
use crate::document::{EventSink, Role, Scope, Source};
use crate::hash::HashSet;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, hexadecimal, lossy};
use crate::span::Span;
use crate::work_counter;

/// Maximum length of a label.
const MAX_LABEL_BYTES: usize = 256;

/// Maximum length of a function's name with the white space after it. The longest name has 12
/// letters.
const MAX_FUNCTION_BYTES: usize = 32;

/// Longest string and label.
const MAX_BYTES: usize = 2048;

/// Functions and keywords whose first string is a path or a URL, and the element of the link.
const FUNCTIONS: [(&[u8], &str); 12] = [
    (b"link", "link"),
    (b"image", "image"),
    (b"include", "include"),
    (b"import", "include"),
    (b"bibliography", "include"),
    (b"read", "include"),
    (b"csv", "include"),
    (b"json", "include"),
    (b"yaml", "include"),
    (b"toml", "include"),
    (b"xml", "include"),
    (b"plugin", "include"),
];

pub(super) struct TypstReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    labels: HashSet<String>,
    references: Vec<(String, Span)>,
    /// True if other files may define labels.
    is_open: bool,
    has_no_comment_end: bool,
}

impl<'d, 's> TypstReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        Self {
            writer: PartWriter::new(source, sink, BareUris::Linked),
            bytes: source.bytes,
            labels: HashSet::default(),
            references: Vec::new(),
            is_open: false,
            has_no_comment_end: false,
        }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let is_mark = |byte: &u8| matches!(byte, b'/' | b'`' | b'"' | b'<' | b'@' | b'\n' | b'\\');
        let mut at = 0;
        self.heading(0);
        while let Some(found) = self.bytes.clamped(at..).iter().position(is_mark) {
            let mark = at + found;
            work_counter::add(found + 1);
            at = match self.bytes.clamped(mark..) {
                [b'\\', _, ..] => mark + 2,
                [b'\n', ..] => {
                    self.heading(mark + 1);
                    mark + 1
                }
                [b'/', b'/', ..] => self.line_comment(mark)?,
                [b'/', b'*', ..] => self.comment(mark)?,
                [b'`', ..] => self.raw(mark)?,
                [b'"', ..] => self.string(mark)?,
                [b'<', ..] => self.label(mark),
                [b'@', ..] => self.reference(mark),
                _ => mark + 1,
            };
        }
        // Labels may be used before they are defined, so references are judged at the end.
        if !self.is_open {
            for (name, whole) in std::mem::take(&mut self.references) {
                if !self.labels.contains(&name) {
                    self.writer.refer(&name, Scope::Document, whole);
                }
            }
        }
        self.writer.prose(self.bytes.len())
    }

    fn heading(&mut self, at: usize) {
        if !self.writer.wants_names() || self.bytes.get(at) != Some(&b'=') {
            return;
        }
        let line = TextLine::at(self.bytes, at);
        let text = self.writer.at(line.span());
        let level = text.leading(|byte| byte == b'=');
        if text.get(level) == Some(&b' ') {
            // A heading may end with its label: `= Title <intro>`.
            let length = memchr(b'<', text).unwrap_or(text.len());
            let span = trimmed(self.bytes, Span::new(line.text + level, line.text + length));
            self.writer.heading(level, &lossy(self.writer.at(span)), span);
        }
    }

    /// Reads `// …`. After a colon, it belongs to a URI.
    fn line_comment(&mut self, at: usize) -> ControlFlow<(), usize> {
        if at.checked_sub(1).and_then(|at| self.bytes.get(at)) == Some(&b':') {
            let rest = self.bytes.clamped(at..);
            return ControlFlow::Continue(at + rest.leading(|byte| !ends_bare_uri(byte)));
        }
        let line = TextLine::at(self.bytes, at);
        self.writer.prose(at)?;
        self.writer.emit_to(line.end, Role::Comment)?;
        ControlFlow::Continue(line.end)
    }

    /// Reads a block comment; these nest.
    fn comment(&mut self, at: usize) -> ControlFlow<(), usize> {
        // Each further `/*` would look for an end in the rest of the document again.
        if self.has_no_comment_end {
            return ControlFlow::Continue(at + 2);
        }
        let (mut depth, mut from) = (1_usize, at + 2);
        while depth > 0 {
            let rest = self.bytes.clamped(from..);
            let Some(found) = memchr(b'*', rest) else {
                self.has_no_comment_end = true;
                return ControlFlow::Continue(at + 2);
            };
            work_counter::add(found + 1);
            let star = from + found;
            let before =
                // The `/` of an end does not open a comment together with the next `*`, as in
                // `*/*`.
                star.checked_sub(1).filter(|&it| it >= from).and_then(|it| self.bytes.get(it));
            if self.bytes.get(star + 1) == Some(&b'/') {
                depth -= 1;
                from = star + 2;
            } else {
                depth += usize::from(before == Some(&b'/'));
                from = star + 1;
            }
        }
        self.writer.prose(at)?;
        self.writer.emit_to(from, Role::Comment)?;
        ControlFlow::Continue(from)
    }

    /// Reads raw text between as many backquotes.
    fn raw(&mut self, at: usize) -> ControlFlow<(), usize> {
        let rest = self.bytes.clamped(at..);
        let marks = rest.leading(|byte| byte == b'`');
        // Two marks are empty raw text; three or more start a block.
        if marks == 2 {
            return ControlFlow::Continue(at + 2);
        }
        let inside = rest.clamped(marks..);
        // A long raw block has a fence of its own; a single mark without an end is text.
        let inside = if marks == 1 { inside.clamped(..MAX_BYTES) } else { inside };
        let end = memmem::find(inside, rest.clamped(..marks));
        work_counter::add(end.unwrap_or(inside.len()));
        let start = at + marks;
        let end = match end {
            Some(end) => start + end,
            None if marks > 2 => self.bytes.len(),
            None => return ControlFlow::Continue(start),
        };
        self.writer.prose(start)?;
        self.writer.emit_to(end, Role::Code)?;
        ControlFlow::Continue((end + marks).min(self.bytes.len()))
    }

    /// Reads a string that is the argument of a function with links.
    fn string(&mut self, at: usize) -> ControlFlow<(), usize> {
        let Some(element) = self.function_before(at) else { return ControlFlow::Continue(at + 1) };
        let inside = self.bytes.clamped(at + 1..).clamped(..MAX_BYTES);
        let mut length = 0;
        loop {
            match inside.get(length) {
                Some(b'\\') => length += 2,
                Some(b'"') => break,
                // Typst allows line breaks in a string, but no path and no URL has one.
                Some(b'\n') | None => return ControlFlow::Continue(at + 1),
                _ => length += 1,
            }
        }
        let span = Span::new(at + 1, at + 1 + length);
        let text = self.writer.at(span);
        // The keys of a bibliography are labels, too: `@key` refers to one.
        self.is_open |= element == "include";
        self.writer.prose(span.start())?;
        // Packages are not files.
        if text.starts_with(b"@") {
            // It is shown with `--role attribute`, and no audit looks for it.
            self.writer.value(span, Role::Attribute, Some(element), None)?;
            return ControlFlow::Continue(span.end() + 1);
        }
        let destination =
            self.writer.link_with(span, element, |piece| unescape(text, span.start(), piece))?;
        if let [b'"', b')', b'[', label @ ..] =
            self.bytes.clamped(span.end()..).clamped(..MAX_BYTES)
            && let Some(length) = memchr(b']', label)
        {
            let start = span.end() + 3;
            self.writer.label(Span::new(start, start + length), destination);
        }
        ControlFlow::Continue(span.end() + 1)
    }

    /// Returns the element of the function or keyword before a string.
    fn function_before(&self, at: usize) -> Option<&'static str> {
        // The longest name in the table has 12 letters. White space may stand before the string.
        let before = self.bytes.clamped(..at).tail(MAX_FUNCTION_BYTES);
        let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
        let start = before.len()
            - before.trailing(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let name = before.clamped(start..);
        FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, element)| *element)
    }

    /// Reads `<label>`.
    fn label(&mut self, at: usize) -> usize {
        let inside = self.bytes.clamped(at + 1..).clamped(..MAX_LABEL_BYTES);
        let length = inside.leading(is_label);
        if length == 0 || inside.get(length) != Some(&b'>') {
            return at + 1;
        }
        let span = Span::new(at + 1, at + 1 + length);
        let name = lossy(self.writer.at(span)).into_owned();
        let before = at.checked_sub(1).and_then(|at| self.bytes.get(at));
        // As an argument, `#link(<a>)`, it is used; anywhere else it names the element before it.
        if matches!(before, Some(b'(' | b',')) {
            if self.writer.wants_names() {
                self.references.push((name, span));
            }
        } else {
            self.writer.anchor(&name, span);
            self.labels.insert(name);
        }
        span.end() + 1
    }

    /// Reads `@label`.
    fn reference(&mut self, at: usize) -> usize {
        let before = at.checked_sub(1).and_then(|at| self.bytes.get(at));
        // The `@` in `user@a.example` refers to no label.
        let is_start = before.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let inside = self.bytes.clamped(at + 1..).clamped(..MAX_LABEL_BYTES);
        let length = inside.leading(is_label);
        // A label may contain these marks, but at its end they belong to the sentence, as Typst has
        // it.
        let name = inside.clamped(..length);
        let length = length - name.trailing(|byte| matches!(byte, b'.' | b':' | b'-'));
        if is_start && length > 0 && self.writer.wants_names() {
            let name = lossy(inside.clamped(..length)).into_owned();
            self.references.push((name, Span::new(at, at + 1 + length)));
        }
        at + 1 + length
    }
}

fn is_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':') || !byte.is_ascii()
}

fn ends_bare_uri(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b'"' | b'<' | b'>' | b'`')
}

/// Returns the character that `\u{e9}` at the start of `text` stands for, and the length of the
/// escape.
fn unicode(text: &[u8]) -> Option<(char, usize)> {
    const OPEN: &[u8] = b"\\u{";
    // No number of a character has more digits.
    let digits = text.strip_prefix(OPEN)?.clamped(..7);
    let digits = digits.clamped(..memchr(b'}', digits)?);
    let char = char::from_u32(hexadecimal(digits)?)?;
    Some((char, OPEN.len() + digits.len() + 1))
}

/// Appends a string without its escapes.
fn unescape(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut from = 0;
    while let Some(found) = memchr(b'\\', text.clamped(from..)) {
        let mark = from + found;
        piece.copy(text.clamped(from..mark), at + from);
        let mut utf8 = [0; 4];
        let (plain, length): (&[u8], usize) = match text.clamped(mark..) {
            [_, b'n', ..] => (b"\n", 2),
            [_, b'r', ..] => (b"\r", 2),
            [_, b't', ..] => (b"\t", 2),
            escape if let Some((char, length)) = unicode(escape) => {
                (char.encode_utf8(&mut utf8).as_bytes(), length)
            }
            escape => (escape.clamped(1..2), 2.min(escape.len())),
        };
        let source = Span::new(at + mark, at + mark + length);
        piece.replace(plain, source, RunOrigin::Decoded);
        from = mark + length;
    }
    piece.copy(text.clamped(from..), at + from);
}
