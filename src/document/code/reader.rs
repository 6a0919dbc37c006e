//! The events of a source.

use std::ops::ControlFlow;

use super::docs;
use super::escapes::unescape;
use super::language::{Escape, Language};
use super::lexer::{Lexer, TokenKind};
use crate::document::{CodeParts, Content, EventSink, Part, Role, Source};
use crate::offset_map::DerivedText;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Shorter texts hold no URI and no identifier.
const SHORTEST: usize = 4;

pub(super) fn read<'d>(
    language: &'d Language,
    source: Source<'d>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let mut reader = CodeReader { language, source, done: 0, lines: Vec::new(), sink };
    for token in Lexer::new(source.bytes, language) {
        let start = token.whole.start();
        let follows = source.bytes.clamped(reader.done..start).iter().all(u8::is_ascii_whitespace);
        if token.kind != TokenKind::DocLine || !follows {
            reader.end_lines()?;
        }
        reader.code(start)?;
        reader.done = token.whole.end();
        match token.kind {
            TokenKind::Comment => reader.emit(token.whole, Role::Comment)?,
            TokenKind::Text => reader.emit(token.whole, Role::Text)?,
            TokenKind::DocLine => reader.lines.push(token.whole),
            TokenKind::DocBlock => {
                docs::read_comments(&reader.source, &[token.whole], &language.docs, reader.sink)?;
            }
            TokenKind::DocString { text, .. } => {
                docs::read_string(&reader.source, text, &language.docs, reader.sink)?;
            }
            TokenKind::String { text, escape } => reader.string(token.whole, text, escape)?,
        }
    }
    reader.end_lines()?;
    reader.code(source.bytes.len())
}

struct CodeReader<'d, 's> {
    language: &'d Language,
    source: Source<'d>,
    /// Everything before this offset was emitted.
    done: usize,
    /// Documentation comments of one line each, which belong together.
    lines: Vec<Span>,
    sink: &'s mut dyn EventSink,
}

impl CodeReader<'_, '_> {
    fn emit(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        let text = self.source.bytes.part(span.range());
        if text.trim_ascii().len() < SHORTEST {
            return ControlFlow::Continue(());
        }
        self.sink.part(&Part::of_text(text, self.source.part(span.start()), role))
    }

    /// Emits the code up to `end`.
    fn code(&mut self, end: usize) -> ControlFlow<()> {
        let span = Span::new(self.done.min(end), end);
        match self.sink.wants().code {
            CodeParts::Skipped => ControlFlow::Continue(()),
            CodeParts::Given => self.emit(span, Role::Code),
        }
    }

    fn end_lines(&mut self) -> ControlFlow<()> {
        let lines = std::mem::take(&mut self.lines);
        match lines.is_empty() {
            true => ControlFlow::Continue(()),
            false => docs::read_comments(&self.source, &lines, &self.language.docs, self.sink),
        }
    }

    fn string(&mut self, whole: Span, text: Span, escape: Escape) -> ControlFlow<()> {
        let bytes = self.source.bytes.part(text.range());
        if bytes.len() < SHORTEST {
            return ControlFlow::Continue(());
        }
        let mark = self.source.bytes.clamped(text.end()..whole.end());
        let mut piece = DerivedText::default();
        unescape(bytes, text.start(), mark, escape, &mut piece);
        let part = Part::of_text(piece.text(), self.source.layers(piece.map()), Role::String);
        // A string that is a URI as a whole has neither white space nor quotation marks in it.
        let is_text = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>".contains(byte);
        let content = match piece.text().iter().any(is_text) {
            true => Content::Text,
            false => Content::Value,
        };
        self.sink.part(&Part { content, ..part })
    }
}
