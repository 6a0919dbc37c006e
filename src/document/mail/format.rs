//! Mail as a row of the format table.

use std::ops::ControlFlow;
use std::path::Path;

use super::read;
use super::store::{self, Store};
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use crate::document::{EventSink, Source};
use crate::finder::Rest;

/// Messages.
pub(in crate::document) struct Mail;

impl DocumentFormat for Mail {
    fn name(&self) -> &'static str {
        "mail"
    }

    fn title(&self) -> &'static str {
        "messages (RFC 5322, MIME)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["eml", "emlx", "mht", "mhtml"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["message/rfc822", "message/global", "message/news"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        store::sniff(head, rest)
    }

    fn is_stored_at(&self, path: &Path) -> bool {
        Store::of_path(path) == Some(Store::Maildir)
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { memory_factor: 20, light: 512 << 10, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Message
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        read(source, sink)
    }
}
