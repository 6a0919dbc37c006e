//! Recognizes string escapes and terminal colours before a word: the token in `\nTOKEN` and in
//! `\u001b[31mTOKEN` starts after them, although a letter precedes it.

use crate::slice::{ByteRuns, SliceExt};

/// Most bytes of a word that belong to an escape before it: `u001b`, and the digits and the letter
/// of a colour.
const MAX_PART_LENGTH: usize = 6;

/// True for the bytes before the letters and digits of an escape.
pub(super) fn may_start(byte: u8) -> bool {
    matches!(byte, b'\\' | b'[' | b';' | b':' | b'?')
}

/// True if an escape or a colour ends at `at`.
pub(super) fn ends_at(text: &[u8], at: usize) -> bool {
    let before = text.clamped(at.saturating_sub(MAX_PART_LENGTH)..at);
    let is_octal = |byte: &u8| matches!(byte, b'0'..=b'7');
    match before {
        // Also twice, in a string within another one: `\\n`.
        [.., b'\\', b'0' | b'a' | b'b' | b'e' | b'f' | b'n' | b'r' | b's' | b't' | b'v'] => true,
        // A font of troff.
        [.., b'\\', b'f', b'B' | b'C' | b'I' | b'P' | b'R'] => true,
        [.., b'\\', b'x', a, b] => a.is_ascii_hexdigit() && b.is_ascii_hexdigit(),
        [.., b'\\', a, b, c] if [a, b, c].into_iter().all(is_octal) => true,
        [.., b'\\', b'u', a, b, c, d] => [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit),
        [.., last] if last.is_ascii_alphabetic() => ends_colour(text.clamped(..at)),
        _ => false,
    }
}

/// True if a control sequence of a terminal (ECMA-48 §5.4) ends a text. Tools that copy a log often
/// lose its first character, so `[31m` counts, too.
fn ends_colour(text: &[u8]) -> bool {
    const MAX_LENGTH: usize = 24;
    const MAX_DIGITS: usize = MAX_PART_LENGTH - 2;
    let before = text.clamped(..text.len() - 1).tail(MAX_LENGTH);
    let digits = before.trailing(|byte| byte.is_ascii_digit());
    let length = before.trailing(|byte| byte.is_ascii_digit() || b";:?".contains(&byte));
    let Some((b'[', before)) = before.clamped(..before.len() - length).split_last() else {
        return false;
    };
    // Without a number, the escape before it is required: `\x1b[m`, `\e[K`, `^[[m`.
    let is_escaped =
        || before.last().is_some_and(|byte| b"\x1bbB3eE[".contains(byte)) || text.ends_with(b"[m");
    digits <= MAX_DIGITS && (length > 0 || is_escaped())
}

/// Returns the offset at which an escape ends in the word that starts at `start`. In `\u001b`, `\u`
/// is an escape, too, so the last offset counts.
pub(super) fn end_in_word(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let lead = start.checked_sub(1).and_then(|at| text.get(at));
    lead.filter(|byte| may_start(**byte))?;
    (start + 1..=end.min(start + MAX_PART_LENGTH)).rev().find(|&at| ends_at(text, at))
}

/// Returns the offsets after `at` that are in the same word and after an escape.
pub(super) fn next_end(text: &[u8], at: usize, end: usize) -> Option<usize> {
    (at + 1..end.min(at + MAX_PART_LENGTH + 1)).find(|&at| ends_at(text, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        for text in [
            "\\n",
            "\\\\t",
            "\\x1b",
            "\\u000A",
            "\\012",
            "\\fB",
            "\x1b[31m",
            "\x1b[m",
            "\x1b[K",
            "\x1b[38;5;12m",
            "\\x1b[0m",
            "\\u001b[1m",
            "\\e[m",
            "^[[31m",
            "[0m",
            "\x1b[?25h",
        ] {
            assert!(ends_at(text.as_bytes(), text.len()), "{text:?}");
        }
        for text in ["n", "\\c", "\\x1", "\\xg0", "\\u00", "[x", "[31", "a[i", "m"] {
            assert!(!ends_at(text.as_bytes(), text.len()), "{text:?}");
        }
        assert_eq!(end_in_word(b"\\u000aghp", 1, 9), Some(6));
        assert_eq!(end_in_word(b"\\temp", 1, 5), Some(2));
        assert_eq!(end_in_word(b"\\cat", 1, 4), None);
    }
}
