//! Text without an event: markup, link reference definitions (CommonMark §4.7), and text that the
//! parser drops.

use std::ops::ControlFlow;

use memchr::memchr;

use super::super::{decode, link};
use super::{BlockKind, MarkdownReader, has_letters};
use crate::document::{CodeParts, Event, LinkOrigin, NameSpace, Role};
use crate::slice::SliceExt as _;
use crate::span::Span;

impl MarkdownReader<'_, '_> {
    /// Handles the markup up to `to`.
    pub(super) fn between(&mut self, to: usize) -> ControlFlow<()> {
        let gap = self.bytes.clamped(self.at..to);
        if gap.is_empty() {
            return ControlFlow::Continue(());
        }
        // A definition may have no letters: `[1]: 2`.
        let letters = has_letters(gap) || gap.windows(2).any(|pair| pair == b"]:");
        match self.block {
            BlockKind::Text if !letters && self.inside_line && !gap.contains(&b'\n') => {
                self.copy(to);
            }
            _ if !letters => self.at = to,
            BlockKind::Text => self.uncovered(to)?,
            // The info string is not reStructuredText.
            BlockKind::Rst => {
                let info = Span::new(self.at, to);
                self.at = to;
                self.whole(info, Role::Code)?;
            }
            BlockKind::Code | BlockKind::Html => self.info(to),
        }
        ControlFlow::Continue(())
    }

    /// Handles letters without an event: definitions, and text that the parser drops, such as table
    /// cells after the last column.
    pub(super) fn uncovered(&mut self, to: usize) -> ControlFlow<()> {
        self.flush()?;
        while self.at < to {
            let bytes = self.bytes.part(..to);
            let start = link::line_content(bytes, self.at);
            if let Some(definition) = link::definition(bytes, start) {
                self.define(&definition)?;
                self.at = definition.whole.end();
                continue;
            }
            // Not a definition: the line is text, whatever the parser made of it.
            let rest = bytes.clamped(start..);
            let line = memchr(b'\n', rest).map_or(to, |end| start + end + 1);
            // The label of a footnote may be followed by a definition.
            let end = link::footnote(bytes, start).unwrap_or(line);
            self.at = start;
            self.copy(end);
            self.flush()?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn define(&mut self, definition: &link::LinkDefinition) -> ControlFlow<()> {
        self.whole(definition.label, Role::Text)?;
        self.piece.clear();
        let span = definition.destination;
        decode::undo(self.bytes, span, &mut self.piece);
        self.destination("definition", LinkOrigin::Definition)?;
        if let Some(title) = definition.title {
            self.title(title, "definition")?;
        }
        if self.wants.all_events() {
            self.noted.define(definition.whole.start(), span);
            let label = self.prepared.text.get(definition.label.range());
            self.sink.note(&Event::Define {
                space: NameSpace::Label,
                name: label.unwrap_or_default(),
                span: self.source.span(definition.whole),
            });
        }
        ControlFlow::Continue(())
    }

    /// Handles the info string of a code block: the first line of its text.
    pub(super) fn info(&mut self, to: usize) {
        let is_skipped = match self.block {
            BlockKind::Code => self.is_code_skipped,
            _ => self.wants.code == CodeParts::Skipped,
        };
        if is_skipped {
            self.at = self.at.max(to);
        }
        while self.at < to {
            let rest = self.bytes.part(self.at..to);
            let end = memchr(b'\n', rest).map_or(to, |end| self.at + end + 1);
            let line = self.bytes.part(self.at..end);
            if has_letters(line) {
                let fence = |b: &&u8| matches!(b, b'`' | b'~' | b' ' | b'\t' | b'>');
                self.at += line.iter().take_while(fence).count();
                self.copy(end);
            } else {
                self.at = end;
            }
        }
    }
}
