//! Reads the strings of JSON.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::lexer::{JsonLexer, Token, unescape};
use super::records::{NoRecords, OpenRecord, Records};
use crate::document::key_path::KeyPath;
use crate::document::keys::{identifier_label, role_of_key};
use crate::document::writer::{BareUris, PartWriter, assume};
use crate::document::{EventSink, Place, Role, Source};
use crate::offset_map::DerivedText;
use crate::slice::lossy;
use crate::span::Span;

pub(in crate::document) struct JsonReader<'d, 's, R: Records> {
    writer: PartWriter<'d, 's>,
    path: KeyPath,
    bytes: &'d [u8],
    records: R,
    open: Option<OpenRecord<R::Field>>,
}

impl<'d, 's> JsonReader<'d, 's, NoRecords> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        Self::with_records(source, NoRecords, sink)
    }
}

impl<'d, 's, R: Records> JsonReader<'d, 's, R> {
    /// Returns a reader of a format with records.
    pub fn with_records(source: Source<'d>, records: R, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, path: KeyPath::default(), bytes: source.bytes, records, open: None }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        for token in JsonLexer::new(self.bytes) {
            match token {
                Token::OpenObject => self.open_object(),
                Token::OpenArray => self.path.open_array(),
                Token::Close => self.close()?,
                Token::Comma => self.path.comma(),
                Token::String(span) if self.path.expects_key() => self.key(span)?,
                Token::String(span) => self.string(span)?,
                Token::Comment(span) => self.comment(span)?,
                Token::Broken(at) => {
                    // A broken record is read as far as it goes.
                    self.end_record()?;
                    self.writer.set_place(None);
                    self.writer.markup(at)?;
                    return self.writer.prose(self.bytes.len());
                }
                Token::Scalar(span) => {
                    if let Some(open) = &mut self.open {
                        open.number(self.path.as_str(), span, &self.records);
                    }
                }
                Token::Colon => {}
            }
        }
        self.end_record()?;
        self.writer.set_place(None);
        self.writer.markup(self.bytes.len())
    }

    fn open_object(&mut self) {
        let depth = self.path.depth() + 1;
        let pointer = self.path.as_str();
        match &mut self.open {
            Some(open) => open.open(pointer, depth, &self.records),
            None if self.records.is_record(pointer) => {
                self.open = Some(OpenRecord::new(pointer, depth));
            }
            None => {}
        }
        self.path.open_object();
    }

    fn close(&mut self) -> ControlFlow<()> {
        let depth = self.path.depth();
        if self.open.as_mut().is_some_and(|open| open.close(depth)) {
            self.end_record()?;
        }
        self.path.close();
        ControlFlow::Continue(())
    }

    fn end_record(&mut self) -> ControlFlow<()> {
        match self.open.take() {
            Some(open) => self.records.read(&open.record(), &mut self.writer),
            None => ControlFlow::Continue(()),
        }
    }

    fn key(&mut self, span: Span) -> ControlFlow<()> {
        let text = self.writer.at(span);
        if text.contains(&b'\\') {
            let mut piece = DerivedText::default();
            unescape(text, span.start(), &mut piece);
            self.path.key(&lossy(piece.text()));
        } else {
            self.path.key(&lossy(text))
        }
        // Keys of JSON-LD and the like are URIs; most keys are words.
        let may_hold = text.iter().any(|byte| matches!(byte, b':' | b'.' | b'@' | b'\\'));
        match &mut self.open {
            Some(open) if may_hold => open.key(span),
            Some(_) => {}
            None if may_hold => {
                self.set_place();
                return emit_string(span, Role::Metadata, &mut self.writer);
            }
            None => return self.writer.markup(span.end()),
        }
        ControlFlow::Continue(())
    }

    fn string(&mut self, span: Span) -> ControlFlow<()> {
        if let Some(open) = &mut self.open {
            open.string(self.path.as_str(), span, &self.records);
            return ControlFlow::Continue(());
        }
        if span.is_empty() {
            return ControlFlow::Continue(());
        }
        self.records.outside(self.path.as_str(), self.writer.at(span));
        self.set_place();
        if self.writer.marked_value(span, unescape)? {
            return ControlFlow::Continue(());
        }
        emit_value(span, self.path.name(), &mut self.writer)
    }

    fn comment(&mut self, span: Span) -> ControlFlow<()> {
        if let Some(open) = &mut self.open {
            open.comment(span);
            return ControlFlow::Continue(());
        }
        self.writer.markup(span.start())?;
        self.writer.emit_to(span.end(), Role::Comment)
    }

    fn set_place(&mut self) {
        let pointer = Cow::Owned(self.path.as_str().to_owned());
        self.writer.set_place(Some(Place::Pointer(pointer)));
    }
}

/// Emits a value in the role of its key.
pub(in crate::document) fn emit_value(
    span: Span,
    key: &str,
    writer: &mut PartWriter<'_, '_>,
) -> ControlFlow<()> {
    let text = writer.at(span);
    match identifier_label(key) {
        // Only the key says that a number is an ISBN.
        Some(label) => writer.derived(span, Role::Text, |piece| {
            assume(piece, label.as_bytes(), span.start());
            assume(piece, b": ", span.start());
            unescape(text, span.start(), piece);
        }),
        None => emit_string(span, role_of_key(key), writer),
    }
}

/// Emits a string decoded.
pub(in crate::document) fn emit_string(
    span: Span,
    role: Role,
    writer: &mut PartWriter<'_, '_>,
) -> ControlFlow<()> {
    let text = writer.at(span);
    writer.markup(span.start())?;
    if text.contains(&b'\\') {
        writer.derived(span, role, |piece| unescape(text, span.start(), piece))
    } else {
        writer.emit_to(span.end(), role)
    }
}
