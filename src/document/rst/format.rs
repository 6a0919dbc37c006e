//! reStructuredText as a row of the format table.

use std::ops::ControlFlow;

use super::names;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{
    CommentStyle, DocumentFormat, FormatKind, FormatLimits, MarkupFamily,
};
use crate::document::{EventSink, Part, Source};

/// reStructuredText.
pub(in crate::document) struct Rst;

impl DocumentFormat for Rst {
    fn name(&self) -> &'static str {
        "rst"
    }

    fn title(&self) -> &'static str {
        "reStructuredText (docutils, Sphinx)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["rst", "rest"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-rst", "text/prs.fallenstein.rst"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn family(&self) -> MarkupFamily {
        MarkupFamily::Rst
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Rst
    }

    fn has_directives(&self) -> bool {
        true
    }

    /// Sphinx and docutils do not decode the names of files: `%20` is not a space.
    fn is_file_name(&self, part: &Part<'_>) -> bool {
        matches!(part.element, Some("include" | "download"))
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        super::read(source, sink)
    }

    fn heading_ids(&self, outline: Outline<'_>, _: Slugs) -> Vec<String> {
        outline.headings.into_iter().map(names::id).collect()
    }

    fn heading_names(&self, outline: &Outline<'_>, _: Slugs, add: &mut dyn FnMut(usize, String)) {
        names::heading_names(outline, add);
    }

    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        names::anchors(outline)
    }
}
