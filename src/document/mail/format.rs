//! Mail as a row of the format table.

use std::ops::ControlFlow;

use memchr::memchr;

use super::read;
use super::store::{self, Store};
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, PathTest, Sniff};
use crate::document::{EventSink, Source};
use crate::finder::Rest;

/// Messages.
pub(in crate::document) struct MailFormat;

impl DocumentFormat for MailFormat {
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

    fn first_bytes(&self) -> &'static [u8] {
        // The name of a field, an mbox separator that was quoted, or a byte order mark.
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz>\xef"
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        store::sniff(head, rest)
    }

    fn path_test(&self) -> Option<PathTest> {
        Some(|path| Store::of_path(path) == Some(Store::Maildir))
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits {
            // Most servers take no larger message.
            largest_audited: 64 << 20,
            memory_factor: 20,
            light: 512 << 10,
            ..FormatLimits::USUAL
        }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Message
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        // Lines that end with CR alone are none in MIME, but mail programs and Python take them for
        // lines. The text stays as long, so offsets stay the same.
        let has_only_returns = memchr(b'\n', source.bytes).is_none();
        if !has_only_returns || memchr(b'\r', source.bytes).is_none() {
            return read(source, sink);
        }
        let line_feed = |&byte: &u8| if byte == b'\r' { b'\n' } else { byte };
        let text: Vec<u8> = source.bytes.iter().map(line_feed).collect();
        let layers = source.part(0);
        read(Source::inside(&text, &layers), sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Event, Format};

    #[test]
    fn lines_may_end_with_a_carriage_return() {
        struct Texts(Vec<String>);
        impl EventSink for Texts {
            fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
                if let Event::Part(part) = event {
                    self.0.push(String::from_utf8_lossy(part.text).into_owned());
                }
                ControlFlow::Continue(())
            }
        }
        let text =
            b"From: a@b.example\rContent-Transfer-Encoding: base64\r\raHR0cHM6Ly9hLmV4YW1wbGUv\r";
        let mut texts = Texts(Vec::new());
        assert!(Format::MAIL.read(Source::new(text), &mut texts).is_continue());
        assert!(texts.0.iter().any(|text| text == "https://a.example/"), "{:?}", texts.0);
    }
}
