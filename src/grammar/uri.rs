//! `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]` (RFC 3986 appendix A).
//!
//! Invariant: a [`Uri`] is made of a text and the [`UriParts`] that parsing this text gave, so the
//! accessors only slice.

use super::component::Ascii;
use super::host::HostType;
use super::parts::{UriParts, accessors, text_traits};
use crate::error::{ErrorKind, ParseError};

/// A URI by RFC 3986: a borrowed string that has been parsed, and where its components end.
///
/// It is valid in full: scheme, authority with IP literals, path, query and fragment. What a
/// scheme asks for beyond that is not looked at (`http:///` is a URI), nor is RFC 8141 (for that
/// there is [`Urn`](crate::Urn)). Everything that is returned borrows from the parsed string,
/// and nothing is decoded or normalized.
///
/// A component that is absent is `None`, one that is present but empty is `Some("")`.
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

impl<'a> Uri<'a> {
    /// Parses the whole of `text` by the `URI` production of RFC 3986 appendix A.
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
    /// When `text` is not a URI: the 0-based byte offset of the first byte that does not fit, and
    /// why. An IP literal without `]` is reported at its `[`, a bad percent triplet at its `%`, and
    /// the lack of a scheme at offset 0.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse::<Ascii>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// Parses the whole of `bytes`, which need not be UTF-8, as [`Uri::parse`] does.
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
    /// As [`Uri::parse`]; a byte above 0x7F is in no URI.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let parts = UriParts::parse::<Ascii>(bytes)?;
        match core::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text, parts }),
            // Not reached: what parsed is ASCII. An error all the same, rather than a panic.
            Err(error) => Err(ParseError::new(error.valid_up_to(), ErrorKind::Character)),
        }
    }

    /// The URI that `text` is, without parsing it again; `parts` are those that parsing this text
    /// gave.
    pub(crate) fn with_parts(text: &'a str, parts: UriParts) -> Self {
        debug_assert_eq!(UriParts::parse::<Ascii>(text.as_bytes()), Ok(parts));
        Self { text, parts }
    }

    /// Where the components end; with the text, all that a `Uri` is.
    pub(crate) const fn parts(&self) -> UriParts {
        self.parts
    }

    /// The URI as it was parsed.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("mailto:a@b.example")?;
    /// assert_eq!(uri.as_str(), "mailto:a@b.example");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The scheme, in the case it was written in, without the `:` (RFC 3986 §3.1).
    ///
    /// ```
    /// assert_eq!(urigrep::Uri::parse("Git+SSH://a.example/")?.scheme(), "Git+SSH");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn scheme(&self) -> &'a str {
        // Parsing asked for one.
        self.parts.scheme().map_or("", |range| &self.text[range])
    }

    accessors!();
}

text_traits!(Uri);
