//! URNs: `namestring = assigned-name [ rq-components ] [ "#" f-component ]` (RFC 8141 §2).
//!
//! Three rules are only in the prose of §2 and §2.3.1. A `?` before the components is an error
//! unless `+` or `=` follows. The r-component ends at the first `?=`. So a `?=` at its very end
//! starts an empty q-component, which the ABNF does not allow.

use super::component::{Ascii, CharRule, run, triplet};
use super::parts::{UriParts, offset, text_traits};
use super::table;
use super::uri::Uri;
use crate::error::{ErrorKind, ParseError};
use crate::slice::SliceExt;

/// Maximum length of a NID: `(alphanum) 0*30(ldh) (alphanum)` (RFC 8141 §2).
const NID_MAX: usize = 32;

const PREFIX: &[u8; 4] = b"urn:";

/// A URN by RFC 8141: a borrowed, parsed string with the offsets of its components.
///
/// All returned values borrow from the parsed string; nothing is decoded or normalized. An absent
/// component is `None`. An f-component may be `Some("")`; the others are never empty.
///
/// ```
/// use urigrep::Urn;
/// let urn = Urn::parse("URN:example:foo?+CCResolve:cc=uk?=op=map#here")?;
/// assert_eq!(urn.nid(), "example");
/// assert_eq!(urn.nss(), "foo");
/// assert_eq!(urn.r_component(), Some("CCResolve:cc=uk"));
/// assert_eq!(urn.q_component(), Some("op=map"));
/// assert_eq!(urn.f_component(), Some("here"));
/// assert_eq!(urn.assigned_name(), "URN:example:foo");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Urn<'a> {
    text: &'a str,
    /// Offset of the `:` after the NID.
    nid_end: u32,
    /// One past the NSS, at the `?` or `#` if one follows.
    nss_end: u32,
    /// One past the r-component, or `nss_end` without one.
    r_end: u32,
    /// One past the q-component, or `r_end` without one; the `#` if there is an f-component.
    q_end: u32,
}

