//! `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]` (RFC 3986 appendix A).
//!
//! Invariant: a [`Uri`] is made of a text and the [`Parts`] that parsing this text gave, so the
//! accessors only slice.

use std::fmt;
use std::ops::Range;

use super::authority;
use super::component::{Alphabet, Ascii, Component, run};
use super::host::HostType;
use super::table;
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
/// use urigrep::{HostType, Uri};
///
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
    parts: Parts,
}

impl<'a> Uri<'a> {
    /// Parses the whole of `text` by the `URI` production of RFC 3986 appendix A.
    ///
    /// ```
    /// use urigrep::{ErrorKind, Uri};
    ///
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
        let parts = Parts::parse::<Ascii>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// Parses the whole of `bytes`, which need not be UTF-8, as [`Uri::parse`] does.
    ///
    /// ```
    /// use urigrep::{ErrorKind, Uri};
    ///
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
        let parts = Parts::parse::<Ascii>(bytes)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text, parts }),
            // Not reached: what parsed is ASCII. An error all the same, rather than a panic.
            Err(error) => Err(ParseError::new(error.valid_up_to(), ErrorKind::Character)),
        }
    }

    /// The URI that `text` is, without parsing it again; `parts` are those that parsing this text
    /// gave.
    pub(crate) fn with_parts(text: &'a str, parts: Parts) -> Self {
        debug_assert_eq!(Parts::parse::<Ascii>(text.as_bytes()), Ok(parts));
        Self { text, parts }
    }

    /// Where the components end; with the text, all that a `Uri` is.
    pub(crate) const fn parts(&self) -> Parts {
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
        &self.text[self.parts.scheme()]
    }

    /// The authority, what stands between `//` and the path (RFC 3986 §3.2).
    ///
    /// ```
    /// use urigrep::Uri;
    /// assert_eq!(Uri::parse("ssh://git@a.example:22/x")?.authority(), Some("git@a.example:22"));
    /// assert_eq!(Uri::parse("file:///etc/hosts")?.authority(), Some(""));
    /// assert_eq!(Uri::parse("file:/etc/hosts")?.authority(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn authority(&self) -> Option<&'a str> {
        self.parts.authority().map(|range| &self.text[range])
    }

    /// The userinfo, without the `@` (RFC 3986 §3.2.1).
    ///
    /// ```
    /// use urigrep::Uri;
    /// assert_eq!(Uri::parse("ftp://me:pw@a.example/")?.userinfo(), Some("me:pw"));
    /// assert_eq!(Uri::parse("ftp://@a.example/")?.userinfo(), Some(""));
    /// assert_eq!(Uri::parse("ftp://a.example/")?.userinfo(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn userinfo(&self) -> Option<&'a str> {
        self.parts.userinfo().map(|range| &self.text[range])
    }

    /// The host, an IP literal with its brackets; absent only when the authority is
    /// (RFC 3986 §3.2.2).
    ///
    /// ```
    /// use urigrep::Uri;
    /// assert_eq!(Uri::parse("http://[::1]:80/")?.host(), Some("[::1]"));
    /// assert_eq!(Uri::parse("file:///etc/hosts")?.host(), Some(""));
    /// assert_eq!(Uri::parse("news:comp.lang.rust")?.host(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn host(&self) -> Option<&'a str> {
        self.parts.host().map(|range| &self.text[range])
    }

    /// Which kind of host it is (RFC 3986 §3.2.2).
    ///
    /// ```
    /// use urigrep::{HostType, Uri};
    /// assert_eq!(Uri::parse("http://127.0.0.1/")?.host_type(), Some(HostType::Ipv4));
    /// assert_eq!(Uri::parse("http://127.0.0.01/")?.host_type(), Some(HostType::RegName));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn host_type(&self) -> Option<HostType> {
        self.parts.host_type
    }

    /// The port: digits, of which there may be none or too many (RFC 3986 §3.2.3).
    ///
    /// ```
    /// use urigrep::Uri;
    /// assert_eq!(Uri::parse("http://a.example:8080/")?.port(), Some("8080"));
    /// assert_eq!(Uri::parse("http://a.example:/")?.port(), Some(""));
    /// assert_eq!(Uri::parse("http://a.example/")?.port(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn port(&self) -> Option<&'a str> {
        self.parts.port().map(|range| &self.text[range])
    }

    /// The path, which is always there but may be empty (RFC 3986 §3.3).
    ///
    /// ```
    /// use urigrep::Uri;
    /// assert_eq!(Uri::parse("http://a.example/b/c")?.path(), "/b/c");
    /// assert_eq!(Uri::parse("urn:example:b/c")?.path(), "example:b/c");
    /// assert_eq!(Uri::parse("http://a.example")?.path(), "");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn path(&self) -> &'a str {
        &self.text[self.parts.path()]
    }

    /// The query, without the `?` (RFC 3986 §3.4).
    ///
    /// ```
    /// assert_eq!(urigrep::Uri::parse("http://a.example?b=?c#d")?.query(), Some("b=?c"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn query(&self) -> Option<&'a str> {
        self.parts.query().map(|range| &self.text[range])
    }

    /// The fragment, without the `#` (RFC 3986 §3.5).
    ///
    /// ```
    /// assert_eq!(urigrep::Uri::parse("http://a.example/#b?c")?.fragment(), Some("b?c"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn fragment(&self) -> Option<&'a str> {
        let start = self.parts.query_end as usize;
        (start < self.text.len()).then(|| &self.text[start + 1..])
    }
}

