//! Reads the messages of a PO file.

use std::ops::ControlFlow;

use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::shorten::shortened_text;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

/// Bytes of a message's id that name its place.
const MAX_NAME_BYTES: usize = 64;

pub(super) struct PoReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    /// The id of the current message.
    message: String,
    at: usize,
}

impl<'d, 's> PoReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, bytes: source.bytes, message: String::new(), at: 0 }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        while self.at < self.bytes.len() {
            let line = TextLine::at(self.bytes, self.at);
            self.at = line.next;
            let text = self.writer.at(line.span());
            match text {
                [b'#', ..] => match old_mark(text) {
                    Some(mark) => self.field(line, mark)?,
                    None => self.comment(line, text)?,
                },
                // `msgctxt`, `msgid`, `msgid_plural`, `msgstr`, and `msgstr[0]` all have a string.
                [b'm', b's', b'g', ..] => self.field(line, b"")?,
                _ => {}
            }
        }
        self.writer.prose(self.bytes.len())
    }

    /// Reads the comment that starts with a line, over all lines with the same mark.
    fn comment(&mut self, line: TextLine, text: &[u8]) -> ControlFlow<()> {
        let mark = text.clamped(..2);
        let mut end = line.end;
        while self.at < self.bytes.len() {
            let next = TextLine::at(self.bytes, self.at);
            let text = self.writer.at(next.span());
            if !text.starts_with(mark) || old_mark(text).is_some() {
                break;
            }
            (self.at, end) = (next.next, next.end);
        }
        self.writer.prose(line.text)?;
        self.writer.emit_to(end, Role::Comment)
    }

    /// Reads `msgid "…"` after a mark, with the strings in the lines below.
    fn field(&mut self, line: TextLine, mark: &[u8]) -> ControlFlow<()> {
        let text = self.writer.at(line.span()).part(mark.len()..);
        let length =
            text.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'[' | b']'));
        let name = lossy(text.clamped(..length)).into_owned();
        let mut strings = Vec::new();
        strings.extend(string(self.bytes, Span::new(line.text + mark.len() + length, line.end)));
        // Text after a string is a fault of the file, and must not be lost between two of them.
        let mut is_whole = strings.last().is_none_or(|&string| self.ends_line(string, line));
        while is_whole && self.at < self.bytes.len() {
            let next = TextLine::at(self.bytes, self.at);
            let text = self.writer.at(next.span()).strip_prefix(mark).unwrap_or_default();
            let Some(more) = string(self.bytes, next.span()).filter(|_| text.starts_with(b"\""))
            else {
                break;
            };
            strings.push(more);
            is_whole = self.ends_line(more, next);
            self.at = next.next;
        }
        let (Some(first), Some(last)) = (strings.first(), strings.last()) else {
            return ControlFlow::Continue(());
        };
        let whole = Span::new(first.start(), last.end());
        if name == "msgid" && mark.is_empty() {
            // gettext writes `msgid ""` before a string that goes over several lines.
            let start = strings.iter().find(|string| !string.is_empty());
            let text = start.map(|&string| self.writer.at(string).clamped(..MAX_NAME_BYTES));
            self.message = lossy(text.unwrap_or_default()).into_owned();
        }
        // No program shows obsolete and previous messages to its users.
        let role = if mark.is_empty() { Role::Text } else { Role::Comment };
        if mark.is_empty() {
            let entry = shortened_text(&self.message).into_owned().into();
            self.writer.set_place(Some(Place::Entry { entry, field: name.into() }));
        }
        self.writer.prose(line.text)?;
        let bytes = self.bytes;
        let joined = |piece: &mut DerivedText| {
            let mut end = whole.start();
            for string in &strings {
                // The line break between two strings is not part of the text.
                piece.replace(b"", Span::new(end, string.start()), RunOrigin::Joined);
                unescape(bytes.part(string.range()), string.start(), piece);
                end = string.end();
            }
        };
        let is_marked =
            mark.is_empty() && self.writer.marked_value(whole, |_, _, piece| joined(piece))?;
        if !is_marked {
            self.writer.derived(whole, role, joined)?;
        }
        self.writer.set_place(None);
        ControlFlow::Continue(())
    }

    /// True if nothing but white space is after a string in its line.
    fn ends_line(&self, string: Span, line: TextLine) -> bool {
        let after = (string.end() + 1).min(line.end);
        self.bytes.part(after..line.end).trim_ascii().is_empty()
    }
}

/// Returns the mark of an obsolete message or of a previous one, with its space, before the keyword
/// or the string in a line.
fn old_mark(line: &[u8]) -> Option<&'static [u8]> {
    let mark = [&b"#~| "[..], b"#~ ", b"#| "].into_iter().find(|mark| line.starts_with(mark))?;
    matches!(line.part(mark.len()..), [b'"', ..] | [b'm', b's', b'g', ..]).then_some(mark)
}

/// Returns the text of the string in a line.
fn string(bytes: &[u8], span: Span) -> Option<Span> {
    let text = bytes.part(span.range());
    let open = memchr::memchr(b'"', text)?;
    // The last quotation mark of the line closes the string, so those before it may be escaped or
    // not.
    let close = memchr::memrchr(b'"', text).filter(|&close| close > open)?;
    Some(Span::new(span.start() + open + 1, span.start() + close))
}

/// Appends a string without the escapes of C.
fn unescape(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\\', text.clamped(from..)) {
        let mark = from + found;
        piece.copy(text.clamped(from..mark), at + from);
        let length = 2.min(text.len() - mark);
        let source = Span::new(at + mark, at + mark + length);
        let plain: &[u8] = match text.get(mark + 1) {
            Some(b'n') => b"\n",
            Some(b't') => b"\t",
            Some(b'"') => b"\"",
            Some(b'\\') => b"\\",
            _ => text.clamped(mark..mark + length),
        };
        piece.replace(plain, source, RunOrigin::Decoded);
        from = mark + length;
    }
    piece.copy(text.clamped(from..), at + from);
}
