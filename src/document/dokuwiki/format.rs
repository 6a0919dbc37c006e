//! DokuWiki text as a row of the format table.

use std::ops::ControlFlow;
use std::path::Path;

use super::reader::DokuWikiReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, PathTest};
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
    fn path_test(&self) -> Option<PathTest> {
        Some(is_page)
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        DokuWikiReader::new(source, sink).read()
    }
}

fn is_page(path: &Path) -> bool {
    let names = path.iter();
    // Nearly all files have another extension, which is cheaper to see.
    path.as_os_str().as_encoded_bytes().ends_with(b".txt")
        && path.extension().is_some()
        && names.clone().zip(names.skip(1)).any(|pair| pair.0 == "data" && pair.1 == "pages")
}
