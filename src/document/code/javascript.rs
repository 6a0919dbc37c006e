//! The tokens of JavaScript and TypeScript, for readers of the literals in a program: [`tokens`].
//! Nothing is evaluated.

use super::languages::{DOUBLE, JAVASCRIPT, SINGLE};
use super::lexer::Lexer;
use super::quoted::{quoted, regex};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsTokenKind {
    /// A name, a keyword, or a number.
    Word,
    String,
    /// A template literal, with the code in it.
    Template,
    /// A regular expression, or a string that its line ends.
    Opaque,
    Punctuation(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsToken {
    pub kind: JsTokenKind,
    /// Without quotation marks.
    pub text: Span,
}

/// Returns the tokens of a program; comments and white space are none.
pub(crate) fn tokens(program: &[u8]) -> impl Iterator<Item = JsToken> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = program.clamped(at..);
            let blank = match rest {
                [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
                [b'/', b'*', ..] => {
                    memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2)
                }
                _ => rest.leading(|byte| byte.is_ascii_whitespace()),
            };
            work_counter::add(blank + 1);
            if blank == 0 {
                break;
            }
            at += blank;
        }
        let (kind, text, end) = token(program, at)?;
        at = end;
        Some(JsToken { kind, text })
    })
}

/// Returns the token at `at`, and where it ends.
fn token(program: &[u8], at: usize) -> Option<(JsTokenKind, Span, usize)> {
    let byte = *program.get(at)?;
    if byte == b'/'
        && let Some(end) = regex(program, at)
    {
        return Some((JsTokenKind::Opaque, Span::new(at, end), end));
    }
    Some(match byte {
        b'"' | b'\'' => {
            let literal = quoted(program, at + 1, if byte == b'"' { &DOUBLE } else { &SINGLE });
            let is_closed = literal.end > literal.text.end();
            let kind = if is_closed { JsTokenKind::String } else { JsTokenKind::Opaque };
            (kind, literal.text, literal.end)
        }
        b'`' => {
            let end = at + Lexer::template_length(program.clamped(at..), &JAVASCRIPT);
            // Without an end, the text is the rest of the program.
            let is_closed = end > at + 1 && program.get(end - 1) == Some(&b'`');
            let text = Span::new(at + 1, if is_closed { end - 1 } else { end });
            (JsTokenKind::Template, text, end)
        }
        _ => {
            let is_of_word = |byte: u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
            };
            let length = program.clamped(at..).leading(is_of_word);
            work_counter::add(length);
            let kind = if length == 0 { JsTokenKind::Punctuation(byte) } else { JsTokenKind::Word };
            (kind, Span::new(at, at + length.max(1)), at + length.max(1))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(program: &str) -> Vec<(JsTokenKind, &str)> {
        tokens(program.as_bytes()).map(|it| (it.kind, &program[it.text.range()])).collect()
    }

    #[test]
    fn literals_and_what_is_between_them() {
        use JsTokenKind::*;
        let program = "x = { 'a\\'': [/* 'no' */ ...b, \"c\"], // `no\n d: `e${f({g: `}`})}h` }";
        let expected = [
            (Word, "x"),
            (Punctuation(b'='), "="),
            (Punctuation(b'{'), "{"),
            (String, "a\\'"),
            (Punctuation(b':'), ":"),
            (Punctuation(b'['), "["),
            (Punctuation(b'.'), "."),
            (Punctuation(b'.'), "."),
            (Punctuation(b'.'), "."),
            (Word, "b"),
            (Punctuation(b','), ","),
            (String, "c"),
            (Punctuation(b']'), "]"),
            (Punctuation(b','), ","),
            (Word, "d"),
            (Punctuation(b':'), ":"),
            (Template, "e${f({g: `}`})}h"),
            (Punctuation(b'}'), "}"),
        ];
        assert_eq!(read(program), expected);
    }

    #[test]
    fn quotation_marks_in_patterns_and_open_strings() {
        use JsTokenKind::*;
        let program = "a(/['\"]/, 'b\n1 / 2";
        let expected = [
            (Word, "a"),
            (Punctuation(b'('), "("),
            (Opaque, "/['\"]/"),
            (Punctuation(b','), ","),
            (Opaque, "b"),
            (Word, "1"),
            (Punctuation(b'/'), "/"),
            (Word, "2"),
        ];
        assert_eq!(read(program), expected);
        for (open, text) in [("`", ""), ("`a", "a"), ("`a${", "a${"), ("`a${b}", "a${b}")] {
            assert_eq!(read(open), [(Template, text)], "{open}");
        }
    }

    #[test]
    fn each_byte_is_read_once() {
        for unit in ["`${", "'", "/", "/*", "a:{", "`", "\\", "`${`", "}"] {
            let program = unit.repeat(100_000);
            let mut last = 0;
            for token in tokens(program.as_bytes()) {
                assert!(token.text.start() >= last && token.text.end() <= program.len());
                last = token.text.end();
            }
        }
    }
}
