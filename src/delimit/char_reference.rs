//! Recognizes character references of HTML in plain text (D2.5).

use crate::registry::references;
use crate::slice::SliceExt;

/// Longest reference read, from `&` to `;`.
// `&#x10FFFF;` and the longest names of HTML 4, such as `&thetasym;`, take ten. Without a bound,
// every `&` would search the whole text for a `;`.
const MAX_LENGTH: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharReference {
    Hard(char),
    /// Part of the URI: stands for `char` and takes `length` bytes with its `;`.
    Part {
        char: char,
        length: usize,
    },
}

/// Returns the reference at the start of `text`.
pub(crate) fn read(text: &[u8]) -> Option<CharReference> {
    if text.first() != Some(&b'&') {
        return None;
    }
    let length = 1 + text.iter().take(MAX_LENGTH).position(|&b| b == b';')?;
    let char = match text.get(1..length - 1)? {
        [b'#', b'x' | b'X', hex @ ..] => number(hex, 16)?,
        [b'#', decimal @ ..] => number(decimal, 10)?,
        name => references::entity(name)?,
    };
    // These delimit text, so a reference to one ends a URI as the character itself would. Any other
    // reference is a part of it.
    let quote = matches!(char, '"' | '\'' | '‘'..='‟' | '‹' | '›' | '«' | '»');
    let hard = quote || matches!(char, '<' | '>' | '\u{a0}' | '…');
    Some(if hard { CharReference::Hard(char) } else { CharReference::Part { char, length } })
}

/// True if the `;` that ends `text` closes a character reference.
pub(crate) fn closes(text: &[u8]) -> bool {
    let from = text.len().saturating_sub(MAX_LENGTH);
    let tail = text.part(from..);
    let Some(at) = memchr::memrchr(b'&', tail) else {
        return false;
    };
    let tail = tail.part(at..);
    matches!(read(tail), Some(CharReference::Part { length, .. }) if length == tail.len())
}

fn number(digits: &[u8], radix: u32) -> Option<char> {
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().try_fold(0u32, |value, &b| {
        value.checked_mul(radix)?.checked_add(char::from(b).to_digit(radix)?)
    })?;
    char::from_u32(value)
}
