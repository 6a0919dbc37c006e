//! Exports of chats as rows of the format table.

use std::ops::ControlFlow;

use super::Chat;
use super::message::ChatMessages;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use crate::document::json::JsonReader;
use crate::document::{EventSink, Source};
use crate::finder::Rest;

/// The format of an export.
pub(in crate::document) struct ChatFormat(pub(super) &'static Chat);

impl DocumentFormat for ChatFormat {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn title(&self) -> &'static str {
        self.0.title
    }

    fn refines(&self) -> Option<&'static str> {
        Some("json")
    }

    fn first_bytes(&self) -> &'static [u8] {
        b"{["
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        (self.0.detect)(head, rest)
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { memory_factor: 8, ..FormatLimits::DATA }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        JsonReader::with_records(source, ChatMessages::new(self.0), sink).read()
    }
}
