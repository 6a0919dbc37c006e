//! Bodies of requests and responses.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::decode::{MimeCharset, Quads, base64};
use crate::document::json::lexer::unescape;
use crate::document::json::reader::emit_value;
use crate::document::json::records::{Record, Records, ValueKind, decoded, emit_other, nested};
use crate::document::placed::PlacedSink;
use crate::document::writer::PartWriter;
use crate::document::{Content, Event, EventSink, Format, Part, Place, Role, Source, Wants, mail};
use crate::offset_map::{DerivedText, OffsetMap};
use crate::reference::Base;
use crate::shorten::shortened_text;
use crate::slice::lossy;
use crate::span::Span;

/// Use of a value in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyField {
    Text,
    MediaType,
    Encoding,
    Other,
}

/// The bodies of a HAR.
#[derive(Default)]
pub(super) struct Bodies {
    /// The address that was requested last: the base of the body.
    url: String,
}

impl Records for Bodies {
    type Field = BodyField;

    /// Recognizes `/log/entries/0/response/content` and `/log/entries/0/request/postData`.
    fn is_record(&self, pointer: &str) -> bool {
        matches!(entry_value(pointer), Some("/response/content" | "/request/postData"))
    }

    fn field(&self, pointer: &str) -> BodyField {
        match pointer {
            "/text" => BodyField::Text,
            "/mimeType" => BodyField::MediaType,
            "/encoding" => BodyField::Encoding,
            _ => BodyField::Other,
        }
    }

    // The request stands before the response in an entry (HAR 1.2), so its URL is known when the
    // body comes.
    fn outside(&mut self, pointer: &str, value: &[u8]) {
        if entry_value(pointer) == Some("/request/url") {
            let mut piece = DerivedText::default();
            unescape(value, 0, &mut piece);
            self.url = shortened_text(&lossy(piece.text())).into_owned();
        }
    }

    fn read(
        &mut self,
        record: &Record<'_, BodyField>,
        writer: &mut PartWriter<'_, '_>,
    ) -> ControlFlow<()> {
        let mut body = BodyFacts::default();
        for (field, span) in record.fields(0) {
            match field {
                BodyField::MediaType => body.media_type = decoded(writer, span),
                BodyField::Encoding => body.is_base64 = writer.at(span) == b"base64",
                BodyField::Text | BodyField::Other => {}
            }
        }
        let place = |end: &str| Place::Pointer(Cow::Owned(format!("{}{end}", record.pointer)));
        for value in record.values {
            match value.kind {
                ValueKind::Value(BodyField::Text) => {
                    let place = place("/text");
                    writer.set_place(Some(place.clone()));
                    nested(value.span, writer, |source, sink| {
                        let mut sink = PlacedSink { place: &place, sink };
                        body.read(source, &mut BodyBaseSink::new(&self.url, &mut sink))
                    })?;
                }
                ValueKind::Value(BodyField::MediaType) => {
                    writer.set_place(Some(place("/mimeType")));
                    emit_value(value.span, "mimeType", writer)?;
                }
                ValueKind::Value(BodyField::Encoding) => {}
                ValueKind::Value(BodyField::Other) => {
                    writer.set_place(Some(place("")));
                    emit_value(value.span, "value", writer)?;
                }
                ValueKind::Key | ValueKind::Comment => {
                    writer.set_place(Some(place("")));
                    emit_other(value, writer)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the pointer from its entry.
fn entry_value(pointer: &str) -> Option<&str> {
    let rest = pointer.strip_prefix("/log/entries/")?;
    Some(rest.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// Gives a body the base that it had on the web.
struct BodyBaseSink<'b, 'p, 's> {
    url: &'b str,
    sink: &'b mut PlacedSink<'p, 's>,
}

impl<'b, 'p, 's> BodyBaseSink<'b, 'p, 's> {
    fn new(url: &'b str, sink: &'b mut PlacedSink<'p, 's>) -> Self {
        sink.sink.note(&Event::Base { reference: url, span: Span::default() });
        Self { url, sink }
    }
}

impl EventSink for BodyBaseSink<'_, '_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Base { reference, span } => {
                let base = Base::builder().retrieval(self.url).content(reference).establish();
                if let Some(base) = base {
                    let reference = base.uri().as_str();
                    self.sink.sink.note(&Event::Base { reference, span: *span });
                }
                ControlFlow::Continue(())
            }
            // An audit has one base for a document, and looks for files: bodies refer to none.
            Event::Part(part) if self.wants().all_events() && is_relative(part) => {
                ControlFlow::Continue(())
            }
            event => self.sink.event(event),
        }
    }

    fn wants(&self) -> Wants {
        self.sink.wants()
    }
}

fn is_relative(part: &Part<'_>) -> bool {
    part.content == Content::Reference && memchr::memchr(b':', part.text).is_none()
}

/// The type, encoding, and size that HAR records beside the text of a body.
#[derive(Default)]
struct BodyFacts {
    media_type: String,
    is_base64: bool,
}

impl BodyFacts {
    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        if !self.is_base64 {
            return self.read_text(source, sink);
        }
        let (mut bytes, mut map) = (Vec::new(), OffsetMap::new());
        if base64(source.bytes, Quads::Anywhere, &mut bytes, &mut map).is_some() {
            // It is not base64, although it is labelled so.
            return sink.part(&source.as_text());
        }
        let layers = source.layers(&map);
        let label = charset(&self.media_type).and_then(|it| MimeCharset::for_label(it.as_bytes()));
        let Some(charset) = label.filter(|it| !it.is_text(&bytes)) else {
            return self.read_text(Source::inside(&bytes, &layers), sink);
        };
        let (mut text, mut decoded) = (Vec::new(), OffsetMap::new());
        // Bytes that are invalid in the charset are replaced: no URI contains them.
        let _ = charset.decode(&bytes, &mut text, &mut decoded);
        let layers = layers.under(&decoded);
        self.read_text(Source::inside(&text, &layers), sink)
    }

    fn read_text(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let media_type = self.media_type.split(';').next().unwrap_or_default().trim();
        match Format::from_media_type(media_type) {
            Some(format) if !format.is_binary() && !format.is_message() => {
                format.read(source, sink)
            }
            // Pictures and the like have no text.
            _ if memchr::memchr(0, source.bytes).is_some() => {
                let span = source.span(Span::new(0, source.bytes.len()));
                sink.event(&Event::Skipped { reason: mail::Skipped::Binary, span })
            }
            _ => sink.part(&Part::of_text(source.bytes, source.part(0), Role::Text)),
        }
    }
}

/// Returns the charset of a media type.
fn charset(media_type: &str) -> Option<&str> {
    let mut parameters = media_type.split(';').skip(1).filter_map(|it| it.split_once('='));
    let (_, value) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(value.trim().trim_matches('"'))
}
