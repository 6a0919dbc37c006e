//! Events of reading and searching messages, kept so that one thread can replay the results of
//! others.
//!
//! Parts that are verbatim in the window take no memory. For other parts, the text is copied only
//! if something was found in it, along with the relevant part of the offset map.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use crate::document::mail::{
    Entity, EntityLocation, EntityReading, HEADER, Header, MimeLimit, Multipart, Scratch, Skipped,
};
use crate::document::mbox;
use crate::document::{
    Content, Event, EventSink, Format, LinkOrigin, Part, Place, Role, Stream, Wants,
};
use crate::finder::DetachedFinding;
use crate::offset_map::{Layers, OwnedLayers};
use crate::search::document;
use crate::search::query::Query;
use crate::slice::{SliceExt, span_within};
use crate::{Finding, Span};

#[derive(Default)]
pub(crate) struct MessageEvents {
    events: Vec<MessageEvent>,
    entities: Vec<KeptEntity>,
    parts: Vec<KeptPart>,
    streams: Vec<KeptStream>,
    /// True if further parts may belong to the last stream. Attachments of two messages may have
    /// the same name.
    is_in_stream: bool,
    bytes: Vec<u8>,
    /// Bytes taken by offset maps and entities.
    extra_size: usize,
}

enum MessageEvent {
    Entity(usize),
    Base(KeptBytes, Span),
    Skipped(Skipped, Span),
    Limit(MimeLimit),
    /// The path of an attached file, and the reason why it was not read.
    Unread(String, String),
    /// The index of a part, and a finding in it.
    Found(usize, DetachedFinding),
}

/// The location of bytes: in the window, or among the copied bytes.
enum KeptBytes {
    Window(Span),
    Copied(Span),
}

/// A name; most names are static.
type KnownWord = Cow<'static, str>;

struct KeptEntity {
    number: KnownWord,
    header: KeptBytes,
    start: usize,
    multipart: Option<Multipart>,
    media_type: KnownWord,
    reading: EntityReading,
    locations: Vec<EntityLocation>,
}

/// An owned copy of a part in which something was found.
struct KeptPart {
    text: KeptBytes,
    /// The offset map to the window, unless the part is verbatim in it.
    layers: Option<OwnedLayers>,
    role: Role,
    content: Content,
    element: Option<KnownWord>,
    attribute: Option<KnownWord>,
    origin: LinkOrigin,
    place: Option<Place<'static>>,
    label: Option<String>,
    /// Index of its stream.
    stream: Option<usize>,
}

/// A copy of a text that parts map to, unless that is the window.
struct KeptStream {
    name: String,
    file: Option<String>,
    format: Option<Format>,
    bytes: Vec<u8>,
}

impl KeptStream {
    fn stream(&self) -> Stream<'_> {
        Stream {
            name: &self.name,
            file: self.file.as_deref(),
            format: self.format,
            bytes: &self.bytes,
        }
    }
}

#[rustfmt::skip]
// Most messages have no other names. Each of these needs no copy in every entity and part.
const WORDS: [&str; 16] = [
    "", "1", "2", "3", "1.1", "1.2", "text/plain", "text/html", "multipart/alternative", "multipart/mixed",
    "multipart/related", HEADER, "a", "href", "img", "src",
];

fn word(word: &str) -> KnownWord {
    match WORDS.iter().find(|known| **known == word) {
        Some(known) => Cow::Borrowed(*known),
        None => Cow::Owned(word.to_owned()),
    }
}

impl KeptPart {
    fn part<'p>(&'p self, text: &'p [u8], stream: Option<&'p Stream<'p>>) -> Part<'p> {
        let source = match (&self.layers, &self.text) {
            (Some(layers), _) => layers.layers(),
            (None, KeptBytes::Window(span) | KeptBytes::Copied(span)) => {
                Layers::copied(span.start())
            }
        };
        Part {
            text,
            source,
            role: self.role,
            content: self.content,
            element: self.element.as_deref(),
            attribute: self.attribute.as_deref(),
            origin: self.origin,
            place: self.place.as_ref(),
            label: self.label.as_deref(),
            stream,
        }
    }
}

