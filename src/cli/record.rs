//! What a reader gives of messages, kept: any thread may read and search them, and one tells what was found when it
//! is their turn.
//!
//! Parts that stand in the window as they are take no memory; of the others that something was found in, the
//! text is copied, and as much of the way to the window as leads there.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use urigrep::container::document::mail::{
    Entity, HEADER, Header, Headers, Location, MimeLimit, MimeLimits, Multipart, Reading, Scratch,
    Skipped,
};
use urigrep::container::document::{Content, Mark, Part, PartSink, Role};
use urigrep::container::mbox;
use urigrep::{DetachedLayers, Finding, Layers, Span};

use super::documents;
use super::query::Query;

/// What was given of some messages, in order.
#[derive(Default)]
pub struct Record {
    events: Vec<Event>,
    places: Vec<Place>,
    parts: Vec<Kept>,
    /// The bytes that stand nowhere in the window.
    bytes: Vec<u8>,
    /// How much memory the ways to the window and what is known of entities take, in bytes.
    besides: usize,
}

/// What is told when its turn comes.
enum Event {
    /// An entity begins: its index.
    Entity(usize),
    /// A base.
    Base(Text, Span),
    /// Something was not read.
    Skipped(Skipped, Span),
    /// A limit was reached.
    Limit(MimeLimit),
    /// A finding, and the index of the part that it is in:
    Found(usize, Finding<'static>),
}

/// Where bytes are: in the window, or with those of the record.
enum Text {
    Window(Span),
    Own(Span),
}

/// A name; most are known.
type Word = Cow<'static, str>;

/// What an entity is.
struct Place {
    number: Word,
    header: Text,
    start: usize,
    multipart: Option<Multipart>,
    media_type: Word,
    reading: Reading,
    locations: Vec<Location>,
}

/// A part in which something was found.
struct Kept {
    text: Text,
    /// Where it stands, if it does not in the window.
    layers: Option<DetachedLayers>,
    role: Role,
    content: Content,
    element: Option<Word>,
    attribute: Option<Word>,
}

/// The words of most mail.
const WORDS: [&str; 16] = [
    "",
    "1",
    "2",
    "3",
    "1.1",
    "1.2",
    "text/plain",
    "text/html",
    "multipart/alternative",
    "multipart/mixed",
    "multipart/related",
    HEADER,
    "a",
    "href",
    "img",
    "src",
];

fn word(word: &str) -> Word {
    match WORDS.iter().find(|known| **known == word) {
        Some(known) => Cow::Borrowed(*known),
        None => Cow::Owned(word.to_owned()),
    }
}

impl Kept {
    /// The part, as the reader gave it.
    fn part<'p>(&'p self, text: &'p [u8]) -> Part<'p> {
        let source = match (&self.layers, &self.text) {
            (Some(layers), _) => layers.layers(),
            (None, Text::Window(span) | Text::Own(span)) => Layers::copied(span.start()),
        };
        Part {
            text,
            source,
            role: self.role,
            content: self.content,
            element: self.element.as_deref(),
            attribute: self.attribute.as_deref(),
        }
    }
}

impl Place {
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

impl Record {
    /// How much memory it takes, in bytes.
    fn size(&self) -> usize {
        size_of_val(self.events.as_slice())
            + size_of_val(self.places.as_slice())
            + size_of_val(self.parts.as_slice())
            + self.bytes.len()
            + self.besides
    }

    /// Nothing again; the memory stays.
    fn clear(&mut self) {
        self.events.clear();
        self.places.clear();
        self.parts.clear();
        self.bytes.clear();
        self.besides = 0;
    }

    fn text(&mut self, bytes: &[u8], window: &[u8]) -> Text {
        let start = bytes.as_ptr().addr().wrapping_sub(window.as_ptr().addr());
        match window.len().checked_sub(start) {
            Some(room) if room >= bytes.len() => {
                Text::Window(Span::new(start, start + bytes.len()))
            }
            _ => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(bytes);
                Text::Own(Span::new(start, self.bytes.len()))
            }
        }
    }

    fn bytes<'t>(&'t self, text: &Text, window: &'t [u8]) -> &'t [u8] {
        let (bytes, span) = match text {
            Text::Window(span) => (window, span),
            Text::Own(span) => (self.bytes.as_slice(), span),
        };
        bytes.get(span.range()).unwrap_or_default()
    }

