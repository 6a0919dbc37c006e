//! What a format delimits: [`Finder::reference`], [`Finder::value`] and [`Relative`].

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;

use super::Finder;
use super::data::{MatchData, source_accessors};
use super::finding::{Finding, Rejected};
use super::matched::{Match, debug_match};
use crate::delimit::{self, Decision, Delimited, DerivedUri, ExactText};
#[cfg(feature = "search")]
use crate::grammar::UriParts;
use crate::grammar::UriRef;
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::options::Options;
use crate::redact::redact;
use crate::registry;
use crate::span::Span;

/// A relative reference (RFC 3986 section 4.2): a URI only where there is a base.
///
/// In free text any word could be one; a document whose format says that something is a reference
/// holds them. Offsets are 0-based bytes into the text that was read, which it borrows.
///
/// ```
/// use urigrep::{Finder, Finding};
/// let Some(Finding::Relative(relative)) = Finder::new().reference(b" a/b?c ") else { panic!() };
/// assert_eq!((relative.start(), relative.reference().as_str()), (1, "a/b?c"));
/// ```
#[derive(Clone)]
pub struct Relative<'h> {
    pub(super) haystack: &'h [u8],
    pub(super) data: MatchData,
}

impl<'h> Relative<'h> {
    source_accessors!();

    /// The reference: rejoined, mapped and repaired, always a `relative-ref` of RFC 3986.
    ///
    /// ```
    /// let Some(urigrep::Finding::Relative(r)) = urigrep::Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.reference().path(), "a/b");
    /// ```
    pub fn reference(&self) -> UriRef<'_> {
        UriRef::with_parts(self.data.uri(self.as_bytes()), self.data.parts)
    }

    /// The reference, where it is not the text of the source as it is.
    #[cfg(feature = "search")]
    pub(crate) fn rewritten(&self) -> Option<&str> {
        self.data.made.as_deref().map(|made| made.uri.as_str())
    }

    #[cfg(feature = "search")]
    pub(crate) fn parts(&self) -> UriParts {
        self.data.parts
    }

    /// What the author meant: rejoined, one with characters beyond ASCII as it was, a lax one repaired.
    ///
    /// ```
    /// let Some(urigrep::Finding::Relative(r)) = urigrep::Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.intended(), "a/b");
    /// ```
    pub fn intended(&self) -> Cow<'_, str> {
        match self.data.iri() {
            Some(iri) => Cow::Borrowed(iri),
            None => Cow::Borrowed(self.reference().as_str()),
        }
    }

    /// The kind that it would have as a URI: [`Kind::Uri`], [`Kind::Iri`] or [`Kind::Lax`].
    ///
    /// ```
    /// let Some(urigrep::Finding::Relative(r)) = urigrep::Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.kind(), urigrep::Kind::Uri);
    /// ```
    pub fn kind(&self) -> Kind {
        self.data.kind
    }

    /// What delimited it, if somebody said so ([`Finding::delimited_by`]).
    ///
    /// ```
    /// let Some(urigrep::Finding::Relative(r)) = urigrep::Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.wrapper(), urigrep::Wrapper::None);
    /// ```
    pub fn wrapper(&self) -> Wrapper {
        self.data.wrapper
    }

    /// How it was read.
    ///
    /// ```
    /// let Some(urigrep::Finding::Relative(r)) = urigrep::Finder::new().reference(b" a/b ") else { panic!() };
    /// assert!(r.flags().is_empty());
    /// ```
    pub fn flags(&self) -> Flags {
        self.data.flags
    }

    /// The ranges it was made from, when more than one; else empty.
    ///
    /// ```
    /// let Some(urigrep::Finding::Relative(r)) = urigrep::Finder::new().reference(b" a/b ") else { panic!() };
    /// assert!(r.ranges().is_empty());
    /// ```
    pub fn ranges(&self) -> &[Span] {
        self.data.ranges()
    }

    /// The reference with `REDACTED` in place of the secrets that it holds ([`redact`](crate::redact)); `None`
    /// when it holds none. See [`Match::redacted`].
    ///
    /// ```
    /// use urigrep::{Finder, Finding};
    /// let Some(Finding::Relative(r)) = Finder::new().reference(b"/b?token=c0ffee") else { panic!() };
    /// assert_eq!(r.redacted().unwrap().reference().as_str(), "/b?token=REDACTED");
    /// ```
    pub fn redacted(&self) -> Option<Relative<'h>> {
        let Cow::Owned(uri) = redact(self.reference().as_str()) else {
            return None;
        };
        // Nothing is shown of what does not parse any more.
        let uri = if UriRef::parse(&uri).is_ok() { uri } else { "REDACTED".into() };
        let iri = self.data.iri();
        let made = DerivedUri {
            text: None,
            iri: iri.map(|iri| redact(iri).into_owned()),
            uri,
            ranges: self.ranges().to_vec(),
            alternative: None,
        };
        Some(Relative {
            haystack: self.haystack,
            data: MatchData {
                flags: self.flags().with(Flag::Redacted),
                // `REDACTED` may be longer than the secret it replaces.
                parts: UriRef::parse(&made.uri).ok()?.parts(),
                made: Some(Box::new(made)),
                ..self.data
            },
        })
    }
}

