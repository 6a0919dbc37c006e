//! TOML as a row of the format table.

use std::ops::ControlFlow;

use super::reader::TomlReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Reading};
use crate::document::{EventSink, Source};

/// TOML.
pub(in crate::document) struct Toml;

impl DocumentFormat for Toml {
    fn name(&self) -> &'static str {
        "toml"
    }

    fn title(&self) -> &'static str {
        "TOML"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["toml"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/toml"]
    }

    fn reading(&self) -> Reading {
        Reading::OnRequestOfValues
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::DATA
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        TomlReader::new(source, sink).read()
    }
}
