//! Finds secrets in lists below a name: `passwords: [a1b2c3d4]`, and in the lines of a list in
//! YAML. Also the further strings of a value that a program joins: `"abc" "def"`, `"abc" + "def"`.

use alloc::vec::Vec;

use memchr::memmem;

use super::certain;
use crate::redact::end_of;
use crate::redact::names::NameClass;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest name.
const MAX_NAME_LENGTH: usize = 64;

/// Most bytes of a list, and of a string.
const MAX_LIST_LENGTH: usize = 4 << 10;

/// Adds the items of lists.
// An item must look like a password: `tokens: [the, word]` of a parser are none.
pub(super) fn add_items(text: &[u8], found: &mut Vec<Span>) {
    let mut done = 0;
    for at in memchr::memchr_iter(b'[', text) {
        if at >= done && is_named(text, at) {
            let list = text.clamped(at + 1..at + 1 + MAX_LIST_LENGTH);
            let length = list.leading(|byte| byte != b']');
            done = at + 1 + length;
            push_words(text, Span::new(at + 1, done), found);
        }
    }
    let mut done = 0;
    for at in memmem::find_iter(text, b":\n").map(|at| at + 1) {
        if at < done || !is_named(text, at) {
            continue;
        }
        done = at;
        let block = text.clamped(at..at + MAX_LIST_LENGTH);
        let lines = block.part(1..).split_inclusive(|&byte| byte == b'\n');
        let mut start = at + 1;
        for line in lines {
            let blanks = line.leading(|byte| byte == b' ');
            if !line.part(blanks..).starts_with(b"- ") {
                break;
            }
            push_words(text, Span::new(start + blanks + 2, start + line.len()), found);
            start += line.len();
            done = start;
        }
    }
}

/// True if the list at `at` has a name of which one item would be a secret, before a colon or a
/// sign of equality.
fn is_named(text: &[u8], at: usize) -> bool {
    let before = text.clamped(at.saturating_sub(2 * MAX_NAME_LENGTH)..at);
    let signs = before.trailing(|byte| b" :=\"'\\>".contains(&byte));
    let (name, signs) = before.split_at_checked(before.len() - signs).unwrap_or_default();
    if !signs.iter().any(|byte| matches!(byte, b':' | b'=')) {
        return false;
    }
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let name = name.tail(name.trailing(is_of_name).min(MAX_NAME_LENGTH));
    let name = name.strip_suffix(b"s").unwrap_or(name);
    NameClass::classify(name) == NameClass::Secret
}

/// Adds the words of a list that look like passwords.
fn push_words(text: &[u8], list: Span, found: &mut Vec<Span>) {
    let ends = |byte: u8| byte.is_ascii_whitespace() || b"\"',[]{}".contains(&byte);
    let mut at = list.start();
    while at < list.end() {
        let word = text.clamped(at..list.end());
        let length = word.leading(|byte| !ends(byte));
        if length > 0 && certain::is_mixed_word(word.part(..length)) {
            found.push(Span::new(at, at + length));
        }
        at += length + 1;
    }
}

/// Adds the strings that a program joins to a value: languages join them by `+`, `.`, `..`, `&`, a
/// backslash at the end of a line, or nothing.
pub(super) fn add_joined(text: &[u8], found: &mut Vec<Span>) {
    let mut more = Vec::new();
    found.sort_unstable_by_key(|value| value.end());
    let mut end = 0;
    for value in &*found {
        // Strings up to `end` were joined to a value before this one.
        if value.end() < end {
            continue;
        }
        end = value.end();
        while let Some(next) = joined_string(text, end) {
            end = next.end();
            more.push(next);
        }
    }
    found.append(&mut more);
}

/// Returns the string that continues the one whose closing mark is at `end`, without its marks.
fn joined_string(text: &[u8], end: usize) -> Option<Span> {
    let &quote = text.get(end).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let between = text.clamped(end + 1..end + 1 + MAX_NAME_LENGTH);
    let length = between.leading(|b| b.is_ascii_whitespace() || b"+.&\\".contains(&b));
    let start = end + 1 + length;
    // `"a""b"` is a doubled mark (RFC 4180 §2), and two strings in lines of their own are two values.
    let (gap, has_operator) = (between.part(..length), between.part(..length).iter());
    let has_operator = has_operator.copied().any(|byte| b"+.&\\".contains(&byte));
    if text.get(start) != Some(&quote) || gap.is_empty() || gap.contains(&b'\n') && !has_operator {
        return None;
    }
    let close = end_of(text.clamped(..start + MAX_LIST_LENGTH), start + 1, |byte| {
        byte == quote || byte == b'\n'
    });
    (text.get(close) == Some(&quote) && close > start + 1).then(|| Span::new(start + 1, close))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden() {
        for (text, hidden) in [
            ("passwords: [Xy7kQ9vT2mL5, b]", "Xy7kQ9vT2mL5"),
            ("{\"tokens\": [\"a8s7d6f5\", \"Xy7kQ9vT2mL5\"]}", "a8s7d6f5|Xy7kQ9vT2mL5"),
            (
                "passwords:\n  - Xy7kQ9vT2mL5\n  - 'a1b2c3d4'\nnames:\n  - x1y2z3w4\n",
                "Xy7kQ9vT2mL5|a1b2c3d4",
            ),
            ("tokens: [the, word, 12]", ""),
            ("names: [Xy7kQ9vT2mL5] passwords[Xy7kQ9vT2mL5]", ""),
        ] {
            let mut found = Vec::new();
            add_items(text.as_bytes(), &mut found);
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }

    #[test]
    fn strings_that_are_joined() {
        for (text, hidden) in [
            ("\"abc\" \"def\" + \"ghi\"", "def|ghi"),
            ("'abc' .\n    'def'", "def"),
            ("\"abc\", \"def\"", ""),
            ("\"abc\"\n\"def\"", ""),
            ("\"abc\"\"def\"", ""),
            ("\"abc\" 'def'", ""),
        ] {
            let mut found = vec![Span::new(1, 4)];
            add_joined(text.as_bytes(), &mut found);
            let found: Vec<_> = found.iter().skip(1).map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }
}
