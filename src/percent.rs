//! Percent-encoding: `pct-encoded = "%" HEXDIG HEXDIG` (RFC 3986 §2.1).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::grammar::table::{self, CharTable};
use crate::named::named_enum;

named_enum! {
    "urigrep::percent::PercentSet", "percent-encode sets";
    /// The destination of a text in a URI, which determines the characters it may contain unencoded
    /// (RFC 3986 §3). A `%` is always encoded.
    pub enum PercentSet {
        /// Anywhere, as data: everything but `unreserved` is encoded (§2.3).
        Anywhere = "anywhere",
        /// The userinfo, in which a `:` separates user and password (§3.2.1).
        Userinfo = "userinfo",
        /// A user or a password: no `:`.
        User = "user",
        /// A registered name (§3.2.2).
        Host = "host",
        /// A path with its slashes (§3.3).
        Path = "path",
        /// A segment of a path: no `/`.
        Segment = "segment",
        /// A query as a whole (§3.4).
        Query = "query",
        /// A name or a value of a query: no `&`, `=`, `+` or `;`.
        QueryValue = "query-value",
        /// The fragment (§3.5).
        Fragment = "fragment",
    }
}

// `&`, `;`, `=` and `+` separate pairs or stand for a space in HTML forms, so they are encoded in a
// value.
static QUERY_VALUE: CharTable = table::UNRESERVED.or(&CharTable::from_chars(b"!$'()*,:@/?"));

impl PercentSet {
    fn table(self) -> &'static CharTable {
        match self {
            Self::Anywhere => &table::UNRESERVED,
            Self::Userinfo => &table::USERINFO,
            Self::User => &table::REG_NAME,
            Self::Host => &table::REG_NAME,
            Self::Path => &table::PATH,
            Self::Segment => &table::PCHAR,
            Self::Query => &table::QUERY,
            Self::QueryValue => &QUERY_VALUE,
            Self::Fragment => &table::FRAGMENT,
        }
    }
}

/// Encodes each byte of `text` that must not be unencoded in a `set`; [`decode`] reverses it.
///
/// ```
/// use urigrep::percent::{PercentSet, decode, encode};
/// assert_eq!(encode("a b/c", PercentSet::Segment), "a%20b%2Fc");
/// assert_eq!(encode("a b/c", PercentSet::Path), "a%20b/c");
/// assert_eq!(*decode(&encode("100 % é", PercentSet::QueryValue)), *"100 % é".as_bytes());
/// ```
pub fn encode<T: AsRef<[u8]> + ?Sized>(text: &T, set: PercentSet) -> Cow<'_, str> {
    let (bytes, table) = (text.as_ref(), set.table());
    if let Ok(text) = core::str::from_utf8(bytes)
        && table.skip(bytes, 0) == bytes.len()
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() * 2);
    for &byte in bytes {
        if table.has(byte) { out.push(char::from(byte)) } else { push(byte, &mut out) }
    }
    Cow::Owned(out)
}

/// Encodes everything that is not encoded yet: triplets stay as they are.
#[cfg(feature = "search")]
pub(crate) fn encode_rest(bytes: &[u8], set: PercentSet) -> String {
    let mut out = String::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        if set.table().has(byte) || octet(bytes, at).is_some() {
            out.push(char::from(byte))
        } else {
            push(byte, &mut out)
        }
    }
    out
}

/// Decodes each percent triplet of `text` once; everything else is unchanged.
///
/// ```
/// assert_eq!(&*urigrep::percent::decode("a%2Fb%C3%A9%%4"), "a/bé%%4".as_bytes());
/// ```
pub fn decode(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if !bytes.contains(&b'%') {
        return Cow::Borrowed(bytes);
    }
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    // A decoded `%` is not read again: `%2541` means `%41`.
    while let Some(&byte) = bytes.get(at) {
        let read = octet(bytes, at);
        out.push(read.unwrap_or(byte));
        at += if read.is_some() { 3 } else { 1 };
    }
    Cow::Owned(out)
}

/// Returns the octet of the triplet at `bytes[at..]`, or `None` if there is none.
pub(crate) fn octet(bytes: &[u8], at: usize) -> Option<u8> {
    let &[b'%', high, low] = bytes.get(at..at + 3)? else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    Some(digit(high)? << 4 | digit(low)?)
}

/// Appends the triplet of `byte`, with upper-case digits (RFC 3986 §2.1).
pub(crate) fn push(byte: u8, out: &mut String) {
    out.extend(triplet(byte).map(char::from));
}

/// Returns `byte` as a percent triplet.
pub(crate) fn triplet(byte: u8) -> [u8; 3] {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let [high, low] = [byte >> 4, byte & 15].map(|digit| HEX[usize::from(digit)]);
    [b'%', high, low]
}
