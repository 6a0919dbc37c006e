//! HAR as a row of the format table.

use std::ops::ControlFlow;

use super::body::Bodies;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use crate::document::json::JsonReader;
use crate::document::json::detect::{self, JsonStart};
use crate::document::{EventSink, Source};
use crate::finder::Rest;

/// HAR.
pub(in crate::document) struct Har;

impl DocumentFormat for Har {
    fn name(&self) -> &'static str {
        "har"
    }

    fn title(&self) -> &'static str {
        "HTTP archives of browsers (HAR)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["har"]
    }

    fn refines(&self) -> Option<&'static str> {
        Some("json")
    }

    fn first_bytes(&self) -> &'static [u8] {
        b"{"
    }

    /// Recognizes `{"log": {"version": "1.…", …, "creator"`, in any order.
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        let (mut has_version, mut has_creator) = (false, false);
        detect::sniff(head, rest, b'{', |pointer, piece| {
            match (pointer, piece) {
                ("/log/version", JsonStart::Value(value)) => has_version = value.starts_with(b"1."),
                ("/log/creator/name" | "/log/entries", _) => has_creator = true,
                ("" | "/log", _) => {}
                _ if pointer.starts_with("/log/") => {}
                // `log` is the only member of the outer object (HAR 1.2). Another one means other
                // JSON, and a stream need not wait for more.
                _ => return Some(false),
            }
            (has_version && has_creator).then_some(true)
        })
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { memory_factor: 8, ..FormatLimits::DATA }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        JsonReader::with_records(source, Bodies::default(), sink).read()
    }
}
