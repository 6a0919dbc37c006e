//! The events of a source.

use std::ops::ControlFlow;

use memchr::memmem;

use super::docs;
use super::escapes::unescape;
use super::language::{Escape, Language};
use super::lexer::{Lexer, TokenKind};
use crate::delimit::{MAX_LITERAL_LENGTH, MAX_LITERALS};
use crate::document::{CodeParts, Content, EventSink, Part, Role, Source};
use crate::offset_map::DerivedText;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Shorter texts hold no URI and no identifier.
const MIN_LENGTH: usize = 4;

pub(super) fn read<'d>(
    language: &'d Language,
    source: Source<'d>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let (lines, literals) = (Vec::new(), None);
    let mut reader = CodeReader { language, source, done: 0, lines, literals, sink };
    for token in Lexer::new(source.bytes, language) {
        let start = token.whole.start();
        if let TokenKind::String { text, .. } = token.kind
            && reader.joins(token.whole, text)
        {
            reader.done = token.whole.end();
            continue;
        }
        reader.end_literals()?;
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
            TokenKind::String { text, escape } => {
                let (whole, count) = (token.whole, 1);
                reader.literals = Some(ProgramString { whole, text, escape, count });
            }
        }
    }
    reader.end_literals()?;
    reader.end_lines()?;
    reader.code(source.bytes.len())
}

/// A string, or several that the program joins.
#[derive(Clone, Copy)]
struct ProgramString {
    /// Span from the first quotation mark to the last one.
    whole: Span,
    /// The text of the last one.
    text: Span,
    escape: Escape,
    count: usize,
}

struct CodeReader<'d, 's> {
    language: &'d Language,
    source: Source<'d>,
    /// Everything before this offset was emitted.
    done: usize,
    /// Documentation comments of one line each, which belong together.
    lines: Vec<Span>,
    /// The last string, which the next one may continue.
    literals: Option<ProgramString>,
    sink: &'s mut dyn EventSink,
}

impl CodeReader<'_, '_> {
    fn emit(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        let text = self.source.bytes.part(span.range());
        if text.trim_ascii().len() < MIN_LENGTH {
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
        if lines.is_empty() {
            ControlFlow::Continue(())
        } else {
            docs::read_comments(&self.source, &lines, &self.language.docs, self.sink)
        }
    }

    /// Adds a string to the previous one, if a URI reaches to the end of that one and the program
    /// joins both.
    fn joins(&mut self, whole: Span, text: Span) -> bool {
        let bytes = self.source.bytes;
        let Some(last) = &mut self.literals else { return false };
        let between = bytes.clamped(last.whole.end()..whole.start());
        let operator = between.clamped(..=MAX_LITERAL_LENGTH).trim_ascii();
        let is_operator = match operator {
            // Without an operator, they are in different lines.
            b"" => between.contains(&b'\n'),
            b"+" | b"." | b"&" | b"++" | b"<>" | b"||" | b"~" | b".." => true,
            _ => false,
        };
        // Each string has its own kind of escapes, which its prefix may change.
        let (first, next) = (bytes.part(last.text.range()), bytes.part(text.range()));
        let is_plain = |text: Span, whole: Span| {
            whole.end() == text.end() + 1
                && bytes.get(text.start().wrapping_sub(1)) == bytes.get(text.end())
                && !bytes.part(text.range()).contains(&b'\\')
        };
        let reaches_end = |text: &[u8]| {
            let word = text.len() - text.trailing(|byte| !byte.is_ascii_whitespace());
            last.count > 1 && word == 0 || memmem::find(text.clamped(word..), b"://").is_some()
        };
        let joins = is_operator
            && between.len() <= MAX_LITERAL_LENGTH
            && last.count < MAX_LITERALS
            && !next.is_empty()
            && bytes.get(last.text.end()) == bytes.get(text.end())
            && (last.count > 1 || last.whole.start() + 1 == last.text.start())
            && whole.start() + 1 == text.start()
            && is_plain(last.text, last.whole)
            && is_plain(text, whole)
            && reaches_end(first);
        if joins {
            let whole = Span::new(last.whole.start(), whole.end());
            *last = ProgramString { whole, text, escape: last.escape, count: last.count + 1 };
        }
        joins
    }

    /// Emits the last string. Several are emitted as they are written, for the search to join
    /// (D3.9).
    fn end_literals(&mut self) -> ControlFlow<()> {
        let Some(ProgramString { whole, text, escape, count }) = self.literals.take() else {
            return ControlFlow::Continue(());
        };
        match count {
            1 => self.string(whole, text, escape),
            _ => self.emit(whole, Role::String),
        }
    }

    fn string(&mut self, whole: Span, text: Span, escape: Escape) -> ControlFlow<()> {
        let bytes = self.source.bytes.part(text.range());
        if bytes.len() < MIN_LENGTH {
            return ControlFlow::Continue(());
        }
        let mark = self.source.bytes.clamped(text.end()..whole.end());
        let mut piece = DerivedText::default();
        unescape(bytes, text.start(), mark, escape, &mut piece);
        let part = Part::of_text(piece.text(), self.source.layers(piece.map()), Role::String);
        // A string that is a URI as a whole has neither white space nor quotation marks in it.
        let is_text = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>".contains(byte);
        let content = if piece.text().iter().any(is_text) { Content::Text } else { Content::Value };
        self.sink.part(&Part { content, ..part })
    }
}
