//! Texts and values into parts.

use std::ops::ControlFlow;

use super::super::{Content, Part, PartSink, Role};
use super::css::{self, Url, Urls, Use};
use super::decode::Decoded;
use super::srcset::{SrcsetPiece, SrcsetPieces};
use super::token::is_space;
use super::{is_words, refresh};
use crate::offset_map::Layers;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// The element and attribute of a text; empty names mean none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner<'n> {
    pub element: &'n str,
    pub attribute: &'n str,
}

impl<'n> Owner<'n> {
    fn part<'p>(self, text: &'p [u8], source: Layers<'p>, role: Role, content: Content) -> Part<'p>
    where
        'n: 'p,
    {
        let name = |name: &'n str| (!name.is_empty()).then_some(name);
        Part {
            text,
            source,
            role,
            content,
            element: name(self.element),
            attribute: name(self.attribute),
        }
    }
}

/// Gives a part, unless it is a reference that is empty, or made of words only.
pub(super) fn give(
    text: &[u8],
    source: Layers<'_>,
    (role, content): (Role, Content),
    owner: Owner<'_>,
    sink: &mut dyn PartSink,
) -> ControlFlow<()> {
    let is_nothing = match content {
        Content::Reference => text.trim_ascii().is_empty(),
        Content::Value | Content::Text => is_words(text),
    };
    if is_nothing {
        return ControlFlow::Continue(());
    }
    sink.part(&owner.part(text, source, role, content))
}

/// A value that is given in pieces.
pub(super) struct Whole<'v> {
    pub text: &'v [u8],
    pub source: Layers<'v>,
    pub owner: Owner<'v>,
}

impl Whole<'_> {
    /// Gives an undecoded piece; `piece` is for its map.
    fn give(
        &self,
        span: Span,
        kind: (Role, Content),
        sink: &mut dyn PartSink,
        piece: &mut Decoded,
    ) -> ControlFlow<()> {
        let part = self.text.part(span.range());
        piece.stands_at(span);
        let source = self.source.under(&piece.map);
        give(part, source, kind, self.owner, sink)
    }

    /// Gives each piece between separators as a reference.
    pub fn references(
        &self,
        is_separator: impl Fn(u8) -> bool,
        role: Role,
        sink: &mut dyn PartSink,
        piece: &mut Decoded,
    ) -> ControlFlow<()> {
        let mut start = 0;
        for part in self.text.split(|&c| is_separator(c)) {
            let span = Span::new(start, start + part.len());
            self.give(span, (role, Content::Reference), sink, piece)?;
            start = span.end() + 1;
        }
        ControlFlow::Continue(())
    }

    /// Gives the candidates of a `srcset`, and their descriptors unless they are sizes.
    pub fn srcset(&self, sink: &mut dyn PartSink, piece: &mut Decoded) -> ControlFlow<()> {
        for found in SrcsetPieces::new(self.text) {
            match found {
                SrcsetPiece::Url(span) => {
                    let kind = (Role::Destination, Content::Reference);
                    self.give(span, kind, sink, piece)?;
                }
                SrcsetPiece::Descriptors(span) if !self.is_size(span) => {
                    self.give(span, (Role::Attribute, Content::Text), sink, piece)?;
                }
                SrcsetPiece::Descriptors(_) => {}
            }
        }
        ControlFlow::Continue(())
    }

    /// `2x`, `1.5x`, `640w`, `480h`.
    fn is_size(&self, span: Span) -> bool {
        let text = self.text.part(span.range());
        text.iter()
            .all(|&c| c.is_ascii_digit() || is_space(c) || matches!(c, b'.' | b'x' | b'w' | b'h'))
    }

    /// Gives the target of a refresh, and the text after it.
    pub fn refresh(&self, sink: &mut dyn PartSink, piece: &mut Decoded) -> ControlFlow<()> {
        let whole = Span::new(0, self.text.len());
        let Some(target) = refresh::target(self.text) else {
            return self.give(whole, (Role::Attribute, Content::Value), sink, piece);
        };
        let kind = (Role::Destination, Content::Reference);
        self.give(target, kind, sink, piece)?;
        let rest = Span::new(target.end(), whole.end());
        self.give(rest, (Role::Attribute, Content::Text), sink, piece)
    }
}

/// Gives the references of a style sheet, and the rest as code.
pub(super) fn style(
    sheet: &[u8],
    source: Layers<'_>,
    owner: Owner<'_>,
    sink: &mut dyn PartSink,
    piece: &mut Decoded,
) -> ControlFlow<()> {
    let whole = Whole { text: sheet, source, owner };
    let code = (Role::Code, Content::Text);
    let mut done = 0;
    for Url { span, is_for } in Urls::new(sheet) {
        whole.give(Span::new(done, span.start()), code, sink, piece)?;
        done = span.end();
        let kind = match is_for {
            Use::Link => (Role::Destination, Content::Reference),
            Use::Namespace => (Role::Metadata, Content::Value),
        };
        let raw = sheet.part(span.range());
        if memchr::memchr(b'\\', raw).is_none() {
            whole.give(span, kind, sink, piece)?;
            continue;
        }
        piece.clear();
        css::unescape(raw, span.start(), piece);
        let source = source.under(&piece.map);
        match is_for {
            Use::Link => give(&piece.text, source, (kind.0, Content::Reference), owner, sink)?,
            Use::Namespace => give(&piece.text, source, (kind.0, Content::Value), owner, sink)?,
        }
    }
    whole.give(Span::new(done, sheet.len()), code, sink, piece)
}
