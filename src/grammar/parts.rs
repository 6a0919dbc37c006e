//! The offsets of the components of a URI, an IRI or a reference, the parser that finds them (RFC
//! 3986 appendix A, RFC 3987 §2.2), and the accessors that slice by them.
//!
//! Invariant: offsets ascend, and each present component contains only what its rule allows.

use core::ops::Range;

use super::authority;
use super::component::{Alphabet, CharRule, run};
use super::host::HostType;
use super::table;
use crate::error::{ErrorKind, ParseError};
use crate::slice::SliceExt;

/// Byte offsets of the components, in 28 bytes, so that every match can keep them.
///
/// All offsets are 0-based and refer to the parsed text, in ascending order. The separators between
/// two components (`:`, `//`, `@`, `?`, `#`) belong to neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UriParts {
    /// First byte after the scheme's `:`, where the hier-part starts. 0 without a scheme; a scheme
    /// with its `:` takes at least two bytes.
    pub(crate) hier_start: u32,
    /// First byte of the host; `path_start` without an authority.
    pub(crate) host_start: u32,
    /// One past the host; the `:` before the port if there is one.
    pub(crate) host_end: u32,
    /// First byte of the path, at the end of the authority.
    pub(crate) path_start: u32,
    /// One past the path; the `?` if there is a query.
    pub(crate) path_end: u32,
    /// One past the query, or `path_end` without one; the `#` if there is a fragment.
    pub(crate) query_end: u32,
    /// Type of the host; `None` without an authority.
    pub(crate) host_type: Option<HostType>,
}

impl UriParts {
    /// Parses all of `bytes` as `URI` or `IRI`.
    pub(super) fn parse<A: Alphabet>(bytes: &[u8]) -> Result<Self, ParseError> {
        fits(bytes)?;
        let colon = scheme(bytes)?;
        Self::hier_part::<A>(bytes, colon + 1)
    }

    /// Parses all of `bytes` as `URI-reference = URI / relative-ref` (RFC 3986 §4.1).
    pub(super) fn parse_reference<A: Alphabet>(bytes: &[u8]) -> Result<Self, ParseError> {
        fits(bytes)?;
        if let Ok(colon) = scheme(bytes) {
            // A text that starts like a scheme is never relative (RFC 3986 §4.1), so errors after
            // the colon are those of a URI.
            return Self::hier_part::<A>(bytes, colon + 1);
        }
        let parts = Self::hier_part::<A>(bytes, 0)?;
        // `path-noscheme` (RFC 3986 §4.2): the text before the first `:` would read as a scheme.
        let first_segment = bytes.iter().position(|byte| b":/?#".contains(byte));
        match first_segment {
            Some(at) if bytes.get(at) == Some(&b':') => {
                Err(ParseError::new(at, ErrorKind::FirstSegmentColon))
            }
            _ => Ok(parts),
        }
    }

    /// Parses the text after the scheme's `:`, or a whole relative reference: `hier-part` and
    /// `relative-part` differ only in the colon of [`ErrorKind::FirstSegmentColon`].
    fn hier_part<A: Alphabet>(bytes: &[u8], hier_start: usize) -> Result<Self, ParseError> {
        let (host_start, host_end, path_start, host_type) =
            if bytes.clamped(hier_start..).starts_with(b"//") {
                let authority = authority::parse::<A>(bytes, hier_start + 2)?;
                let authority::Authority { host_start, host_end, host_type, end } = authority;
                (host_start, host_end, end, Some(host_type))
            } else {
                (hier_start, hier_start, hier_start, None)
            };
        let mut component = CharRule::Path;
        let path_end = run::<A>(bytes, path_start, component)?;
        let mut query_end = path_end;
        if bytes.get(path_end) == Some(&b'?') {
            component = CharRule::Query;
            query_end = run::<A>(bytes, path_end + 1, component)?;
        }
        let mut end = query_end;
        if bytes.get(query_end) == Some(&b'#') {
            component = CharRule::Fragment;
            end = run::<A>(bytes, query_end + 1, component)?;
        }
        // The component that was read last could not take this byte, so the error names that
        // component.
        if end < bytes.len() {
            return Err(component.fault::<A>(bytes, end));
        }
        Ok(Self {
            hier_start: offset(hier_start),
            host_start: offset(host_start),
            host_end: offset(host_end),
            path_start: offset(path_start),
            path_end: offset(path_end),
            query_end: offset(query_end),
            host_type,
        })
    }

    pub(crate) fn scheme(self) -> Option<Range<usize>> {
        Some(0..(self.hier_start as usize).checked_sub(1)?)
    }

