//! BibTeX and BibLaTeX as a row of the format table.

use std::ops::ControlFlow;

use super::reader::BibtexReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// BibTeX and BibLaTeX.
pub(in crate::document) struct Bibtex;

impl DocumentFormat for Bibtex {
    fn name(&self) -> &'static str {
        "bibtex"
    }

    fn title(&self) -> &'static str {
        "BibTeX and BibLaTeX"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["bib", "bibtex", "biblatex"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/x-bibtex", "text/x-bibtex"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::DATA
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        BibtexReader::new(source, sink).read()
    }
}