    /// Keeps a part; gives its index.
    fn keep(&mut self, part: &Part<'_>, window: &[u8]) -> usize {
        let text = self.text(part.text, window);
        let layers = match text {
            Text::Window(_) => None,
            Text::Own(_) => Some(part.source.detached(Span::new(0, part.text.len()))),
        };
        self.besides += layers.as_ref().map_or(0, DetachedLayers::size);
        self.parts.push(Kept {
            text,
            layers,
            role: part.role,
            content: part.content,
            element: part.element.map(word),
            attribute: part.attribute.map(word),
        });
        self.parts.len() - 1
    }

    /// Gives what is told of a message to a sink, as the reader gave it, and to `found` what was found in which part.
    pub fn tell<S: PartSink>(
        &self,
        events: Range<usize>,
        window: &[u8],
        sink: &mut S,
        found: impl Fn(&mut S, &Finding<'_>, &Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for event in self.events.get(events).unwrap_or_default() {
            match event {
                Event::Entity(place) => {
                    if let Some(place) = self.places.get(*place) {
                        let entity = place.entity(self.bytes(&place.header, window));
                        sink.mark(&Mark::Entity(&entity));
                    }
                }
                Event::Base(reference, span) => {
                    let reference = self.bytes(reference, window);
                    sink.mark(&Mark::Base {
                        reference: std::str::from_utf8(reference).unwrap_or_default(),
                        span: *span,
                    });
                }
                Event::Skipped(reason, span) => sink.mark(&Mark::Skipped {
                    reason: *reason,
                    span: *span,
                }),
                Event::Limit(limit) => sink.mark(&Mark::Limit(*limit)),
                Event::Found(part, finding) => {
                    if let Some(kept) = self.parts.get(*part) {
                        let part = kept.part(self.bytes(&kept.text, window));
                        found(sink, &finding.clone().in_text(part.text), &part)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Records messages of a window.
pub struct Recorder<'w> {
    window: &'w [u8],
    query: &'w Query,
    record: Record,
    /// How large the record may get.
    most: usize,
}

impl<'w> Recorder<'w> {
    /// Records into the memory of an old record.
    pub fn new(window: &'w [u8], query: &'w Query, mut record: Record, most: usize) -> Self {
        record.clear();
        Self {
            window,
            query,
            record,
            most,
        }
    }

    /// What was recorded.
    pub fn record(self) -> Record {
        self.record
    }

    /// Records a message; says which events are its own, or nothing if there are too many.
    pub fn message(
        &mut self,
        message: &mbox::Message,
        scratch: &mut Scratch,
    ) -> Option<Range<usize>> {
        let start = self.record.events.len();
        let flow = message.read_with(self.window, scratch, self);
        let events = &mut self.record.events;
        let tells = |event: &Event| !matches!(event, Event::Entity(_) | Event::Base(..));
        if !events.iter().skip(start).any(tells) {
            events.truncate(start);
        }
        flow.is_continue().then_some(start..events.len())
    }

    fn has_room(&self) -> ControlFlow<()> {
        match self.record.size() > self.most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl PartSink for Recorder<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let (query, window) = (self.query, self.window);
        let mut index = None;
        self.has_room()?;
        documents::findings_in(part, window, query, |finding| {
            let index = *index.get_or_insert_with(|| self.record.keep(part, window));
            let found = Event::Found(index, finding.in_text(b""));
            self.record.events.push(found);
            self.has_room()
        })
    }

    fn mark(&mut self, mark: &Mark<'_>) {
        let record = &mut self.record;
        let event = match mark {
            Mark::Entity(entity) => {
                let header = record.text(entity.message.as_bytes(), self.window);
                let locations = entity.locations.iter().map(|location| {
                    let texts = [&location.content_base, &location.content_location];
                    size_of::<Location>()
                        + texts.into_iter().flatten().map(String::len).sum::<usize>()
                });
                record.besides += entity.number.len() + entity.media_type.len();
                record.besides += locations.sum::<usize>();
                record.places.push(Place {
                    number: word(entity.number),
                    header,
                    start: entity.message_start,
                    multipart: entity.multipart,
                    media_type: word(entity.media_type),
                    reading: entity.reading,
                    locations: entity.locations.to_vec(),
                });
                Event::Entity(record.places.len() - 1)
            }
            Mark::Base { reference, span } => {
                Event::Base(record.text(reference.as_bytes(), self.window), *span)
            }
            Mark::Skipped { reason, span } => Event::Skipped(*reason, *span),
            Mark::Limit(limit) => Event::Limit(*limit),
            _ => return,
        };
        record.events.push(event);
    }

    fn limits(&self) -> MimeLimits {
        self.query.documents.limits
    }

    fn headers(&self) -> Headers {
        self.query.documents.headers
    }
}
