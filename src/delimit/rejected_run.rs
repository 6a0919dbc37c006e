//! Finds where the run of a rejected URI ends (D4.7).

use core::ops::Range;

use super::byte_class::hard_end;
use super::run::BracketRule;
use super::separator;
use super::start::{self, AfterColon, MAX_SCHEME_BYTES};
use crate::grammar::is_scheme_byte;
use crate::options::Options;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Bytes per step. Each step is searched for a new URI, so that a row of rejected URIs is not
/// walked to its end once per URI.
const STEP: usize = 64;
/// Longest character in bytes. A character that the end of a step cuts looks hard.
const CHAR_BYTES: usize = 4;

/// D4.7: returns where the run of the rejected URI at `from` ends: before a character that ends
/// every URI, or before a separator and a new `scheme://`. A walk has read the URI up to `walked`.
/// Reads at most `most` bytes after that.
pub(crate) fn rejected_end(
    text: &[u8],
    from: usize,
    walked: usize,
    most: usize,
    options: &Options,
) -> usize {
    let split = |first, end| split_before(text, from, first..end, options);
    // The URI's own scheme starts no other one. Without this, a rejection takes 200 instructions
    // more.
    let scheme = text.part(from..walked).leading(is_scheme_byte);
    let own = (from + scheme + 1).min(walked);
    // The walk may have passed a separator: a fault in a host is found at its end.
    if let Some(split) = split(own, walked) {
        return split;
    }
    let limit = text.len().min(walked.saturating_add(most));
    let mut at = walked;
    while at < limit {
        let step = STEP.min(limit - at);
        let end = hard_end(text, at, step);
        if let Some(split) = split(at, end) {
            return split;
        }
        if end == at || end + CHAR_BYTES <= at + step {
            return end;
        }
        at = end;
    }
    at
}

/// Returns the end of the rejected text from `from` on, if one of these colons belongs to a new
/// URI.
fn split_before(
    text: &[u8],
    from: usize,
    colons: Range<usize>,
    options: &Options,
) -> Option<usize> {
    work_counter::add(colons.len());
    // Most runs have some ten bytes, for which a call of memchr costs more than this loop.
    colons.filter(|&at| text.get(at) == Some(&b':')).find_map(|colon| {
        if !text.part(colon + 1..).starts_with(b"//") {
            return None;
        }
        let before = text.part(from..colon);
        let scheme = before.tail(MAX_SCHEME_BYTES).trailing(is_scheme_byte);
        if scheme == before.len() || !is_separated(before.part(..before.len() - scheme)) {
            return None;
        }
        let start = start::find(text, colon, AfterColon::Slashes, options)?;
        let before = text.part(from..start.at.max(from));
        is_separated(before).then(|| from + without_separator(before).len())
    })
}

/// True if a new URI starts after `before`. An apostrophe after a colon opens the value of an
/// object here: the walk stopped before the apostrophe that closes the string of the rejected URI.
fn is_separated(before: &[u8]) -> bool {
    separator::divides(before, BracketRule::Pair) || before.ends_with(b":'")
}

/// Strips the characters between two URIs: `','`, `)(`, `':'`.
fn without_separator(before: &[u8]) -> &[u8] {
    let mut rest = before;
    while let [inner @ .., b',' | b';' | b':' | b'^' | b'\'' | b'(' | b'[' | b'{'] = rest {
        rest = inner;
    }
    rest
}
