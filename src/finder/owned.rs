//! A match that owns its text: [`OwnedMatch`].

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use super::data::{MatchData, match_accessors};
use super::matched::{Match, debug_match};
use crate::grammar::{Iri, Uri, Urn};
use crate::identifier::Identifier;
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::namespace::NssFault;
use crate::reference::Normalizer;
use crate::span::Span;

/// A [`Match`] that owns its text and its URI: `Send` and `'static`, for channels and collections.
///
/// It has the accessors of [`Match`]. Offsets refer to the haystack, which it does not keep.
///
/// ```
/// use urigrep::{Finder, OwnedMatch};
/// fn first(text: &str) -> Option<OwnedMatch> {
///     Finder::new().find(text.as_bytes()).map(|m| m.to_owned_match())
/// }
/// let m = std::thread::spawn(|| first("see http://a.example/b?c.")).join().unwrap().unwrap();
/// assert_eq!((m.start(), m.uri(), m.parsed().query()), (4, "http://a.example/b?c", Some("c")));
/// ```
#[derive(Clone)]
pub struct OwnedMatch {
    source: Box<[u8]>,
    data: MatchData,
}

impl OwnedMatch {
    /// Creates a match from its data; `source` is its text.
    pub(super) fn new(source: &[u8], data: MatchData) -> Self {
        Self { source: source.into(), data }
    }

    /// Moves its spans by the offset of its window in a stream.
    #[cfg(feature = "std")]
    pub(super) fn moved_by(mut self, offset: u64) -> Self {
        let moved = |span: Span| {
            let [start, end] = [span.start(), span.end()]
                // Where `usize` has 32 bits, [`ReaderMatch`](super::ReaderMatch) keeps the exact
                // offset.
                .map(|at| usize::try_from(at as u64 + offset).unwrap_or(usize::MAX));
            Span::new(start, end)
        };
        self.data.span = moved(self.data.span);
        if let Some(derived) = &mut self.data.derived {
            derived.ranges.iter_mut().for_each(|span| *span = moved(*span));
        }
        self
    }

    /// The bytes of the source, unchanged.
    ///
    /// ```
    /// let m = urigrep::Finder::new().find(b"<http://a.example/\nb>").unwrap().to_owned_match();
    /// assert_eq!(m.as_bytes(), b"http://a.example/\nb");
    /// ```
    pub fn as_bytes(&self) -> &[u8] {
        &self.source
    }

    /// The source after decoding, before rejoining and repair; see [`Match::text`].
    ///
    /// ```
    /// let m = urigrep::Finder::new().find(br"http:\/\/a.example\/").unwrap().to_owned_match();
    /// assert_eq!(m.text(), b"http://a.example/");
    /// ```
    pub fn text(&self) -> &[u8] {
        self.data.decoded().unwrap_or(&self.source)
    }

    /// The URI: rejoined, decoded, mapped and repaired. It is always valid under RFC 3986.
    ///
    /// ```
    /// let m = urigrep::Finder::new().find(b"<http://a.example/\nb>").unwrap().to_owned_match();
    /// assert_eq!(m.uri(), "http://a.example/b");
    /// ```
    pub fn uri(&self) -> &str {
        self.uri_str()
    }

    match_accessors!();

    /// The match with `REDACTED` in place of its secrets, or `None` if it holds none. See
    /// [`Match::redacted`].
    ///
    /// ```
    /// let m = urigrep::Finder::new().find(b"ftp://joe:pw@a.example/").unwrap().into_owned();
    /// assert_eq!(m.redacted().unwrap().uri(), "ftp://REDACTED@a.example/");
    /// ```
    pub fn redacted(&self) -> Option<Self> {
        Some(Self {
            source: self.source.clone(),
            data: self.data.redacted(&self.source, self.flags())?,
        })
    }
}

impl From<Match<'_>> for OwnedMatch {
    fn from(m: Match<'_>) -> Self {
        m.into_owned()
    }
}

/// The URI.
///
/// ```
/// let m = urigrep::Finder::new().find("see <http://a.example/\nb>").unwrap().into_owned();
/// assert_eq!(m.to_string(), "http://a.example/b");
/// ```
impl fmt::Display for OwnedMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.uri_str())
    }
}

/// Matches are equal if their texts, their places, and what was read from them are. To compare
/// what they lead to, use [`OwnedMatch::normalized`] or [`OwnedMatch::identifier`].
impl PartialEq for OwnedMatch {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data && self.as_bytes() == other.as_bytes()
    }
}

impl Eq for OwnedMatch {}

impl AsRef<str> for OwnedMatch {
    fn as_ref(&self) -> &str {
        self.uri_str()
    }
}

impl Hash for OwnedMatch {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.data.hash(state);
        self.as_bytes().hash(state);
    }
}

impl fmt::Debug for OwnedMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_match(f, "OwnedMatch", self.span(), self.as_bytes(), self.kind())
    }
}
