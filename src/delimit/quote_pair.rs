//! Decides whether two double quotes around a line break are a pair (D3.6).
//!
//! An opening quote looks like a closing one. After a string that was left open, the next quotation
//! mark opens another string. The text in between was not delimited by anyone:
//! `"http://a.example/⏎title="b"`.

use super::line_prefix::line_before;
use super::wrapper::LOOKBACK;
use crate::slice::{ByteRuns, SliceExt};

/// True if the quotation mark at `haystack[at]` opens: it follows no word, and those before it in
/// its line are paired.
pub(crate) fn opens(haystack: &[u8], at: usize) -> bool {
    let before = haystack.part(..at);
    // An attribute, also in quoted-printable
    if before.ends_with(b"=") || before.ends_with(b"=3D") {
        return true;
    }
    let Some(line) = line_before(haystack, at) else {
        return false;
    };
    // After a word a mark closes. A mark after another one closes an empty string, or is the
    // second of a doubled one.
    let follows_word = line.last().is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'"');
    !follows_word && quotes(line, escapes(haystack, at)).is_multiple_of(2)
}

/// True if the quotation mark at `haystack[at]`, in the line after a break, closes. No word follows
/// it, it does not belong to an attribute or a value, and those after it in its line are paired.
pub(crate) fn closes(haystack: &[u8], at: usize) -> bool {
    let (before, after) = (haystack.part(..at), haystack.part(at..).part(1..));
    let opens_value =
        before.last().is_some_and(|b| matches!(b, b'=' | b':' | b'(' | b'[' | b'{' | b','));
    let opens_word = match after {
        // `"/>` ends a tag after its last value. `"/x` opens a path.
        [b'/', next, ..] => *next != b'>',
        [next, ..] => next.is_ascii_alphanumeric() || b"\"$%#@([{".contains(next),
        [] => false,
    };
    let line = after.clamped(..LOOKBACK);
    let line = line.part(..line.leading(|b| b != b'\n'));
    !opens_value && !opens_word && quotes(line, escapes(haystack, at)).is_multiple_of(2)
}

/// Counts the backslashes directly before a quotation mark, at most one.
fn escapes(haystack: &[u8], at: usize) -> usize {
    usize::from(haystack.part(..at).ends_with(b"\\"))
}

/// Counts the quotation marks in `line` with the given number of backslashes before them. A string
/// inside a string escapes its quotes, so only marks of the same level pair.
fn quotes(line: &[u8], escaped: usize) -> usize {
    memchr::memchr_iter(b'"', line).filter(|&at| escapes(line, at) == escaped).count()
}
