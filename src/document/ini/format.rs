//! INI and Java properties as a row of the format table.

use std::ops::ControlFlow;

use super::reader::IniReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Reading};
use crate::document::{EventSink, Source};

/// INI and Java properties.
pub(in crate::document) struct Ini;

impl DocumentFormat for Ini {
    fn name(&self) -> &'static str {
        "ini"
    }

    fn title(&self) -> &'static str {
        "INI and Java properties"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ini", "properties", "cfg", "conf", "desktop", "editorconfig", "url"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-java-properties"]
    }

    fn reading(&self) -> Reading {
        Reading::OnRequest
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::DATA
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        IniReader::new(source, sink).read()
    }
}
