//! What is known of the message that is being read, and which of its URIs were told already.
//!
//! A mail often says the same in several parts. A URI of a message with parts is told once, with the
//! numbers of all parts that hold it; so where those are told such a message is read twice, first to
//! learn them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use urigrep::container::document::mail::{Entity, Header, Location, Reading};
use urigrep::{Layers, Span};

/// Which repetitions of a URI in mail are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// In a message with parts none, else all.
    #[default]
    NotInParts,
    /// All, each with its part.
    All,
    /// None in the same message.
    NotInMessage,
    /// None in the same thread of the same file.
    NotInThread,
}

/// Whether the numbers of the parts are told that a URI of a message stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// Nobody asked.
    #[default]
    Ignored,
    /// They are.
    Told,
}

/// What is told of a message with each of its URIs.
#[derive(Debug, Default)]
pub struct Envelope {
    /// Its Message-ID, without angle brackets.
    pub message_id: Option<String>,
    /// When it was written (RFC 3339).
    pub date: Option<String>,
    /// Who wrote it.
    pub from: Option<String>,
    /// What it is about.
    pub subject: Option<String>,
}

/// What becomes of a URI.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is told, as standing in these parts.
    Told(Vec<String>),
    /// It is not: it was told, or it is not time yet.
    Held,
}

/// How a message is read, which its first header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The header has not come.
    #[default]
    New,
    /// All that is found is told at once.
    All,
    /// What was not found before is told at once.
    Once,
    /// To learn which parts hold what.
    Learning,
    /// To tell it.
    Telling,
}

/// What each URI of a message has, by where the message starts.
type Each<T> = HashMap<usize, T>;

/// What was found in a message: where, and a hash of its text.
#[derive(Debug, Default)]
struct Spans {
    hasher: RandomState,
    new: Vec<(Span, u64)>,
    /// Before it was read again.
    known: HashSet<(Span, u64)>,
}

/// The state of reading messages, one after the other.
#[derive(Debug, Default)]
pub struct Messages {
    repeats: Repeats,
    numbers: Numbers,
    phase: Phase,
    /// Of the innermost message:
    start: usize,
    header: Vec<u8>,
    envelope: OnceCell<Envelope>,
    thread: OnceCell<Option<String>>,
    /// Of the part:
    number: String,
    /// Of the outermost message:
    spans: Spans,
    parts: Each<HashMap<String, Vec<String>>>,
    told: Each<HashSet<String>>,
    /// Of the whole file: the first message of the thread of each, and what was told of it.
    threads: HashMap<String, String>,
    told_in_thread: HashMap<String, HashSet<String>>,
}

impl Messages {
    /// Nothing was read yet.
    pub fn new(repeats: Repeats, numbers: Numbers) -> Self {
        Self {
            repeats,
            numbers,
            ..Self::default()
        }
    }

    /// A message comes.
    pub fn next(&mut self) {
        self.spans.new.clear();
        self.spans.known.clear();
        self.parts.clear();
        self.told.clear();
        self.header.clear();
        self.start = usize::MAX;
        self.phase = Phase::New;
    }

    /// True when the message has to be read again, as it now will be.
    pub fn again(&mut self) -> bool {
        let learned = self.phase == Phase::Learning;
        if learned {
            self.phase = Phase::Telling;
            self.spans.new.clear();
            self.spans.known.clear();
            self.start = usize::MAX;
        }
        learned
    }

    /// How a message is read whose first header names this type.
    fn phase(&self, media_type: &str) -> Phase {
        let has_parts = ["multipart/", "message/"]
            .iter()
            .any(|top| media_type.starts_with(top));
        match (self.repeats, self.numbers) {
            (Repeats::All, _) => Phase::All,
            (_, Numbers::Told) if has_parts => Phase::Learning,
            (Repeats::NotInMessage, _) => Phase::Once,
            _ if has_parts => Phase::Once,
            _ => Phase::All,
        }
    }

    /// A part of a message begins.
    pub fn enter(&mut self, entity: &Entity<'_>) {
        if entity.reading == Reading::Raw {
            self.spans.known.extend(self.spans.new.drain(..));
        }
        if self.phase == Phase::New {
            self.phase = self.phase(entity.media_type);
        }
        self.number.clear();
        self.number.push_str(entity.number);
        if self.start != entity.message_start || self.header.is_empty() {
            self.start = entity.message_start;
            self.header.clear();
            self.header.extend_from_slice(entity.message.as_bytes());
            self.envelope = OnceCell::new();
            self.thread = OnceCell::new();
        }
    }

