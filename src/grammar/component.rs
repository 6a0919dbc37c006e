//! Reads the characters of one component: the unencoded ones in its table, percent triplets, and in
//! an IRI the characters beyond ASCII.
//!
//! A URI and an IRI differ only in their alphabet, so every parser is written once, generic over
//! [`Alphabet`] (RFC 3987 §2.2 is RFC 3986 appendix A with `iunreserved` for `unreserved`).

use super::table::{self, CharTable};
use crate::error::{ErrorKind, ParseError};

/// A component whose rule is a repetition of characters and percent triplets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharRule {
    Userinfo,
    Host,
    Path,
    Query,
    Fragment,
}

impl CharRule {
    #[inline]
    fn table(self) -> &'static CharTable {
        match self {
            Self::Userinfo => &table::USERINFO,
            Self::Host => &table::REG_NAME,
            Self::Path => &table::PATH,
            Self::Query => &table::QUERY,
            Self::Fragment => &table::FRAGMENT,
        }
    }

    pub(crate) fn check(self, text: &str) -> Result<(), ParseError> {
        let bytes = text.as_bytes();
        match run::<Ascii>(bytes, 0, self)? {
            end if end == bytes.len() => Ok(()),
            end => Err(self.fault::<Ascii>(bytes, end)),
        }
    }

    /// Returns the error for `bytes[at]`, which does not belong to the component: either a
    /// character of another component, or one that no part of a URI may contain. An error in a host
    /// always names the host.
    #[cold]
    pub(super) fn fault<A: Alphabet>(self, bytes: &[u8], at: usize) -> ParseError {
        // A character that another component may contain gets the error of this component. Other
        // characters are not allowed anywhere.
        let elsewhere = bytes.get(at).is_some_and(|&byte| table::is_uri_byte(byte))
            // The query takes the most: private-use characters are allowed only there.
            || A::wide(bytes, at, Self::Query).is_some();
        let kind = match self {
            // An authority ends at `/`, `?` and `#`. So whatever else stands in it is meant for it,
            // even a character that no component allows.
            Self::Userinfo => ErrorKind::UserinfoCharacter,
            Self::Host => ErrorKind::HostCharacter,
            _ if !elsewhere => ErrorKind::Character,
            Self::Path => ErrorKind::PathCharacter,
            Self::Query => ErrorKind::QueryCharacter,
            Self::Fragment => ErrorKind::FragmentCharacter,
        };
        ParseError::new(at, kind)
    }
}

/// The characters beyond ASCII: none in a URI, `ucschar` and `iprivate` in an IRI.
pub(super) trait Alphabet {
    /// Returns the length in bytes of the character at `bytes[at]`, a byte of 0x80 or more, if
    /// `component` may contain it.
    fn wide(bytes: &[u8], at: usize, component: CharRule) -> Option<usize>;
}

/// The alphabet of a URI (RFC 3986 §2).
pub(super) enum Ascii {}

impl Alphabet for Ascii {
    #[inline]
    fn wide(_: &[u8], _: usize, _: CharRule) -> Option<usize> {
        None
    }
}

/// The alphabet of an IRI (RFC 3987 §2.2).
pub(super) enum Ucs {}

impl Alphabet for Ucs {
    fn wide(bytes: &[u8], at: usize, component: CharRule) -> Option<usize> {
        let width = match bytes.get(at)? {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            // The other bytes start no character in UTF-8: 0xC0 and 0xC1 would be overlong, and
            // 0xF5 and more would exceed U+10FFFF.
            _ => return None,
        };
        let c = core::str::from_utf8(bytes.get(at..at + width)?).ok()?.chars().next()?;
        // Only the query of an IRI may contain private-use characters (RFC 3987 §2.2).
        let held = table::is_ucschar(c) || component == CharRule::Query && table::is_iprivate(c);
        held.then_some(width)
    }
}

/// Returns the first index at or after `at` that does not belong to `component`, or `bytes.len()`.
/// A `%` without two hexadecimal digits is an error at that `%`.
#[inline]
pub(super) fn run<A: Alphabet>(
    bytes: &[u8],
    mut at: usize,
    component: CharRule,
) -> Result<usize, ParseError> {
    let table = component.table();
    loop {
        at = table.skip(bytes, at);
        match bytes.get(at) {
            Some(b'%') => at = triplet(bytes, at)?,
            Some(0x80..) => match A::wide(bytes, at, component) {
                Some(width) => at += width,
                None => return Ok(at),
            },
            _ => return Ok(at),
        }
    }
}

/// Like [`run`], with the `table` of a rule from an older grammar.
pub(super) fn walk(bytes: &[u8], mut at: usize, table: &CharTable) -> Result<usize, ParseError> {
    loop {
        at = table.skip(bytes, at);
        match bytes.get(at) {
            Some(b'%') => at = triplet(bytes, at)?,
            _ => return Ok(at),
        }
    }
}

/// Returns the index after the percent triplet whose `%` is at `at`: `pct-encoded = "%" HEXDIG
/// HEXDIG` (RFC 3986 §2.1).
#[inline]
pub(super) fn triplet(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    match bytes.get(at + 1..at + 3) {
        Some(&[high, low]) if table::HEXDIG.has(high) && table::HEXDIG.has(low) => Ok(at + 3),
        _ => Err(ParseError::new(at, ErrorKind::PercentTriplet)),
    }
}
