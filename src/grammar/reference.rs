//! `URI-reference = URI / relative-ref` (RFC 3986 §4.1), and `IRI-reference` (RFC 3987 §2.2).
//!
//! The parser of [`Uri`] finds the components; here, the scheme may be absent.

use super::component::{Ascii, Ucs};
use super::host::HostType;
use super::host_mapping::HostMapping;
use super::iri::{encoded, mapped};
use super::parts::{UriParts, accessors, text_traits};
use super::uri::Uri;
use crate::error::ParseError;
use crate::slice::SliceExt as _;
use alloc::borrow::Cow;

/// A URI reference by RFC 3986: a URI, or a relative reference, which becomes a URI with a base.
///
/// A relative reference is a network-path reference (`//host/path`), an absolute-path reference
/// (`/path`), a relative-path reference (`path`, `./a:b`, `?query`) or a same-document reference
/// (`#fragment` and the empty string). Each may have a query and a fragment (§4.2, §4.4).
///
/// As in a [`Uri`], all returned values borrow from the parsed string, and nothing is decoded. An
/// absent component is `None`, an empty one is `Some("")`.
///
/// ```
/// use urigrep::UriRef;
/// let reference = UriRef::parse("../b?c#d")?;
/// assert_eq!((reference.scheme(), reference.authority()), (None, None));
/// assert_eq!(reference.path(), "../b");
/// assert_eq!((reference.query(), reference.fragment()), (Some("c"), Some("d")));
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UriRef<'a> {
    text: &'a str,
    parts: UriParts,
}

impl<'a> UriRef<'a> {
    /// Parses all of `text` by the `URI-reference` production of RFC 3986 appendix A.
    ///
    /// ```
    /// use urigrep::{ErrorKind, UriRef};
    /// assert_eq!(UriRef::parse("//a.example/b")?.host(), Some("a.example"));
    /// assert_eq!(UriRef::parse("")?.path(), "");
    /// let error = UriRef::parse("2:b").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (1, ErrorKind::FirstSegmentColon));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Uri::parse`], except that the scheme is optional. If the text before a `:` in the
    /// first segment is not a scheme, that `:` is an error (§4.2): `a_b:c` is not a reference, but
    /// `./a_b:c` is.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse_reference::<Ascii>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// The reference as parsed.
    ///
    /// ```
    /// assert_eq!(urigrep::UriRef::parse("#top")?.as_str(), "#top");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    pub(crate) const fn parts(self) -> UriParts {
        self.parts
    }

    /// Creates a reference without parsing; `parts` must be the result of parsing `text`.
    pub(crate) const fn with_parts(text: &'a str, parts: UriParts) -> Self {
        Self { text, parts }
    }

    /// The reference as a URI if it has a scheme, without another parse.
    ///
    /// ```
    /// use urigrep::UriRef;
    /// assert_eq!(UriRef::parse("urn:example:a")?.to_uri().map(|uri| uri.path()), Some("example:a"));
    /// assert_eq!(UriRef::parse("example/a")?.to_uri(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn to_uri(&self) -> Option<Uri<'a>> {
        self.parts.scheme()?;
        Some(Uri::with_parts(self.text, self.parts))
    }

    /// The scheme, without the `:`; `None` in a relative reference (RFC 3986 §3.1).
    ///
    /// ```
    /// use urigrep::UriRef;
    /// assert_eq!(UriRef::parse("a:b")?.scheme(), Some("a"));
    /// assert_eq!(UriRef::parse("./a:b")?.scheme(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn scheme(&self) -> Option<&'a str> {
        self.parts.scheme().map(|range| self.text.part(range))
    }

    accessors!();
}

impl<'a> From<Uri<'a>> for UriRef<'a> {
    fn from(uri: Uri<'a>) -> Self {
        Self { text: uri.as_str(), parts: uri.parts() }
    }
}

text_traits!(UriRef);

/// An IRI reference by RFC 3987: an IRI, or a reference relative to one. Every [`UriRef`] is an IRI
/// reference.
///
/// ```
/// use urigrep::{IriRef, UriRef};
/// let reference = IriRef::parse("../Hervé#å")?;
/// assert_eq!(reference.to_uri_ref(), "../Herv%C3%A9#%C3%A5");
/// assert!(UriRef::parse(&reference.to_uri_ref()).is_ok());
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IriRef<'a> {
    text: &'a str,
    parts: UriParts,
}

impl<'a> IriRef<'a> {
    /// Parses all of `text` by the `IRI-reference` production of RFC 3987 §2.2.
    ///
    /// ```
    /// assert!(urigrep::IriRef::parse("//例え.jp/?é").is_ok());
    /// assert!(urigrep::IriRef::parse("é:b").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// See [`UriRef::parse`]; the characters beyond ASCII are those of [`Iri`](crate::Iri).
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse_reference::<Ucs>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// The reference as parsed.
    ///
    /// ```
    /// assert_eq!(urigrep::IriRef::parse("é")?.as_str(), "é");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// Maps it to a URI reference (RFC 3987 §3.1), like [`Iri::to_uri`](crate::Iri::to_uri).
    /// Borrowed if it already is one.
    ///
    /// ```
    /// assert_eq!(urigrep::IriRef::parse("é?a")?.to_uri_ref(), "%C3%A9?a");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn to_uri_ref(&self) -> Cow<'a, str> {
        encoded(self.text)
    }

    /// Like [`to_uri_ref`](Self::to_uri_ref), but maps a non-ASCII host as `hosts` specifies.
    ///
    /// ```
    /// use urigrep::IriRef;
    /// use urigrep::options::HostMapping;
    /// let reference = IriRef::parse("//é/")?;
    /// assert_eq!(reference.to_uri_ref_with(HostMapping::PERCENT_ENCODED)?, "//%C3%A9/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Iri::to_uri_with`](crate::Iri::to_uri_with), for the host.
    pub fn to_uri_ref_with(&self, hosts: HostMapping) -> Result<Cow<'a, str>, ParseError> {
        mapped(self.text, self.parts, hosts)
    }
}

text_traits!(IriRef);
