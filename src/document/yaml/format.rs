//! YAML as a row of the format table.

use std::ops::ControlFlow;

use super::reader::YamlReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Reading};
use crate::document::{EventSink, Source};

/// YAML.
pub(in crate::document) struct Yaml;

impl DocumentFormat for Yaml {
    fn name(&self) -> &'static str {
        "yaml"
    }

    fn title(&self) -> &'static str {
        "YAML"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["yaml", "yml"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/yaml", "text/yaml", "text/x-yaml", "application/x-yaml"]
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
        YamlReader::new(source, sink).read()
    }
}
