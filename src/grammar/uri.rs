//! `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]` (RFC 3986 appendix A).
//!
//! Invariant: a [`Uri`] consists of a text and the [`UriParts`] from parsing it, so the accessors
//! only slice.

use core::cmp::Ordering;

use super::component::Ascii;
use super::host::HostType;
use super::parts::{UriParts, accessors, text_traits};
use crate::error::{ErrorKind, ParseError};
use crate::identifier::Identifier;
use crate::slice::SliceExt as _;

/// A URI by RFC 3986: a borrowed, parsed string with the offsets of its components.
///
/// It is fully valid: scheme, authority with IP literals, path, query and fragment. Requirements of
/// its scheme are not checked (`http:///` is a URI), nor is RFC 8141 (see [`Urn`](crate::Urn)). All
/// returned values borrow from the parsed string; nothing is decoded or normalized.
///
/// An absent component is `None`, an empty one is `Some("")`.
///
/// ```
/// use urigrep::grammar::HostType;
/// use urigrep::Uri;
/// let uri = Uri::parse("HTTP://me@Example.com:/a/b?#top")?;
/// assert_eq!(uri.scheme(), "HTTP");
/// assert_eq!(uri.authority(), Some("me@Example.com:"));
/// assert_eq!(uri.userinfo(), Some("me"));
/// assert_eq!(uri.host(), Some("Example.com"));
/// assert_eq!(uri.host_type(), Some(HostType::RegName));
/// assert_eq!(uri.port(), Some(""));
/// assert_eq!(uri.path(), "/a/b");
/// assert_eq!(uri.query(), Some(""));
/// assert_eq!(uri.fragment(), Some("top"));
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uri<'a> {
    text: &'a str,
    parts: UriParts,
}

/// ```
/// let uri = urigrep::Uri::parse("http://a.example/")?;
/// assert!(uri == "http://a.example/");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
impl PartialEq<str> for Uri<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Uri<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialOrd for Uri<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of the texts.
impl Ord for Uri<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        // Equal texts have equal parts.
        self.text.cmp(other.text)
    }
}

impl<'a> Uri<'a> {
    /// Parses all of `text` by the `URI` production of RFC 3986 appendix A.
    ///
    /// ```
    /// use urigrep::{ErrorKind, Uri};
    /// assert_eq!(Uri::parse("tel:+1-816-555-1212")?.path(), "+1-816-555-1212");
    /// let error = Uri::parse("http://a.example/b c").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (18, ErrorKind::Character));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the byte offset of the first byte that does not fit, and the reason. An IP literal
    /// without `]` is reported at its `[`, an invalid percent triplet at its `%`, and a missing
    /// scheme at offset 0.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse::<Ascii>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// Parses all of `bytes`, which need not be UTF-8, like [`Uri::parse`].
    ///
    /// ```
    /// use urigrep::{ErrorKind, Uri};
    /// assert_eq!(Uri::from_bytes(b"ftp://a.example/")?.host(), Some("a.example"));
    /// let error = Uri::from_bytes(b"ftp://a.example/\xFF").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (16, ErrorKind::Character));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Uri::parse`]; a URI never contains a byte above 0x7F.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let parts = UriParts::parse::<Ascii>(bytes)?;
        match core::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text, parts }),
            // Unreachable: a parsed URI is ASCII. Still an error, because the library must not
            // panic.
            Err(error) => Err(ParseError::new(error.valid_up_to(), ErrorKind::Character)),
        }
    }

    /// Creates a URI without parsing; `parts` must be the result of parsing `text`.
    pub(crate) fn with_parts(text: &'a str, parts: UriParts) -> Self {
        debug_assert_eq!(UriParts::parse::<Ascii>(text.as_bytes()), Ok(parts));
        Self { text, parts }
    }

    /// The offsets of the components; with the text, they are the whole `Uri`.
    pub(crate) const fn parts(&self) -> UriParts {
        self.parts
    }

    /// The URI as parsed.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("mailto:a@b.example")?;
    /// assert_eq!(uri.as_str(), "mailto:a@b.example");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The scheme as written, without the `:` (RFC 3986 §3.1).
    ///
    /// ```
    /// assert_eq!(urigrep::Uri::parse("Git+SSH://a.example/")?.scheme(), "Git+SSH");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn scheme(&self) -> &'a str {
        // Parsing required a scheme, so the fallback is unreachable.
        self.parts.scheme().map_or("", |range| self.text.part(range))
    }

    /// The DOI, ISBN, or the like that it identifies, in one spelling.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("urn:isbn:0-306-40615-2")?;
    /// assert_eq!(uri.identifier().unwrap().value(), "9780306406157");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn identifier(&self) -> Option<Identifier> {
        Identifier::from_uri(*self)
    }

    accessors!();
}

text_traits!(Uri);
