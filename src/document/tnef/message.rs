//! The message in TNEF: its bodies, its texts, and its attachments.

use std::ops::ControlFlow;

use super::attributes::{self, TnefAttribute, TnefAttributes};
use super::properties::{self, Properties, Property, ValueType};
use super::{SIGNATURE, packed_rtf, unread};
use crate::decode::{Encoding, MimeCharset};
use crate::document::mail::attachment::Attachment;
use crate::document::nested::Inside;
use crate::document::{Event, EventSink, Format, Part, Role, Source, Stream, Wants, html};
use crate::offset_map::OffsetMap;
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// Bytes before an embedded message: the id of its interface.
const INTERFACE_BYTES: usize = 16;

/// Reads a message.
pub(super) fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let _inside = Inside::new();
    let code_page = TnefAttributes::new(source.bytes)
        .find(|attribute| attribute.id == attributes::CODE_PAGE)
        .map(|attribute| attributes::number(source.bytes.part(attribute.data.range())));
    let mut reader = TnefReader { source, sink, code_page, file: None, is_damaged: false };
    let mut all = TnefAttributes::new(source.bytes);
    for attribute in all.by_ref() {
        // Real programs write wrong checksums after the properties of attachments.
        let has_sum = attribute.id != attributes::ATTACHMENT_PROPERTIES;
        reader.is_damaged |= has_sum && !attribute.is_sound(source.bytes);
        reader.attribute(attribute)?;
    }
    reader.is_damaged |= all.is_cut();
    let end = all.end();
    reader.end_file()?;
    if reader.is_damaged {
        unread("it is damaged; some of it may be missing", reader.sink);
    }
    let rest = source.bytes.clamped(end..);
    // Some programs add a few zeros.
    if rest.iter().any(|&byte| byte != 0) {
        unread("it is damaged; the rest was searched as text", reader.sink);
        return reader.sink.part(&Part::of_text(rest, source.part(end), Role::Text));
    }
    ControlFlow::Continue(())
}

/// An attachment whose attributes are being collected.
#[derive(Default)]
struct TnefAttachment {
    /// The short name, and the long one.
    title: String,
    name: String,
    data: Option<Span>,
}

struct TnefReader<'d, 's> {
    source: Source<'d>,
    sink: &'s mut dyn EventSink,
    code_page: Option<u32>,
    file: Option<TnefAttachment>,
    /// True if a checksum is wrong, or a list of properties ends too early.
    is_damaged: bool,
}

