//! DokuWiki text as a row of the format table.

use std::ops::ControlFlow;
use std::path::Path;

use super::reader::DokuWikiReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// DokuWiki text.
pub(in crate::document) struct DokuWiki;

impl DocumentFormat for DokuWiki {
    fn name(&self) -> &'static str {
        "dokuwiki"
    }

    fn title(&self) -> &'static str {
        "DokuWiki text"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["dokuwiki"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-dokuwiki"]
    }

    /// The pages of a wiki are text files in one directory.
    fn is_stored_at(&self, path: &Path) -> bool {
        let names = path.iter();
        // Nearly all files have another extension, which is cheaper to see.
        path.extension().is_some_and(|extension| extension == "txt")
            && names.clone().zip(names.skip(1)).any(|pair| pair.0 == "data" && pair.1 == "pages")
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { memory_factor: 20, light: 512 << 10, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        DokuWikiReader::new(source, sink).read()
    }
}
