//! Messages that stand in a window as they are read, searched by all threads before their turn.
//!
//! Most mail of lists is one text that needs no decoding: its parts are pieces of the window, so what is
//! found in them can wait until what was before it is told. What needs more is read when its turn comes.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rayon::ThreadPool;
use rayon::prelude::*;
use urigrep::container::document::mail::{Entity, HEADER, Header, Headers, Reading, Scratch};
use urigrep::container::document::{Content, Mark, Part, Role, Sink};
use urigrep::container::mbox;
use urigrep::{Finding, Layers, Span};

use super::query::Query;

/// What was found in messages, in order.
pub enum Given<'w> {
    /// A message begins.
    Message(Way),
    /// What that is in which follows.
    Entity(Place),
    /// A finding, and the part that it is in.
    Found(Piece<'w>, Finding<'w>),
}

/// How a message is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It was: what was found in it follows.
    Ahead,
    /// When its turn comes.
    InTurn,
}

/// What is kept of an entity; it has no others around it.
pub struct Place {
    number: Word,
    header: Span,
    media_type: Word,
}

/// A word, which most entities share with others.
type Word = Cow<'static, str>;

/// The words of most entities.
const WORDS: [&str; 4] = ["", "1", "text/plain", "text/html"];

fn word(word: &str) -> Word {
    match WORDS.iter().find(|known| **known == word) {
        Some(known) => Cow::Borrowed(*known),
        None => Cow::Owned(word.to_owned()),
    }
}

/// A part that stands in the window as it is.
#[derive(Clone, Copy)]
pub struct Piece<'w> {
    text: &'w [u8],
    start: usize,
    role: Role,
    element: Option<&'static str>,
}

impl Place {
    /// The entity, as the reader gave it.
    pub fn entity<'p>(&'p self, window: &'p [u8]) -> Entity<'p> {
        Entity {
            number: &self.number,
            message: Header::new(window.get(self.header.range()).unwrap_or_default()),
            message_start: self.header.start(),
            multipart: None,
            media_type: &self.media_type,
            reading: Reading::Parsed,
            locations: &[],
        }
    }
}

impl<'w> Piece<'w> {
    /// The part, as the reader gave it.
    pub fn part(self) -> Part<'w> {
        Part {
            text: self.text,
            source: Layers::copied(self.start),
            role: self.role,
            content: Content::Text,
            element: self.element,
            attribute: None,
        }
    }
}

/// Rows of messages that a thread gets of a window.
const SHARE: usize = 4;
/// Bytes of a row, about.
const LENGTH: usize = 128 << 10;
/// Messages in a row, at least.
const ROW: usize = 16;

/// The size of a window that is worth searching so with this pool.
pub fn block(pool: &ThreadPool) -> usize {
    pool.current_num_threads() * SHARE * LENGTH
}

/// True when there is enough for more than one thread.
pub fn pays(window: &[u8]) -> bool {
    window.len() > 2 * LENGTH
}

/// What was found in each message, if all of it stands in the window as it is.
pub fn search<'w>(
    messages: &[mbox::Message],
    window: &'w [u8],
    query: &'w Query,
    pool: &ThreadPool,
) -> Vec<Vec<Given<'w>>> {
    let row = |messages: &[mbox::Message]| {
        let mut ahead = Ahead {
            window,
            query,
            given: Vec::with_capacity(2 * messages.len()),
            way: Way::Ahead,
            entity: None,
        };
        let mut scratch = Scratch::default();
        for message in messages {
            ahead.message(message, &mut scratch);
        }
        ahead.given
    };
    let rows = SHARE * pool.current_num_threads();
    let length = messages.len().div_ceil(rows).max(ROW);
    pool.install(|| messages.par_chunks(length).map(row).collect())
}

/// Keeps what is simple, and gives up else.
struct Ahead<'w> {
    window: &'w [u8],
    query: &'w Query,
    given: Vec<Given<'w>>,
    /// How the message is read that is at hand.
    way: Way,
    /// What that is in which nothing was found yet.
    entity: Option<Place>,
}

impl Ahead<'_> {
    fn message(&mut self, message: &mbox::Message, scratch: &mut Scratch) {
        let start = self.given.len();
        self.way = Way::Ahead;
        self.entity = None;
        self.given.push(Given::Message(self.way));
        // It breaks when it is not simple.
        let _ = message.read_with(self.window, scratch, self);
        if self.way == Way::InTurn {
            self.given.truncate(start);
            self.given.push(Given::Message(self.way));
        }
    }

    fn give_up(&mut self) -> ControlFlow<()> {
        self.way = Way::InTurn;
        ControlFlow::Break(())
    }
}

impl Sink for Ahead<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let whole = Span::new(0, part.text.len());
        let is_simple = self.way == Way::Ahead
            && part.content == Content::Text
            && part.attribute.is_none()
            && part.element.is_none_or(|element| element == HEADER)
            && part.source.is_copied(whole);
        let stands = part.source.source(whole);
        let (true, Some(text)) = (is_simple, self.window.get(stands.range())) else {
            return self.give_up();
        };
        if self.query.selection.takes_role(part.role) {
            let piece = Piece {
                text,
                start: stands.start(),
                role: part.role,
                element: part.element.map(|_| HEADER),
            };
            for finding in self.query.finder.findings(text) {
                self.given.extend(self.entity.take().map(Given::Entity));
                self.given.push(Given::Found(piece, finding));
            }
        }
        ControlFlow::Continue(())
    }

    fn mark(&mut self, mark: &Mark<'_>) {
        match mark {
            Mark::Entity(entity)
                if entity.media_type.starts_with("text/")
                    && entity.multipart.is_none()
                    && entity.reading == Reading::Parsed
                    && entity.locations.is_empty() =>
            {
                let start = entity.message_start;
                self.entity = Some(Place {
                    number: word(entity.number),
                    header: Span::new(start, start + entity.message.as_bytes().len()),
                    media_type: word(entity.media_type),
                });
            }
            _ => self.way = Way::InTurn,
        }
    }

    fn headers(&self) -> Headers {
        self.query.documents.headers
    }
}
