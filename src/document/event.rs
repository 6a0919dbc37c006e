//! The output of a reader: a stream of [`Event`]s, and the kinds that a sink wants.

use std::ops::ControlFlow;

use super::{Part, Stream, mail};
use crate::archive::ArchiveLimits;
use crate::options::Identifiers;
use crate::span::Span;

/// A piece of information about a document, in document order. Spans refer to the stream.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A piece of text.
    Part(&'e Part<'e>),
    /// The base of all relative references in the document (HTML: the first `<base href>`). It
    /// precedes all parts.
    Base {
        /// A URI reference.
        reference: &'e str,
        /// Its span.
        span: Span,
    },
    /// A heading. Processors derive anchors from its text.
    Heading {
        /// Its level, 1 to 6.
        level: u8,
        /// Its text without markup.
        text: &'e str,
        /// Its span.
        span: Span,
    },
    /// A definition of a name that references use. Names may be defined repeatedly.
    Define {
        /// Kind of the name.
        space: NameSpace,
        /// The name, as written.
        name: &'e str,
        /// Span of the name for an anchor, of the whole definition for a label.
        span: Span,
    },
    /// A reference by name. A reader that can resolve a reference may leave it out.
    Refer {
        /// Kind of the name.
        space: NameSpace,
        /// The name, as written.
        name: &'e str,
        /// Scope in which the name must be defined.
        scope: Scope,
        /// Span of the whole reference.
        span: Span,
    },
    /// The text of a link. It follows the [`Part`] of its destination.
    Label {
        /// The text without markup, images as their alternative text.
        text: &'e str,
        /// The span of the destination's part.
        destination: Span,
        /// The span of the text.
        span: Span,
        /// The text that the spans refer to, unless that is the document itself.
        stream: Option<&'e Stream<'e>>,
    },
    /// The start of a part of a message, which lasts until the next one. An [`Event::Base`] applies
    /// as long.
    Entity(&'e mail::Entity<'e>),
    /// Content that was not read.
    Skipped {
        /// The reason.
        reason: mail::Skipped,
        /// Its span.
        span: Span,
    },
    /// An attached file that was not read in its own format, or a part of the document that was not
    /// read.
    Unread {
        /// Its path below the document: `b.zip!/c.txt`; empty for the document itself.
        file: &'e str,
        /// The reason, and what to do.
        message: &'e str,
    },
    /// The message is not read as MIME from here on.
    Limit(mail::MimeLimit),
}

/// Kinds of names in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameSpace {
    /// Targets of fragments: `id="…"`, `<a name="…">`, `{#…}`, `.. _a:`.
    Anchor,
    /// Labels used instead of a destination: `[a]: …` in Markdown, `.. _a: …` in reStructuredText.
    Label,
    /// Documents of the project, by path without an extension: `:doc:` and `toctree` of Sphinx.
    /// Only referred to.
    Document,
    /// Names of another project, which its inventory has: `:external+python:doc:` and
    /// `` :doc:`python:a` `` of Sphinx. Only referred to.
    OtherProject,
    /// Pages and files by name: `[[Page]]` of Obsidian, Foam, and wikis. Only referred to, and
    /// plain text in trees that do not use it.
    Page,
    /// Figures, sections, and their like, by id: `@fig-a` of Quarto. Only referred to, and plain
    /// text or citations in other Markdown.
    CrossReference,
    /// Destinations that the syntax of the document does not take for one: `[a](b c.md)` in
    /// Markdown. Only referred to.
    Unlinked,
    /// Labels that may be plain text as well: `[a]` of Markdown. Only referred to, and only where
    /// other references of this form have definitions.
    Shortcut,
    /// Terms of the glossaries of a project: `` :term:`a` `` of Sphinx. Only referred to.
    Term,
    /// Texts that have a name: `|a|` in reStructuredText. Only referred to, and only where nothing
    /// of the document defines them.
    Substitution,
    /// Headings and targets of the same document, by name: `` `A b`_ `` in reStructuredText,
    /// `<<A b>>` in AsciiDoc, `[[*A b]]` in Org. Only referred to, and only where it is defined;
    /// the span is that of the name.
    Title,
    /// Footnotes and citations, by label: `[1]_`, `[#a]_`, and `[A]_` in reStructuredText. Only
    /// referred to, and only where nothing of the document defines them.
    Note,
    /// Files in a cell of a notebook, by name: `attachment:a.png`. Only referred to, and only where
    /// the cell does not have them.
    Attachment,
}

/// Scope in which the name of a reference must be defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In the same document.
    Document,
    /// In any document of the project.
    Project,
}

/// Events that a sink receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventSet {
    /// Events needed for a search: parts, bases, places, and skipped content.
    #[default]
    Search,
    /// All events, and also comments without a URI.
    All,
}

