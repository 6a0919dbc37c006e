//! RIS as a row of the format table.

use std::ops::ControlFlow;

use super::reader::RisReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// RIS.
pub(in crate::document) struct Ris;

impl DocumentFormat for Ris {
    fn name(&self) -> &'static str {
        "ris"
    }

    fn title(&self) -> &'static str {
        "RIS (references of EndNote, Zotero, and others)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ris"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/x-research-info-systems"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::DATA
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        RisReader::new(source, sink).read()
    }
}