impl AsRef<str> for Uri<'_> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

impl fmt::Display for Uri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl<'a> TryFrom<&'a str> for Uri<'a> {
    type Error = ParseError;

    fn try_from(text: &'a str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

/// Where the components of a URI or an IRI stand: 28 bytes, so that a match can keep them.
///
/// All are 0-based byte offsets into the text they were parsed from, in ascending order. What
/// separates two components (`:`, `//`, `@`, `?`, `#`) belongs to neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Parts {
    /// The `:` after the scheme.
    pub(crate) scheme_end: u32,
    /// First byte of the host; `path_start` without an authority.
    pub(crate) host_start: u32,
    /// One past the host; the `:` before the port when there is one.
    pub(crate) host_end: u32,
    /// First byte of the path: where the authority ends.
    pub(crate) path_start: u32,
    /// One past the path; the `?` when there is a query.
    pub(crate) path_end: u32,
    /// One past the query, `path_end` without one; the `#` when there is a fragment.
    pub(crate) query_end: u32,
    /// The kind of the host; `None` without an authority.
    pub(crate) host_type: Option<HostType>,
}

impl Parts {
    /// Parses the whole of `bytes`.
    pub(super) fn parse<A: Alphabet>(bytes: &[u8]) -> Result<Self, ParseError> {
        if bytes.len() > u32::MAX as usize {
            return Err(ParseError::new(u32::MAX as usize, ErrorKind::TooLong));
        }
        let scheme_end = scheme(bytes)?;
        let hier_part = scheme_end + 1;
        let (host_start, host_end, path_start, host_type) = if bytes[hier_part..].starts_with(b"//")
        {
            let authority = authority::parse::<A>(bytes, hier_part + 2)?;
            let authority::Authority {
                host_start,
                host_end,
                host_type,
                end,
            } = authority;
            (host_start, host_end, end, Some(host_type))
        } else {
            (hier_part, hier_part, hier_part, None)
        };
        let mut component = Component::Path;
        let path_end = run::<A>(bytes, path_start, component)?;
        let mut query_end = path_end;
        if bytes.get(path_end) == Some(&b'?') {
            component = Component::Query;
            query_end = run::<A>(bytes, path_end + 1, component)?;
        }
        let mut end = query_end;
        if bytes.get(query_end) == Some(&b'#') {
            component = Component::Fragment;
            end = run::<A>(bytes, query_end + 1, component)?;
        }
        if end < bytes.len() {
            return Err(component.fault::<A>(bytes, end));
        }
        Ok(Self {
            scheme_end: offset(scheme_end),
            host_start: offset(host_start),
            host_end: offset(host_end),
            path_start: offset(path_start),
            path_end: offset(path_end),
            query_end: offset(query_end),
            host_type,
        })
    }

    fn scheme(self) -> Range<usize> {
        0..self.scheme_end as usize
    }

    fn authority(self) -> Option<Range<usize>> {
        self.host_type?;
        Some(self.scheme_end as usize + 3..self.path_start as usize)
    }

    fn userinfo(self) -> Option<Range<usize>> {
        let start = self.authority()?.start;
        let host_start = self.host_start as usize;
        (start < host_start).then(|| start..host_start - 1)
    }

    pub(super) fn host(self) -> Option<Range<usize>> {
        self.host_type?;
        Some(self.host_start as usize..self.host_end as usize)
    }

    fn port(self) -> Option<Range<usize>> {
        let end = self.authority()?.end;
        let host_end = self.host_end as usize;
        (host_end < end).then(|| host_end + 1..end)
    }

    fn path(self) -> Range<usize> {
        self.path_start as usize..self.path_end as usize
    }

    fn query(self) -> Option<Range<usize>> {
        (self.path_end < self.query_end)
            .then(|| self.path_end as usize + 1..self.query_end as usize)
    }
}

/// An offset in the compact form of [`Parts`]; lossless, because longer texts are turned away.
pub(super) const fn offset(at: usize) -> u32 {
    debug_assert!(at <= u32::MAX as usize);
    at as u32
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`: the index of the `:` that ends it.
fn scheme(bytes: &[u8]) -> Result<usize, ParseError> {
    let end = match bytes.first() {
        Some(&first) if table::ALPHA.has(first) => table::SCHEME.skip(bytes, 1),
        _ => 0,
    };
    match bytes.get(end) {
        Some(b':') if end > 0 => Ok(end),
        None | Some(b':' | b'/' | b'?' | b'#') => Err(ParseError::new(0, ErrorKind::NoScheme)),
        Some(_) => Err(ParseError::new(end, ErrorKind::SchemeCharacter)),
    }
}
