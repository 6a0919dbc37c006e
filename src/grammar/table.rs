//! The character classes of RFC 3986, RFC 3987 and RFC 8141; there are no others in the crate.
//!
//! Each table's doc comment is its ABNF, so that review is comparing with the RFC. A table says
//! nothing of `pct-encoded`, which is three characters: [`super::component::run`] adds it where the
//! rule has it. Invariant: no table holds `%` or a byte above 0x7F.

/// A set of ASCII characters, one look-up a byte.
pub(crate) struct Table([bool; 256]);

impl Table {
    /// The set of the bytes of `chars`.
    const fn of(chars: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut i = 0;
        while i < chars.len() {
            assert!(chars[i].is_ascii() && chars[i] != b'%');
            set[chars[i] as usize] = true;
            i += 1;
        }
        Self(set)
    }

    /// The union of two sets.
    const fn or(&self, other: &Self) -> Self {
        let mut set = self.0;
        let mut i = 0;
        while i < set.len() {
            set[i] |= other.0[i];
            i += 1;
        }
        Self(set)
    }

    /// True when `byte` is in the set.
    #[inline]
    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }

    /// The first index from `at` on whose byte is not in the set; `bytes.len()` when all are.
    #[inline]
    pub(crate) fn skip(&self, bytes: &[u8], at: usize) -> usize {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest
            .iter()
            .position(|&byte| !self.has(byte))
            .unwrap_or(rest.len())
    }
}

/// `ALPHA = %x41-5A / %x61-7A` (RFC 5234 appendix B.1)
pub(crate) static ALPHA: Table = Table::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

/// `DIGIT = %x30-39` (RFC 5234 appendix B.1)
pub(crate) static DIGIT: Table = Table::of(b"0123456789");

/// `HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"`, either case (RFC 5234 appendix B.1)
pub(crate) static HEXDIG: Table = DIGIT.or(&Table::of(b"ABCDEFabcdef"));

/// `alphanum = ALPHA / DIGIT` (RFC 2396 appendix A, which RFC 8141 §2 borrows from)
pub(crate) static ALPHANUM: Table = ALPHA.or(&DIGIT);

/// `ldh = alphanum / "-"` (RFC 8141 §2)
pub(crate) static LDH: Table = ALPHANUM.or(&Table::of(b"-"));

/// `ALPHA / DIGIT / "+" / "-" / "."`, what follows the first letter of a scheme (RFC 3986 §3.1)
pub(crate) static SCHEME: Table = ALPHANUM.or(&Table::of(b"+-."));

/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"` (RFC 3986 §2.3)
pub(crate) static UNRESERVED: Table = ALPHANUM.or(&Table::of(b"-._~"));

/// `gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"` (RFC 3986 §2.2)
pub(crate) static GEN_DELIMS: Table = Table::of(b":/?#[]@");

/// `sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="` (RFC 3986 §2.2)
pub(crate) static SUB_DELIMS: Table = Table::of(b"!$&'()*+,;=");

/// `reserved = gen-delims / sub-delims` (RFC 3986 §2.2)
pub(crate) static RESERVED: Table = GEN_DELIMS.or(&SUB_DELIMS);

/// `unreserved / reserved`: what a URI may hold raw somewhere (RFC 3986 §2)
pub(crate) static URI: Table = UNRESERVED.or(&RESERVED);

/// `reg-name = *( unreserved / pct-encoded / sub-delims )` (RFC 3986 §3.2.2)
pub(crate) static REG_NAME: Table = UNRESERVED.or(&SUB_DELIMS);

/// `userinfo = *( unreserved / pct-encoded / sub-delims / ":" )` (RFC 3986 §3.2.1)
pub(crate) static USERINFO: Table = REG_NAME.or(&Table::of(b":"));

/// `1*( unreserved / sub-delims / ":" )`, what follows the `.` of an IPvFuture (RFC 3986 §3.2.2)
pub(crate) static IPV_FUTURE: Table = UNRESERVED.or(&SUB_DELIMS).or(&Table::of(b":"));

/// `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"` (RFC 3986 §3.3)
pub(crate) static PCHAR: Table = UNRESERVED.or(&SUB_DELIMS).or(&Table::of(b":@"));

/// `path-abempty = *( "/" *pchar )`: `*( pchar / "/" )` after an authority or a scheme
/// (RFC 3986 §3.3); also `NSS = pchar *( pchar / "/" )` after its first (RFC 8141 §2)
pub(crate) static PATH: Table = PCHAR.or(&Table::of(b"/"));

/// `query = *( pchar / "/" / "?" )` (RFC 3986 §3.4); `r-component` and
/// `q-component = pchar *( pchar / "/" / "?" )` after their first (RFC 8141 §2)
pub(crate) static QUERY: Table = PCHAR.or(&Table::of(b"/?"));

/// `fragment = *( pchar / "/" / "?" )` (RFC 3986 §3.5); `f-component = fragment` (RFC 8141 §2)
pub(crate) static FRAGMENT: Table = PCHAR.or(&Table::of(b"/?"));

/// True for a byte of `unreserved`.
#[inline]
pub(crate) fn is_unreserved(byte: u8) -> bool {
    UNRESERVED.has(byte)
}

/// True for a byte of `sub-delims`.
#[inline]
pub(crate) fn is_sub_delim(byte: u8) -> bool {
    SUB_DELIMS.has(byte)
}

/// True for a byte that a scheme may hold after its first letter.
#[inline]
pub(crate) fn is_scheme_byte(byte: u8) -> bool {
    SCHEME.has(byte)
}

/// True for a byte of `unreserved / reserved` and for `%`: all that a URI is written with.
#[inline]
pub(crate) fn is_uri_byte(byte: u8) -> bool {
    URI.has(byte) || byte == b'%'
}

/// `ucschar`, the non-ASCII characters that every component of an IRI may hold (RFC 3987 §2.2):
///
/// ```text
/// ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
///         / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
///         / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
///         / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
///         / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
///         / %xD0000-DFFFD / %xE1000-EFFFD
/// ```
pub(crate) const fn is_ucschar(c: char) -> bool {
    match c as u32 {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF | 0xE1000..=0xEFFFD => true,
        code @ 0x10000..=0xDFFFD => code & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

/// `iprivate`, which only the query of an IRI may hold (RFC 3987 §2.2):
/// `iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD`
pub(crate) const fn is_iprivate(c: char) -> bool {
    matches!(c as u32, 0xE000..=0xF8FF | 0xF0000..=0xFFFFD | 0x100000..=0x10FFFD)
}