impl fmt::Debug for Relative<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_match(f, "Relative", self.span(), self.as_bytes(), self.kind())
    }
}

impl Finder {
    /// Reads `text` as one URI reference, since its format says that it is one: an `href` of HTML, a
    /// destination of Markdown.
    ///
    /// White space around it does not count, line breaks in it are removed, and what no RFC allows is
    /// repaired ([`Kind::Lax`]), a space too. `None` when there is nothing but white space, or
    /// nothing of the schemes that were asked for.
    ///
    /// ```
    /// use urigrep::{Finder, Finding, Kind};
    /// let finder = Finder::new();
    /// let Some(Finding::Match(m)) = finder.reference(b" http://a.example/b c: ") else { panic!() };
    /// assert_eq!((m.uri().as_ref(), m.kind()), ("http://a.example/b%20c:", Kind::Lax));
    /// let Some(Finding::Relative(r)) = finder.reference(b"../b?c") else { panic!() };
    /// assert_eq!(r.reference().query(), Some("c"));
    /// assert!(matches!(finder.reference(b"{{ url }}"), Some(Finding::Rejected(_))));
    /// ```
    pub fn reference<'h>(&self, text: &'h [u8]) -> Option<Finding<'h>> {
        match delimit::read_exact(text, &self.options) {
            ExactText::Nothing | ExactText::Absolute(Decision::Nothing) => None,
            ExactText::Absolute(Decision::Found(found)) => {
                Some(Finding::Match(matched(text, found, &self.options)))
            }
            ExactText::Absolute(Decision::Rejected { span, reason, at }) => {
                Some(Rejected::finding(text, span, reason, at))
            }
            ExactText::Relative(found) => Some(Finding::Relative(Relative {
                haystack: text,
                data: MatchData {
                    span: found.span,
                    kind: found.kind,
                    wrapper: Wrapper::None,
                    flags: found.flags,
                    parts: found.parts,
                    made: found.made,
                },
            })),
        }
    }

    /// Reads `text`, a value that may be anything, as one URI, if it is a valid one with `//` after
    /// a known scheme. What is not may still hold URIs as text.
    ///
    /// ```
    /// use urigrep::Finder;
    /// let finder = Finder::new();
    /// assert_eq!(finder.value(b"http://a.example/b:").unwrap().uri(), "http://a.example/b:");
    /// assert!(finder.value(b"http://a.example/ is down").is_none());
    /// assert!(finder.value(b"note: this").is_none());
    /// ```
    pub fn value<'h>(&self, text: &'h [u8]) -> Option<Match<'h>> {
        let trimmed = text.trim_ascii_start();
        let colon = memchr::memchr(b':', trimmed)?;
        let (name, rest) = trimmed.split_at_checked(colon)?;
        if !rest.starts_with(b"://") || registry::scheme(name).is_none() {
            return None;
        }
        match delimit::read_exact(text, &self.options) {
            ExactText::Absolute(Decision::Found(found)) if found.kind != Kind::Lax => {
                Some(matched(text, found, &self.options))
            }
            _ => None,
        }
    }
}

fn matched<'h>(text: &'h [u8], found: Delimited, options: &Options) -> Match<'h> {
    let mut m = Match { haystack: text, data: found.into() };
    m.unwrap_redirectors(options);
    m
}
