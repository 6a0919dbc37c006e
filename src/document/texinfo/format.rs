//! Texinfo as a row of the format table.

use std::ops::ControlFlow;

use super::reader::TexinfoReader;
use crate::document::format::{CommentStyle, DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// Texinfo.
pub(in crate::document) struct Texinfo;

impl DocumentFormat for Texinfo {
    fn name(&self) -> &'static str {
        "texinfo"
    }

    fn title(&self) -> &'static str {
        "Texinfo"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["texi", "texinfo", "txi"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-texinfo", "application/x-texinfo"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Texinfo
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        TexinfoReader::new(source, sink).read()
    }
}
