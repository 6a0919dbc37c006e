//! Documents: formats that distinguish links, text, and other content.
//!
//! A reader turns a document into [`Event`]s, in document order, and sends them to an
//! [`EventSink`]. Invariants: every byte that may belong to a URI is in a part, even if the
//! document is broken, so nothing is hidden from the search. Every part maps back to the stream.
//! Time is linear, and no input makes a reader recurse.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod anchors;
pub(crate) mod asciidoc;
mod bibtex;
mod brackets;
mod calendar;
mod chat;
pub(crate) mod code;
mod csl;
mod csv;
mod declared_charset;
mod dialect;
mod dokuwiki;
pub(crate) mod epub;
mod event;
mod find;
pub mod format;
mod har;
pub mod html;
mod index;
mod ini;
mod input_type;
mod json;
mod key_path;
mod keys;
mod latex;
mod lines;
pub mod mail;
mod man;
pub mod markdown;
mod marked_value;
pub mod mbox;
mod mediawiki;
mod name_set;
pub(crate) mod nested;
mod notebook;
mod office;
pub(crate) mod org;
mod origin;
pub(crate) mod package;
#[cfg(feature = "pdf")]
mod pdf;
pub(crate) mod picture;
mod place;
mod placed;
mod po;
mod ris;
pub(crate) mod rst;
mod rtf;
mod sqlite;
mod texinfo;
mod textile;
mod tnef;
mod toml;
mod typst;
mod unread;
mod writer;
mod xml;
mod yaml;

pub use anchors::{Anchors, Outline, Slugs};
pub(crate) use anchors::{HeadingPlaces, SharedText};
pub use dialect::{AttributeValues, Dialect, SiteValue, SiteValues};
pub use event::{
    CodeParts, Event, EventSet, EventSink, FileParts, NameSpace, Scope, TextParts, ValueParts,
    Wants,
};
pub use find::{FindingReader, FindingSink, PartFinding};
pub use format::{DocumentFormat, FORMATS, Format, MarkupFamily, Sniffed, UnknownFormat};
pub(crate) use input_type::{InputType, Packages};
pub use origin::LinkOrigin;
pub use place::{Place, PlaceValue, Stream};

use crate::named::named_enum;
use crate::offset_map::{Layers, OffsetMap};
use crate::registry;
use crate::span::Span;

named_enum! {
    "urigrep::document::Role", "roles";
    /// The role of a part in its document.
    ///
    /// ```
    /// assert_eq!(urigrep::document::Role::Destination.name(), "destination");
    /// ```
    pub enum Role {
        /// Target of a link: a URL attribute of HTML, a destination of Markdown.
        Destination = "destination",
        /// Text for readers.
        Text = "text",
        /// Value of an attribute that is not a link.
        Attribute = "attribute",
        /// A comment.
        Comment = "comment",
        /// Code: scripts, style sheets, code spans and blocks.
        Code = "code",
        /// A string of a program.
        String = "string",
        /// Data about the document: front matter, namespaces, DTD identifiers, headers.
        Metadata = "metadata",
    }
}

impl Role {
    /// Returns a list of only this role.
    pub(crate) fn alone(self) -> &'static [Self] {
        let at = Self::ALL.iter().position(|&role| role == self);
        at.and_then(|at| Self::ALL.get(at..=at)).unwrap_or_default()
    }
}

/// Way to search the content of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// One URI reference; surrounding white space is ignored.
    Reference,
    /// One value. If it starts with a scheme, it may be a URI as a whole; otherwise, it is text.
    Value,
    /// Text that may contain URIs.
    Text,
    /// Markdown text outside links, in which bare URIs are links, too (GFM §6.9).
    Autolinks,
}

impl Content {
    /// Returns how to read the value of an attribute or of an element for an address. If it is one
    /// URI that text would end early, at a `<`, a bar, or a bracket, it is repaired (D3.8).
    pub(crate) fn of_value(value: &[u8]) -> Self {
        let text = value.trim_ascii();
        let is_uri = || {
            memchr::memchr(b':', text).and_then(|colon| text.split_at_checked(colon)).is_some_and(
                |(name, rest)| {
                    let has_body = rest.starts_with(b"://") && registry::is_scheme(name);
                    (has_body || name.eq_ignore_ascii_case(b"mailto"))
                        && crate::memmem::find(rest.get(1..).unwrap_or_default(), b"://").is_none()
                },
            )
        };
        let has_tag = || {
            let is_start = |pair: &[u8]| matches!(pair, [b'<', next] if next.is_ascii_alphabetic() || *next == b'/');
            text.contains(&b'>') && text.windows(2).any(is_start)
        };
        let count = |byte| memchr::memchr_iter(byte, text).count();
        let ends_early = || {
            let (open, close) = (count(b'{'), count(b'}'));
            // Braces that pair are placeholders, and end nothing early.
            (close > open || open == close && text.iter().any(|byte| b"<|`)]".contains(byte)))
                // A sentence, a pattern, a program
                && !text.iter().any(|byte| byte.is_ascii_whitespace() || b"\"\\*$[(^".contains(byte))
                && !has_tag()
        };
        if is_uri() && ends_early() { Self::Reference } else { Self::Value }
    }
}

