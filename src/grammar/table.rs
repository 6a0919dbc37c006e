//! The character classes of RFC 3986, RFC 3987 and RFC 8141, and of the older documents of
//! [`Grammar`](crate::Grammar). The crate has no others.
//!
//! The doc comment of each table is its ABNF, so a reviewer can compare it with the RFC. A table
//! cannot contain `pct-encoded`, which is three characters; [`super::component::run`] adds it where
//! the rule has it. Invariant: no table contains `%` or a byte above 0x7F.

use crate::slice::SliceExt;

pub(crate) struct CharTable([bool; 256]);

impl CharTable {
    #[expect(clippy::indexing_slicing, reason = "the compiler does it, and would notice")]
    pub(crate) const fn from_chars(chars: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut i = 0;
        while i < chars.len() {
            // `run` must stop at these to check a triplet or a wide character.
            assert!(chars[i].is_ascii() && chars[i] != b'%');
            set[chars[i] as usize] = true;
            i += 1;
        }
        Self(set)
    }

    #[expect(clippy::indexing_slicing, reason = "the compiler does it, and would notice")]
    pub(crate) const fn or(&self, other: &Self) -> Self {
        let mut set = self.0;
        let mut i = 0;
        while i < set.len() {
            set[i] |= other.0[i];
            i += 1;
        }
        Self(set)
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a table has an entry for each byte")]
    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }

    /// Returns the first index at or after `at` whose byte is not in the set, or `bytes.len()`.
    #[inline]
    pub(crate) fn skip(&self, bytes: &[u8], at: usize) -> usize {
        let rest = bytes.clamped(at..);
        at + rest.iter().position(|&byte| !self.has(byte)).unwrap_or(rest.len())
    }
}

