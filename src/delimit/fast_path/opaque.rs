//! Walks the run of a plain URN, DOI, mail address, or telephone number (D1.6, D6).

use super::encoded::FastEncoding;
use super::walk::{FastForm, FastWalk, Marks};
use crate::chunk;
use crate::scan::KernelLoops;
use crate::slice::{ByteRuns, SliceExt};

/// Longest run in bytes.
const MAX_BYTES: usize = 512;
/// Longest NID (RFC 8141 §2).
const NID_MAX_BYTES: usize = 32;
/// Shortest telephone number in digits.
const MIN_DIGITS: usize = 3;

/// A scheme without `//` that the fast path knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OpaqueScheme {
    Urn,
    Doi,
    Mailto,
    Tel,
}

impl OpaqueScheme {
    /// Returns the scheme at the end of `before`, in any case.
    #[inline(always)]
    pub fn before(before: &[u8]) -> Option<Self> {
        Some(match before {
            [.., b'u' | b'U', b'r' | b'R', b'n' | b'N'] => Self::Urn,
            [.., b'd' | b'D', b'o' | b'O', b'i' | b'I'] => Self::Doi,
            // In capitals it may be a property of a vCard.
            [.., b'T', b'E', b'L'] => return None,
            [.., b't' | b'T', b'e' | b'E', b'l' | b'L'] => Self::Tel,
            [.., b't' | b'T', b'o' | b'O'] if before.ends_with_ignore_case(b"mailto") => {
                Self::Mailto
            }
            _ => return None,
        })
    }

    pub const fn name(self) -> &'static [u8] {
        match self {
            Self::Urn => b"urn",
            Self::Doi => b"doi",
            Self::Mailto => b"mailto",
            Self::Tel => b"tel",
        }
    }

    /// True if the first `length` bytes of `text`, which are plain characters, colons, and brackets
    /// that pair, have the syntax of the scheme.
    pub fn accepts(self, text: &[u8], length: usize) -> bool {
        match self {
            Self::Urn => is_urn(text, length),
            Self::Doi => is_doi(text.part(..length)),
            Self::Mailto => is_address(text, length),
            Self::Tel => is_number(text.part(..length)),
        }
    }
}

/// Walks the run whose first byte after the colon is at `body`. Inlined: the walk is copied
/// otherwise.
#[inline(always)]
pub(super) fn walk(
    text: &[u8],
    body: usize,
    scheme: OpaqueScheme,
    loops: &KernelLoops,
) -> Option<FastWalk> {
    let mut marks = Marks::new(text, loops, (loops.masks)(text, body), body, body);
    let (mut open, mut has_comma) = (0_usize, false);
    let end = loop {
        let at = marks.next();
        if at > body + MAX_BYTES {
            return None;
        }
        match text.part(at..) {
            // A URI inside (`urn:x:http://…`) may start a match of its own (D4.7).
            [b':', b'/', b'/', ..] => return None,
            [b':', ..] => {}
            [b'(', ..] => open += 1,
            [b')', ..] if open > 0 => open -= 1,
            // D4.7: before other text they may separate the members of a list. D4.11: at the end
            // of the text, the comma may end a field.
            [b',' | b';', after @ ..] if after.first().is_none_or(u8::is_ascii_whitespace) => {
                has_comma = after.is_empty();
            }
            [b',' | b';', ..] => return None,
            rest if open > 0 || !ends(rest) => return None,
            _ => break at,
        }
    };
    let form = if scheme == OpaqueScheme::Urn { FastForm::Urn } else { FastForm::Opaque };
    Some(FastWalk {
        form,
        body,
        end,
        host_start: body,
        host_end: body,
        path_start: body,
        query: usize::MAX,
        fragment: usize::MAX,
        has_comma,
        has_ampersand: false,
        encoding: FastEncoding::None,
        encoded: 0,
    })
}

/// D1.6: true if `rest`, the text after a run, continues neither a number nor an address
/// (`tel:555 0100`, `mailto:joe@example . org`).
fn ends(rest: &[u8]) -> bool {
    match rest {
        [b' ' | b'\t', next, ..] => {
            next.is_ascii_graphic()
                // `d` may start ` dot `, as in an address that is spelled out.
                && !matches!(next, b'0'..=b'9' | b'(' | b'[' | b'{' | b'<' | b'.' | b'd' | b'D')
        }
        [b'(' | b'[' | b'{', ..] => false,
        _ => true,
    }
}

/// Returns how many of the first `length` bytes of `text` are `of` a class. It reads whole chunks,
/// so that nearly no text is compared byte by byte.
#[inline(always)]
fn run_within(text: &[u8], length: usize, of: impl Fn(u8) -> bool) -> usize {
    chunk::run(text.clamped(..length.next_multiple_of(chunk::CHUNK)), of).min(length)
}

/// `NID ":" NSS` (RFC 8141 §2), where the NSS has only plain characters.
fn is_urn(text: &[u8], length: usize) -> bool {
    let most = length.min(NID_MAX_BYTES);
    let nid = run_within(text, most, |b| chunk::is_alphanumeric(b) | (b == b'-'));
    let is_nid = match text.part(..nid) {
        [first, .., last] => *first != b'-' && *last != b'-',
        _ => false,
    };
    is_nid && matches!(text.part(nid..length), [b':', next, ..] if *next != b'/')
}

/// `10.1000/182` (ISO 26324).
fn is_doi(body: &[u8]) -> bool {
    let Some(number) = body.strip_prefix(b"10.") else { return false };
    let registrant = number.leading(|b| b.is_ascii_digit());
    let name = number.part(registrant..).strip_prefix(b"/").unwrap_or_default();
    registrant > 0 && name.iter().any(|&b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `user@host` (RFC 6068), both of the characters of a name.
fn is_address(text: &[u8], length: usize) -> bool {
    let is_name =
        |b: u8| chunk::is_alphanumeric(b) | (b == b'-') | (b == b'.') | (b == b'_') | (b == b'~');
    let user = run_within(text, length, |b| is_name(b) | (b == b'+'));
    if user == 0 || user == length || text.get(user) != Some(&b'@') {
        return false;
    }
    let (host, length) = (text.part(user + 1..), length - user - 1);
    length > 0
        && host.first().is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_')
        && run_within(host, length, is_name) == length
}

/// Digits and visual separators (RFC 3966).
fn is_number(body: &[u8]) -> bool {
    let number = body.strip_prefix(b"+").unwrap_or(body);
    let is_part = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'(' | b')');
    let digits = number.iter().filter(|b| b.is_ascii_digit()).count();
    digits >= MIN_DIGITS && number.iter().all(is_part) && number.last() != Some(&b'-')
}
