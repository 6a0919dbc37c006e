//! Decides whether a URI may continue into a line over the line break before it (D3.2–D3.6, D3.9).
//!
//! A prefiltered search resumes at an independent line. These are the rules of
//! [`join`](super::join) and [`literal`](super::literal), reversed and simplified. A dependency
//! that does not exist costs time; a missed one loses matches. Valid only if plain lines are not
//! joined ([`Rejoin`](crate::options::Rejoin), D5).

use super::start::MAX_SCHEME_BYTES;
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_scheme_byte;
use crate::scan::is_end_of_web;
use crate::slice::{ByteRuns, SliceExt};

/// Most bytes between the opener of a wrapper and its colon.
const OPENER: usize = LOOKBACK + MAX_SCHEME_BYTES;
/// Most white space and marks before a literal, in bytes.
const MARKS: usize = 128;

/// The reason why a URI may continue into a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineDependency {
    /// The line before it: a string literal may close at the line break, and another open after it,
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
    dependency_without_literals(text, at, from, most)
}

/// D2.4: true if the line that ends `before` ends with a URI and a backslash, after which the next
/// line may be its rest.
fn is_escaped(before: &[u8]) -> bool {
    let Some(line) = before.strip_suffix(b"\n") else { return false };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.strip_suffix(b"\\").is_some_and(|line| {
        may_be_uri(line.tail(line.trailing(|byte| !byte.is_ascii_whitespace())))
    })
}

/// Like [`line_dependency`], for the line that follows the text and is not known yet. The first
/// line of the text must be independent.
///
/// Many lines of logs end with a quotation mark. If the last word before it has no colon, and the
/// line is independent itself, no URI ends there that a literal of the next line could continue.
pub(crate) fn end_dependency(text: &[u8], most: usize) -> Option<LineDependency> {
    let at = text.len();
    let line = text.strip_suffix(b"\n").unwrap_or(text);
    let line = memchr::memrchr(b'\n', line).map_or(0, |end| end + 1);
    let is_continued = || line > 0 && line_dependency(text, line, 0, most).is_some();
    if joins_literals(text, at) && (may_be_uri(last_word(text)) || is_continued()) {
        return Some(LineDependency::Line);
    }
    dependency_without_literals(text, at, 0, most)
}

/// Returns the word before the quotation mark at the end of a text; all of it if there is none near
/// the end.
fn last_word(text: &[u8]) -> &[u8] {
    let text = text.part(..text.len() - text.trailing(is_between));
    let Some((b'"' | b'\'', text)) = text.split_last() else { return text };
    text.tail(text.trailing(|b| !b.is_ascii_whitespace() && b != b'"' && b != b'\''))
}

/// True if a word may hold the colon of a scheme, which may be escaped.
fn may_be_uri(word: &[u8]) -> bool {
    memchr::memchr3(b':', b'\\', b'&', word).is_some()
}

fn dependency_without_literals(
    text: &[u8],
    at: usize,
    from: usize,
    most: usize,
) -> Option<LineDependency> {
    if lacks_host(text.part(..at)) || is_escaped(text.part(..at)) {
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
        // White space, marks, `URL:`, and the scheme
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

/// D5: true if the line that ends `before` ends before the host of a URI: `https://`, `https:`.
pub(crate) fn lacks_host(before: &[u8]) -> bool {
    let line = before.trim_ascii_end();
    line.strip_suffix(b"www.").unwrap_or(line).ends_with(b"://")
        || line.strip_suffix(b":").is_some_and(|line| is_end_of_web(line, line.len()))
}

/// True for text that may separate two joined literals.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"+.&<>|~^\\_".contains(&byte)
}

/// D3.9: true if a string literal may close at the end of the line before `at`, and another open at
/// its start.
fn joins_literals(text: &[u8], at: usize) -> bool {
    let before = text.part(..at).tail(2 * MARKS);
    let end = before.len() - before.trailing(is_between);
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
