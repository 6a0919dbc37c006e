//! Decides whether a scheme may precede a colon. The rules start no URI at a colon that this
//! refuses.

use crate::byte_table::{ByteTable, byte_table};
use crate::chunk::{CHUNK, is_in_scheme, run_at_end};
use crate::grammar::is_scheme_byte;
use crate::registry::OPAQUE;
use crate::slice::SliceExt;

/// Longest scheme, and most white space between it and `<URL:`.
const LOOKBACK: usize = 64;

const HTTPS: u64 = u64::from_le_bytes(*b"https://");
const HTTP: u64 = u64::from_le_bytes(*b"http://\0");

/// Returns the start of `http` or `https` before the colon at `at`, if `//` follows: most
/// candidates of most texts. One load of eight bytes and two compares decide.
#[inline(always)]
pub(super) fn web(haystack: &[u8], at: usize) -> Option<usize> {
    let around = haystack.get(at.wrapping_sub(5)..)?.first_chunk()?;
    match u64::from_le_bytes(*around) {
        HTTPS => Some(at - 5),
        around if around >> u8::BITS == HTTP => Some(at - 4),
        _ => None,
    }
}

/// True if `http://` or `https://` starts at `at`, as in each line of a list of URIs.
#[inline(always)]
pub(crate) fn starts_web(haystack: &[u8], at: usize) -> bool {
    let rest = haystack.part(at..);
    let start = rest.first_chunk().map(|start| u64::from_le_bytes(*start));
    start.is_some_and(|start| start == HTTPS || start << u8::BITS == HTTP << u8::BITS)
}

/// D5: true if `http` or `https` precedes the colon at `at`, after which the line ends.
#[inline]
pub(crate) fn is_end_of_web(haystack: &[u8], at: usize) -> bool {
    let before = haystack.part(..at);
    before.ends_with(b"http") || before.ends_with(b"https")
}

/// True if two scheme characters precede the colon at `at`, and the text after it allows a scheme.
///
/// No rule accepts a scheme of one character. Schemes without slashes have a recognizer (D1.6), and
/// end in one of few pairs of letters, or `<URL:` announces them (D1.5). A line break may follow
/// inside a wrapper (D3.2), a backslash in JSON and troff (D2.4).
#[inline(always)]
pub(super) fn may_start(haystack: &[u8], at: usize) -> bool {
    let Some(&[b, a, _, after, ..]) = haystack.get(at.wrapping_sub(2)..) else {
        return false;
    };
    if !(is_scheme_byte(a) && is_scheme_byte(b)) {
        return is_scheme_byte(b)
            && matches!(a, b'\\' | b'[')
            && may_start_after(a, haystack.part(at + 1..));
    }
    match after {
        b'/' if matches!(haystack.get(at + 2), Some(b'/' | b'\\')) => true,
        b'\\' => true,
        // A time, `12:30`. The price is that `<URL:h323:1>` is refused, too (D1.5).
        b'0'..=b'9' if !a.is_ascii_alphabetic() => false,
        // `urn::x` is a URN without a NID, which must be rejected with that reason (D6). The price
        // is that `<URL:foo::x>` is refused together with `std::string` (D1.5).
        b':' => b | 0x20 == b'r' && a | 0x20 == b'n',
        b'\n' | b'\r' => is_end_of_web(haystack, at) || opens_wrapper(before_scheme(haystack, at)),
        _ => FOLLOWS.get(after) && (ends_opaque(b, a) || announced(before_scheme(haystack, at))),
    }
}

/// True if what follows a colon allows a scheme that a mark divides from it. Such marks are rare,
/// so this is kept out of the loop over colons.
#[cold]
#[inline(never)]
fn may_start_after(mark: u8, rest: &[u8]) -> bool {
    // `http\://` in properties files (D2.4), `hxxp[://]` and `hxxp[:]//`, which are rejected
    // (D4.6). A stream may not have more of the text yet.
    rest.starts_with(b"//") || (mark == b'[' && rest.starts_with(b"]/"))
}

/// True if two scheme characters precede the colon at `at` and the byte after it may follow a
/// scheme. For schemes with a recognizer added by the program.
pub(super) fn may_start_opaque(haystack: &[u8], at: usize) -> bool {
    match haystack.get(at.wrapping_sub(2)..) {
        Some(&[b, a, _, after, ..]) => is_scheme_byte(a) && is_scheme_byte(b) && FOLLOWS.get(after),
        _ => false,
    }
}

/// Decides the same for refanging: the colon may be in a bracket, `hxxp[:]//`.
pub(super) fn may_start_fanged(haystack: &[u8], at: usize) -> bool {
    let bracketed = haystack.get(at + 1) != Some(&b' ')
        && matches!(
            haystack.part(..at),
            [.., a, b, b'[' | b'('] if is_scheme_byte(*a) && is_scheme_byte(*b)
        );
    // `hxxps:[//]`, `hxxp:\\`
    let opens = matches!(haystack.get(at.wrapping_sub(2)..), Some([b, a, b':', b'[' | b'/', b'/' | b'[', ..])
        if is_scheme_byte(*a) && is_scheme_byte(*b));
    bracketed || opens || may_start(haystack, at)
}

