//! IRIs and their mapping to URIs (RFC 3987 §2.2 and §3.1).
//!
//! The grammar is that of a URI over a larger alphabet ([`Ucs`]). The mapping writes each
//! character beyond ASCII as the percent-encoded bytes of its UTF-8, a host as a [`HostMapping`] says.
//! Invariant: what the mapping writes is a URI by RFC 3986.

use super::component::Ucs;
use super::host_mapping::HostMapping;
use super::parts::{UriParts, text_traits};
use crate::error::ParseError;
use crate::percent;
use alloc::borrow::Cow;
use alloc::string::String;

/// An IRI by RFC 3987: a borrowed string that has been parsed. Every URI is one.
///
/// Validity is that of the ABNF in §2.2: characters of `ucschar` anywhere but in the scheme and in
/// an IP literal, and those of `iprivate` in the query. No normalization form is asked for, and
/// the bidirectional controls that §4.1 advises against are let through.
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
    /// Parses the whole of `text` by the `IRI` production of RFC 3987 §2.2.
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
    /// When `text` is not an IRI: the 0-based byte offset of the first character that does not
    /// fit, and why, as for [`Uri::parse`](crate::Uri::parse).
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let parts = UriParts::parse::<Ucs>(text.as_bytes())?;
        Ok(Self { text, parts })
    }

    /// The IRI as it was parsed.
    ///
    /// ```
    /// assert_eq!(urigrep::Iri::parse("http://例え.jp/")?.as_str(), "http://例え.jp/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The URI that the IRI maps to (RFC 3987 §3.1); borrowed when the IRI is one already.
    ///
    /// Every character beyond ASCII becomes the percent-encoded bytes of its UTF-8; what is ASCII stays as it is.
    ///
    /// ```
    /// use urigrep::Iri;
    /// assert_eq!(Iri::parse("http://Bücher.example/%7e")?.to_uri(), "http://B%C3%BCcher.example/%7e");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn to_uri(&self) -> Cow<'a, str> {
        encoded(self.text)
    }

    /// As [`to_uri`](Self::to_uri), with a host that is not ASCII mapped as `hosts` says.
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
    /// ASCII of a host that UTS #46 does not map to a name that is valid in a URI and not empty.
    pub fn to_uri_with(&self, hosts: HostMapping) -> Result<Cow<'a, str>, ParseError> {
        mapped(self.text, self.parts, hosts)
    }
}

text_traits!(Iri);

/// What an IRI, or a reference to one, of these parts maps to.
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

/// `text` with all that is not ASCII percent-encoded.
pub(super) fn encoded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut uri = String::with_capacity(text.len() * 2);
    encode(text, &mut uri);
    Cow::Owned(uri)
}

/// Appends what `text` maps to; after an error `out` may hold a part of it.
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
    encode(&text[..host.start], out);
    hosts.write(&text[host.clone()], host.start, out)?;
    encode(&text[host.end..], out);
    Ok(())
}

/// Parses `iri` and appends the URI it maps to (RFC 3987 §3.1) to `out`, as [`Iri::to_uri_with`].
/// After an error `out` is as it was.
pub(crate) fn map_to_uri(
    iri: &str,
    hosts: HostMapping,
    out: &mut String,
) -> Result<(), ParseError> {
    let before = out.len();
    let Iri { text, parts } = Iri::parse(iri)?;
    write_mapped(text, parts, hosts, out).inspect_err(|_| out.truncate(before))
}

/// Appends `text`, with each byte beyond ASCII percent-encoded.
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