/// Treatment of code blocks and spans, in formats where code is text like any other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CodeParts {
    /// Emit code as parts of its own.
    #[default]
    Given,
    /// The sink ignores code, so a reader may leave it out.
    Skipped,
}

/// The parts of text that a sink searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextParts {
    /// Every part that a reader knows. Alternative texts and attributes without an address are left
    /// out by some.
    #[default]
    All,
    /// Only those with a colon, so a reader may leave out the others: without one, a text holds no
    /// URI (RFC 3986 §3.1).
    WithColon,
}

/// Treatment of attached documents that are not text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileParts {
    /// Emit their texts.
    #[default]
    Read,
    /// Emit an empty part whose stream is the whole file.
    Whole,
}

/// Treatment of values of data that are texts in a markup of their own: HTML or Markdown in a string
/// of JSON, a field of CSV, or a cell of a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueParts {
    /// Emit them as text.
    #[default]
    Text,
    /// Read them as documents.
    Documents,
}

/// The content that a sink wants. A reader asks once and may leave out everything else.
///
/// ```
/// use urigrep::document::{EventSet, Wants};
/// assert_eq!(Wants::all().events, EventSet::All);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wants {
    /// Wanted events.
    pub events: EventSet,
    /// Treatment of code.
    pub code: CodeParts,
    /// Identifiers that the sink looks for in text made only of words; readers may leave out other
    /// such text.
    pub identifiers: Identifiers,
    /// The parts of text to emit.
    pub text: TextParts,
    /// Limits for reading messages as MIME.
    pub mime: mail::MimeLimits,
    /// Treatment of message headers.
    pub headers: mail::Headers,
    /// Limits for unpacking attached archives.
    pub archives: ArchiveLimits,
    /// Treatment of attached documents that are not text.
    pub files: FileParts,
    /// Treatment of values that are documents.
    pub values: ValueParts,
    /// Number of documents that this one is in, as an attached file.
    pub(super) nesting: usize,
}

impl Default for Wants {
    fn default() -> Self {
        Self {
            events: EventSet::Search,
            code: CodeParts::Given,
            // The default loses nothing: a sink must opt out of identifiers.
            identifiers: Identifiers::All,
            text: TextParts::All,
            mime: mail::MimeLimits::default(),
            headers: mail::Headers::Text,
            archives: ArchiveLimits::default(),
            files: FileParts::Read,
            values: ValueParts::Text,
            nesting: 0,
        }
    }
}

impl Wants {
    /// Returns the wants of a search.
    pub fn new() -> Self {
        Self::default()
    }

    /// Wants all events.
    pub fn all() -> Self {
        Self { events: EventSet::All, ..Self::default() }
    }

    /// Sets the wanted events.
    #[must_use]
    pub fn events(self, events: EventSet) -> Self {
        Self { events, ..self }
    }

    /// Sets the treatment of code.
    #[must_use]
    pub fn code(self, code: CodeParts) -> Self {
        Self { code, ..self }
    }

    /// Sets the identifiers to look for.
    #[must_use]
    pub fn identifiers(self, identifiers: Identifiers) -> Self {
        Self { identifiers, ..self }
    }

    /// Sets the parts of text to emit.
    #[must_use]
    pub fn text(self, text: TextParts) -> Self {
        Self { text, ..self }
    }

    /// Sets the limits for MIME.
    #[must_use]
    pub fn mime(self, mime: mail::MimeLimits) -> Self {
        Self { mime, ..self }
    }

    /// Sets the limits for unpacking attached archives.
    #[must_use]
    pub fn archives(self, archives: ArchiveLimits) -> Self {
        Self { archives, ..self }
    }

    /// Sets the treatment of attached documents that are not text.
    #[must_use]
    pub fn files(self, files: FileParts) -> Self {
        Self { files, ..self }
    }

    /// Sets the treatment of values that are documents.
    #[must_use]
    pub fn values(self, values: ValueParts) -> Self {
        Self { values, ..self }
    }

    /// Sets the treatment of message headers.
    #[must_use]
    pub fn headers(self, headers: mail::Headers) -> Self {
        Self { headers, ..self }
    }

    /// True if all events are wanted.
    pub(super) fn all_events(&self) -> bool {
        self.events == EventSet::All
    }
}

/// Receives the events of a document.
pub trait EventSink {
    /// Receives the next event. `Break` ends the reading, but a few events other than parts may
    /// still follow.
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()>;

    /// Returns the content that this sink wants.
    fn wants(&self) -> Wants {
        Wants::default()
    }
}

impl dyn EventSink + '_ {
    /// Emits a part.
    #[inline]
    pub(super) fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        self.event(&Event::Part(part))
    }

    /// Emits an event other than a part, and ignores `Break`: the next part will stop the reading.
    #[inline]
    pub(super) fn note(&mut self, event: &Event<'_>) {
        let _ = self.event(event);
    }
}