    pub(crate) fn authority(self) -> Option<Range<usize>> {
        // An authority may be empty, so its presence cannot be told from the offsets. The type of
        // the host records it.
        self.host_type?;
        Some(self.hier_start as usize + 2..self.path_start as usize)
    }

    pub(crate) fn userinfo(self) -> Option<Range<usize>> {
        let start = self.authority()?.start;
        let host_start = self.host_start as usize;
        // Even an empty userinfo moves the host, by its `@`.
        (start < host_start).then(|| start..host_start - 1)
    }

    pub(crate) fn host(self) -> Option<Range<usize>> {
        self.host_type?;
        Some(self.host_start as usize..self.host_end as usize)
    }

    pub(crate) fn port(self) -> Option<Range<usize>> {
        let end = self.authority()?.end;
        let host_end = self.host_end as usize;
        (host_end < end).then(|| host_end + 1..end)
    }

    pub(crate) fn path(self) -> Range<usize> {
        self.path_start as usize..self.path_end as usize
    }

    pub(crate) fn query(self) -> Option<Range<usize>> {
        // An empty query still has its `?`, so the offsets differ.
        (self.path_end < self.query_end)
            .then(|| self.path_end as usize + 1..self.query_end as usize)
    }

    /// Returns the fragment of a text of `len` bytes.
    pub(crate) fn fragment(self, len: usize) -> Option<Range<usize>> {
        let start = self.query_end as usize;
        (start < len).then(|| start + 1..len)
    }
}

fn fits(bytes: &[u8]) -> Result<(), ParseError> {
    // Offsets have 32 bits, because every match keeps seven of them.
    if bytes.len() > u32::MAX as usize {
        return Err(ParseError::new(u32::MAX as usize, ErrorKind::TooLong));
    }
    Ok(())
}

/// Converts an offset to the compact form of [`UriParts`]. This is lossless, because longer texts
/// are rejected.
pub(crate) const fn offset(at: usize) -> u32 {
    debug_assert!(at <= u32::MAX as usize);
    at as u32
}

/// Parses `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` and returns the index of the `:`
/// that ends it.
pub(super) fn scheme(bytes: &[u8]) -> Result<usize, ParseError> {
    let end = match bytes.first() {
        Some(&first) if table::ALPHA.has(first) => table::SCHEME.skip(bytes, 1),
        _ => 0,
    };
    match bytes.get(end) {
        Some(b':') if end > 0 => Ok(end),
        _ => Err(no_scheme(bytes, end)),
    }
}

pub(crate) fn check_scheme(text: &str) -> Result<(), ParseError> {
    let bytes = text.as_bytes();
    match bytes.first() {
        None => Err(ParseError::new(0, ErrorKind::NoScheme)),
        Some(&first) if !table::ALPHA.has(first) => {
            Err(ParseError::new(0, ErrorKind::SchemeCharacter))
        }
        Some(_) => match table::SCHEME.skip(bytes, 1) {
            end if end == bytes.len() => Ok(()),
            end => Err(ParseError::new(end, ErrorKind::SchemeCharacter)),
        },
    }
}

/// Returns the error where the characters of a scheme end at `end` without a `:`. Only text before
/// a colon can be meant as a scheme.
pub(super) fn no_scheme(bytes: &[u8], end: usize) -> ParseError {
    let mut rest = bytes.iter().skip(end);
    // A colon before any other delimiter was meant to end a scheme, so its first invalid character
    // is the fault. Otherwise there is no scheme at all.
    match rest.position(|byte| b":/?#".contains(byte)) {
        Some(length) if length > 0 && bytes.get(end + length) == Some(&b':') => {
            ParseError::new(end, ErrorKind::SchemeCharacter)
        }
        _ => ParseError::new(0, ErrorKind::NoScheme),
    }
}

