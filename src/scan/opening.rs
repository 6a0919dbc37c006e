//! Bytes that may open a message of an mbox, or a file that stands encoded in a text: each has a line of its own.

#[cfg(target_arch = "x86_64")]
use super::prefetch::prefetch;
use crate::slice::SliceExt as _;

/// What stands before such a byte: the end of a line, or a mark that quotes it.
const LINE: u8 = 1;
const QUOTE: u8 = 1 << 1;

/// What a byte is before another.
pub(super) const fn kinds_before(byte: u8) -> u8 {
    match byte {
        b'\n' => LINE,
        b'>' => QUOTE,
        _ => 0,
    }
}

/// What has to stand before a byte: `From `, also quoted, `begin ` and `=ybegin ` start so.
pub(super) const fn kinds_of(byte: u8) -> u8 {
    match byte {
        b'F' => LINE | QUOTE,
        b'b' | b'=' => LINE,
        _ => 0,
    }
}

/// The same as [`scalar`], a vector a step; `open` are those among some bytes, a bit each, by what stands before each.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn next<const VECTOR: usize>(
    text: &[u8],
    at: usize,
    open: impl Fn(&[u8; VECTOR], &[u8; VECTOR]) -> u64,
) -> usize {
    let mut at = at.max(1);
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

/// The next one from `at` on that has a byte before it; the length of the text if there is none.
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
