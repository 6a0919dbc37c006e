//! Textile as a row of the format table.

use std::ops::ControlFlow;

use super::reader::TextileReader;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{CommentStyle, DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// Textile.
pub(in crate::document) struct Textile;

impl DocumentFormat for Textile {
    fn name(&self) -> &'static str {
        "textile"
    }

    fn title(&self) -> &'static str {
        "Textile"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["textile"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-textile"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Html
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        TextileReader::new(source, sink).read()
    }

    fn heading_names(&self, outline: &Outline<'_>, _: Slugs, add: &mut dyn FnMut(usize, String)) {
        Anchors::heading_slugs(outline, add);
    }

    /// Returns the names in the text, and the slugs that GitHub makes of headings.
    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        Anchors::with_slugs(&outline)
    }
}
