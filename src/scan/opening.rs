//! Finds bytes that may open a message of an mbox, or a file encoded in a text. Each opens a line.

#[cfg(target_arch = "x86_64")]
use super::prefetch::prefetch;
use crate::slice::SliceExt as _;

/// Bytes that must precede such a byte: a line break, or a mark that quotes the line.
const LINE: u8 = 1;
const QUOTE: u8 = 1 << 1;

/// Classes of a byte as the one before another.
pub(super) const fn kinds_before(byte: u8) -> u8 {
    match byte {
        b'\n' => LINE,
        b'>' => QUOTE,
        _ => 0,
    }
}

/// Classes that must precede a byte. The lines start with `From `, possibly quoted, `begin `, or
/// `=ybegin `.
pub(super) const fn kinds_of(byte: u8) -> u8 {
    match byte {
        b'F' => LINE | QUOTE,
        b'b' | b'=' => LINE,
        _ => 0,
    }
}

/// Like [`scalar`], one vector per step. `open` returns a bit for each byte that opens a line,
/// given the bytes before.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn next<const VECTOR: usize>(
    text: &[u8],
    at: usize,
    open: impl Fn(&[u8; VECTOR], &[u8; VECTOR]) -> u64,
) -> usize {
    let mut at = at.max(1);
    // Two overlapping loads give each byte the one before it, so no state is carried between steps.
    while let Some(before) = text.get(at - 1..).and_then(|rest| rest.first_chunk())
        && let Some(here) = text.get(at..).and_then(|rest| rest.first_chunk())
    {
        prefetch(text, at);
        let found = open(before, here);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += VECTOR;
    }
    scalar(text, at)
}

/// Returns the next such byte from `at` on that is not the first of the text, or the length of the
/// text.
pub(super) fn scalar(text: &[u8], at: usize) -> usize {
    let from = at.max(1) - 1;
    let rest = text.clamped(from..);
    let opens = |before: &usize| match rest.get(*before..) {
        Some([before, byte, ..]) => kinds_before(*before) & kinds_of(*byte) != 0,
        _ => false,
    };
    let found = memchr::memchr2_iter(b'\n', b'>', rest).find(opens);
    found.map_or(text.len(), |before| from + before + 1)
}
