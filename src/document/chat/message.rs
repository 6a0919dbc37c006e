//! Emits messages with their channel, author, and date.

use std::ops::ControlFlow;

use super::date::shown_date;
use super::{Chat, ChatField, ChatMarkup, mrkdwn};
use crate::document::json::lexer::unescape;
use crate::document::json::reader::emit_string;
use crate::document::json::records::{
    Record, RecordValue, Records, ValueKind, decoded, emit_other, nested,
};
use crate::document::placed::PlacedSink;
use crate::document::writer::PartWriter;
use crate::document::{Place, Role, markdown};
use crate::hash::HashSet;
use crate::offset_map::DerivedText;
use crate::shorten::shortened_text;
use crate::slice::lossy;
use crate::span::Span;

/// Most members of a direct channel that its name lists.
// A group message of Mattermost has no more members.
const MAX_MEMBERS: usize = 8;

/// The messages of an export.
pub(super) struct ChatMessages {
    chat: &'static Chat,
    /// The channel of the next messages, and the pointer of its chat.
    channel: String,
    channel_pointer: String,
}

impl ChatMessages {
    pub fn new(chat: &'static Chat) -> Self {
        Self { chat, channel: String::new(), channel_pointer: String::new() }
    }
}

impl Records for ChatMessages {
    type Field = ChatField;

    fn is_record(&self, pointer: &str) -> bool {
        (self.chat.is_message)(pointer)
    }

    fn is_part(&self, pointer: &str) -> bool {
        (self.chat.is_reply)(pointer)
    }

    fn field(&self, pointer: &str) -> ChatField {
        (self.chat.field)(pointer)
    }

    fn takes_number(&self, field: ChatField) -> bool {
        field == ChatField::Date
    }

    fn outside(&mut self, pointer: &str, value: &[u8]) {
        if (self.chat.is_channel)(pointer) {
            let mut piece = DerivedText::default();
            unescape(value, 0, &mut piece);
            self.channel = shortened_text(&lossy(piece.text())).into_owned();
            let (chat, _) = pointer.rsplit_once('/').unwrap_or_default();
            self.channel_pointer = chat.to_owned();
        }
    }

    fn read(
        &mut self,
        record: &Record<'_, ChatField>,
        writer: &mut PartWriter<'_, '_>,
    ) -> ControlFlow<()> {
        // A chat without a name must not get the name of the chat before it. Discord keeps the name
        // beside the messages.
        let is_same = self.chat.markup != ChatMarkup::Plain
            || record.pointer.starts_with(&format!("{}/messages/", self.channel_pointer));
        let outer = if is_same { self.channel.clone() } else { String::new() };
        let headers = headers(record, outer, writer);
        let repetitions = Repetitions::new(self.chat.markup, record, writer);
        let mut reader =
            MessageReader { markup: self.chat.markup, repetitions, writer, text: None };
        let mut part = None;
        for value in record.values {
            let place = headers.get(value.part);
            // Names may be long, and values short: a place is copied once for a message.
            if part.replace(value.part) != Some(value.part) {
                reader.writer.set_place(place.cloned());
            }
            match (value.kind, place) {
                (ValueKind::Value(field), Some(place)) => reader.field(field, value.span, place)?,
                _ => emit_other::<ChatField>(value, reader.writer)?,
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the place of each part of a record.
fn headers(
    record: &Record<'_, ChatField>,
    outer: String,
    writer: &PartWriter<'_, '_>,
) -> Vec<Place<'static>> {
    #[derive(Clone, Default)]
    struct MessageHeader {
        author: Option<(u8, Span)>,
        date: Option<Span>,
        channels: Vec<Span>,
    }
    let mut headers = vec![MessageHeader::default(); record.parts];
    for RecordValue { part, kind, span } in record.values {
        let Some(header) = headers.get_mut(*part) else { continue };
        match kind {
            ValueKind::Value(ChatField::Author(rank))
                if header.author.is_none_or(|(best, _)| *rank < best) =>
            {
                header.author = Some((*rank, *span));
            }
            ValueKind::Value(ChatField::Date) => header.date = header.date.or(Some(*span)),
            ValueKind::Value(ChatField::Channel) if header.channels.len() < MAX_MEMBERS => {
                header.channels.push(*span);
            }
            _ => {}
        }
    }
    let shown = |span: Span| shortened_text(&decoded(writer, span)).into_owned();
    let channels = |header: &MessageHeader| -> Vec<String> {
        header.channels.iter().map(|&span| shown(span)).collect()
    };
    let channel = match headers.first().map(channels) {
        Some(names) if !names.is_empty() => names.join(", "),
        _ => outer,
    };
    let place = |header: &MessageHeader| {
        let author = header.author.map(|(_, span)| shown(span)).unwrap_or_default();
        let date = header.date.map(|span| shown_date(&shown(span))).unwrap_or_default();
        Place::Post { channel: channel.clone().into(), author: author.into(), date: date.into() }
    };
    headers.iter().map(place).collect()
}

/// The texts that a message has twice: as text, and as a tree.
enum Repetitions {
    None,
    /// All that is marked as a repetition is one.
    All,
    /// Values that are one of these are.
    Targets(HashSet<Vec<u8>>),
}

impl Repetitions {
    fn new(
        markup: ChatMarkup,
        record: &Record<'_, ChatField>,
        writer: &PartWriter<'_, '_>,
    ) -> Self {
        match markup {
            ChatMarkup::Markdown => Self::None,
            // Telegram has each text twice, as strings and as `text_entities`. If both say the
            // same, the second is skipped; if not, nothing may be hidden.
            ChatMarkup::Plain => {
                let joined = |wanted: ChatField| -> Vec<u8> {
                    let values = record.fields(0).filter(|(field, _)| *field == wanted);
                    values.flat_map(|(_, span)| writer.at(span)).copied().collect()
                };
                let is_all = joined(ChatField::Text) == joined(ChatField::Repeated)
                    && joined(ChatField::Href) == joined(ChatField::RepeatedHref);
                if is_all { Self::All } else { Self::None }
            }
            ChatMarkup::Mrkdwn => {
                let texts = record.fields(0).filter(|(field, _)| *field == ChatField::Text);
                let mut targets = HashSet::default();
                for (_, span) in texts {
                    let text = decoded(writer, span);
                    for link in mrkdwn::links(text.as_bytes()) {
                        let target = text.get(link.target.range()).unwrap_or_default();
                        targets.insert(mrkdwn::decoded(target.as_bytes()).into_owned());
                    }
                    targets.insert(text.into_bytes());
                }
                Self::Targets(targets)
            }
        }
    }

    fn has(&self, span: Span, writer: &PartWriter<'_, '_>) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Targets(targets) => targets.contains(decoded(writer, span).as_bytes()),
        }
    }
}

struct MessageReader<'r, 'd, 's> {
    markup: ChatMarkup,
    repetitions: Repetitions,
    writer: &'r mut PartWriter<'d, 's>,
    /// The text before the current value.
    text: Option<Span>,
}