/// Accessors of the components that a URI and a reference share, for a type with `text` and
/// `parts`. All borrow from the text; an absent component is `None`, an empty one is `Some("")`.
macro_rules! accessors {
    () => {
        /// The authority: the text between `//` and the path (RFC 3986 §3.2).
        ///
        /// ```
        /// use urigrep::Uri;
        /// assert_eq!(Uri::parse("ssh://git@a.example:22/x")?.authority(), Some("git@a.example:22"));
        /// assert_eq!(Uri::parse("file:///etc/hosts")?.authority(), Some(""));
        /// assert_eq!(Uri::parse("file:/etc/hosts")?.authority(), None);
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub fn authority(&self) -> Option<&'a str> {
            self.parts.authority().map(|range| self.text.part(range))
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
            self.parts.userinfo().map(|range| self.text.part(range))
        }

        /// The host, including the brackets of an IP literal (RFC 3986 §3.2.2). It is absent only
        /// without an authority.
        ///
        /// ```
        /// use urigrep::Uri;
        /// assert_eq!(Uri::parse("http://[::1]:80/")?.host(), Some("[::1]"));
        /// assert_eq!(Uri::parse("file:///etc/hosts")?.host(), Some(""));
        /// assert_eq!(Uri::parse("news:comp.lang.rust")?.host(), None);
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub fn host(&self) -> Option<&'a str> {
            self.parts.host().map(|range| self.text.part(range))
        }

        /// The type of the host (RFC 3986 §3.2.2).
        ///
        /// ```
        /// use urigrep::grammar::HostType;
        /// use urigrep::Uri;
        /// assert_eq!(Uri::parse("http://127.0.0.1/")?.host_type(), Some(HostType::Ipv4));
        /// assert_eq!(Uri::parse("http://127.0.0.01/")?.host_type(), Some(HostType::RegName));
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub const fn host_type(&self) -> Option<HostType> {
            self.parts.host_type
        }

        /// The port: any number of digits, even none (RFC 3986 §3.2.3).
        ///
        /// ```
        /// use urigrep::Uri;
        /// assert_eq!(Uri::parse("http://a.example:8080/")?.port(), Some("8080"));
        /// assert_eq!(Uri::parse("http://a.example:/")?.port(), Some(""));
        /// assert_eq!(Uri::parse("http://a.example/")?.port(), None);
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub fn port(&self) -> Option<&'a str> {
            self.parts.port().map(|range| self.text.part(range))
        }

        /// The port as a number; `None` if it is absent, empty, or larger than 65535.
        ///
        /// ```
        /// use urigrep::Uri;
        /// assert_eq!(Uri::parse("http://a.example:08080/")?.port_number(), Some(8080));
        /// assert_eq!(Uri::parse("http://a.example:/")?.port_number(), None);
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        #[doc(alias = "port_u16")]
        pub fn port_number(&self) -> Option<u16> {
            self.port()?.parse().ok()
        }

        /// The path, which is always present but may be empty (RFC 3986 §3.3).
        ///
        /// ```
        /// use urigrep::Uri;
        /// assert_eq!(Uri::parse("http://a.example/b/c")?.path(), "/b/c");
        /// assert_eq!(Uri::parse("urn:example:b/c")?.path(), "example:b/c");
        /// assert_eq!(Uri::parse("http://a.example")?.path(), "");
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub fn path(&self) -> &'a str {
            self.text.part(self.parts.path())
        }

        /// The segments of the path between its slashes, encoded (RFC 3986 §3.3). An empty path has
        /// none, and a path that ends with a slash has an empty last one.
        ///
        /// ```
        /// use urigrep::Uri;
        /// assert!(Uri::parse("http://a.example/b%2Fc/d")?.path_segments().eq(["b%2Fc", "d"]));
        /// assert!(Uri::parse("http://a.example/b/")?.path_segments().eq(["b", ""]));
        /// assert_eq!(Uri::parse("http://a.example")?.path_segments().count(), 0);
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub fn path_segments(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
            let path = self.path();
            let segments = path.strip_prefix('/').unwrap_or(path).split('/');
            // `split` makes one empty segment of an empty path.
            segments.take(if path.is_empty() { 0 } else { usize::MAX })
        }

        /// The query, without the `?` (RFC 3986 §3.4).
        ///
        /// ```
        /// assert_eq!(urigrep::Uri::parse("http://a.example?b=?c#d")?.query(), Some("b=?c"));
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub fn query(&self) -> Option<&'a str> {
            self.parts.query().map(|range| self.text.part(range))
        }

        /// The fragment, without the `#` (RFC 3986 §3.5).
        ///
        /// ```
        /// assert_eq!(urigrep::Uri::parse("http://a.example/#b?c")?.fragment(), Some("b?c"));
        /// # Ok::<(), urigrep::ParseError>(())
        /// ```
        pub fn fragment(&self) -> Option<&'a str> {
            self.parts.fragment(self.text.len()).map(|range| self.text.part(range))
        }
    };
}

/// String traits of a parsed string: `AsRef<str>`, `Display` and `TryFrom<&str>`.
macro_rules! text_traits {
    ($type:ident) => {
        impl AsRef<str> for $type<'_> {
            fn as_ref(&self) -> &str {
                self.text
            }
        }

        impl core::fmt::Display for $type<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                // Unlike `write_str`, this respects a width and an alignment.
                f.pad(self.text)
            }
        }

        impl<'a> TryFrom<&'a str> for $type<'a> {
            type Error = ParseError;

            fn try_from(text: &'a str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }
    };
}

pub(super) use {accessors, text_traits};
