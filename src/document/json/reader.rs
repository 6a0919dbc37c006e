//! Reads the strings of JSON.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::lexer::{Lexer, Token, unescape};
use super::path::JsonPath;
use crate::document::keys::role_of_key;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::offset_map::DerivedText;
use crate::slice::lossy;
use crate::span::Span;

pub(super) struct JsonReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    path: JsonPath,
    bytes: &'d [u8],
}

impl<'d, 's> JsonReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        Self { writer, path: JsonPath::default(), bytes: source.bytes }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        for token in Lexer::new(self.bytes) {
            match token {
                Token::OpenObject => self.path.open_object(),
                Token::OpenArray => self.path.open_array(),
                Token::Close => self.path.close(),
                Token::Comma => self.path.comma(),
                Token::String(span) if self.path.expects_key() => self.key(span)?,
                Token::String(span) => {
                    self.string(span, role_of_key(self.path.name()))?;
                }
                Token::Comment(span) => {
                    self.writer.markup(span.start())?;
                    self.writer.emit_to(span.end(), Role::Comment)?;
                }
                Token::Broken(at) => {
                    self.writer.set_place(None);
                    self.writer.markup(at)?;
                    return self.writer.prose(self.bytes.len());
                }
                Token::Colon | Token::Scalar => {}
            }
        }
        self.writer.set_place(None);
        self.writer.markup(self.bytes.len())
    }

    fn key(&mut self, span: Span) -> ControlFlow<()> {
        let text = self.writer.at(span);
        match text.contains(&b'\\') {
            true => {
                let mut piece = DerivedText::default();
                unescape(text, span.start(), &mut piece);
                self.path.key(&lossy(piece.text()));
            }
            false => self.path.key(&lossy(text)),
        }
        // Keys of JSON-LD and the like are URIs; most keys are words.
        match text.iter().any(|byte| matches!(byte, b':' | b'.' | b'@' | b'\\')) {
            true => self.string(span, Role::Metadata),
            false => self.writer.markup(span.end()),
        }
    }

    fn string(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        let text = self.writer.at(span);
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        let pointer = Cow::Owned(self.path.pointer().to_owned());
        self.writer.set_place(Some(Place::Pointer(pointer)));
        self.writer.markup(span.start())?;
        match text.contains(&b'\\') {
            true => self.writer.derived(span, role, |piece| unescape(text, span.start(), piece)),
            false => self.writer.emit_to(span.end(), role),
        }
    }
}