impl<'a> Urn<'a> {
    /// Parses all of `text` by the `namestring` production of RFC 8141 §2 and its prose.
    ///
    /// The scheme is `urn` in any case. NIDs are not looked up: an unregistered one is not an
    /// error.
    ///
    /// ```
    /// use urigrep::{ErrorKind, Urn};
    /// assert_eq!(Urn::parse("urn:example:1/406/47452/2")?.nss(), "1/406/47452/2");
    /// let error = Urn::parse("urn:example:a?b").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (13, ErrorKind::BareQuestionMark));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the byte offset of the first byte that does not fit, and the reason. An empty or
    /// short component is reported where its next character should be, an invalid percent triplet
    /// at its `%`.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        let bytes = text.as_bytes();
        if bytes.len() > u32::MAX as usize {
            return Err(ParseError::new(u32::MAX as usize, ErrorKind::TooLong));
        }
        let nid_end = nid(bytes, prefix(bytes)?)?;
        let nss_end = nss(bytes, nid_end + 1)?;
        let r_end = match bytes.clamped(nss_end..) {
            [b'?', b'+', ..] => r_component(bytes, nss_end + 2)?,
            _ => nss_end,
        };
        let q_end = match bytes.clamped(r_end..) {
            [b'?', b'=', ..] => q_component(bytes, r_end + 2)?,
            // A `?` that starts neither component is in no production of RFC 8141 (the rule is only
            // in the prose of §2).
            [b'?', ..] => return Err(ParseError::new(r_end, ErrorKind::BareQuestionMark)),
            _ => r_end,
        };
        if bytes.get(q_end) == Some(&b'#') {
            let end = run::<Ascii>(bytes, q_end + 1, CharRule::Fragment)?;
            if end < bytes.len() {
                return Err(CharRule::Fragment.fault::<Ascii>(bytes, end));
            }
        }
        Ok(Self {
            text,
            nid_end: offset(nid_end),
            nss_end: offset(nss_end),
            r_end: offset(r_end),
            q_end: offset(q_end),
        })
    }

    /// The URN as parsed, with all components.
    ///
    /// ```
    /// assert_eq!(urigrep::Urn::parse("urn:ISBN:0451450523")?.as_str(), "urn:ISBN:0451450523");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The namespace identifier as written (RFC 8141 §2.1).
    ///
    /// ```
    /// assert_eq!(urigrep::Urn::parse("urn:ISBN:0451450523")?.nid(), "ISBN");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn nid(&self) -> &'a str {
        self.text.part(PREFIX.len()..self.nid_end as usize)
    }

    /// The namespace specific string (RFC 8141 §2.2).
    ///
    /// ```
    /// assert_eq!(urigrep::Urn::parse("urn:ietf:rfc:8141#s2")?.nss(), "rfc:8141");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn nss(&self) -> &'a str {
        self.text.part(self.nid_end as usize + 1..self.nss_end as usize)
    }

    /// The r-component, for the resolution service, without the `?+` (RFC 8141 §2.3.1).
    ///
    /// ```
    /// assert_eq!(urigrep::Urn::parse("urn:example:a?+b?c?=d")?.r_component(), Some("b?c"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn r_component(&self) -> Option<&'a str> {
        self.after(self.nss_end, self.r_end)
    }

    /// The q-component, for the named resource, without the `?=` (RFC 8141 §2.3.2).
    ///
    /// ```
    /// assert_eq!(urigrep::Urn::parse("urn:example:a?=b?+c#d")?.q_component(), Some("b?+c"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn q_component(&self) -> Option<&'a str> {
        self.after(self.r_end, self.q_end)
    }

    /// The f-component, a fragment for the client, without the `#` (RFC 8141 §2.3.3).
    ///
    /// ```
    /// use urigrep::Urn;
    /// assert_eq!(Urn::parse("urn:example:a#b?c")?.f_component(), Some("b?c"));
    /// assert_eq!(Urn::parse("urn:example:a#")?.f_component(), Some(""));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn f_component(&self) -> Option<&'a str> {
        let start = self.q_end as usize;
        (start < self.text.len()).then(|| self.text.part(start + 1..))
    }

    /// `urn:` NID `:` NSS, the part that names the resource and decides equivalence (RFC 8141 §1.1
    /// and §3.1).
    ///
    /// ```
    /// let urn = urigrep::Urn::parse("urn:example:a?=b#c")?;
    /// assert_eq!(urn.assigned_name(), "urn:example:a");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn assigned_name(&self) -> &'a str {
        self.text.part(..self.nss_end as usize)
    }

    /// The URN as a URI (RFC 8141 §4), without another parse.
    ///
    /// ```
    /// let uri = urigrep::Urn::parse("urn:example:a?+b?=c#d")?.to_uri();
    /// assert_eq!((uri.path(), uri.query()), ("example:a", Some("+b?=c")));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn to_uri(&self) -> Uri<'a> {
        let path_start = offset(PREFIX.len());
        let parts = UriParts {
            hier_start: path_start,
            host_start: path_start,
            host_end: path_start,
            path_start,
            path_end: self.nss_end,
            query_end: self.q_end,
            host_type: None,
        };
        Uri::with_parts(self.text, parts)
    }

    /// Returns the text from after the two bytes of `?+` or `?=` at `start` up to `end`.
    fn after(&self, start: u32, end: u32) -> Option<&'a str> {
        (start < end).then(|| self.text.part(start as usize + 2..end as usize))
    }
}

text_traits!(Urn);

impl<'a> From<Urn<'a>> for Uri<'a> {
    fn from(urn: Urn<'a>) -> Self {
        urn.to_uri()
    }
}

/// Returns the index after the `urn:`, in any case, at the start of `bytes`.
pub(super) fn prefix(bytes: &[u8]) -> Result<usize, ParseError> {
    let same = bytes.iter().zip(PREFIX).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    if same == PREFIX.len() { Ok(same) } else { Err(ParseError::new(same, ErrorKind::NotUrn)) }
}

/// Reads the letters, digits and hyphens of a NID from `start` and returns the index after them. A
/// NID does not start with a hyphen. Reads at most 33 bytes.
pub(super) fn nid_run(bytes: &[u8], start: usize) -> Result<usize, ParseError> {
    // One byte more than the maximum tells a NID that is too long from one that just fits. A
    // megabyte of letters after `urn:` costs no more than this.
    let window = bytes.part(..bytes.len().min(start + NID_MAX + 1));
    let end = table::LDH.skip(window, start);
    // Check the hyphen before the length: it is the earlier fault.
    if bytes.get(start) == Some(&b'-') {
        return Err(ParseError::new(start, ErrorKind::NidHyphen));
    }
    if end - start > NID_MAX {
        return Err(ParseError::new(start + NID_MAX, ErrorKind::NidTooLong));
    }
    Ok(end)
}

