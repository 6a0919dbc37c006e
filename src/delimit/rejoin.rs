//! Line breaks in plain text (D5).

use alloc::vec::Vec;

use super::byte_class::is_hard;
use super::join::LinePrefix;
use super::start::starts_uri;
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_uri_byte;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::Rejoin;
use crate::scan::starts_web;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// D5: a line this long may have been cut by a mailer.
const LONG_LINE: usize = 60;
/// How much of a next line is looked at, and how many lines are joined.
const LONGEST_LINE: usize = 1024;
const MOST_LINES: usize = 16;

/// What the next line is to a URI that ends its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineContinuation {
    None,
    /// The URI ends in a hyphen; the next line starts at `line`.
    Hyphen {
        line: usize,
    },
    /// The line is long, and what follows looks like the rest of a URI.
    LongLine {
        line: usize,
    },
}

/// Looks past the end `end` of a URI that starts at `start`.
#[inline(always)]
pub(crate) fn continuation(haystack: &[u8], start: usize, end: usize) -> LineContinuation {
    // the cheap questions first: most URIs end no line, or a short one
    let Some(next) = line_after(haystack, end) else {
        return LineContinuation::None;
    };
    if matches!(haystack.get(next), None | Some(b'\n' | b'\r')) || starts_web(haystack, next) {
        return LineContinuation::None;
    }
    let hyphen = haystack.get(end - 1) == Some(&b'-');
    if !hyphen && !is_long(haystack, start, end) {
        return LineContinuation::None;
    }
    next_line(haystack, start, next, hyphen)
}

/// What the line at `next` is to a URI that ends a long line, or one in a `hyphen`.
fn next_line(haystack: &[u8], start: usize, next: usize, hyphen: bool) -> LineContinuation {
    // no prefix starts with a letter
    let bare = haystack.get(next).is_some_and(u8::is_ascii_alphabetic);
    if bare && starts_uri(haystack.part(next..)) {
        return LineContinuation::None;
    }
    let Some(line) = LinePrefix::of(haystack, start).required(haystack, next) else {
        return LineContinuation::None;
    };
    let rest = haystack.clamped(line..line + LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len());
    match hyphen {
        _ if run.is_empty() || starts_uri(run) => LineContinuation::None,
        true => LineContinuation::Hyphen { line },
        false if looks_like_rest(run) => LineContinuation::LongLine { line },
        false => LineContinuation::None,
    }
}

/// The line that a URI from `start` to `end` ends has as many columns as one that a mailer cuts.
fn is_long(haystack: &[u8], start: usize, end: usize) -> bool {
    let columns = match haystack.get(start.wrapping_sub(1)) {
        None | Some(b'\n') => end - start,
        _ => {
            let before = haystack.part(end.saturating_sub(LONG_LINE)..end);
            memchr::memrchr(b'\n', before).map_or(before.len(), |at| before.len() - at - 1)
        }
    };
    columns >= LONG_LINE
}

/// Makes of `derived` the text of a URI from `start` to `end`, joined with the lines that continue it;
/// the numbers say where in it a hyphen ended a line.
pub(crate) fn join(
    haystack: &[u8],
    start: usize,
    end: usize,
    rejoin: Rejoin,
    derived: &mut DerivedText,
) -> Option<Vec<usize>> {
    derived.clear();
    let mut hyphens = Vec::new();
    let (mut from, mut to) = (start, end);
    for lines in 0..MOST_LINES {
        derived.copy(haystack.get(from..to)?, from);
        let line = match (continuation(haystack, start, to), rejoin) {
            (LineContinuation::Hyphen { line }, Rejoin::Hyphen | Rejoin::Always) => {
                hyphens.push(derived.text().len() - 1);
                line
            }
            (LineContinuation::LongLine { line }, Rejoin::Always) => line,
            _ if lines == 0 => return None,
            _ => break,
        };
        derived.replace(b"", Span::new(to, line), RunOrigin::Joined);
        let rest = haystack.clamped(line..line + LONGEST_LINE);
        (from, to) = (line, line + rest.leading(|b| !is_hard(b)));
    }
    derived.copy(haystack.clamped(to..to + 64), to);
    Some(hyphens)
}

/// The start of the next line, when `end` is the end of one.
#[inline(always)]
fn line_after(haystack: &[u8], end: usize) -> Option<usize> {
    match haystack.get(end..)? {
        [b'\n', ..] => Some(end + 1),
        [b'\r', b'\n', ..] => Some(end + 2),
        _ => None,
    }
}

/// One of `/ . ? = & % _` between letters or digits.
fn looks_like_rest(run: &[u8]) -> bool {
    run.windows(3).any(|w| {
        matches!(w, [before, b'/' | b'.' | b'?' | b'=' | b'&' | b'%' | b'_', after]
            if before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric())
    })
}
