//! Reads the messages of a PO file.

use std::ops::ControlFlow;

use crate::document::lines::Line;
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
            let line = Line::at(self.bytes, self.at);
            self.at = line.next;
            let text = self.writer.at(line.span());
            match text {
                [b'#', ..] => {
                    self.writer.prose(line.text)?;
                    self.writer.emit_to(line.end, Role::Comment)?;
                }
                [b'm', b's', b'g', ..] => self.field(line, text)?,
                _ => {}
            }
        }
        self.writer.prose(self.bytes.len())
    }

    /// Reads `msgid "…"` with the strings in the lines below.
    fn field(&mut self, line: Line, text: &[u8]) -> ControlFlow<()> {
        let length =
            text.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'[' | b']'));
        let name = lossy(text.clamped(..length)).into_owned();
        let mut strings = Vec::new();
        strings.extend(string(self.bytes, Span::new(line.text + length, line.end)));
        while self.at < self.bytes.len() {
            let next = Line::at(self.bytes, self.at);
            let Some(more) = string(self.bytes, next.span())
                .filter(|_| self.bytes.get(next.text) == Some(&b'"'))
            else {
                break;
            };
            strings.push(more);
            self.at = next.next;
        }
        let (Some(first), Some(last)) = (strings.first(), strings.last()) else {
            return ControlFlow::Continue(());
        };
        let whole = Span::new(first.start(), last.end());
        if name == "msgid" {
            let start = strings.iter().find(|string| !string.is_empty());
            let text = start.map(|&string| self.writer.at(string).clamped(..MAX_NAME_BYTES));
            self.message = lossy(text.unwrap_or_default()).into_owned();
        }
        let entry = shortened_text(&self.message).into_owned().into();
        self.writer.set_place(Some(Place::Entry { entry, field: name.into() }));
        self.writer.prose(line.text)?;
        let bytes = self.bytes;
        self.writer.derived(whole, Role::Text, |piece| {
            let mut end = whole.start();
            for string in strings {
                // The line break between two strings is not part of the text.
                piece.replace(b"", Span::new(end, string.start()), RunOrigin::Joined);
                unescape(bytes.part(string.range()), string.start(), piece);
                end = string.end();
            }
        })?;
        self.writer.set_place(None);
        ControlFlow::Continue(())
    }
}

/// Returns the text of the string in a line.
fn string(bytes: &[u8], span: Span) -> Option<Span> {
    let text = bytes.part(span.range());
    let open = memchr::memchr(b'"', text)?;
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
