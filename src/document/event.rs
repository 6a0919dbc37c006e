//! What a reader says of a document: a stream of [`Event`]s, and what a sink wants of it.

use std::ops::ControlFlow;

use super::{Part, mail};
use crate::options::Identifiers;
use crate::span::Span;

/// Something in a document, in its order. Spans are in the stream.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A piece of text.
    Part(&'e Part<'e>),
    /// The base for all relative references of the document (HTML: the first `<base href>`). It comes before all parts.
    Base {
        /// A URI reference.
        reference: &'e str,
        /// Its span.
        span: Span,
    },
    /// A heading. Processors make anchors of the texts of headings.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text without markup.
        text: &'e str,
        /// Its span.
        span: Span,
    },
    /// A name that references can lead to, also a second time.
    Define {
        /// What kind of name it is.
        space: NameSpace,
        /// The name, as written.
        name: &'e str,
        /// Where it is defined: of an anchor the name, of a label the whole definition.
        span: Span,
    },
    /// A reference by name. A reader that knows what a reference leads to may leave it out.
    Refer {
        /// What kind of name it uses.
        space: NameSpace,
        /// The name, as written.
        name: &'e str,
        /// Where the name must be defined.
        scope: Scope,
        /// The whole reference.
        span: Span,
    },
    /// The text of a link. It comes after the [`Part`] of its destination.
    Label {
        /// The text without markup, images as their alternative text.
        text: &'e str,
        /// The span of the destination's part.
        destination: Span,
        /// The span of the text.
        span: Span,
    },
    /// Everything that follows is in this place, until another one of its kind is entered.
    Enter(Place<'e>),
    /// Something that was not read.
    Skipped {
        /// Why.
        reason: mail::Skipped,
        /// Its span.
        span: Span,
    },
    /// From here on a message was not read as MIME.
    Limit(mail::MimeLimit),
}

/// The kinds of names in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameSpace {
    /// Targets of fragments: `id="…"`, `<a name="…">`, `{#…}`, `.. _a:`.
    Anchor,
    /// Labels that links name instead of a destination: `[a]: …` of Markdown, `.. _a: …` of reStructuredText.
    Label,
}

/// Where the name of a reference must be defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In the same document.
    Document,
    /// In any document of the project.
    Project,
}

/// A place in a document that people have a name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place<'e> {
    /// A part of a message; an [`Event::Base`] is valid up to the next.
    Entity(&'e mail::Entity<'e>),
}

/// Which events a sink receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventSet {
    /// Those needed to search: parts, bases, places, and what was not read.
    #[default]
    Search,
    /// All, and comments that hold no URI.
    All,
}

/// Whether a sink receives code, blocks and spans, of formats where code is text like any other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CodeParts {
    /// As parts of their own.
    #[default]
    Given,
    /// It does nothing with them, so a reader may leave them out.
    Skipped,
}

/// What a sink wants of a document. A reader asks once, and may leave out what is not wanted.
///
/// ```
/// use urigrep::document::{EventSet, Wants};
/// assert_eq!(Wants::all().events, EventSet::All);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wants {
    /// Which events.
    pub events: EventSet,
    /// Whether code.
    pub code: CodeParts,
    /// Which identifiers the sink looks for in texts made only of words; others of those texts may be left out.
    pub identifiers: Identifiers,
    /// How much of messages is read as MIME.
    pub mime: mail::MimeLimits,
    /// What of the headers of messages.
    pub headers: mail::Headers,
}

impl Default for Wants {
    fn default() -> Self {
        Self {
            events: EventSet::Search,
            code: CodeParts::Given,
            // Nothing is lost for a sink that says nothing.
            identifiers: Identifiers::All,
            mime: mail::MimeLimits::default(),
            headers: mail::Headers::Text,
        }
    }
}

impl Wants {
    /// What a search needs.
    pub fn new() -> Self {
        Self::default()
    }

    /// All events.
    pub fn all() -> Self {
        Self { events: EventSet::All, ..Self::default() }
    }

    /// With or without code.
    #[must_use]
    pub fn code(self, code: CodeParts) -> Self {
        Self { code, ..self }
    }

    /// With the texts that may hold such identifiers.
    #[must_use]
    pub fn identifiers(self, identifiers: Identifiers) -> Self {
        Self { identifiers, ..self }
    }

    /// With other limits for MIME.
    #[must_use]
    pub fn mime(self, mime: mail::MimeLimits) -> Self {
        Self { mime, ..self }
    }

    /// With this of the headers of messages.
    #[must_use]
    pub fn headers(self, headers: mail::Headers) -> Self {
        Self { headers, ..self }
    }

    /// True if all events are wanted.
    pub(super) fn all_events(&self) -> bool {
        self.events == EventSet::All
    }
}

/// Receives the events of a document from a reader.
pub trait EventSink {
    /// Receives the next event. `Break` ends the reading; a few events that are not parts may still follow.
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()>;

    /// Says what it wants.
    fn wants(&self) -> Wants {
        Wants::default()
    }
}

impl dyn EventSink + '_ {
    /// Gives a part.
    #[inline]
    pub(super) fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        self.event(&Event::Part(part))
    }

    /// Gives an event at which no sink ends the reading: if one does, the next part ends it.
    #[inline]
    pub(super) fn note(&mut self, event: &Event<'_>) {
        let _ = self.event(event);
    }
}
