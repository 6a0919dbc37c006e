//! The escapes of strings: `\n`, `\x2f`, `\u002f`, `\u{2f}`, `""`.

use super::language::Escape;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, hexadecimal};
use crate::span::Span;

/// Appends the text of a string, which starts at `at`, without its escapes.
pub(super) fn unescape(
    text: &[u8],
    at: usize,
    mark: &[u8],
    escape: Escape,
    piece: &mut DerivedText,
) {
    let sign = match escape {
        Escape::None => return piece.copy(text, at),
        Escape::Backslash => b'\\',
        Escape::Backtick => b'`',
        Escape::Doubled => mark.first().copied().unwrap_or(b'"'),
    };
    let mut from = 0;
    while let Some(found) = memchr::memchr(sign, text.clamped(from..)) {
        let start = from + found;
        piece.copy(text.clamped(from..start), at + from);
        let rest = text.clamped(start..);
        let (decoded, length) = match escape {
            Escape::Doubled => (Some(char::from(sign)), 2),
            _ => decode(rest),
        };
        let length = length.min(rest.len());
        let mut buffer = [0; 4];
        let source = Span::new(at + start, at + start + length);
        match decoded {
            Some(c) => {
                piece.replace(c.encode_utf8(&mut buffer).as_bytes(), source, RunOrigin::Decoded)
            }
            // An unknown escape stays as it is.
            None => piece.copy(rest.clamped(..length), at + start),
        }
        from = start + length;
    }
    piece.copy(text.clamped(from..), at + from);
}

/// Decodes the escape at the start of `text`; returns its length.
fn decode(text: &[u8]) -> (Option<char>, usize) {
    let number = |start: usize, most: usize| {
        let digits = text.clamped(start..).clamped(..most);
        let length = digits.leading(|byte| byte.is_ascii_hexdigit());
        (hexadecimal(digits.clamped(..length)).and_then(char::from_u32), start + length)
    };
    let simple = match text.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        // Scripts contain JSON with `\/`, and languages with variables in strings have `\$`.
        Some(&byte @ (b'"' | b'\'' | b'\\' | b'/' | b'`' | b'$')) => char::from(byte),
        Some(b'u') if text.get(2) == Some(&b'{') => {
            let (c, end) = number(3, 6);
            return match text.get(end) {
                Some(b'}') => (c, end + 1),
                _ => (None, 2),
            };
        }
        Some(b'x') => return number(2, 2),
        Some(b'u') => return number(2, 4),
        Some(b'U') => return number(2, 8),
        _ => return (None, 2),
    };
    (Some(simple), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        for (text, escape, expected) in [
            (r"a\/b\x2fc\u002fd\u{2f}e\U0000002Ff", Escape::Backslash, "a/b/c/d/e/f"),
            (r"\d\", Escape::Backslash, r"\d\"),
            (r"\u{110000}\u{2f", Escape::Backslash, r"\u{110000}\u{2f"),
            ("a\"\"b", Escape::Doubled, "a\"b"),
            (r"\n", Escape::None, r"\n"),
        ] {
            let mut piece = DerivedText::default();
            unescape(text.as_bytes(), 3, b"\"", escape, &mut piece);
            assert_eq!(String::from_utf8_lossy(piece.text()), expected);
        }
    }
}
