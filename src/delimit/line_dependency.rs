//! Decides whether a URI may continue into a line over the line break before it (D3.2–D3.6, D3.9).
//!
//! A prefiltered search resumes at an independent line. These are the rules of
//! [`join`](super::join) and [`literal`](super::literal), reversed and simplified. A dependency
//! that does not exist costs time; a missed one loses matches. Valid only if plain lines are not
//! joined ([`Rejoin`](crate::options::Rejoin), D5).

use super::start::MAX_SCHEME_BYTES;
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_scheme_byte;
use crate::slice::{ByteRuns, SliceExt};

/// Most bytes between the opener of a wrapper and its colon.
const OPENER: usize = LOOKBACK + MAX_SCHEME_BYTES;
/// Most white space and marks before a literal, in bytes.
const MARKS: usize = 128;

/// The reason why a URI may continue into a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineDependency {
    /// The line before it: a string literal may close at the line break, and another open behind it,
    /// or a host may follow in the next line.
    Line,
    /// A wrapper opened at this offset may still be open; the lines between depend on it, too.
    Wrapper(usize),
}

/// Returns why the line at `at` may continue a URI of the lines before it, or `None` if it is
/// independent. Candidates before `from` do not matter, and no wrapper is longer than `most` bytes.
pub(crate) fn line_dependency(
    text: &[u8],
    at: usize,
    from: usize,
    most: usize,
) -> Option<LineDependency> {
    if joins_literals(text, at) {
        return Some(LineDependency::Line);
    }
    if lacks_host(text.part(..at)) {
        return Some(LineDependency::Line);
    }
    // A wrapper that opened before this is too long, or its candidate is before `from`.
    let floor = from.saturating_sub(OPENER).max(at.saturating_sub(most + 1));
    open_wrapper(text.part(floor..at)).map(|opener| LineDependency::Wrapper(floor + opener))
}

/// Returns the opener of a wrapper that may be open at the end of `before`: nothing in its first
/// line closes it.
fn open_wrapper(before: &[u8]) -> Option<usize> {
    memchr::memrchr3_iter(b'<', b'"', b'{', before).find(|&opener| {
        let inside = before.part(opener + 1..);
        // white space, marks, `URL:`, and the scheme
        let start = inside.clamped(..OPENER + 1);
        let may_precede =
            |b: u8| b.is_ascii_whitespace() || is_scheme_byte(b) || b"*_~=".contains(&b);
        let length = start.leading(may_precede);
        let may_be_candidate = match start.get(length) {
            // A brace without `//` opens no group of TeX with a URI.
            Some(b':') => {
                before.get(opener) != Some(&b'{') || start.part(length..).starts_with(b"://")
            }
            Some(_) => false,
            // A scheme that starts further away is in another line.
            None => length > OPENER,
        };
        may_be_candidate && {
            let rest = inside.part(length..);
            let line = memchr::memchr(b'\n', rest).map_or(rest, |end| rest.part(..end));
            memchr::memchr3(b'<', b'"', closer(before, opener), line).is_none()
        }
    })
}

fn closer(text: &[u8], opener: usize) -> u8 {
    match text.get(opener) {
        Some(b'<') => b'>',
        Some(b'{') => b'}',
        _ => b'"',
    }
}

/// D5: true if the line that ends `before` ends before the host of a URI: `https://`.
fn lacks_host(before: &[u8]) -> bool {
    let line = before.trim_ascii_end();
    line.strip_suffix(b"www.").unwrap_or(line).ends_with(b"://")
}

/// D3.9: true if a string literal may close at the end of the line before `at`, and another open at
/// its start.
fn joins_literals(text: &[u8], at: usize) -> bool {
    let before = text.part(..at).tail(2 * MARKS);
    let between = |b: u8| b.is_ascii_whitespace() || b"+.&<>|~^\\_".contains(&b);
    let end = before.len() - before.trailing(between);
    let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\''));
    if end > 0 && !is_quote(before.part(..end).last()) {
        return false;
    }
    let after = text.clamped(at..at + MARKS);
    let marks = after.leading(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'"' | b'\''));
    let letters = after.part(marks..).leading(|b| b.is_ascii_alphanumeric());
    // The text may end at a window's edge, so an unfinished start counts as an opening.
    marks + letters == after.len() || letters <= 2 && is_quote(after.get(marks + letters))
}
