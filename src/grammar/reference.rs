//! `URI-reference = URI / relative-ref` (RFC 3986 §4.1), and `IRI-reference` (RFC 3987 §2.2).
//!
//! The components are found by the parser of [`Uri`]; here only the scheme may be absent.

use super::component::{Ascii, Ucs};
use super::host::HostType;
use super::host_mapping::HostMapping;
use super::iri::{encoded, mapped};
use super::parts::{UriParts, accessors, text_traits};
use super::uri::Uri;
use crate::error::ParseError;
use alloc::borrow::Cow;

/// A URI reference by RFC 3986: a URI, or a relative reference, which means one
/// where a base is known.
///
/// A relative reference is a network-path reference (`//host/path`), an absolute-path reference
/// (`/path`), a relative-path reference (`path`, `./a:b`, `?query`) or a same-document reference
/// (`#fragment` and the empty string), each with a query and a fragment or without (§4.2, §4.4).
///
/// As in a [`Uri`], everything that is returned borrows from the parsed string and nothing is
/// decoded; a component that is absent is `None`, one that is present but empty is `Some("")`.
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
    /// Parses the whole of `text` by the `URI-reference` production of RFC 3986 appendix A.
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
    /// As [`Uri::parse`], but that a scheme need not be there. The text before a `:` in the
    /// first segment and is no scheme is an error at that `:` (§4.2): `a_b:c` is no reference,
    /// `./a_b:c` is one.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse_reference::<Ascii>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// The reference as it was parsed.
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

    /// The reference that `text` is, without parsing it again; `parts` are those that parsing this
    /// text gave.
    pub(crate) const fn with_parts(text: &'a str, parts: UriParts) -> Self {
        Self { text, parts }
    }

    /// The reference as a URI, when it has a scheme; nothing is parsed again.
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

    /// The scheme, without the `:`; absent from a relative reference (RFC 3986 §3.1).
    ///
    /// ```
    /// use urigrep::UriRef;
    /// assert_eq!(UriRef::parse("a:b")?.scheme(), Some("a"));
    /// assert_eq!(UriRef::parse("./a:b")?.scheme(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn scheme(&self) -> Option<&'a str> {
        self.parts.scheme().map(|range| &self.text[range])
    }

    accessors!();
}

impl<'a> From<Uri<'a>> for UriRef<'a> {
    fn from(uri: Uri<'a>) -> Self {
        Self { text: uri.as_str(), parts: uri.parts() }
    }
}

text_traits!(UriRef);

/// An IRI reference by RFC 3987: an IRI, or a reference relative to one. Every [`UriRef`] is one.
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
    /// Parses the whole of `text` by the `IRI-reference` production of RFC 3987 §2.2.
    ///
    /// ```
    /// assert!(urigrep::IriRef::parse("//例え.jp/?é").is_ok());
    /// assert!(urigrep::IriRef::parse("é:b").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`UriRef::parse`]; the characters beyond ASCII are those of [`Iri`](crate::Iri).
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse_reference::<Ucs>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// The reference as it was parsed.
    ///
    /// ```
    /// assert_eq!(urigrep::IriRef::parse("é")?.as_str(), "é");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The URI reference that it maps to (RFC 3987 §3.1), as [`Iri::to_uri`](crate::Iri::to_uri);
    /// borrowed when it is one already.
    ///
    /// ```
    /// assert_eq!(urigrep::IriRef::parse("é?a")?.to_uri_ref(), "%C3%A9?a");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn to_uri_ref(&self) -> Cow<'a, str> {
        encoded(self.text)
    }

    /// As [`to_uri_ref`](Self::to_uri_ref), with a host that is not ASCII mapped as `hosts` says.
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
    /// As [`Iri::to_uri_with`](crate::Iri::to_uri_with), for the host.
    pub fn to_uri_ref_with(&self, hosts: HostMapping) -> Result<Cow<'a, str>, ParseError> {
        mapped(self.text, self.parts, hosts)
    }
}

text_traits!(IriRef);
