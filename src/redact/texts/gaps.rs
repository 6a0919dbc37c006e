//! Reads the gap between a name and its value, or between two cells: blanks, marks, tags, entities,
//! and escapes of strings, but no word.

use memchr::memmem;

use crate::slice::{ByteRuns, SliceExt};

/// Maximum bytes of a gap, and of a tag in it.
const MAX_GAP: usize = 200;
/// Maximum number of line breaks in a gap.
const MAX_LINES: usize = 3;

/// How strongly a gap suggests that the word after it is the value of the name before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    /// A blank or a comma, as in prose: `the token a1b2c3d4`.
    Loose,
    /// A sign, an arrow, a tag, or the border of a cell.
    Firm,
}

/// A gap between two words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    pub end: usize,
    pub joint: Joint,
    /// The character that divides cells, if the gap has one.
    pub divider: Option<u8>,
    /// True if it is in one line.
    pub is_in_line: bool,
}

/// Returns the gap that starts at `start`, right after a word; `None` if the text or the sentence
/// ends in it, or if it is empty.
pub(super) fn behind(text: &[u8], start: usize) -> Option<Gap> {
    let mut gap = Gap { end: start, joint: Joint::Loose, divider: None, is_in_line: true };
    let (mut lines, mut blanks) = (0, 0);
    let text = text.clamped(..start + MAX_GAP);
    while let Some(&byte) = text.get(gap.end) {
        let rest = text.part(gap.end..);
        let length = match byte {
            b' ' | b'\t' | b'\r' => 1,
            b'\n' => {
                lines += 1;
                gap.is_in_line = false;
                1
            }
            b'<' => tag(rest).unwrap_or(1),
            b'&' => tag(rest).unwrap_or_else(|| entity(rest)),
            b'\\' => tag(rest).unwrap_or_else(|| escape(rest)),
            // A prefix of a string: `b"…"`, `f"…"`.
            b'b' | b'f' | b'r' | b'u' if is_prefix(text, gap.end) => 1,
            _ if byte.is_ascii_alphanumeric() => break,
            0x80.. => match mark(rest) {
                Some(length) => length,
                None => break,
            },
            _ => 1,
        };
        match byte {
            b'\t' | b'|' => {
                gap.divider = Some(byte);
                gap.joint = Joint::Firm;
            }
            // Columns that blanks align.
            b' ' if blanks > 0 => gap.joint = Joint::Firm,
            b' ' | b'\r' | b',' | b'*' | b'_' | b'b' | b'f' | b'r' | b'u' => {}
            // A sentence, a member, a path, and a parameter end the name.
            b'.' | b';' | b'/' | b'?' | b'!' | b'@' | b'$' | b'#' | b'%' | b'^' | b'+'
                if ends_name(text, gap.end, start) =>
            {
                return None;
            }
            b'-' | b'(' | b')' => {}
            _ => gap.joint = Joint::Firm,
        }
        blanks = if byte == b' ' { blanks + 1 } else { 0 };
        gap.end += length;
        if lines > MAX_LINES {
            return None;
        }
    }
    (gap.end > start && gap.end < text.len()).then_some(gap)
}

/// True for the letter between a sign and a string.
fn is_prefix(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    let is_sign = |byte: &u8| b" =:(,[".contains(byte);
    before.is_some_and(is_sign) && matches!(text.get(at + 1), Some(b'"' | b'\''))
}

/// True for a mark after which the name does not apply any more, unless it is one of several in a
/// row, as in the leader `.....`, or has blanks around it: `joe / …`.
fn ends_name(text: &[u8], at: usize, start: usize) -> bool {
    let mark = text.get(at);
    let is_run = text.get(at + 1) == mark || at.checked_sub(1).and_then(|it| text.get(it)) == mark;
    let is_apart = at > start && text.get(at - 1) == Some(&b' ') && text.get(at + 1) == Some(&b' ');
    // `+=`, and the fields of a row.
    let is_sign = match (mark, text.get(at + 1)) {
        (Some(b'+' | b'?'), next) => next == Some(&b'='),
        (Some(b';'), next) => next.is_some_and(|byte| !byte.is_ascii_whitespace()),
        _ => false,
    };
    !(is_run || is_apart || is_sign) || matches!(mark, Some(b'$' | b'@' | b'%' | b'#'))
}

