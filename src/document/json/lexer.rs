//! Tokens of JSON, with comments as in JSONC, and the escapes of strings (RFC 8259 §7).

use memchr::memchr2;

use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, hexadecimal};
use crate::span::Span;
use crate::work_counter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum Token {
    OpenObject,
    OpenArray,
    Close,
    Colon,
    Comma,
    /// The text between quotation marks.
    String(Span),
    /// A number or a literal.
    Scalar(Span),
    Comment(Span),
    /// Not JSON, from this offset on.
    Broken(usize),
}

pub(in crate::document) struct JsonLexer<'d> {
    bytes: &'d [u8],
    at: usize,
}

impl<'d> JsonLexer<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        // RFC 8259 §8.1 forbids a byte order mark, and lets parsers ignore it.
        let mark = bytes.starts_with(b"\xef\xbb\xbf");
        Self { bytes, at: if mark { 3 } else { 0 } }
    }

    fn string(&mut self, open: usize) -> Token {
        let mut at = open + 1;
        loop {
            let rest = self.bytes.clamped(at..);
            let found = memchr2(b'"', b'\\', rest);
            work_counter::add(found.unwrap_or(rest.len()) + 1);
            match found {
                Some(found) if rest.get(found) == Some(&b'"') => {
                    self.at = at + found + 1;
                    return Token::String(Span::new(open + 1, at + found));
                }
                // The byte after a backslash belongs to the escape, so `\"` does not end the
                // string.
                Some(found) => at += found + 2,
                None => {
                    self.at = self.bytes.len();
                    return Token::Broken(open);
                }
            }
        }
    }

    fn comment(&mut self, start: usize) -> Token {
        let rest = self.bytes.clamped(start..);
        let length = match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
            [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/").map(|end| end + 2),
            _ => {
                self.at = self.bytes.len();
                return Token::Broken(start);
            }
        };
        let end = start + length.unwrap_or(rest.len());
        self.at = end;
        Token::Comment(Span::new(start, end))
    }

    fn scalar(&mut self, start: usize) -> Token {
        let rest = self.bytes.clamped(start..);
        let length =
            rest.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        let word = rest.clamped(..length);
        // Lenient about signs and leading zeros (RFC 8259 §6): a number holds no URI anyway.
        let is_number = word.iter().any(u8::is_ascii_digit)
            && word.iter().all(|&byte| {
                byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E')
            });
        // RFC 8259 §6 excludes NaN and infinite numbers, but Python's `json` writes them.
        let is_literal = matches!(word, b"true" | b"false" | b"null" | b"NaN" | b"Infinity");
        if is_number || is_literal || word == b"-Infinity" {
            self.at = start + length;
            return Token::Scalar(Span::new(start, start + length));
        }
        self.at = self.bytes.len();
        Token::Broken(start)
    }
}

impl Iterator for JsonLexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let blanks = self.bytes.clamped(self.at..).leading(|byte| byte.is_ascii_whitespace());
        // JSON text sequences (RFC 7464) separate values by a control character.
        let start = self.at + blanks;
        let &byte = self.bytes.get(start)?;
        self.at = start + 1;
        Some(match byte {
            b'{' => Token::OpenObject,
            b'[' => Token::OpenArray,
            b'}' | b']' => Token::Close,
            b':' => Token::Colon,
            b',' => Token::Comma,
            b'"' => self.string(start),
            b'/' => self.comment(start),
            b'\x1e' => return self.next_after_separator(),
            _ => self.scalar(start),
        })
    }
}

impl JsonLexer<'_> {
    /// Skips record separators without recursion.
    fn next_after_separator(&mut self) -> Option<Token> {
        let skipped = self
            .bytes
            .clamped(self.at..)
            .leading(|byte| byte == b'\x1e' || byte.is_ascii_whitespace());
        self.at += skipped;
        self.next()
    }
}

/// Appends a string without its escapes. `at` is its offset.
pub(in crate::document) fn unescape(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\\', text.clamped(from..)) {
        let mark = from + found;
        piece.copy(text.clamped(from..mark), at + from);
        let (decoded, length) = escape(text.clamped(mark..));
        let mut buffer = [0; 4];
        let source = Span::new(at + mark, at + mark + length);
        match decoded {
            Some(char) => {
                piece.replace(char.encode_utf8(&mut buffer).as_bytes(), source, RunOrigin::Decoded);
            }
            // An invalid escape stays as it is.
            None => piece.copy(text.clamped(mark..mark + length), at + mark),
        }
        from = mark + length;
    }
    piece.copy(text.clamped(from..), at + from);
}

/// Decodes the escape at the start of `text`; returns its length.
fn escape(text: &[u8]) -> (Option<char>, usize) {
    let unit = |at: usize| hexadecimal(text.get(at..at + 6)?.strip_prefix(b"\\u")?);
    let simple = match text.get(1) {
        Some(b'u') => None,
        Some(b'n') => Some('\n'),
        Some(b't') => Some('\t'),
        Some(b'r') => Some('\r'),
        Some(b'b') => Some('\u{8}'),
        Some(b'f') => Some('\u{c}'),
        Some(&byte @ (b'"' | b'\\' | b'/')) => Some(char::from(byte)),
        _ => return (None, text.len().min(2)),
    };
    if simple.is_some() {
        return (simple, 2);
    }
    // A character beyond U+FFFF is written as a surrogate pair (RFC 8259 §7). Half of a pair is not
    // a character, so it stays as it is.
    match (unit(0), unit(6)) {
        (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) => {
            (char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)), 12)
        }
        (Some(unit), _) => (char::from_u32(unit), 6),
        (None, _) => (None, text.len().min(2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let text = br#"{"a\"b": [1, -2e3, null], /* c */ "d": "e"} "#;
        let tokens: Vec<_> = JsonLexer::new(text).collect();
        assert_eq!(tokens.len(), 16);
        assert_eq!(tokens[1], Token::String(Span::new(2, 6)));
        assert!(!tokens.iter().any(|token| matches!(token, Token::Broken(_))));
        assert_eq!(JsonLexer::new(b"[a]").nth(1), Some(Token::Broken(1)));
        assert_eq!(JsonLexer::new(b"\"a").next(), Some(Token::Broken(0)));
        assert_eq!(JsonLexer::new(b"\x1e\x1e1").next(), Some(Token::Scalar(Span::new(2, 3))));
    }

    #[test]
    fn escapes() {
        for (text, expected) in [
            (r"a\/b\u0026c", "a/b&c"),
            (r"\ud83d\ude00\n", "\u{1f600}\n"),
            (r"\ud83d\x\u12", r"\ud83d\x\u12"),
            (r"a\", r"a\"),
        ] {
            let mut piece = DerivedText::default();
            unescape(text.as_bytes(), 5, &mut piece);
            assert_eq!(String::from_utf8_lossy(piece.text()), expected);
        }
    }
}
