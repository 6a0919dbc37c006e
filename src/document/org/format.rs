//! Org as a row of the format table.

use std::ops::ControlFlow;

use super::reader::OrgReader;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{CommentStyle, DocumentFormat, FormatKind, FormatLimits};
use crate::document::markdown::slug::SlugRule;
use crate::document::{EventSink, Source};

/// Org mode.
pub(in crate::document) struct Org;

impl DocumentFormat for Org {
    fn name(&self) -> &'static str {
        "org"
    }

    fn title(&self) -> &'static str {
        "Org mode"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["org"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/org", "text/x-org"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { memory_factor: 20, light: 512 << 10, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Hash
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        OrgReader::new(source, sink).read()
    }

    fn heading_ids(&self, outline: Outline<'_>, _: Slugs) -> Vec<String> {
        SlugRule::Github.anchors(outline.headings.into_iter()).collect()
    }

    /// Returns the names in the document, and the slugs that forges make of headlines.
    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        Anchors::with_slugs(&outline)
    }
}
