//! Links, images, and autolinks: texts and destinations (CommonMark §6.3–§6.5).

use std::ops::ControlFlow;

use memchr::memchr;
use pulldown_cmark::{CowStr, LinkType};

use super::super::{decode, link};
use super::MarkdownReader;
use crate::document::{Content, Event, LinkOrigin, Role};
use crate::offset_map::RunOrigin;
use crate::slice::SliceExt as _;
use crate::span::Span;

pub(super) struct OpenMarkdownLink<'t> {
    pub(super) kind: LinkType,
    pub(super) element: &'static str,
    pub(super) destination: CowStr<'t>,
    pub(super) id: CowStr<'t>,
    /// Start of its text in the document, and in the label text below.
    pub(super) text: usize,
    pub(super) label: usize,
}

impl<'p> MarkdownReader<'p, '_> {
    pub(super) fn autolink(&mut self, kind: LinkType, span: Span) -> ControlFlow<()> {
        self.cut(span.start())?;
        let inner = Span::new(span.start() + 1, span.end().saturating_sub(1));
        self.piece.clear();
        if kind == LinkType::Email {
            // CommonMark §6.5 adds `mailto:`, which comes from no byte.
            let nowhere = Span::new(inner.start(), inner.start());
            self.piece.replace(b"mailto:", nowhere, RunOrigin::Decoded);
        }
        decode::references(self.bytes, inner, &mut self.piece);
        self.emit(Role::Destination, Content::Reference, Some("autolink"), None)?;
        // Skip the text of the link, which equals the destination.
        self.resume(span.end())
    }

    pub(super) fn open(
        &mut self,
        kind: LinkType,
        element: &'static str,
        destination: CowStr<'p>,
        id: CowStr<'p>,
        span: Span,
    ) -> ControlFlow<()> {
        self.cut(span.start())?;
        self.labels += 1;
        // Skip `![` or `[`.
        let bracket = if element == "image" { 2 } else { 1 };
        self.at = self.at.max(span.start() + bracket);
        if self.open.is_empty() {
            self.noted.label.clear();
        }
        self.open.push(OpenMarkdownLink {
            kind,
            element,
            destination,
            id,
            text: self.at,
            label: self.noted.label.len(),
        });
        ControlFlow::Continue(())
    }

    /// Ends the text of a link and reads its destination.
    pub(super) fn close(&mut self, mut span: Span) -> ControlFlow<()> {
        let Some(open) = self.open.pop() else {
            return ControlFlow::Continue(());
        };
        if open.kind == LinkType::Collapsed {
            // The parser's span excludes `[]`.
            span = Span::new(span.start(), span.end() + 2);
        }
        let rest = self.bytes.clamped(self.at..span.end());
        // Only closing emphasis marks can precede the bracket, so the first one is it.
        let close = self.at + memchr(b']', rest).unwrap_or(0);
        self.cut(close)?;
        self.labels -= 1;
        let text = Span::new(open.text, close);
        self.at = (close + 1).min(span.end()).max(self.at);
        let link = open.element == "link" && self.wants.all_events();
        if open.kind == LinkType::Inline {
            let destination = self.tail(&open, span.end())?;
            if link {
                self.sink.note(&Event::Label {
                    text: self.noted.label.clamped(open.label..),
                    destination,
                    span: self.source.span(text),
                    stream: None,
                });
            }
        } else {
            if link {
                self.noted.has_shortcut |= open.kind == LinkType::Shortcut;
                self.noted.refer(open.label, text, &open.id);
            }
            self.copy(span.end());
        }
        self.resume(span.end())
    }

    /// Emits the destination and title of an inline link; returns the span of the destination in
    /// the stream.
    pub(super) fn tail(
        &mut self,
        open: &OpenMarkdownLink<'p>,
        end: usize,
    ) -> ControlFlow<(), Span> {
        let bytes = self.bytes.part(..end);
        let tail = link::tail(bytes, self.at);
        let span = tail.map_or(Span::new(self.at, end), |tail| tail.destination);
        self.piece.clear();
        decode::undo(bytes, span, &mut self.piece);
        let destination = open.destination.as_bytes();
        if tail.is_none() || (self.piece.text() != destination && self.is_utf8(span)) {
            // If our reading differs, trust the parser's value, although its position is only
            // approximate.
            self.piece.clear();
            self.piece.replace(destination, span, RunOrigin::Decoded);
        }
        let whole = Span::new(0, self.piece.text().len());
        let stands = if whole.is_empty() {
            self.source.span(span)
        } else {
            self.source.layers(self.piece.map()).source(whole)
        };
        self.destination(open.element, LinkOrigin::Element)?;
        if let Some(title) = tail.and_then(|tail| tail.title) {
            self.title(title, open.element)?;
        }
        ControlFlow::Continue(stands)
    }

    /// True if the parser received these bytes unchanged.
    pub(super) fn is_utf8(&self, span: Span) -> bool {
        let text = self.prepared.text.as_bytes().get(span.range());
        self.bytes.get(span.range()) == text
    }

    pub(super) fn destination(
        &mut self,
        element: &'static str,
        origin: LinkOrigin,
    ) -> ControlFlow<()> {
        if self.piece.text().is_empty() {
            return ControlFlow::Continue(());
        }
        self.emit_destination(Some(element), origin)
    }

    pub(super) fn title(&mut self, span: Span, element: &'static str) -> ControlFlow<()> {
        self.piece.clear();
        decode::undo(self.bytes, span, &mut self.piece);
        let attribute = Some("title");
        self.emit(Role::Attribute, Content::Text, Some(element), attribute)
    }
}
