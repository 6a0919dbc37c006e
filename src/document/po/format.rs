//! Translations of gettext as a row of the format table.

use std::ops::ControlFlow;

use super::reader::PoReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source, declared_charset};

/// Translations of gettext.
pub(in crate::document) struct Po;

impl DocumentFormat for Po {
    fn name(&self) -> &'static str {
        "po"
    }

    fn title(&self) -> &'static str {
        "translations of gettext (PO)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["po", "pot"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-gettext-translation", "text/x-po"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::DATA
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let charset = declared_charset::of_po(source.bytes);
        declared_charset::read(source, charset, sink, |source, sink| {
            PoReader::new(source, sink).read()
        })
    }
}