impl<'d> TnefReader<'d, '_> {
    fn bytes(&self, span: Span) -> &'d [u8] {
        self.source.bytes.part(span.range())
    }

    fn attribute(&mut self, attribute: TnefAttribute) -> ControlFlow<()> {
        let data = attribute.data;
        match attribute.id {
            attributes::SUBJECT => self.text(data, ValueType::Text, Role::Metadata),
            attributes::BODY => self.text(data, ValueType::Text, Role::Text),
            attributes::MESSAGE_PROPERTIES => {
                // The code page of the HTML may stand after the HTML, so it is looked for first.
                let mut page = None;
                for property in Properties::new(self.source.bytes, data) {
                    if property.id == properties::CODE_PAGE {
                        page = Some(attributes::number(self.bytes(property.data)));
                    }
                }
                let mut properties = Properties::new(self.source.bytes, data);
                for property in properties.by_ref() {
                    self.property(property, page)?;
                }
                self.is_damaged |= properties.is_damaged();
                ControlFlow::Continue(())
            }
            attributes::RENDERING => {
                self.end_file()?;
                self.file = Some(TnefAttachment::default());
                ControlFlow::Continue(())
            }
            attributes::ATTACHMENT_TITLE => {
                self.file().title = self.decoded(data, ValueType::Text);
                ControlFlow::Continue(())
            }
            attributes::ATTACHMENT_DATA => {
                self.file().data = Some(data);
                ControlFlow::Continue(())
            }
            attributes::ATTACHMENT_PROPERTIES => {
                let mut properties = Properties::new(self.source.bytes, data);
                for property in properties.by_ref() {
                    self.file_property(property);
                }
                self.is_damaged |= properties.is_damaged();
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Returns the current attachment; some programs leave its start out.
    fn file(&mut self) -> &mut TnefAttachment {
        self.file.get_or_insert_default()
    }

    fn property(&mut self, property: Property, html_page: Option<u32>) -> ControlFlow<()> {
        let Property { id, value_type, data } = property;
        match (id, value_type) {
            (properties::PACKED_RTF, ValueType::Bytes) => self.packed_rtf(data),
            (properties::BODY_HTML, ValueType::Bytes | ValueType::Text) => {
                self.html(data, html_page)
            }
            (properties::BODY, ValueType::Text | ValueType::WideText) => {
                self.text(data, value_type, Role::Text)
            }
            (_, ValueType::Text | ValueType::WideText) => {
                self.text(data, value_type, Role::Metadata)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn file_property(&mut self, property: Property) {
        let Property { id, value_type, data } = property;
        match id {
            properties::LONG_FILE_NAME => self.file().name = self.decoded(data, value_type),
            properties::DISPLAY_NAME if self.file().title.is_empty() => {
                self.file().title = self.decoded(data, value_type);
            }
            properties::ATTACHED_DATA if value_type == ValueType::Bytes => {
                let bytes = self.bytes(data);
                // An embedded message follows the id of an interface.
                let is_message = bytes.clamped(INTERFACE_BYTES..).starts_with(SIGNATURE);
                let start = if is_message { INTERFACE_BYTES } else { 0 };
                self.file().data = Some(Span::new(data.start() + start, data.end()));
            }
            _ => {}
        }
    }

    /// Reads the attachment that has ended.
    fn end_file(&mut self) -> ControlFlow<()> {
        let Some(TnefAttachment { title, name, data: Some(data) }) = self.file.take() else {
            return ControlFlow::Continue(());
        };
        let name = [name, title].into_iter().find(|name| !name.is_empty());
        let span = self.source.span(data);
        let name = name.as_deref().map(str::as_bytes);
        Attachment { name, bytes: self.bytes(data), span }.read_inside("tnef", self.sink)
    }

    fn packed_rtf(&mut self, data: Span) -> ControlFlow<()> {
        let rtf = match packed_rtf::unpack(self.bytes(data)) {
            Ok(rtf) => rtf,
            Err(problem) => {
                unread(&problem.to_string(), self.sink);
                return ControlFlow::Continue(());
            }
        };
        let stream = Stream::extracted("body.rtf", &rtf);
        let mut sink = BodySink { stream: &stream, sink: self.sink };
        Format::RTF.read(Source::new(&rtf), &mut sink)
    }

    fn html(&mut self, data: Span, page: Option<u32>) -> ControlFlow<()> {
        let charset = charset(page.or(self.code_page));
        self.with_text(data, charset, |source, sink| html::read(source, sink))
    }

    /// Emits a text of the message.
    fn text(&mut self, data: Span, value_type: ValueType, role: Role) -> ControlFlow<()> {
        let charset = self.charset(value_type);
        self.with_text(data, charset, |source, sink| {
            sink.part(&Part::of_text(source.bytes, source.part(0), role))
        })
    }

    /// Passes a decoded text to `read`.
    fn with_text(
        &mut self,
        data: Span,
        charset: Option<MimeCharset>,
        read: impl FnOnce(Source<'_>, &mut dyn EventSink) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let bytes = self.bytes(data);
        let layers = self.source.part(data.start());
        let Some(charset) = charset.filter(|charset| !charset.is_text(bytes)) else {
            // Texts in TNEF end with a NUL, which is not part of them.
            let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            return read(Source::inside(bytes.clamped(..end), &layers), self.sink);
        };
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        // Bytes that do not fit the charset are replaced: no URI contains them.
        let _ = charset.decode(bytes, &mut text, &mut map);
        let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let layers = layers.under(&map);
        read(Source::inside(text.clamped(..end), &layers), self.sink)
    }

    fn charset(&self, value_type: ValueType) -> Option<MimeCharset> {
        match value_type {
            ValueType::WideText => Some(MimeCharset::from(Encoding::Utf16Le)),
            _ => charset(self.code_page),
        }
    }

    fn decoded(&self, data: Span, value_type: ValueType) -> String {
        let bytes = self.bytes(data);
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        match self.charset(value_type) {
            Some(charset) => drop(charset.decode(bytes, &mut text, &mut map)),
            None => text.extend_from_slice(bytes),
        }
        lossy(&text).trim_end_matches('\0').to_owned()
    }
}

/// Returns the charset of a code page of Windows.
fn charset(page: Option<u32>) -> Option<MimeCharset> {
    let page = page?;
    let label = match page {
        65001 => "utf-8".to_owned(),
        1250..=1258 => format!("windows-{page}"),
        // Windows numbers the parts of ISO 8859 in their order.
        28591..=28606 => format!("iso-8859-{}", page - 28590),
        20866 => "koi8-r".to_owned(),
        50220..=50222 => "iso-2022-jp".to_owned(),
        51932 => "euc-jp".to_owned(),
        page => format!("cp{page}"),
    };
    MimeCharset::for_label(label.as_bytes())
}

/// Adds the stream of a body to its parts.
struct BodySink<'b, 's> {
    stream: &'b Stream<'b>,
    sink: &'s mut dyn EventSink,
}

impl EventSink for BodySink<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.sink.part(&Part { stream: Some(self.stream), ..**part }),
            Event::Unread { .. } => self.sink.event(event),
            // Offsets of names and labels would be those of the body.
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        self.sink.wants()
    }
}