/// `ALPHA = %x41-5A / %x61-7A` (RFC 5234 appendix B.1)
pub(crate) static ALPHA: CharTable =
    CharTable::from_chars(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

/// `DIGIT = %x30-39` (RFC 5234 appendix B.1)
pub(crate) static DIGIT: CharTable = CharTable::from_chars(b"0123456789");

/// `HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"`, either case (RFC 5234 appendix B.1)
pub(crate) static HEXDIG: CharTable = DIGIT.or(&CharTable::from_chars(b"ABCDEFabcdef"));

/// `alphanum = ALPHA / DIGIT` (RFC 2396 appendix A, which RFC 8141 §2 borrows from)
pub(crate) static ALPHANUM: CharTable = ALPHA.or(&DIGIT);

/// `ldh = alphanum / "-"` (RFC 8141 §2)
pub(crate) static LDH: CharTable = ALPHANUM.or(&CharTable::from_chars(b"-"));

/// `ALPHA / DIGIT / "+" / "-" / "."`, the characters after the first letter of a scheme (RFC 3986
/// §3.1)
pub(crate) static SCHEME: CharTable = ALPHANUM.or(&CharTable::from_chars(b"+-."));

/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"` (RFC 3986 §2.3)
pub(crate) static UNRESERVED: CharTable = ALPHANUM.or(&CharTable::from_chars(b"-._~"));

/// `gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"` (RFC 3986 §2.2)
pub(crate) static GEN_DELIMS: CharTable = CharTable::from_chars(b":/?#[]@");

/// `sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="` (RFC 3986 §2.2)
pub(crate) static SUB_DELIMS: CharTable = CharTable::from_chars(b"!$&'()*+,;=");

/// `reserved = gen-delims / sub-delims` (RFC 3986 §2.2)
pub(crate) static RESERVED: CharTable = GEN_DELIMS.or(&SUB_DELIMS);

/// `unreserved / reserved`: every character that a URI may contain unencoded (RFC 3986 §2)
pub(crate) static URI: CharTable = UNRESERVED.or(&RESERVED);

/// `reg-name = *( unreserved / pct-encoded / sub-delims )` (RFC 3986 §3.2.2)
pub(crate) static REG_NAME: CharTable = UNRESERVED.or(&SUB_DELIMS);

/// `userinfo = *( unreserved / pct-encoded / sub-delims / ":" )` (RFC 3986 §3.2.1)
pub(crate) static USERINFO: CharTable = REG_NAME.or(&CharTable::from_chars(b":"));

/// `1*( unreserved / sub-delims / ":" )`, after the `.` of an IPvFuture (RFC 3986 §3.2.2)
pub(crate) static IPV_FUTURE: CharTable =
    UNRESERVED.or(&SUB_DELIMS).or(&CharTable::from_chars(b":"));

/// `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"` (RFC 3986 §3.3)
pub(crate) static PCHAR: CharTable = UNRESERVED.or(&SUB_DELIMS).or(&CharTable::from_chars(b":@"));

/// `path-abempty = *( "/" *pchar )`: `*( pchar / "/" )` after an authority or a scheme
/// (RFC 3986 §3.3); also `NSS = pchar *( pchar / "/" )` after its first (RFC 8141 §2)
pub(crate) static PATH: CharTable = PCHAR.or(&CharTable::from_chars(b"/"));

/// `query = *( pchar / "/" / "?" )` (RFC 3986 §3.4); `r-component` and
/// `q-component = pchar *( pchar / "/" / "?" )` after their first (RFC 8141 §2)
pub(crate) static QUERY: CharTable = PCHAR.or(&CharTable::from_chars(b"/?"));

/// `fragment = *( pchar / "/" / "?" )` (RFC 3986 §3.5); `f-component = fragment` (RFC 8141 §2)
pub(crate) static FRAGMENT: CharTable = PCHAR.or(&CharTable::from_chars(b"/?"));

// The older documents. Their classes differ from those above in few characters, and reuse names for
// other sets. So each name here ends in the number or year of its document.

/// `unreserved = ALPHA / DIGIT / mark`, with
/// `mark = "-" / "_" / "." / "!" / "~" / "*" / "'" / "(" / ")"` (rfc2396bis-01 §2.3)
pub(super) static UNRESERVED_2396: CharTable = ALPHANUM.or(&CharTable::from_chars(b"-_.!~*'()"));

/// `reserved = "[" / "]" / ";" / "/" / "?" / ":" / "@" / "&" / "=" / "+" / "$" / ","`
/// (rfc2396bis-01 §2.2)
pub(super) static RESERVED_2396: CharTable = CharTable::from_chars(b"[];/?:@&=+$,");

/// `uric = reserved / unreserved / escaped` (rfc2396bis-01 §2)
pub(super) static URIC_2396: CharTable = RESERVED_2396.or(&UNRESERVED_2396);

/// `uric-no-slash = unreserved / escaped / "[" / "]" / ";" / "?" / ":" / "@" / "&" / "=" / "+" /
/// "$" / ","` (rfc2396bis-01 §3)
pub(super) static URIC_NO_SLASH_2396: CharTable =
    UNRESERVED_2396.or(&CharTable::from_chars(b"[];?:@&=+$,"));

/// `pchar = unreserved / escaped / ";" / ":" / "@" / "&" / "=" / "+" / "$" / ","`
/// (rfc2396bis-01 §3.3); also `reg-name = 1*( … )` of the same characters (§3.2.1)
pub(super) static PCHAR_2396: CharTable = UNRESERVED_2396.or(&CharTable::from_chars(b";:@&=+$,"));

/// `path-segments = segment *( "/" segment )`, with `segment = *pchar` (rfc2396bis-01 §3.3)
pub(super) static PATH_2396: CharTable = PCHAR_2396.or(&CharTable::from_chars(b"/"));

/// `query = *( pchar / "/" / "?" )` and `fragment = *( pchar / "/" / "?" )`
/// (rfc2396bis-01 §3.4 and §4.1)
pub(super) static QUERY_2396: CharTable = PCHAR_2396.or(&CharTable::from_chars(b"/?"));

/// `userinfo = *( unreserved / escaped / ";" / ":" / "&" / "=" / "+" / "$" / "," )`
/// (rfc2396bis-01 §3.2.2)
pub(super) static USERINFO_2396: CharTable = UNRESERVED_2396.or(&CharTable::from_chars(b";:&=+$,"));

/// `rel-segment = 1*( unreserved / escaped / ";" / "@" / "&" / "=" / "+" / "$" / "," )`
/// (rfc2396bis-01 §5)
pub(super) static REL_SEGMENT_2396: CharTable =
    UNRESERVED_2396.or(&CharTable::from_chars(b";@&=+$,"));

/// `unreserved = alphanum | mark`, with
/// `mark = "$" | "-" | "_" | "." | "!" | "~" | "*" | "'" | "(" | ")" | ","` (url-syntax-05 §2.3)
pub(super) static UNRESERVED_1997: CharTable = ALPHANUM.or(&CharTable::from_chars(b"$-_.!~*'(),"));

/// `reserved = ";" | "/" | "?" | ":" | "@" | "&" | "=" | "+"` (url-syntax-05 §2.2)
pub(super) static RESERVED_1997: CharTable = CharTable::from_chars(b";/?:@&=+");

/// `urlc = reserved | unreserved | escaped`, the characters of an opaque-URL, a query and a
/// fragment (url-syntax-05 appendix A)
pub(super) static URLC_1997: CharTable = RESERVED_1997.or(&UNRESERVED_1997);

/// `pchar = unreserved | escaped | ":" | "@" | "&" | "=" | "+"` (url-syntax-05 §4.3.2)
pub(super) static PCHAR_1997: CharTable = UNRESERVED_1997.or(&CharTable::from_chars(b":@&=+"));

/// `path_segments = segment *( "/" segment )`, with `segment = *pchar *( ";" param )` and
/// `param = *pchar` (url-syntax-05 §4.3.2)
pub(super) static PATH_1997: CharTable = PCHAR_1997.or(&CharTable::from_chars(b"/;"));

/// `user = *( unreserved | escaped | ";" | "&" | "=" | "+" )`; also `password`
/// (url-syntax-05 §4.3.1)
pub(super) static USER_1997: CharTable = UNRESERVED_1997.or(&CharTable::from_chars(b";&=+"));

/// `xalpha = alpha | digit | safe | extra | escape`, with `safe = $ | - | _ | @ | . | &` and
/// `extra = ! | * | ' | ( | ) | : | ; | ,` (url-1993, "BNF syntax"). The BNF lists `"` and
/// `space` as `extra` too; its own prose says that spaces are not legal characters.
pub(super) static XALPHA_1993: CharTable = ALPHANUM.or(&CharTable::from_chars(b"$-_@.&!*'():;,"));

/// `xpalpha = xalpha | +`, the characters of paths (url-1993, "BNF syntax")
pub(super) static XPALPHA_1993: CharTable = XALPHA_1993.or(&CharTable::from_chars(b"+"));

/// `trans = upper / lower / number / other`, with `other = "(" / ")" / "+" / "," / "-" / "." /
/// ":" / "=" / "@" / ";" / "$" / "_" / "!" / "*" / "'"` (RFC 2141 §2.2). The rule lists
/// `reserved = "%" / "/" / "?" / "#"` too, which §2.3 keeps for later use: `%` only before two
/// hexadecimal digits, the others not in an NSS.
pub(super) static NSS_2141: CharTable = ALPHANUM.or(&CharTable::from_chars(b"()+,-.:=@;$_!*'"));

/// `trans` with `"/"` and `"?"` of its `reserved`: the characters after the NSS (RFC 2141 §2.3.2)
pub(super) static QUERY_2141: CharTable = NSS_2141.or(&CharTable::from_chars(b"/?"));

#[inline]
pub(crate) fn is_unreserved(byte: u8) -> bool {
    UNRESERVED.has(byte)
}

#[inline]
pub(crate) fn is_sub_delim(byte: u8) -> bool {
    SUB_DELIMS.has(byte)
}

#[inline]
pub(crate) fn is_scheme_byte(byte: u8) -> bool {
    SCHEME.has(byte)
}

/// True for `unreserved / reserved` and `%`: every byte that a URI may contain.
#[inline]
pub(crate) fn is_uri_byte(byte: u8) -> bool {
    URI.has(byte) || byte == b'%'
}

/// `ucschar`, the non-ASCII characters that every component of an IRI may contain (RFC 3987 §2.2):
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

/// `iprivate`, which only the query of an IRI may contain (RFC 3987 §2.2): `iprivate = %xE000-F8FF
/// / %xF0000-FFFFD / %x100000-10FFFD`
pub(crate) const fn is_iprivate(c: char) -> bool {
    matches!(c as u32, 0xE000..=0xF8FF | 0xF0000..=0xFFFFD | 0x100000..=0x10FFFD)
}
