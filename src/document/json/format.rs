//! JSON as a row of the format table.

use std::ops::ControlFlow;

use super::reader::JsonReader;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Reading};
use crate::document::{EventSink, Source};

/// JSON and JSON Lines.
pub(in crate::document) struct Json;

impl DocumentFormat for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn title(&self) -> &'static str {
        "JSON and JSON Lines"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json", "jsonl", "ndjson", "geojson", "jsonld", "webmanifest"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/json", "application/ld+json", "application/geo+json", "application/x-ndjson"]
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
        JsonReader::new(source, sink).read()
    }
}
