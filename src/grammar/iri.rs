//! IRIs and their mapping to URIs (RFC 3987 §2.2 and §3.1).
//!
//! The grammar is that of a URI over a larger alphabet ([`Ucs`]). The mapping percent-encodes the
//! UTF-8 bytes of each character beyond ASCII; the [`HostMapping`] decides about hosts. Invariant:
//! the mapping writes a valid URI by RFC 3986.

use super::component::Ucs;
use super::host_mapping::HostMapping;
use super::parts::{UriParts, text_traits};
use crate::error::ParseError;
use crate::percent;
use crate::slice::SliceExt as _;
use alloc::borrow::Cow;
use alloc::string::String;

/// An IRI by RFC 3987: a borrowed, parsed string. Every URI is an IRI.
///
/// It is valid by the ABNF in §2.2: characters of `ucschar` anywhere except in the scheme and in an
/// IP literal, and those of `iprivate` in the query. It need not be in a normalization form. The
/// bidirectional controls that §4.1 advises against are accepted.
///
/// ```
/// use urigrep::Iri;
/// let iri = Iri::parse("http://example.com/Hervé?å")?;
/// assert_eq!(iri.to_uri(), "http://example.com/Herv%C3%A9?%C3%A5");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Iri<'a> {
    text: &'a str,
    parts: UriParts,
}

impl<'a> Iri<'a> {
    /// Parses all of `text` by the `IRI` production of RFC 3987 §2.2.
    ///
    /// ```
    /// use urigrep::{ErrorKind, Iri};
    /// assert!(Iri::parse("http://例え.jp/").is_ok());
    /// let error = Iri::parse("http://a.example/\u{E000}").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (17, ErrorKind::PathCharacter));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the byte offset of the first character that does not fit, and the reason, as
    /// [`Uri::parse`](crate::Uri::parse) does.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse::<Ucs>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// The IRI as parsed.
    ///
    /// ```
    /// assert_eq!(urigrep::Iri::parse("http://例え.jp/")?.as_str(), "http://例え.jp/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// Maps the IRI to a URI (RFC 3987 §3.1). Borrowed if the IRI already is a URI.
    ///
    /// The UTF-8 bytes of every character beyond ASCII are percent-encoded; ASCII stays unchanged.
    ///
    /// ```
    /// use urigrep::Iri;
    /// assert_eq!(Iri::parse("http://Bücher.example/%7e")?.to_uri(), "http://B%C3%BCcher.example/%7e");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn to_uri(&self) -> Cow<'a, str> {
        encoded(self.text)
    }

    /// Like [`to_uri`](Self::to_uri), but maps a non-ASCII host as `hosts` specifies.
    ///
    /// ```
    /// use urigrep::Iri;
    /// use urigrep::options::HostMapping;
    /// if let Ok(idna) = HostMapping::idna() {
    ///     let iri = Iri::parse("http://Bücher.example/ü")?;
    ///     assert_eq!(iri.to_uri_with(idna)?, "http://xn--bcher-kva.example/%C3%BC");
    /// }
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::HostCharacter`](crate::ErrorKind::HostCharacter) at the first character beyond
    /// ASCII of a host that UTS #46 does not map to a non-empty name that is valid in a URI.
    pub fn to_uri_with(&self, hosts: HostMapping) -> Result<Cow<'a, str>, ParseError> {
        mapped(self.text, self.parts, hosts)
    }
}

text_traits!(Iri);

/// Maps an IRI or IRI reference with these parts.
pub(super) fn mapped(
    text: &str,
    parts: UriParts,
    hosts: HostMapping,
) -> Result<Cow<'_, str>, ParseError> {
    if text.is_ascii() {
        return Ok(Cow::Borrowed(text));
    }
    let mut uri = String::with_capacity(text.len() * 2);
    write_mapped(text, parts, hosts, &mut uri)?;
    Ok(Cow::Owned(uri))
}

/// Percent-encodes all non-ASCII bytes of `text`.
pub(super) fn encoded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut uri = String::with_capacity(text.len() * 2);
    encode(text, &mut uri);
    Cow::Owned(uri)
}

/// Appends the mapped `text`. After an error, `out` may contain part of it.
fn write_mapped(
    text: &str,
    parts: UriParts,
    hosts: HostMapping,
    out: &mut String,
) -> Result<(), ParseError> {
    let Some(host) = parts.host() else {
        encode(text, out);
        return Ok(());
    };
    encode(text.part(..host.start), out);
    hosts.write(text.part(host.clone()), host.start, out)?;
    encode(text.part(host.end..), out);
    Ok(())
}

/// Parses `iri` and appends the URI it maps to (RFC 3987 §3.1), like [`Iri::to_uri_with`]. After an
/// error, `out` is unchanged.
pub(crate) fn map_to_uri(
    iri: &str,
    hosts: HostMapping,
    out: &mut String,
) -> Result<(), ParseError> {
    let before = out.len();
    let Iri { text, parts } = Iri::parse(iri)?;
    write_mapped(text, parts, hosts, out).inspect_err(|_| out.truncate(before))
}

/// Appends `text` with each byte beyond ASCII percent-encoded.
pub(super) fn encode(text: &str, out: &mut String) {
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            percent::push(byte, out);
        }
    }
}