/// A piece of a document.
///
/// Its text is decoded: entities, escapes, and encodings are undone. It borrows from the document
/// or the reader for the duration of the call.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    /// The text.
    pub text: &'p [u8],
    /// Maps the text to the stream: to the document, or to [`Part::stream`].
    pub source: Layers<'p>,
    /// Role in the document.
    pub role: Role,
    /// Way to search it.
    pub content: Content,
    /// Element in lower case: `a`, `img`. In Markdown, the kind of construct: `link`, `image`,
    /// `definition`, `autolink`.
    pub element: Option<&'p str>,
    /// Attribute with this value, in lower case.
    pub attribute: Option<&'p str>,
    /// Construct that it was read from.
    pub origin: LinkOrigin,
    /// Place in the document, in formats that have names for places.
    pub place: Option<&'p Place<'p>>,
    /// Text of the link with this destination, if the reader already knows it.
    pub label: Option<&'p str>,
    /// Text that `source` maps to, unless that is the document itself.
    pub stream: Option<&'p Stream<'p>>,
}

impl<'p> Part<'p> {
    /// Returns text without an element.
    pub const fn of_text(text: &'p [u8], source: Layers<'p>, role: Role) -> Self {
        Self {
            text,
            source,
            role,
            content: Content::Text,
            element: None,
            attribute: None,
            origin: LinkOrigin::Element,
            place: None,
            label: None,
            stream: None,
        }
    }
}

/// The bytes of a document and their origin: the stream, or an enclosing document.
///
/// ```
/// use urigrep::Span;
/// use urigrep::document::Source;
/// use urigrep::offset_map::OffsetMap;
///
/// let source = Source::new(b"see &lt;x&gt;");
/// let map = OffsetMap::copied(4, 4);
/// assert_eq!(source.layers(&map).source(Span::new(0, 4)), Span::new(4, 8));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Source<'d> {
    /// The bytes.
    pub bytes: &'d [u8],
    below: Option<&'d Layers<'d>>,
    /// Attributes of AsciiDoc that others set.
    attributes: &'d [(String, String)],
}

impl<'d> Source<'d> {
    /// Returns a document that is the whole stream.
    pub const fn new(bytes: &'d [u8]) -> Self {
        Self { bytes, below: None, attributes: &[] }
    }

    /// Returns a document that was decoded from another one.
    pub const fn inside(bytes: &'d [u8], below: &'d Layers<'d>) -> Self {
        Self { bytes, below: Some(below), attributes: &[] }
    }

    /// Returns the document in a dialect, which may set attributes.
    pub(crate) fn in_dialect(self, dialect: &'d Dialect) -> Self {
        Self { attributes: dialect.attributes(), ..self }
    }

    /// Returns all of it as text.
    pub(crate) const fn as_text(&self) -> Part<'_> {
        Part::of_text(self.bytes, self.part(0), Role::Text)
    }

    /// Maps a text to the stream, given its map to these bytes.
    pub const fn layers<'a>(&'a self, map: &'a OffsetMap) -> Layers<'a> {
        match self.below {
            Some(below) => below.under(map),
            None => Layers::new(map),
        }
    }

    /// Maps these bytes, from `start`, to the stream.
    pub const fn part(&self, start: usize) -> Layers<'_> {
        match self.below {
            Some(below) => below.copied_under(start),
            None => Layers::copied(start),
        }
    }

    /// Maps a span of these bytes to the stream.
    pub fn span(&self, span: Span) -> Span {
        match self.below {
            Some(below) => below.source(span),
            None => span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Content;

    #[test]
    fn a_value_that_text_would_cut_is_a_reference() {
        for (value, expected) in [
            ("http://a.example/2<y", Content::Reference),
            ("http://a.example/?q=s}&p=2", Content::Reference),
            ("mailto:a@a.example?subject={n}&body=<{ref}>:", Content::Reference),
            ("http://a.example/x", Content::Value),
            ("http://a.example/x|http://b.example/y", Content::Value),
            ("http://a.example/x) is down", Content::Value),
            ("http://a.example/(a|b)", Content::Value),
            ("note:x]", Content::Value),
            ("mailto:{name}@a.example", Content::Value),
            ("https://api.example/{{id}}/x", Content::Value),
            ("http://a.example/x<br>", Content::Value),
            ("http://a.example/x<b>now</b>", Content::Value),
        ] {
            assert_eq!(Content::of_value(value.as_bytes()), expected, "{value}");
        }
    }
}