/// Spellings of the brackets of a tag: unchanged, in HTML that shows them, and in strings.
const BRACKETS: [[&[u8]; 2]; 10] = [
    [b"<", b">"],
    [b"&lt;", b"&gt;"],
    [b"&#60;", b"&#62;"],
    [b"&#x3c;", b"&#x3e;"],
    [b"&#x3C;", b"&#x3E;"],
    [b"&amp;lt;", b"&amp;gt;"],
    [b"\\u003c", b"\\u003e"],
    [b"\\u003C", b"\\u003E"],
    [b"\\x3c", b"\\x3e"],
    [b"\\x3C", b"\\x3E"],
];

/// Returns the spelling of the bracket at the start of a text, and of the bracket that closes it.
pub(super) fn brackets(text: &[u8]) -> Option<[&'static [u8]; 2]> {
    BRACKETS.into_iter().find(|[open, _]| text.starts_with(open))
}

/// Returns the length of a tag of HTML or XML, however its brackets are spelled.
fn tag(text: &[u8]) -> Option<usize> {
    let [open, close] = brackets(text)?;
    let name = text.part(open.len()..);
    let slash = name.leading(|byte| matches!(byte, b'/' | b'!' | b'\\'));
    let name = name.part(slash..);
    // `<![CDATA[` opens a text (XML 1.0 §2.7).
    const CDATA: &[u8] = b"[CDATA[";
    if name.starts_with(CDATA) {
        return Some(open.len() + slash + CDATA.len());
    }
    // `<- x` and `<x1y2>` are not tags.
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic);
    let letters = name.leading(|byte| byte.is_ascii_alphabetic() || b"-_:".contains(&byte));
    let is_heading = letters == 1 && matches!(name, [b'h' | b'H', b'1'..=b'6', ..]);
    let behind = name.clamped(letters + usize::from(is_heading)..);
    let is_end = behind.starts_with(close)
        || matches!(behind.first(), Some(b'/' | b' ' | b'\t' | b'\r' | b'\n'));
    (is_name && is_end).then_some(())?;
    Some(text.len() - behind.len() + memmem::find(behind, close)? + close.len())
}

/// Returns the length of an entity, or 1.
fn entity(text: &[u8]) -> usize {
    const MAX_LENGTH: usize = 9;
    let name = text.clamped(1..1 + MAX_LENGTH);
    let length = name.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
    if length > 0 && name.get(length) == Some(&b';') { length + 2 } else { 1 }
}

/// Returns the length of an escape of a string: `\n`, `\"`, `\u00a0`.
fn escape(text: &[u8]) -> usize {
    let is_hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    match text {
        [_, b'u', digits @ ..] if digits.len() > 4 && is_hex(digits.part(..4)) => 6,
        [_, b'x', digits @ ..] if digits.len() > 2 && is_hex(digits.part(..2)) => 4,
        [_, b'n' | b't' | b'r', ..] => 2,
        _ => 1,
    }
}

/// Returns the length of a character that is neither a letter nor a digit.
fn mark(text: &[u8]) -> Option<usize> {
    let c = first_char(text)?;
    (!c.is_alphanumeric()).then_some(c.len_utf8())
}

/// Returns the first character of a text in UTF-8.
pub(super) fn first_char(text: &[u8]) -> Option<char> {
    let bytes = text.clamped(..4);
    let text = match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(bytes.clamped(..error.valid_up_to())).ok()?,
    };
    text.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_between_words() {
        for (text, joint, next) in [
            ("a b", Joint::Loose, "b"),
            ("a, b", Joint::Loose, "b"),
            ("a: b", Joint::Firm, "b"),
            ("a -> b", Joint::Firm, "b"),
            ("a → b", Joint::Firm, "b"),
            ("a -&gt; b", Joint::Firm, "b"),
            ("a | `b", Joint::Firm, "b"),
            ("a  b", Joint::Firm, "b"),
            ("a</td>\n<td class=\"x\">b", Joint::Firm, "b"),
            ("a&lt;/td&gt;&lt;td&gt;b", Joint::Firm, "b"),
            ("a\\u003c/b\\u003e b", Joint::Firm, "b"),
            ("a<![CDATA[b", Joint::Firm, "b"),
            ("a\\n\\t\\u00a0b", Joint::Firm, "b"),
            ("a = b\"c", Joint::Firm, "c"),
            ("a += b", Joint::Firm, "b"),
            ("a ..... b", Joint::Firm, "b"),
            ("a <- b", Joint::Firm, "b"),
            ("a <b1", Joint::Firm, "b1"),
        ] {
            let gap = behind(text.as_bytes(), 1).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((gap.joint, &text[gap.end..]), (joint, next), "{text}");
        }
        for text in ["a", "a. b", "a.b", "a/b", "a; b", "a\n\n\n\n\nb", "a $b", "a "] {
            assert!(behind(text.as_bytes(), 1).is_none(), "{text}");
        }
    }
}
