//! A URI in a text: [`Match`].

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use super::data::{MatchData, match_accessors, plain};
use super::owned::OwnedMatch;
use crate::delimit::DerivedUri;
use crate::grammar::{Iri, Uri, Urn};
use crate::identifier::Identifier;
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::namespace::NssFault;
use crate::options::{Options, Unwrap};
use crate::redirect::unwrap_with;
use crate::reference::Normalizer;
use crate::span::Span;

/// A URI, IRI or URN in a text.
///
/// Offsets are 0-based bytes into the searched haystack or window, which the match borrows. A plain
/// match owns nothing; one that was rejoined, decoded, mapped or repaired owns the result.
///
/// ```
/// use urigrep::Finder;
/// let m = Finder::new().find(b"(see http://a.example/b).").unwrap();
/// assert_eq!((m.range(), &*m.uri()), (5..23, "http://a.example/b"));
/// ```
#[derive(Clone)]
pub struct Match<'h> {
    pub(super) haystack: &'h [u8],
    pub(super) data: MatchData,
}

impl<'h> Match<'h> {
    /// The bytes of the source, unchanged.
    ///
    /// ```
    /// let m = urigrep::Finder::new().find(b"<http://a.example/\nb>").unwrap();
    /// assert_eq!(m.as_bytes(), b"http://a.example/\nb");
    /// ```
    pub fn as_bytes(&self) -> &'h [u8] {
        self.haystack.get(self.data.span.range()).unwrap_or_default()
    }

    /// The source after decoding, before rejoining and repair.
    ///
    /// The same as [`Match::as_bytes`] unless [`Flag::Decoded`] is set.
    ///
    /// ```
    /// let m = urigrep::Finder::new().find(br"http:\/\/a.example\/").unwrap();
    /// assert_eq!(&*m.text(), b"http://a.example/");
    /// ```
    pub fn text(&self) -> Cow<'h, [u8]> {
        match self.data.decoded() {
            Some(text) => Cow::Owned(text.to_vec()),
            None => Cow::Borrowed(self.as_bytes()),
        }
    }

    /// The URI: rejoined, decoded, mapped and repaired. It is always valid under RFC 3986.
    ///
    /// A plain match borrows it from the haystack.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// let m = urigrep::Finder::new().find(b"see http://a.example/b").unwrap();
    /// assert!(matches!(m.uri(), Cow::Borrowed("http://a.example/b")));
    /// ```
    pub fn uri(&self) -> Cow<'h, str> {
        match &self.data.derived {
            Some(derived) => Cow::Owned(derived.uri.clone()),
            None => Cow::Borrowed(plain(self.as_bytes())),
        }
    }

    match_accessors!();

    /// Copies the match and its text.
    ///
    /// ```
    /// use urigrep::{Finder, OwnedMatch};
    /// let found: Vec<OwnedMatch> = {
    ///     let text = String::from("http://a.example urn:example:b");
    ///     Finder::new().find_iter(text.as_bytes()).map(|m| m.to_owned_match()).collect()
    /// };
    /// assert_eq!(found[1].uri(), "urn:example:b");
    /// ```
    pub fn to_owned_match(&self) -> OwnedMatch {
        OwnedMatch::new(self.as_bytes(), self.data.clone())
    }

    /// Like [`Match::to_owned_match`], but moves what the match already owns instead of copying it.
    ///
    /// ```
    /// let m = urigrep::Finder::new().find(b"<http://a.example/\nb>").unwrap();
    /// assert_eq!(m.into_owned().uri(), "http://a.example/b");
    /// ```
    pub fn into_owned(self) -> OwnedMatch {
        OwnedMatch::new(self.as_bytes(), self.data)
    }

    /// The match with `REDACTED` in place of its secrets ([`redact`](crate::redact)), or `None` if
    /// it holds none.
    ///
    /// Its URI, IRI, text and alternative no longer hold secrets, and
    /// [`Flag::Redacted`](crate::Flag::Redacted) is set. Its other flags, its span and
    /// [`Match::as_bytes`] are those of the source.
    ///
    /// ```
    /// use urigrep::{Finder, Flag};
    /// let m = Finder::new().find(b"ftp://joe:pw@a.example/").unwrap();
    /// let redacted = m.redacted().unwrap();
    /// assert_eq!(redacted.uri(), "ftp://REDACTED@a.example/");
    /// assert_eq!(redacted.span(), m.span());
    /// assert!(redacted.flags().contains(Flag::HasCredentials));
    /// ```
    pub fn redacted(&self) -> Option<Match<'h>> {
        Some(Match {
            haystack: self.haystack,
            data: self.data.redacted(self.as_bytes(), self.flags())?,
        })
    }

    /// Replaces the URI of a redirector with its target if the options ask for that. The source
    /// stays unchanged.
    pub(super) fn unwrap_redirectors(&mut self, options: &Options) {
        // Neither an address nor a URN has a host that could redirect.
        if options.unwrap() == Unwrap::Never || matches!(self.data.kind, Kind::Email | Kind::Urn) {
            return;
        }
        let Some(uri) = unwrap_with(self.parsed(), options.hosts) else {
            return;
        };
        let Ok(parts) = Uri::parse(&uri).map(|uri| uri.parts()) else {
            return;
        };
        let derived = self.data.derived.take().map(|derived| *derived).unwrap_or_default();
        self.data.kind = Kind::Uri;
        self.data.parts = parts;
        self.data.flags.set(Flag::Unwrapped);
        self.data.derived =
            Some(Box::new(DerivedUri { uri, iri: None, alternative: None, ..derived }));
    }
}

/// The URI.
///
/// ```
/// let m = urigrep::Finder::new().find("see <http://a.example/\nb>").unwrap();
/// assert_eq!(m.to_string(), "http://a.example/b");
/// ```
impl fmt::Display for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.uri_str())
    }
}

/// Matches are equal if their texts, their places, and what was read from them are. To compare
/// what they lead to, use [`Match::normalized`] or [`Match::identifier`].
impl PartialEq for Match<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data && self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Match<'_> {}

impl AsRef<str> for Match<'_> {
    fn as_ref(&self) -> &str {
        self.uri_str()
    }
}

impl Hash for Match<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.data.hash(state);
        self.as_bytes().hash(state);
    }
}

impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_match(f, "Match", self.span(), self.as_bytes(), self.kind())
    }
}

/// Formats a match for `Debug`: never its haystack, and at most [`DebugText::MAX_BYTES`] bytes of
/// its text.
pub(super) fn debug_match(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    span: Span,
    text: &[u8],
    kind: Kind,
) -> fmt::Result {
    f.debug_struct(name)
        .field("span", &span.range())
        .field("text", &DebugText(text))
        .field("kind", &kind)
        .finish()
}

/// Bytes of a text for `Debug`, cut if they are long.
pub(super) struct DebugText<'t>(pub &'t [u8]);

impl DebugText<'_> {
    const MAX_BYTES: usize = 80;
}

impl fmt::Debug for DebugText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.get(..Self::MAX_BYTES).unwrap_or(self.0);
        let cut = if text.len() < self.0.len() { "…" } else { "" };
        write!(f, "\"{}{cut}\"", text.escape_ascii())
    }
}
