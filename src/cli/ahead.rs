//! Messages that stand in a window as they are read, searched by all threads before their turn.
//!
//! Most mail of lists is one text that needs no decoding: its parts are pieces of the window, so what is
//! found in them can wait until what was before it is told. What needs more is read when its turn comes.

use std::ops::ControlFlow;

use rayon::ThreadPool;
use rayon::prelude::*;
use urigrep::container::document::mail::{Entity, HEADER, Header, Headers, Reading, Scratch};
use urigrep::container::document::{Content, Mark, Part, Role, Sink};
use urigrep::container::mbox;
use urigrep::{Finding, Layers, Span};

use super::query::Query;

/// What a reader gave of a message, in order.
pub enum Given<'w> {
    /// What the parts are in that follow.
    Entity(Place),
    /// A part, and what was found in it.
    Part(Piece<'w>, Vec<Finding<'w>>),
}

/// What is kept of an entity; it has no others around it.
pub struct Place {
    number: String,
    header: Span,
    media_type: String,
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

/// For each message what was found in it, if all of it stands in the window as it is.
pub fn search<'w>(
    messages: &[mbox::Message],
    window: &'w [u8],
    query: &'w Query,
    pool: &ThreadPool,
) -> Vec<Option<Vec<Given<'w>>>> {
    let one = |message: &mbox::Message| {
        let mut ahead = Ahead {
            window,
            query,
            given: Vec::new(),
            simple: true,
        };
        // It breaks when it is not simple.
        let _ = message.read_with(window, &mut Scratch::default(), &mut ahead);
        ahead.simple.then_some(ahead.given)
    };
    pool.install(|| messages.par_iter().with_min_len(16).map(one).collect())
}

/// Keeps what is simple, and gives up else.
struct Ahead<'w> {
    window: &'w [u8],
    query: &'w Query,
    given: Vec<Given<'w>>,
    simple: bool,
}

impl Ahead<'_> {
    fn give_up(&mut self) -> ControlFlow<()> {
        self.simple = false;
        ControlFlow::Break(())
    }
}

impl Sink for Ahead<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let whole = Span::new(0, part.text.len());
        let is_simple = self.simple
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
            let findings = self.query.finder.findings(text).collect();
            self.given.push(Given::Part(piece, findings));
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
                self.given.push(Given::Entity(Place {
                    number: entity.number.to_owned(),
                    header: Span::new(start, start + entity.message.as_bytes().len()),
                    media_type: entity.media_type.to_owned(),
                }));
            }
            _ => self.simple = false,
        }
    }

    fn headers(&self) -> Headers {
        self.query.documents.headers
    }
}
