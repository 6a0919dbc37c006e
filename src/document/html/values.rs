//! Turns texts and values into parts.

use std::ops::ControlFlow;

use super::super::{Content, EventSink, Part, Role};
use super::browser;
use super::css::{self, Comments, Url, UrlUse, Urls};
use super::decode::DecodedText;
use super::refresh;
use super::srcset::{SrcsetPiece, SrcsetPieces};
use super::token::{RawElement, is_space};
use super::words::{is_words, may_identify};
use crate::offset_map::Layers;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Element and attribute of a text; empty names mean none.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueOwner<'n> {
    pub element: &'n str,
    pub attribute: &'n str,
}

impl<'n> ValueOwner<'n> {
    fn part<'p>(self, text: &'p [u8], source: Layers<'p>, role: Role, content: Content) -> Part<'p>
    where
        'n: 'p,
    {
        let name = |name: &'n str| (!name.is_empty()).then_some(name);
        Part {
            content,
            element: name(self.element),
            attribute: name(self.attribute),
            ..Part::of_text(text, source, role)
        }
    }
}

/// Emits a part, unless it is an empty reference or a text of words only.
pub(super) fn emit(
    text: &[u8],
    source: Layers<'_>,
    (role, content): (Role, Content),
    owner: ValueOwner<'_>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let is_nothing = match content {
        // An empty reference leads to the page itself (RFC 3986 §4.4).
        Content::Reference => text.trim_ascii().is_empty(),
        Content::Value | Content::Text | Content::Autolinks => {
            is_words(text) && !may_identify(text)
        }
    };
    if is_nothing {
        return ControlFlow::Continue(());
    }
    sink.part(&owner.part(text, source, role, content))
}

const LINK: (Role, Content) = (Role::Destination, Content::Reference);

/// A value that is emitted in pieces.
pub(super) struct WholeValue<'v> {
    pub text: &'v [u8],
    pub source: Layers<'v>,
    pub owner: ValueOwner<'v>,
    pub sink: &'v mut dyn EventSink,
    /// Buffer with the map of a decoded piece.
    pub piece: &'v mut DecodedText,
}

impl WholeValue<'_> {
    /// Emits an undecoded piece.
    fn emit(&mut self, span: Span, kind: (Role, Content)) -> ControlFlow<()> {
        let source = self.source.copied_under(span.start());
        emit(self.text.part(span.range()), source, kind, self.owner, self.sink)
    }

    /// Emits the text of an element without tags, or other text.
    pub fn element(mut self, raw: Option<RawElement>) -> ControlFlow<()> {
        let role = match raw {
            Some(RawElement::Style) => {
                // For a search, they are code. An audit looks for directives in them, as in a file
                // of CSS.
                let is_audit = self.sink.wants().all_events();
                return self.style(if is_audit { Comments::Given } else { Comments::Code });
            }
            Some(RawElement::Script) => Role::Code,
            _ => Role::Text,
        };
        emit(self.text, self.source, (role, Content::Text), self.owner, self.sink)
    }

    /// Emits a reference as browsers read it.
    pub fn reference(mut self, role: Role) -> ControlFlow<()> {
        self.reference_at(Span::new(0, self.text.len()), role)
    }

    /// Emits a piece that is a reference. An audit gets the original spelling, to report it as a
    /// fault.
    fn reference_at(&mut self, span: Span, role: Role) -> ControlFlow<()> {
        let (kind, text) = ((role, Content::Reference), self.text.part(span.range()));
        if self.sink.wants().all_events() || !browser::respell(text, span.start(), self.piece) {
            return self.emit(span, kind);
        }
        let source = self.source.under(&self.piece.map);
        emit(&self.piece.text, source, kind, self.owner, self.sink)
    }

    /// Emits each piece between separators as a reference.
    pub fn references(&mut self, is_separator: impl Fn(u8) -> bool, role: Role) -> ControlFlow<()> {
        let mut start = 0;
        for part in self.text.split(|&c| is_separator(c)) {
            let span = Span::new(start, start + part.len());
            self.emit(span, (role, Content::Reference))?;
            start = span.end() + 1;
        }
        ControlFlow::Continue(())
    }

    /// Emits the candidates of a `srcset`, and their descriptors unless they are sizes.
    pub fn srcset(&mut self) -> ControlFlow<()> {
        for found in SrcsetPieces::new(self.text) {
            match found {
                SrcsetPiece::Url(span) => self.reference_at(span, Role::Destination)?,
                // Anything else in the place of a size may be an address.
                SrcsetPiece::Descriptors(span) if is_size(self.text.part(span.range())) => {}
                SrcsetPiece::Descriptors(span) => {
                    self.emit(span, (Role::Attribute, Content::Text))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Emits the target of a refresh, and the text after it.
    pub fn refresh(&mut self) -> ControlFlow<()> {
        let whole = Span::new(0, self.text.len());
        let Some(target) = refresh::target(self.text) else {
            return self.emit(whole, (Role::Attribute, Content::Value));
        };
        self.reference_at(target, Role::Destination)?;
        let rest = Span::new(target.end(), whole.end());
        self.emit(rest, (Role::Attribute, Content::Text))
    }

    /// Emits a comment. An audit reads all comments, because any may be a directive.
    fn comment(&mut self, span: Span) -> ControlFlow<()> {
        let text = self.text.part(span.range());
        if is_words(text) && !may_identify(text) && !self.sink.wants().all_events() {
            return ControlFlow::Continue(());
        }
        let source = self.source.copied_under(span.start());
        self.sink.part(&self.owner.part(text, source, Role::Comment, Content::Text))
    }

    /// Emits the references of a style sheet, and the rest as code.
    pub fn style(&mut self, comments: Comments) -> ControlFlow<()> {
        let code = (Role::Code, Content::Text);
        let mut done = 0;
        for Url { span, is_for } in Urls::new(self.text, comments) {
            self.emit(Span::new(done, span.start()), code)?;
            done = span.end();
            let kind = match is_for {
                UrlUse::Link => LINK,
                UrlUse::Namespace => (Role::Metadata, Content::Value),
                UrlUse::Comment => {
                    self.comment(span)?;
                    continue;
                }
            };
            let raw = self.text.part(span.range());
            // Few values have escapes. The others need no copy.
            if memchr::memchr(b'\\', raw).is_none() {
                self.emit(span, kind)?;
                continue;
            }
            self.piece.clear();
            css::unescape(raw, span.start(), self.piece);
            let source = self.source.under(&self.piece.map);
            emit(&self.piece.text, source, kind, self.owner, self.sink)?;
        }
        self.emit(Span::new(done, self.text.len()), code)
    }
}

/// True for `2x`, `1.5x`, `640w`, `480h`.
fn is_size(text: &[u8]) -> bool {
    text.iter()
        .all(|&c| c.is_ascii_digit() || is_space(c) || matches!(c, b'.' | b'x' | b'w' | b'h'))
}
