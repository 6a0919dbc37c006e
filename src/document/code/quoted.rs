//! Literals with marks that depend on the source: raw strings, characters, regular expressions.

use super::language::{Escape, StringMarks};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

/// Maximum length of white space before a pattern.
const MAX_SPACE_BYTES: usize = 256;

/// Maximum number of `#` around a raw string of Rust, and one more.
const MAX_HASHES: usize = 256;

/// Bytes of a character literal, and of a raw string's tag.
// The longest character is `\u{10FFFF}` with its mark. A tag of C++ has up to 16 characters.
const MAX_CHARACTER_LENGTH: usize = 14;
const MAX_TAG_LENGTH: usize = 18;
const MAX_REGEX_LENGTH: usize = 1024;

/// A string: its text, and the end of its closing mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StringLiteral {
    pub text: Span,
    pub end: usize,
}

/// Returns the string that `quotes` open before `start`.
pub(super) fn quoted(bytes: &[u8], start: usize, quotes: &StringMarks) -> StringLiteral {
    let close = quotes.close.as_bytes();
    let first = close.first().copied().unwrap_or(b'"');
    let escape = match quotes.escape {
        Escape::Backslash => b'\\',
        Escape::Backtick => b'`',
        Escape::None | Escape::Doubled => first,
    };
    let line_end = match quotes.lines {
        super::language::StringLines::One => b'\n',
        // A line break does not end this string, so a byte is repeated that is looked for anyway.
        super::language::StringLines::Many => first,
    };
    let mut at = start;
    loop {
        let rest = bytes.clamped(at..);
        let found = memchr::memchr3(first, escape, line_end, rest);
        work_counter::add(found.unwrap_or(rest.len()) + 1);
        let Some(found) = found else {
            return StringLiteral { text: Span::new(start, bytes.len()), end: bytes.len() };
        };
        at += found;
        let rest = bytes.clamped(at..);
        if quotes.escape == Escape::Doubled && rest.starts_with(&[first, first]) {
            at += 2;
        } else if rest.starts_with(close) {
            return StringLiteral { text: Span::new(start, at), end: at + close.len() };
        } else if escape != first && rest.first() == Some(&escape) {
            at += 2;
        } else if line_end == b'\n' && rest.first() == Some(&b'\n') {
            return StringLiteral { text: Span::new(start, at), end: at };
        } else {
            at += 1;
        }
    }
}

/// Returns the end of the character literal at `at`, if there is one.
pub(super) fn character(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.clamped(at + 1..).clamped(..MAX_CHARACTER_LENGTH);
    let length = match rest {
        // The byte after the backslash may be the mark itself: `'\''`.
        [b'\\', _, ..] => 2 + memchr::memchr2(b'\'', b'\n', rest.clamped(2..))?,
        [b'\'' | b'\n', ..] | [] => return None,
        [first, ..] if first.is_ascii() => 1,
        // A character has up to four bytes in UTF-8, and then the mark follows.
        _ => memchr::memchr(b'\'', rest.clamped(..5))?,
    };
    (rest.get(length) == Some(&b'\'')).then_some(at + 1 + length + 1)
}

/// Returns the raw string of Rust whose `r` is at `at`.
pub(super) fn rust_raw(bytes: &[u8], at: usize) -> Option<StringLiteral> {
    // Rust allows 255. Without the bound, each `r` before a row of `#` would read the row again.
    let hashes = bytes.clamped(at + 1..).clamped(..MAX_HASHES).leading(|byte| byte == b'#');
    let open = at + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    Some(up_to(bytes, open + 1, &close))
}

/// Returns the raw string of C++ whose `"` is at `at`, after an `R`.
pub(super) fn cpp_raw(bytes: &[u8], at: usize) -> Option<StringLiteral> {
    let rest = bytes.clamped(at + 1..).clamped(..MAX_TAG_LENGTH);
    let tag = rest.clamped(..memchr::memchr(b'(', rest)?);
    let close = [b")".as_slice(), tag, b"\""].concat();
    Some(up_to(bytes, at + 2 + tag.len(), &close))
}

