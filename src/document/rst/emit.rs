//! Emits the results of reading reStructuredText: texts, destinations, names, and references.

use std::ops::ControlFlow;

use memchr::memchr;

use super::reader::RstReader;
use crate::document::writer::trimmed;
use crate::document::{CodeParts, Content, Event, LinkOrigin, Part, Role};
use crate::offset_map::RunOrigin;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

impl RstReader<'_, '_> {
    pub(super) fn trimmed(&self, span: Span) -> Span {
        trimmed(self.bytes, span)
    }

    /// Emits undecoded bytes, unless they contain no letters.
    pub(super) fn text(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        self.text_of(span, role, None)
    }

    pub(super) fn text_of(
        &mut self,
        span: Span,
        role: Role,
        attribute: Option<&str>,
    ) -> ControlFlow<()> {
        let text = self.bytes.part(span.range());
        let has_letters = text.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
        if !has_letters || role == Role::Code && self.wants.code == CodeParts::Skipped {
            return ControlFlow::Continue(());
        }
        let content = match role {
            // docutils turns URIs in text into links (standalone hyperlinks).
            Role::Text => Content::Autolinks,
            _ => Content::Text,
        };
        let part = Part::of_text(text, self.source.part(span.start()), role);
        self.sink.part(&Part { content, attribute, ..part })
    }

    /// Emits a destination, joined over lines and without escapes; returns its span in the stream.
    ///
    /// docutils removes white space from it. Within a line, that would join words of prose, so such
    /// a destination is emitted as text.
    pub(super) fn destination(
        &mut self,
        span: Span,
        element: &'static str,
    ) -> ControlFlow<(), Span> {
        self.destination_of(span, element, None, LinkOrigin::Element)
    }

    /// Emits the destination in an attribute, or of another origin.
    pub(super) fn destination_of(
        &mut self,
        span: Span,
        element: &'static str,
        attribute: Option<&str>,
        origin: LinkOrigin,
    ) -> ControlFlow<(), Span> {
        let span = self.trimmed(span);
        self.piece.clear();
        let mut is_prose = false;
        let mut at = span.start();
        while at < span.end() {
            // Do not use `line` here: it would scan a long line again for each link in it.
            let rest = self.bytes.part(at..span.end());
            let length = memchr(b'\n', rest).unwrap_or(rest.len());
            let piece = self.trimmed(Span::new(at, at + length));
            is_prose |= self.bytes.part(piece.range()).iter().any(u8::is_ascii_whitespace);
            self.unescape(piece);
            at += length + 1;
        }
        let whole = self.source.span(span);
        if span.is_empty() {
            return ControlFlow::Continue(whole);
        }
        if is_prose {
            let part = Part::of_text(
                self.bytes.part(span.range()),
                self.source.part(span.start()),
                Role::Destination,
            );
            self.sink.part(&Part { element: Some(element), attribute, origin, ..part })?;
            return ControlFlow::Continue(whole);
        }
        self.piece_as_reference(element, attribute, origin)?;
        ControlFlow::Continue(whole)
    }

    /// Emits the argument of `image` or `figure`. It is a URI whatever is in it, so docutils
    /// removes all white space that has no backslash before it (`directives.uri`).
    pub(super) fn image(&mut self, span: Span) -> ControlFlow<()> {
        let span = self.trimmed(span);
        if span.is_empty() {
            return ControlFlow::Continue(());
        }
        self.piece.clear();
        let mut at = span.start();
        while at < span.end() {
            let rest = self.bytes.part(at..span.end());
            let length = word(rest);
            self.unescape(Span::new(at, at + length));
            let rest = rest.part(length..);
            at += length + rest.leading(|byte| byte.is_ascii_whitespace());
        }
        self.piece_as_reference("image", None, LinkOrigin::Element)
    }

    /// Emits the joined and unescaped text as a reference.
    fn piece_as_reference(
        &mut self,
        element: &'static str,
        attribute: Option<&str>,
        origin: LinkOrigin,
    ) -> ControlFlow<()> {
        let part = Part::of_text(
            self.piece.text(),
            self.source.layers(self.piece.map()),
            Role::Destination,
        );
        let content = Content::Reference;
        self.sink.part(&Part { content, element: Some(element), attribute, origin, ..part })
    }

    pub(super) fn unescape(&mut self, span: Span) {
        let mut from = span.start();
        while let Some(found) = memchr(b'\\', self.bytes.part(from..span.end())) {
            let at = from + found;
            self.piece.copy(self.bytes.part(from..at), from);
            let end = (at + 2).min(span.end());
            let escaped = self.bytes.part(at + 1..end);
            self.piece.replace(escaped, Span::new(at, end), RunOrigin::Decoded);
            from = end;
        }
        self.piece.copy(self.bytes.part(from..span.end()), from);
    }

    /// Emits the text of a link.
    pub(super) fn label(&mut self, text: Span, destination: Span) {
        if self.wants.all_events() && !text.is_empty() {
            let label = lossy(self.bytes.part(text.range()));
            let span = self.source.span(self.trimmed(text));
            let text = label.trim();
            self.sink.note(&Event::Label { text, destination, span, stream: None });
        }
    }
}

/// Returns the length of the text up to white space without a backslash before it.
fn word(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = text.iter().position(|&byte| {
        let ends = byte.is_ascii_whitespace() && !(is_escaped && byte == b' ');
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.unwrap_or(text.len())
}