    /// The field of the header that stands at this offset of the stream.
    pub fn field_at(&self, at: usize) -> Option<&str> {
        Header::new(&self.header).field_at(at.checked_sub(self.start)?)
    }

    /// True when this text was found at this span of the stream before what was read once as MIME says
    /// was read again as it stands.
    pub fn is_again(&mut self, source: &Layers<'_>, span: Span, text: &[u8]) -> bool {
        // what stands there as it is has one text
        let hash = match source.is_copied(span) {
            true => 0,
            false => self.spans.hasher.hash_one(text),
        };
        let found = (source.source(span), hash);
        if self.spans.known.contains(&found) {
            return true;
        }
        self.spans.new.push(found);
        false
    }

    /// What is told of the message.
    pub fn envelope(&self) -> &Envelope {
        self.envelope.get_or_init(|| {
            let header = Header::new(&self.header);
            Envelope {
                message_id: header.message_id(),
                date: header.date().map(|date| date.to_string()),
                from: header.from(),
                subject: header.subject(),
            }
        })
    }

    /// True the first of two times.
    pub fn is_learning(&self) -> bool {
        self.phase == Phase::Learning
    }

    /// The number of the part; empty in the header of the whole message.
    pub fn number(&self) -> &str {
        &self.number
    }

    /// The number of the part; the header of the whole message has none.
    pub fn part(&self) -> Vec<String> {
        let number = Some(self.number.clone());
        number
            .filter(|number| !number.is_empty())
            .into_iter()
            .collect()
    }

    /// What becomes of a URI that stands in the part.
    pub fn take<'u>(&mut self, uri: impl FnOnce() -> Cow<'u, str>) -> Taken {
        // in most archives nobody has to know it
        let is_any = self.phase == Phase::All && self.repeats != Repeats::NotInThread;
        if is_any && self.numbers == Numbers::Ignored {
            return Taken::Told(Vec::new());
        }
        let uri = &*uri();
        if self.phase == Phase::Learning {
            let number = self.part();
            let parts = self.parts.entry(self.start).or_default();
            let parts = parts.entry(uri.to_owned()).or_default();
            if parts.last() != number.last() {
                parts.extend(number);
            }
            return Taken::Held;
        }
        let is_new = match (self.repeats, self.phase) {
            (Repeats::NotInThread, _) => self.is_new_in_thread(uri),
            (_, Phase::All) => true,
            _ => {
                let told = self.told.entry(self.start).or_default();
                !told.contains(uri) && told.insert(uri.to_owned())
            }
        };
        if !is_new {
            return Taken::Held;
        }
        if self.numbers == Numbers::Ignored {
            return Taken::Told(Vec::new());
        }
        let parts = self.parts.get_mut(&self.start);
        let parts = parts.and_then(|parts| parts.remove(uri));
        Taken::Told(parts.unwrap_or_else(|| self.part()))
    }

    fn is_new_in_thread(&mut self, uri: &str) -> bool {
        let header = Header::new(&self.header);
        let known = &self.threads;
        let thread = self.thread.get_or_init(|| {
            // a message whose first one is known belongs there, whatever it answers itself
            let answered = header.references().into_iter();
            let mut all = answered.chain(header.message_id());
            let first = all.clone().find_map(|id| known.get(&id).cloned());
            first.or_else(|| all.next())
        });
        let Some(thread) = thread.clone() else {
            return true;
        };
        for id in header.references().into_iter().chain(header.message_id()) {
            self.threads.entry(id).or_insert_with(|| thread.clone());
        }
        let told = self.told_in_thread.entry(thread).or_default();
        told.insert(uri.to_owned())
    }
}

/// The innermost base that the headers of a part and of those around it name (S4 §5.1, RFC 2110).
pub fn base(locations: &[Location], mut outer: Option<urigrep::Base>) -> Option<urigrep::Base> {
    for location in locations {
        let mut layers = urigrep::Base::builder();
        if let Some(base) = &location.content_base {
            layers = layers.content_base(base);
        }
        if let Some(place) = &location.content_location {
            layers = layers.content_location(place);
        }
        if let Some(outer) = &outer {
            layers = layers.encapsulating(outer);
        }
        outer = layers.establish();
    }
    outer
}