/// Parses `NID = (alphanum) 0*30(ldh) (alphanum)` from `start` and returns the index of the `:`
/// after it.
fn nid(bytes: &[u8], start: usize) -> Result<usize, ParseError> {
    let end = nid_run(bytes, start)?;
    let fault = |at, kind| Err(ParseError::new(at, kind));
    match bytes.get(end) {
        // A NID begins and ends with an alphanum, and these are two (RFC 8141 §2). Before any other
        // byte, that byte is the fault: in `urn:a_b:c`, the `_`.
        Some(b':') | None if end - start < 2 => fault(end, ErrorKind::NidTooShort),
        Some(b':') | None if bytes.part(..end).last() == Some(&b'-') => {
            fault(end - 1, ErrorKind::NidHyphen)
        }
        Some(b':') => Ok(end),
        Some(_) => fault(end, ErrorKind::NidCharacter),
        None => fault(end, ErrorKind::EmptyNss),
    }
}

/// Parses `NSS = pchar *( pchar / "/" )` from `start` and returns its end, at a `?`, a `#` or the
/// end.
fn nss(bytes: &[u8], start: usize) -> Result<usize, ParseError> {
    let end = match bytes.get(start) {
        None | Some(b'?' | b'#') => return Err(ParseError::new(start, ErrorKind::EmptyNss)),
        // The first character must be a `pchar`, so a leading `/` is not allowed.
        Some(b'/') => start,
        Some(_) => run::<Ascii>(bytes, start, CharRule::Path)?,
    };
    match bytes.get(end) {
        None | Some(b'?' | b'#') => Ok(end),
        Some(_) => Err(ParseError::new(end, ErrorKind::NssCharacter)),
    }
}

/// Parses `r-component = pchar *( pchar / "/" / "?" )` from `start`, directly after its `?+`, and
/// returns its end, at a `?=`, a `#` or the end.
fn r_component(bytes: &[u8], start: usize) -> Result<usize, ParseError> {
    if matches!(bytes.clamped(start..), [] | [b'#', ..] | [b'?', b'=', ..]) {
        return Err(ParseError::new(start, ErrorKind::EmptyRComponent));
    }
    let mut end = first_pchar(bytes, start, ErrorKind::RComponentCharacter)?;
    loop {
        end = run::<Ascii>(bytes, end, CharRule::Path)?;
        match bytes.clamped(end..) {
            // The first `?=` ends the r-component (RFC 8141 §2.3.1), although its ABNF also allows
            // `?` and `=`.
            [] | [b'#', ..] | [b'?', b'=', ..] => return Ok(end),
            [b'?', ..] => end += 1,
            _ => return Err(ParseError::new(end, ErrorKind::RComponentCharacter)),
        }
    }
}

/// Parses `q-component = pchar *( pchar / "/" / "?" )` from `start`, directly after its `?=`, and
/// returns its end, at a `#` or the end.
fn q_component(bytes: &[u8], start: usize) -> Result<usize, ParseError> {
    if matches!(bytes.get(start), None | Some(b'#')) {
        return Err(ParseError::new(start, ErrorKind::EmptyQComponent));
    }
    let after = first_pchar(bytes, start, ErrorKind::QComponentCharacter)?;
    let end = run::<Ascii>(bytes, after, CharRule::Query)?;
    match bytes.get(end) {
        None | Some(b'#') => Ok(end),
        Some(_) => Err(ParseError::new(end, ErrorKind::QComponentCharacter)),
    }
}

/// Returns the index after the `pchar` at `at`, an unencoded one or a percent triplet.
fn first_pchar(bytes: &[u8], at: usize, kind: ErrorKind) -> Result<usize, ParseError> {
    match bytes.get(at) {
        Some(b'%') => triplet(bytes, at),
        Some(&byte) if table::PCHAR.has(byte) => Ok(at + 1),
        _ => Err(ParseError::new(at, kind)),
    }
}
