//! LaTeX as a row of the format table.

use std::ops::ControlFlow;

use super::reader::LatexReader;
use crate::document::format::{
    CommentStyle, DocumentFormat, EscapeStyle, FormatKind, FormatLimits,
};
use crate::document::{EventSink, Source};

/// LaTeX.
pub(in crate::document) struct Latex;

impl DocumentFormat for Latex {
    fn name(&self) -> &'static str {
        "latex"
    }

    fn title(&self) -> &'static str {
        "LaTeX"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tex", "ltx", "latex"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-tex", "application/x-tex", "application/x-latex", "text/x-latex"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn escapes(&self) -> EscapeStyle {
        EscapeStyle::Tex
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Percent
    }

    /// hyperref opens a file by its program, `\href{run:movie.mp4}` (its manual, section 4).
    fn schemes(&self) -> &'static [&'static str] {
        &["run"]
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        LatexReader::new(source, sink).read()
    }
}
