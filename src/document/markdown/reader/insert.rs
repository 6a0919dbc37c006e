//! Spans that the parser has no event for.

use std::ops::ControlFlow;

use super::super::unseen::{Unseen, UnseenKind};
use super::{BlockKind, MarkdownReader};
use crate::document::{Event, LinkOrigin, NameSpace, Role, Scope};
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

impl MarkdownReader<'_, '_> {
    /// Emits such spans before `to`. This is called before each leaf of the parser.
    pub(super) fn unseen(&mut self, to: usize) -> ControlFlow<()> {
        while let Some(unseen) = self.unseen.pop_if(|it| it.span.start() < to) {
            // The parser may have read the line as a part of something else, and a comment in code
            // is an example. So are tags of GitBook and components of MDC, which are a part of the
            // markup.
            let is_example = match unseen.kind {
                UnseenKind::Comment
                | UnseenKind::Page
                | UnseenKind::CrossReference
                | UnseenKind::Lookup(
                    LinkOrigin::Import | LinkOrigin::GitbookTag | LinkOrigin::Mdc,
                ) => self.block != BlockKind::Text,
                _ => self.block == BlockKind::Html,
            };
            let is_left = match unseen.kind {
                UnseenKind::Page => true,
                // In front matter, they are values.
                UnseenKind::CrossReference | UnseenKind::CrossId => {
                    unseen.span.start() >= self.prepared.span(0..0).start()
                }
                _ => unseen.span.start() >= self.at,
            };
            if !is_example && is_left {
                self.emit_unseen(unseen)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Leaves out such spans before `to`, which are examples.
    pub(super) fn skip_unseen(&mut self, to: usize) {
        while self.unseen.pop_if(|it| it.span.start() < to).is_some() {}
    }

    fn emit_unseen(&mut self, Unseen { span, kind }: Unseen) -> ControlFlow<()> {
        match kind {
            UnseenKind::Page => {
                self.refer_in_project(NameSpace::Page, span, span);
                return ControlFlow::Continue(());
            }
            UnseenKind::CrossReference => {
                let name = Span::new(span.start() + 1, span.end());
                self.refer_in_project(NameSpace::CrossReference, name, span);
                return ControlFlow::Continue(());
            }
            UnseenKind::CrossId => {
                self.define_cross_id(span);
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        let block = self.block;
        self.cut(span.start())?;
        match kind {
            UnseenKind::Page | UnseenKind::CrossReference | UnseenKind::CrossId => {}
            UnseenKind::Comment => self.whole(span, Role::Comment)?,
            UnseenKind::File(element) => {
                self.copy_piece(span);
                self.emit_destination(Some(element), LinkOrigin::Element)?;
            }
            UnseenKind::Lookup(origin) => {
                let origin = match (origin, block) {
                    (LinkOrigin::QuotedInclude, BlockKind::Code) => LinkOrigin::CodeInclude,
                    (origin, _) => origin,
                };
                self.copy_piece(span);
                self.emit_destination(None, origin)?;
            }
            UnseenKind::Document => {
                self.refer_in_project(NameSpace::Document, span, span);
                self.whole(span, Role::Text)?;
            }
            UnseenKind::Label => {
                self.refer_in_project(NameSpace::Label, span, span);
                self.whole(span, Role::Text)?;
            }
        }
        self.resume(span.end())?;
        self.block = block;
        ControlFlow::Continue(())
    }

    /// Emits an id, unless the parser has it: that of a heading.
    fn define_cross_id(&mut self, span: Span) {
        if self.wants.all_events() && !self.noted.is_heading_open {
            let (space, name) = (NameSpace::Anchor, lossy(self.bytes.part(span.range())));
            self.sink.note(&Event::Define { space, name: &name, span: self.source.span(span) });
        }
    }

    pub(super) fn copy_piece(&mut self, span: Span) {
        self.piece.clear();
        self.piece.copy(self.bytes.part(span.range()), span.start());
    }

    pub(super) fn refer_in_project(&mut self, space: NameSpace, name: Span, whole: Span) {
        let bytes = self.bytes.part(name.range());
        // `other:name` is in the inventory of another project.
        let space = match space {
            NameSpace::Document if bytes.contains(&b':') => NameSpace::OtherProject,
            space => space,
        };
        if self.wants.all_events() && !bytes.trim_ascii().is_empty() {
            let (name, span) = (lossy(bytes), self.source.span(whole));
            self.sink.note(&Event::Refer { space, name: &name, scope: Scope::Project, span });
        }
    }
}
