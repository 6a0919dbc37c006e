//! Reads text that its format delimits: [`Finder::reference`], [`Finder::value`] and [`Relative`].

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;

use super::Finder;
use super::data::{MatchData, source_accessors};
use super::finding::{Finding, Rejected};
use super::matched::{Match, debug_match};
use crate::delimit::{self, Decision, Delimited, DerivedIri, DerivedUri, ExactText};
#[cfg(feature = "search")]
use crate::grammar::UriParts;
use crate::grammar::UriRef;
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::options::Options;
use crate::redact::redact;
use crate::registry;
use crate::span::Span;

/// A relative reference (RFC 3986 §4.2), which becomes a URI only with a base.
///
/// In free text any word could be one, so only documents whose format marks references have them.
/// Offsets are 0-based bytes into the borrowed text.
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

    /// The reference: rejoined, mapped and repaired. It is always a `relative-ref` of RFC 3986.
    ///
    /// ```
    /// # use urigrep::{Finder, Finding};
    /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.reference().path(), "a/b");
    /// ```
    pub fn reference(&self) -> UriRef<'_> {
        UriRef::with_parts(self.data.uri(self.as_bytes()), self.data.parts)
    }

    #[cfg(feature = "search")]
    pub(crate) fn parts(&self) -> UriParts {
        self.data.parts
    }

    /// The reference that the author meant: rejoined, with its characters beyond ASCII, and
    /// repaired if lax.
    ///
    /// ```
    /// # use urigrep::{Finder, Finding};
    /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.intended(), "a/b");
    /// ```
    pub fn intended(&self) -> Cow<'_, str> {
        match self.data.iri(self.as_bytes()) {
            Some(iri) => Cow::Borrowed(iri),
            None => Cow::Borrowed(self.reference().as_str()),
        }
    }

    /// The kind that its URI would have: [`Kind::Uri`], [`Kind::Iri`] or [`Kind::Lax`].
    ///
    /// ```
    /// # use urigrep::{Finder, Finding};
    /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.kind(), urigrep::Kind::Uri);
    /// ```
    pub fn kind(&self) -> Kind {
        self.data.kind
    }

    /// Its delimiters, if [`Finding::delimited_by`] set them.
    ///
    /// ```
    /// # use urigrep::{Finder, Finding};
    /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
    /// assert_eq!(r.wrapper(), urigrep::Wrapper::None);
    /// ```
    pub fn wrapper(&self) -> Wrapper {
        self.data.wrapper
    }

    /// Flags that describe how it was read.
    ///
    /// ```
    /// # use urigrep::{Finder, Finding};
    /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
    /// assert!(r.flags().is_empty());
    /// ```
    pub fn flags(&self) -> Flags {
        self.data.flags
    }

    /// The source ranges that make up the reference if it has several; otherwise empty.
    ///
    /// ```
    /// # use urigrep::{Finder, Finding};
    /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
    /// assert!(r.ranges().is_empty());
    /// ```
    pub fn ranges(&self) -> &[Span] {
        self.data.ranges()
    }

    /// The reference with `REDACTED` in place of its secrets ([`redact`](crate::redact)), or `None`
    /// if it holds none. See [`Match::redacted`].
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
        // A redacted reference that no longer parses is hidden completely.
        let uri = if UriRef::parse(&uri).is_ok() { uri } else { "REDACTED".into() };
        let iri = self.data.iri(self.as_bytes());
        let derived = DerivedUri {
            text: None,
            iri: iri.map(|iri| DerivedIri::Owned(redact(iri).into_owned())),
            uri,
            ranges: self.ranges().to_vec(),
            alternative: None,
        };
        Some(Relative {
            haystack: self.haystack,
            data: MatchData {
                flags: self.flags().with(Flag::Redacted),
                // `REDACTED` may be longer than the secret it replaces.
                parts: UriRef::parse(&derived.uri).ok()?.parts(),
                derived: Some(Box::new(derived)),
                ..self.data
            },
        })
    }
}

impl fmt::Display for Relative<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.reference().as_str())
    }
}

/// References are equal if their texts and their places are.
impl PartialEq for Relative<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data && self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Relative<'_> {}

impl fmt::Debug for Relative<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_match(f, "Relative", self.span(), self.as_bytes(), self.kind())
    }
}

impl Finder {
    /// Reads `text` as one URI reference because its format says so: an `href` in HTML, a link
    /// target in Markdown.
    ///
    /// White space around it is ignored and line breaks in it are removed. Characters that no RFC
    /// allows are repaired ([`Kind::Lax`]), even a space. Returns `None` if there is only white
    /// space, or if its scheme is not one of the selected schemes.
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
        let finding = self.any_reference(text)?;
        let is_relative = matches!(finding, Finding::Relative(_));
        (is_relative || self.options.allows(finding.scheme())).then_some(finding)
    }

    /// Reads a reference of any scheme.
    fn any_reference<'h>(&self, text: &'h [u8]) -> Option<Finding<'h>> {
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
                    derived: found.derived,
                },
            })),
        }
    }

    /// Reads all of `text`, an arbitrary value, as one URI. Returns `None` unless it is a valid URI
    /// with `//` after a known scheme; it may still contain URIs then.
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
        // Without `//`, any text that starts with a word and a colon would be a value.
        if !rest.starts_with(b"://") || !registry::is_scheme(name) {
            return None;
        }
        match delimit::read_exact(text, &self.options) {
            // The text may be a sentence. One that needs repair more likely holds a URI than is
            // one.
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
