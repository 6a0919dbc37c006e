//! [`OwnedHit`], a hit that owns everything.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::document::{Format, Place, Role};
use crate::search::{Envelope, Hit, HitKind, Input, MailHit, Position};
use crate::{Finding, Flags, OwnedMatch, Span, UriRef, Wrapper};

/// A match and its place in its input. It owns everything, and is `Send` and `'static`.
///
/// With the feature `serde` it serializes to the object of a match in the command's JSON.
///
/// ```
/// fn is_sendable<T: Send + 'static>() {}
/// is_sendable::<urigrep::search::OwnedHit>();
/// ```
#[derive(Clone, Debug)]
pub struct OwnedHit {
    pub(crate) input: Arc<Input>,
    pub(crate) finding: OwnedFinding,
    pub(crate) bytes: [u64; 2],
    pub(crate) ranges: Vec<[u64; 2]>,
    pub(crate) position: Option<Position>,
    pub(crate) flags: Flags,
    pub(crate) role: Option<Role>,
    pub(crate) element: Option<String>,
    pub(crate) attribute: Option<String>,
    pub(crate) format: Option<Format>,
    pub(crate) place: Option<Place<'static>>,
    pub(crate) label: Option<String>,
    pub(crate) target: Option<String>,
    pub(crate) mail: Option<OwnedMail>,
}

/// Writes the URI.
impl fmt::Display for OwnedHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.uri())
    }
}

/// Hits are equal if they are the same finding at the same place of an input with the same path.
impl PartialEq for OwnedHit {
    fn eq(&self, other: &Self) -> bool {
        let document = |hit: &Self| (hit.role, hit.format, hit.position, hit.flags);
        self.finding == other.finding
            && self.bytes == other.bytes
            && self.ranges == other.ranges
            && document(self) == document(other)
            && self.element == other.element
            && self.attribute == other.attribute
            && self.place == other.place
            && self.label == other.label
            && self.target == other.target
            && self.mail == other.mail
            && self.input.display_path() == other.input.display_path()
    }
}

impl Eq for OwnedHit {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OwnedFinding {
    Match(OwnedMatch),
    Reference(OwnedReference),
}

/// A relative reference, or the URI that it resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnedReference {
    pub uri: String,
    pub text: Vec<u8>,
    pub iri: Option<String>,
    pub wrapper: Wrapper,
}

/// The place of a hit in its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedMail {
    pub(crate) envelope: Envelope,
    pub(crate) parts: Vec<String>,
    pub(crate) header: Option<String>,
}

impl OwnedMail {
    fn new(mail: MailHit<'_>) -> Self {
        Self {
            envelope: mail.envelope().clone(),
            parts: mail.parts().to_vec(),
            header: mail.header().map(Cow::into_owned),
        }
    }

    /// The envelope in the header of the message.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// The Message-ID, without angle brackets.
    pub fn message_id(&self) -> Option<&str> {
        self.envelope.message_id.as_deref()
    }

    /// The numbers of the parts that hold the hit, such as `1.2`.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The name of the header field that holds the hit.
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }
}

/// Makes a hit of a match that a [`Finder`](crate::Finder) found in a text in memory. Offsets are
/// those of the match, the input has no name, and lines are not counted.
///
/// ```
/// use urigrep::search::OwnedHit;
/// let m = urigrep::Finder::new().find(b"(urn:example:a)").unwrap();
/// let hit = OwnedHit::from(m.into_owned());
/// assert_eq!((hit.start(), hit.line(), hit.uri()), (1, 0, "urn:example:a"));
/// ```
///
/// In JSON, the members `path`, `line`, and `column` are left out.
impl From<OwnedMatch> for OwnedHit {
    fn from(m: OwnedMatch) -> Self {
        let bytes = |span: Span| [span.start() as u64, span.end() as u64];
        Self {
            input: Arc::new(Input::named("")),
            bytes: bytes(m.span()),
            ranges: m.ranges().iter().copied().map(bytes).collect(),
            position: None,
            flags: m.flags(),
            role: None,
            element: None,
            attribute: None,
            format: None,
            place: None,
            label: None,
            target: None,
            mail: None,
            finding: OwnedFinding::Match(m),
        }
    }
}

