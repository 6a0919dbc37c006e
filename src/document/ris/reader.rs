//! Reads the tagged lines of RIS.

use std::ops::ControlFlow;

use crate::document::lines::TextLine;
use crate::document::writer::{BareUris, PartWriter, trimmed};
use crate::document::{EventSink, Place, Role, Source};
use crate::offset_map::RunOrigin;
use crate::shorten::shortened_text;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

/// Tags of links: to a page, to a PDF, to the full text, to related records, and to images.
const LINKS: [&[u8]; 6] = [b"UR", b"L1", b"L2", b"L3", b"L4", b"LK"];

pub(super) struct RisReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    /// The id of the current record, or its number.
    entry: String,
    records: u64,
}

impl<'d, 's> RisReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, bytes: source.bytes, entry: String::new(), records: 0 }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let mut at = 0;
        while at < self.bytes.len() {
            let line = TextLine::at(self.bytes, at);
            at = line.next;
            let text = self.bytes.get(line.start..line.end).unwrap_or_default();
            // `UR  - https://…`
            // A line without a tag continues the field above it, and is emitted with what follows.
            let [tag @ .., b' ', b' ', b'-'] = text.get(..5).unwrap_or_default() else {
                continue;
            };
            let value = trimmed(self.bytes, Span::new(line.start + 5, line.end));
            if tag == b"TY" {
                self.records += 1;
                self.entry = self.records.to_string();
            }
            if tag == b"ID" {
                self.entry = shortened_text(&lossy(self.writer.at(value))).into_owned();
            }
            self.writer.prose(line.start)?;
            let (entry, field) = (self.entry.clone().into(), lossy(tag).into_owned().into());
            self.writer.set_place(Some(Place::Entry { entry, field }));
            if tag == b"SN" && !value.is_empty() {
                self.number(value)?;
                self.writer.prose(line.end)?;
                continue;
            }
            if LINKS.contains(&tag) && self.is_one(value) {
                self.writer.markup(value.start())?;
                self.writer.link(value, "link")?;
            } else {
                self.writer.emit_to(line.end, Role::Text)?
            }
        }
        self.writer.prose(self.bytes.len())
    }

    /// Emits the number of a book or a journal with the label that it lacks. An ISSN has eight
    /// digits.
    fn number(&mut self, value: Span) -> ControlFlow<()> {
        let text = self.writer.at(value);
        let is_digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'x' | b'X');
        let number = text.leading(|byte| is_digit(&byte) || byte == b'-');
        let digits = text.part(..number).iter().filter(|byte| is_digit(byte)).count();
        let label: &[u8] = if digits == 8 { b"ISSN " } else { b"ISBN " };
        self.writer.derived(value, Role::Text, |piece| {
            piece.replace(label, Span::new(value.start(), value.start()), RunOrigin::Assumed);
            piece.copy(text, value.start());
        })
    }

    /// True for one URL without white space.
    fn is_one(&self, value: Span) -> bool {
        let text = self.writer.at(value);
        // `L1` to `L4` may also name a file on the computer of the author. A field may list several
        // URLs, with `;` between them.
        memchr::memmem::find(text, b"://").is_some()
            && !text.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b';')
    }
}
