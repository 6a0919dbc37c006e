//! Typst as a row of the format table.

use std::ops::ControlFlow;

use super::reader::TypstReader;
use crate::document::format::{CommentStyle, DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// Typst.
pub(in crate::document) struct Typst;

impl DocumentFormat for Typst {
    fn name(&self) -> &'static str {
        "typst"
    }

    fn title(&self) -> &'static str {
        "Typst"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["typ"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-typst", "text/vnd.typst"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Slashes
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        TypstReader::new(source, sink).read()
    }
}