impl OwnedHit {
    /// Copies a match; returns `None` for a rejected candidate. `input` is the input of the hit.
    pub(crate) fn new(hit: &Hit<'_>, input: Arc<Input>) -> Option<Self> {
        let finding = match hit.finding {
            Finding::Match(m) => OwnedFinding::Match(m.to_owned_match()),
            Finding::Relative(relative) => OwnedFinding::Reference(OwnedReference {
                uri: hit.uri().into_owned(),
                text: hit.text().into_owned(),
                iri: hit.iri().map(Cow::into_owned),
                wrapper: relative.wrapper(),
            }),
            // A rejected candidate is not a hit: it has no URI that a caller could use.
            Finding::Rejected(_) => return None,
        };
        Some(Self {
            input,
            finding,
            bytes: hit.bytes(),
            ranges: hit.ranges(),
            position: hit.position(),
            flags: hit.flags(),
            role: hit.role(),
            element: hit.element().map(str::to_owned),
            attribute: hit.attribute().map(str::to_owned),
            format: hit.format(),
            place: hit.place().map(|place| place.clone().into_owned()),
            label: hit.label().map(Cow::into_owned),
            target: hit.target().map(str::to_owned),
            mail: hit.mail().map(OwnedMail::new),
        })
    }

    /// The input. Its path includes archive members.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The displayed path for people; bytes that are not UTF-8 are replaced.
    pub fn path_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.input.display_path())
    }

    /// The match with all its details; `None` for a relative reference.
    pub fn matched(&self) -> Option<&OwnedMatch> {
        match &self.finding {
            OwnedFinding::Match(m) => Some(m),
            OwnedFinding::Reference(_) => None,
        }
    }

    /// The URI: rejoined, decoded, mapped and repaired; or a relative reference of a document.
    pub fn uri(&self) -> &str {
        match &self.finding {
            OwnedFinding::Match(m) => m.uri(),
            OwnedFinding::Reference(reference) => &reference.uri,
        }
    }

    /// The IRI, if the match is one.
    pub fn iri(&self) -> Option<&str> {
        match &self.finding {
            OwnedFinding::Match(m) => m.iri(),
            OwnedFinding::Reference(reference) => reference.iri.as_deref(),
        }
    }

    /// The components of the URI.
    pub fn parsed(&self) -> Option<UriRef<'_>> {
        UriRef::parse(self.uri()).ok()
    }

    /// The text of the input after decoding, before rejoining and repair.
    pub fn text(&self) -> &[u8] {
        match &self.finding {
            OwnedFinding::Match(m) => m.text(),
            OwnedFinding::Reference(reference) => &reference.text,
        }
    }

    /// The kind of match.
    pub fn kind(&self) -> HitKind {
        match &self.finding {
            OwnedFinding::Match(m) => HitKind::Uri(m.kind()),
            OwnedFinding::Reference(_) => HitKind::Reference,
        }
    }

    /// The delimiters around the match.
    pub fn wrapper(&self) -> Wrapper {
        match &self.finding {
            OwnedFinding::Match(m) => m.wrapper(),
            OwnedFinding::Reference(reference) => reference.wrapper,
        }
    }

    /// The flags.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// The offset of its first byte in the input, from 0.
    pub fn start(&self) -> u64 {
        self.bytes[0]
    }

    /// One past the offset of its last byte.
    pub fn end(&self) -> u64 {
        self.bytes[1]
    }

    /// The ranges of the input that make it up, if there are several.
    pub fn ranges(&self) -> &[[u64; 2]] {
        &self.ranges
    }

    /// Its line, from 1; 0 if lines were not counted.
    pub fn line(&self) -> u64 {
        self.position.map_or(0, |position| position.line)
    }

    /// Its column in bytes, from 1; 0 if lines were not counted.
    pub fn column(&self) -> u64 {
        self.position.map_or(0, |position| position.column)
    }

    /// The role of the document part that holds it; `None` if the input is not a document.
    pub fn role(&self) -> Option<Role> {
        self.role
    }

    /// The element that the part belongs to, in lower case.
    pub fn element(&self) -> Option<&str> {
        self.element.as_deref()
    }

    /// The attribute whose value the part is, in lower case.
    pub fn attribute(&self) -> Option<&str> {
        self.attribute.as_deref()
    }

    /// The format of the document; `None` if the input is not a document.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The place in the document, in formats that have names for places.
    pub fn place(&self) -> Option<&Place<'static>> {
        self.place.as_ref()
    }

    /// The text of the link that it is the destination of, if the reader knows it.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// The URI that a relative reference resolves to, as [`Hit::target`].
    pub fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }

    /// The place in its message; `None` outside of mail.
    pub fn mail(&self) -> Option<&OwnedMail> {
        self.mail.as_ref()
    }
}

impl Hit<'_> {
    /// Returns a hit that can be kept; `None` for a rejected candidate.
    pub fn to_owned_hit(&self) -> Option<OwnedHit> {
        OwnedHit::new(self, Arc::new(self.input.clone()))
    }
}
