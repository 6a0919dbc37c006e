//! AsciiDoc as a row of the format table.

use std::ops::ControlFlow;

use super::names;
use super::reader::AsciiDocReader;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{CommentStyle, DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// AsciiDoc.
pub(in crate::document) struct AsciiDoc;

impl DocumentFormat for AsciiDoc {
    fn name(&self) -> &'static str {
        "asciidoc"
    }

    fn title(&self) -> &'static str {
        "AsciiDoc (Asciidoctor, Antora)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["adoc", "asciidoc", "asciidoctor", "asc"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/asciidoc", "text/x-asciidoc"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { memory_factor: 20, light: 512 << 10, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Slashes
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        AsciiDocReader::new(source, sink).read()
    }

    fn heading_ids(&self, outline: Outline<'_>, _: Slugs) -> Vec<String> {
        names::heading_ids(&outline)
    }

    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        names::anchors(outline)
    }
}