/// Bytes that may follow the colon of a scheme without slashes.
static FOLLOWS: ByteTable<bool> = byte_table!(byte => {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'>' | b'`' | b'|' | b'^' | b'}' | b']' | b')')
});

/// Classes of the byte before a colon. [`may_start`] refuses the colon if it shares no class with
/// [`kinds_after`] of the following byte.
pub(super) const fn kinds_before(byte: u8) -> u8 {
    match byte {
        b'n' | b'N' => SCHEME | LETTER | N,
        _ if byte.is_ascii_alphabetic() => SCHEME | LETTER,
        _ if is_in_scheme(byte) => SCHEME,
        b'\\' => BACKSLASH,
        b'[' => BRACKET,
        _ => 0,
    }
}

/// Classes that may precede a colon followed by this byte.
pub(super) const fn kinds_after(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => LETTER,
        b':' => N,
        b'/' => SCHEME | BACKSLASH | BRACKET,
        b']' => BRACKET,
        b'\\' | b'\n' | b'\r' => SCHEME,
        _ if FOLLOWS.get(byte) => SCHEME,
        _ => 0,
    }
}

const SCHEME: u8 = 1;
const LETTER: u8 = 2;
const N: u8 = 4;
const BACKSLASH: u8 = 8;
const BRACKET: u8 = 16;

/// Tables for the bytes before and after a colon. One array, so that a single register holds the
/// address of both.
static KINDS: [ByteTable<u8>; 2] =
    [byte_table!(byte => kinds_before(byte)), byte_table!(byte => kinds_after(byte))];

/// True if a colon between these bytes may start a URI. Refuses `key: value` and `std::string`,
/// which have most colons of most texts.
#[inline(always)]
pub(super) fn fit(before: u8, after: u8) -> bool {
    let [kinds_before, kinds_after] = &KINDS;
    kinds_before.get(before) & kinds_after.get(after) != 0
}

/// Last two letters of the schemes in [`OPAQUE`]: bit `a` of word `b`, both numbered by the
/// alphabet. A false positive only costs the rules a look.
#[expect(clippy::indexing_slicing, reason = "the compiler does it, and would notice")]
const ENDINGS: [u32; 32] = {
    let mut endings = [0; 32];
    let mut i = 0;
    while i < OPAQUE.len() {
        let name = OPAQUE[i].as_bytes();
        let (b, a) = (name[name.len() - 2], name[name.len() - 1]);
        endings[(b & 31) as usize] |= 1 << (a & 31);
        i += 1;
    }
    endings
};

/// True if `b` and then `a`, in any case, end a scheme that needs no slashes.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "it has 32 entries")]
fn ends_opaque(b: u8, a: u8) -> bool {
    let letters = a.is_ascii_alphabetic() && b.is_ascii_alphabetic();
    letters && ENDINGS[(b & 31) as usize] >> (a & 31) & 1 == 1
}

/// Returns the text before the scheme characters that precede `at`.
#[inline(always)]
fn before_scheme(haystack: &[u8], at: usize) -> &[u8] {
    let text = haystack.part(..at);
    let near = text.last_chunk().map_or(0, |end| run_at_end(end, is_in_scheme));
    let mut start = at - near;
    // The word may be longer than the chunk, or the text starts here.
    if near == 0 || near == CHUNK {
        let floor = at.saturating_sub(LOOKBACK);
        while start > floor && text.get(start - 1).is_some_and(|&byte| is_scheme_byte(byte)) {
            start -= 1;
        }
    }
    text.part(start.saturating_sub(LOOKBACK)..start)
}

/// D1.5: true if `URL:` or `URI:` and possibly white space end `text`.
fn announced(text: &[u8]) -> bool {
    match without_space(text) {
        text @ [.., b':'] => text.last_chunk().is_some_and(is_prefix),
        _ => false,
    }
}

/// D3.1: true for the prefixes that announce a URI, in any case.
pub(crate) fn is_prefix(word: &[u8; 4]) -> bool {
    word.eq_ignore_ascii_case(b"URL:") || word.eq_ignore_ascii_case(b"URI:")
}

/// True if a wrapper in which line breaks are removed (D3.2, D3.6) opens at the end of `text`.
fn opens_wrapper(text: &[u8]) -> bool {
    match without_space(text) {
        [.., b'<'] => true,
        text @ [.., b':'] => text.last_chunk().is_some_and(is_prefix),
        _ => text.ends_with(b"\""),
    }
}

/// Returns `text` without trailing white space, which is mostly one byte between two words.
#[inline(always)]
fn without_space(text: &[u8]) -> &[u8] {
    match text {
        [before @ .., space] if space.is_ascii_whitespace() => match before {
            [.., byte] if !byte.is_ascii_whitespace() => before,
            _ => before.trim_ascii_end(),
        },
        _ => text,
    }
}