impl MessageReader<'_, '_, '_> {
    fn field(&mut self, field: ChatField, span: Span, place: &Place<'static>) -> ControlFlow<()> {
        let text = self.text;
        // The `href` of an entity follows its text, which is the label of the link.
        if matches!(field, ChatField::Text | ChatField::Repeated) {
            self.text = Some(span);
        }
        match field {
            ChatField::Repeated | ChatField::RepeatedHref
                if self.repetitions.has(span, self.writer) =>
            {
                self.writer.markup(span.start())?;
                self.writer.skip(span.end());
                ControlFlow::Continue(())
            }
            ChatField::Text | ChatField::Repeated => self.message(span, place),
            ChatField::Href | ChatField::RepeatedHref => {
                if let Some(text) = text {
                    let label = decoded(self.writer, text);
                    self.writer.set_label(label);
                }
                self.link(span)
            }
            ChatField::Link => self.link(span),
            ChatField::Author(_) | ChatField::Channel | ChatField::Date | ChatField::Metadata => {
                emit_string(span, Role::Metadata, self.writer)
            }
            ChatField::Other => emit_string(span, Role::Text, self.writer),
        }
    }

    fn message(&mut self, span: Span, place: &Place<'static>) -> ControlFlow<()> {
        match self.markup {
            ChatMarkup::Plain => emit_string(span, Role::Text, self.writer),
            ChatMarkup::Mrkdwn => {
                nested(span, self.writer, |source, sink| mrkdwn::read(source, place, sink))
            }
            ChatMarkup::Markdown => nested(span, self.writer, |source, sink| {
                markdown::read(source, &mut PlacedSink { place, sink })
            }),
        }
    }

    /// Emits a value that is a link if it is a URI as a whole.
    fn link(&mut self, span: Span) -> ControlFlow<()> {
        let text = self.writer.at(span);
        // Without a scheme it is a name or a path, which does not lead anywhere from the export.
        if memchr::memchr(b':', text).is_none() {
            return emit_string(span, Role::Text, self.writer);
        }
        self.writer.markup(span.start())?;
        let link = self.writer.link_with(span, "link", |piece| unescape(text, span.start(), piece));
        link.map_continue(|_| ())
    }
}
