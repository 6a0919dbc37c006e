//! Whether two double quotes around a line break are a pair (D3.6).
//!
//! One that opens looks like one that closes. Where a string was left open, the next quotation mark opens another one,
//! and what is between them is a text that nobody delimited: `"http://a.example/⏎title="b"`.

use super::line_prefix::line_before;
use super::wrapper::LOOKBACK;
use crate::slice::{ByteRuns, SliceExt};

/// Whether the quotation mark at `haystack[at]` opens: it follows no word, and those before it on its line pair.
pub(crate) fn opens(haystack: &[u8], at: usize) -> bool {
    let before = haystack.part(..at);
    // an attribute, in quoted-printable too
    if before.ends_with(b"=") || before.ends_with(b"=3D") {
        return true;
    }
    let Some(line) = line_before(haystack, at) else {
        return false;
    };
    let follows_word = line.last().is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'"');
    !follows_word && quotes(line, escapes(haystack, at)).is_multiple_of(2)
}

/// Whether the quotation mark at `haystack[at]`, in the line behind a break, closes: no word follows it, it is not
/// that of an attribute or of a value, and those behind it on its line pair.
pub(crate) fn closes(haystack: &[u8], at: usize) -> bool {
    let (before, after) = (haystack.part(..at), haystack.part(at..).part(1..));
    let opens_value =
        before.last().is_some_and(|b| matches!(b, b'=' | b':' | b'(' | b'[' | b'{' | b','));
    let opens_word = match after {
        [b'/', next, ..] => *next != b'>',
        [next, ..] => next.is_ascii_alphanumeric() || b"\"$%#@([{".contains(next),
        [] => false,
    };
    let line = after.clamped(..LOOKBACK);
    let line = line.part(..line.leading(|b| b != b'\n'));
    !opens_value && !opens_word && quotes(line, escapes(haystack, at)).is_multiple_of(2)
}

/// How many backslashes, none or one, are before a quotation mark.
fn escapes(haystack: &[u8], at: usize) -> usize {
    usize::from(haystack.part(..at).ends_with(b"\\"))
}

/// How many quotation marks in `line` have so many backslashes before them.
fn quotes(line: &[u8], escaped: usize) -> usize {
    memchr::memchr_iter(b'"', line).filter(|&at| escapes(line, at) == escaped).count()
}