/// Returns the string of Lua whose `[` is at `at`: `[[…]]`, `[==[…]==]`.
pub(super) fn lua_long(bytes: &[u8], at: usize) -> Option<StringLiteral> {
    let signs = bytes.clamped(at + 1..).clamped(..MAX_TAG_LENGTH).leading(|byte| byte == b'=');
    if bytes.get(at + 1 + signs) != Some(&b'[') {
        return None;
    }
    let close = [b"]".as_slice(), &vec![b'='; signs], b"]"].concat();
    Some(up_to(bytes, at + 2 + signs, &close))
}

/// Returns the text from `start` up to a closing mark, or to the end.
fn up_to(bytes: &[u8], start: usize, close: &[u8]) -> StringLiteral {
    let rest = bytes.clamped(start..);
    let found = memchr::memmem::find(rest, close);
    work_counter::add(found.unwrap_or(rest.len()) + close.len());
    match found {
        Some(found) => StringLiteral {
            text: Span::new(start, start + found),
            end: start + found + close.len(),
        },
        None => StringLiteral { text: Span::new(start, bytes.len()), end: bytes.len() },
    }
}

/// Returns the end of the regular expression whose `/` is at `at`, if an operand is expected there.
pub(super) fn regex(bytes: &[u8], at: usize) -> Option<usize> {
    if !expects_operand(bytes.clamped(..at)) {
        return None;
    }
    let mut is_in_class = false;
    let mut end = at + 1;
    // Many signs of division in a long line would otherwise each be followed to its end.
    let bytes = bytes.clamped(..at + MAX_REGEX_LENGTH);
    loop {
        match bytes.get(end)? {
            b'\n' => return None,
            b'\\' => end += 1,
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => {
                work_counter::add(end - at);
                return Some(end + 1);
            }
            _ => {}
        }
        end += 1;
    }
}

/// True if an operand follows this code, and so no division.
fn expects_operand(before: &[u8]) -> bool {
    const WORDS: [&[u8]; 11] = [
        b"return", b"typeof", b"case", b"in", b"of", b"if", b"unless", b"and", b"or", b"not",
        b"when",
    ];
    let before = before.tail(MAX_SPACE_BYTES).trim_ascii_end();
    match before.last() {
        None => true,
        Some(last) if b"(,=:[!&|?{};+-*%~^<>".contains(last) => true,
        Some(_) => {
            let length = before.trailing(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            WORDS.contains(&before.tail(length))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_no_lifetimes() {
        for (source, end) in [
            ("'a'", Some(3)),
            (r"'\''", Some(4)),
            ("'é'", Some(4)),
            (r"'\u{1f600}'", Some(11)),
            ("'a, 'b", None),
            ("'static", None),
        ] {
            assert_eq!(character(source.as_bytes(), 0), end, "{source}");
        }
    }

    #[test]
    fn a_slash_divides_after_an_operand() {
        assert_eq!(regex(b"x = /[/]\\/'/g", 4), Some(12));
        assert_eq!(regex(b"a / b / c", 2), None);
        assert_eq!(regex(b"return /a/", 7), Some(10));
    }

    #[test]
    fn raw_strings_end_at_their_own_mark() {
        let text = |literal: Option<StringLiteral>, source: &str| {
            literal.map(|literal| source[literal.text.range()].to_owned())
        };
        let rust = "r#\"a\"b\"#";
        assert_eq!(text(rust_raw(rust.as_bytes(), 0), rust).as_deref(), Some("a\"b"));
        let cpp = "R\"x(a)\")x\"";
        assert_eq!(text(cpp_raw(cpp.as_bytes(), 1), cpp).as_deref(), Some("a)\""));
        let lua = "[=[a]]]=]";
        assert_eq!(text(lua_long(lua.as_bytes(), 0), lua).as_deref(), Some("a]]"));
    }
}