impl KeptEntity {
    fn entity<'p>(&'p self, header: &'p [u8]) -> Entity<'p> {
        Entity {
            number: &self.number,
            message: Header::new(header),
            message_start: self.start,
            multipart: self.multipart,
            media_type: &self.media_type,
            reading: self.reading,
            locations: &self.locations,
        }
    }
}

impl MessageEvents {
    fn size(&self) -> usize {
        size_of_val(self.events.as_slice())
            + size_of_val(self.entities.as_slice())
            + size_of_val(self.parts.as_slice())
            + self.bytes.len()
            + self.extra_size
    }

    /// Removes all events, and keeps the memory.
    fn clear(&mut self) {
        self.events.clear();
        self.entities.clear();
        self.parts.clear();
        self.streams.clear();
        self.bytes.clear();
        self.extra_size = 0;
    }

    /// Keeps bytes: as a span of the window if they are in it.
    fn keep_bytes(&mut self, bytes: &[u8], window: &[u8]) -> KeptBytes {
        match span_within(bytes, window) {
            Some(span) => KeptBytes::Window(span),
            None => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(bytes);
                KeptBytes::Copied(Span::new(start, self.bytes.len()))
            }
        }
    }

    fn bytes<'t>(&'t self, text: &KeptBytes, window: &'t [u8]) -> &'t [u8] {
        let (bytes, span) = match text {
            KeptBytes::Window(span) => (window, span),
            KeptBytes::Copied(span) => (self.bytes.as_slice(), span),
        };
        bytes.part(span.range())
    }

    /// Keeps a part, and returns its index.
    fn keep_part(&mut self, part: &Part<'_>, window: &[u8]) -> usize {
        let text = self.keep_bytes(part.text, window);
        let stream = part.stream.map(|stream| self.keep_stream(stream));
        let layers = match text {
            KeptBytes::Window(_) => None,
            KeptBytes::Copied(_) => {
                // The text was decoded, so its offsets do not lead to the window by themselves.
                Some(part.source.to_owned_layers(Span::new(0, part.text.len())))
            }
        };
        self.extra_size += layers.as_ref().map_or(0, OwnedLayers::size);
        self.parts.push(KeptPart {
            text,
            layers,
            role: part.role,
            content: part.content,
            element: part.element.map(word),
            attribute: part.attribute.map(word),
            origin: part.origin,
            place: part.place.map(|place| place.clone().into_owned()),
            label: part.label.map(str::to_owned),
            stream,
        });
        self.parts.len() - 1
    }

    /// Keeps a stream once for all its parts, and returns its index.
    fn keep_stream(&mut self, stream: &Stream<'_>) -> usize {
        // Parts of one stream follow one another, so older streams need no look.
        let is_last = self.streams.last().is_some_and(|last| last.name == stream.name);
        if !is_last || !self.is_in_stream {
            self.extra_size += stream.name.len() + stream.bytes.len();
            self.streams.push(KeptStream {
                name: stream.name.to_owned(),
                file: stream.file.map(str::to_owned),
                format: stream.format,
                bytes: stream.bytes.to_vec(),
            });
        }
        self.is_in_stream = true;
        self.streams.len() - 1
    }

    /// Keeps an entity, and returns its index.
    fn keep_entity(&mut self, entity: &Entity<'_>, window: &[u8]) -> usize {
        self.is_in_stream = false;
        let header = self.keep_bytes(entity.message.as_bytes(), window);
        let locations = entity.locations.iter().map(|location| {
            let texts = [&location.content_base, &location.content_location];
            size_of::<EntityLocation>()
                + texts.into_iter().flatten().map(String::len).sum::<usize>()
        });
        self.extra_size += entity.number.len() + entity.media_type.len();
        self.extra_size += locations.sum::<usize>();
        self.entities.push(KeptEntity {
            number: word(entity.number),
            header,
            start: entity.message_start,
            multipart: entity.multipart,
            media_type: word(entity.media_type),
            reading: entity.reading,
            locations: entity.locations.to_vec(),
        });
        self.entities.len() - 1
    }

    /// Passes the events of a message to a sink, as its reader did, and each finding with its part
    /// to `found`.
    pub fn replay<S: EventSink>(
        &self,
        events: Range<usize>,
        window: &[u8],
        sink: &mut S,
        found: impl Fn(&mut S, &Finding<'_>, &Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for event in self.events.part(events) {
            match event {
                MessageEvent::Entity(place) => {
                    if let Some(place) = self.entities.get(*place) {
                        let entity = place.entity(self.bytes(&place.header, window));
                        sink.event(&Event::Entity(&entity))?;
                    }
                }
                MessageEvent::Base(reference, span) => {
                    let reference = self.bytes(reference, window);
                    sink.event(&Event::Base {
                        reference: std::str::from_utf8(reference).unwrap_or_default(),
                        span: *span,
                    })?;
                }
                MessageEvent::Skipped(reason, span) => {
                    sink.event(&Event::Skipped { reason: *reason, span: *span })?
                }
                MessageEvent::Unread(file, message) => {
                    sink.event(&Event::Unread { file, message })?
                }
                MessageEvent::Limit(limit) => sink.event(&Event::Limit(*limit))?,
                MessageEvent::Found(part, finding) => {
                    if let Some(kept) = self.parts.get(*part) {
                        let stream = kept.stream.and_then(|at| self.streams.get(at));
                        let stream = stream.map(KeptStream::stream);
                        let part = kept.part(self.bytes(&kept.text, window), stream.as_ref());
                        found(sink, &finding.clone().attach(part.text), &part)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

pub(crate) struct EventRecorder<'w> {
    window: &'w [u8],
    query: &'w Query,
    events: MessageEvents,
    /// Limit on the bytes of the events.
    size_max: usize,
}

impl<'w> EventRecorder<'w> {
    /// Creates a recorder that reuses the memory of old events.
    pub fn new(
        window: &'w [u8],
        query: &'w Query,
        mut events: MessageEvents,
        size_max: usize,
    ) -> Self {
        events.clear();
        Self { window, query, events, size_max }
    }

    pub fn finish(self) -> MessageEvents {
        self.events
    }

    /// Records a message. Returns the range of its events, or `None` if there are too many.
    pub fn record(
        &mut self,
        message: &mbox::Message,
        scratch: &mut Scratch,
    ) -> Option<Range<usize>> {
        let start = self.events.events.len();
        let flow = message.read_with(self.window, scratch, self);
        let events = &mut self.events.events;
        let reports = |event: &MessageEvent| {
            !matches!(event, MessageEvent::Entity(_) | MessageEvent::Base(..))
        };
        // Most messages hold nothing that is wanted. Dropping their events keeps the memory of a
        // chunk small.
        if !events.iter().skip(start).any(reports) {
            events.truncate(start);
        }
        flow.is_continue().then_some(start..events.len())
    }

    fn has_room(&self) -> ControlFlow<()> {
        if self.events.size() > self.size_max {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl EventSink for EventRecorder<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            event => {
                self.note(event);
                ControlFlow::Continue(())
            }
        }
    }

    fn wants(&self) -> Wants {
        self.query.wants()
    }
}

impl EventRecorder<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let (query, window) = (self.query, self.window);
        let mut index = None;
        self.has_room()?;
        document::findings_in(part, window, query, |finding| {
            // A part is only kept once something was found in it.
            let index = *index.get_or_insert_with(|| self.events.keep_part(part, window));
            let found = MessageEvent::Found(index, finding.detach());
            self.events.events.push(found);
            self.has_room()
        })
    }

    fn note(&mut self, event: &Event<'_>) {
        let events = &mut self.events;
        let event = match event {
            Event::Entity(entity) => MessageEvent::Entity(events.keep_entity(entity, self.window)),
            Event::Base { reference, span } => {
                MessageEvent::Base(events.keep_bytes(reference.as_bytes(), self.window), *span)
            }
            Event::Skipped { reason, span } => MessageEvent::Skipped(*reason, *span),
            Event::Limit(limit) => MessageEvent::Limit(*limit),
            Event::Unread { file, message } => {
                events.extra_size += file.len() + message.len();
                MessageEvent::Unread((*file).to_owned(), (*message).to_owned())
            }
            _ => return,
        };
        events.events.push(event);
    }
}
