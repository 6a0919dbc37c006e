//! Bytes to candidates: every `:` that a scheme may stand before (D1.1).
//!
//! The fast loop finds colons with memchr and drops, by the bytes around each, those
//! that no rule could start a URI at. [`naive`] is its twin, one byte at a time.

mod trigger;

use crate::grammar::is_scheme_byte;
use crate::steps;

pub(crate) use trigger::{Candidate, Trigger, Triggers, next};

/// The `:` of a candidate at or after `from`, if any (0-based).
pub(crate) fn next_candidate(haystack: &[u8], from: usize) -> Option<usize> {
    next_colon(haystack, from, may_start)
}

/// The next `:` of which `starts` says that a scheme may stand before it.
#[inline(always)]
fn next_colon(
    haystack: &[u8],
    from: usize,
    starts: impl Fn(&[u8], usize) -> bool,
) -> Option<usize> {
    let tail = haystack.get(from..)?;
    let mut colons = memchr::memchr_iter(b':', tail).map(|found| from + found);
    colons.find(|&colon| {
        steps::add(1);
        starts(haystack, colon)
    })
}

/// Two scheme characters stand before the colon, and something that may follow one after it.
///
/// No scheme that any rule accepts has fewer than two characters. A line break may follow
/// inside a wrapper (D3.2), a backslash in JSON and troff (D2.4).
#[inline(always)]
fn may_start(haystack: &[u8], colon: usize) -> bool {
    let before =
        colon >= 2 && is_scheme_byte(haystack[colon - 1]) && is_scheme_byte(haystack[colon - 2]);
    before
        && haystack
            .get(colon + 1)
            .is_some_and(|&next| FOLLOWS[next as usize])
}

/// The same where URIs are refanged: the colon may stand in a bracket, as in `hxxp[:]//`.
fn may_start_fanged(haystack: &[u8], colon: usize) -> bool {
    let bracketed = colon >= 3
        && matches!(haystack[colon - 1], b'[' | b'(')
        && is_scheme_byte(haystack[colon - 2])
        && is_scheme_byte(haystack[colon - 3]);
    bracketed || may_start(haystack, colon)
}

/// [`next_candidate`] where URIs are refanged.
fn next_fanged(haystack: &[u8], from: usize) -> Option<usize> {
    next_colon(haystack, from, may_start_fanged)
}

const FOLLOWS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] =
            !matches!(byte, b'"' | b'>' | b'`' | b'|' | b'^' | b'}' | b']' | b')');
        byte += 1;
    }
    table[b'\n' as usize] = true;
    table[b'\r' as usize] = true;
    table
};

/// The same as [`next_candidate`], one byte at a time.
#[cfg(test)]
pub(crate) fn naive(haystack: &[u8], from: usize) -> Option<usize> {
    (from..haystack.len()).find(|&at| haystack[at] == b':' && may_start(haystack, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fast_equals_naive(text in "[a:/ \n<\\\\é]{0,80}", from in 0usize..90) {
            prop_assert_eq!(next_candidate(text.as_bytes(), from), naive(text.as_bytes(), from));
        }
    }

    #[test]
    fn drops_what_no_rule_accepts() {
        for text in ["C:/x", ":a", "12: x", "a::", "key: value", "x:"] {
            assert_eq!(next_candidate(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(next_candidate(b"see http://x", 0), Some(8));
    }
}
