//! Finds the word after the name of a secret, with any marks and markup between them: cells of a
//! table, arrows, elements of a list, tags. Because no sign is required, the word must look like a
//! password.

use alloc::vec::Vec;

use memchr::memmem;

use super::gaps::{self, Gap, Joint};
use super::{certain, pairs};
use crate::redact::names::is_among;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest name, and longest value.
const MAX_NAME_LENGTH: usize = 64;
const MAX_VALUE_LENGTH: usize = 512;
/// Maximum bytes of words between a name and the sign before its value, and maximum number of signs
/// to try.
const MAX_WORDS_LENGTH: usize = 64;
const MAX_SIGNS: usize = 3;

/// Words between a name and its value: `the token is now …`.
#[rustfmt::skip]
const VERBS: [&str; 16] = [
    "is", "was", "are", "be", "now", "set", "to", "changed", "equals", "will", "has", "been", "still", "just",
    "must", "reads",
];

/// Returns the values, in order.
pub(super) fn values(text: &[u8]) -> Vec<Span> {
    names(text).filter_map(|name| value(text, name)).collect()
}

/// Returns the value of a name.
fn value(text: &[u8], name: Span) -> Option<Span> {
    let end = behind_index(text, name.end());
    let found = gaps::behind(text, end).and_then(|gap| {
        password(text, gap, certain::is_mixed_word).or_else(|| behind_field(text, gap))
    });
    let found = found.or_else(|| in_tag(text, end));
    // The cheap tests come first: few words look like a password, and few names are those of a
    // secret.
    match found {
        Some(_) => found.filter(|_| is_name(text, name)),
        None => behind_words(text, end, || is_name(text, name)),
    }
}

/// Returns the password after a word that announces it: `"password": {"value": "…"}`.
fn behind_field(text: &[u8], gap: Gap) -> Option<Span> {
    const WORDS: [&str; 6] = ["value", "default", "str", "string", "text", "hash"];
    let rest = text.part(gap.end..);
    let word = rest.leading(|byte| byte.is_ascii_alphabetic());
    let is_field = gap.joint == Joint::Firm && is_among(&WORDS, rest.part(..word));
    let next = gaps::behind(text, gap.end + word).filter(|_| is_field)?;
    password(text, next, certain::is_mixed_word)
}

/// Returns the password in the attribute of a tag that follows: `password</b> <input value="…">`.
fn in_tag(text: &[u8], start: usize) -> Option<Span> {
    const VALUE: &[u8] = b" value=\"";
    let rest = text.clamped(start..start + 2 * MAX_WORDS_LENGTH);
    let tag = rest.leading(|byte| b" \t\r\n:".contains(&byte));
    let (b'<', rest) = rest.part(tag..).split_first()? else { return None };
    let length = memmem::find(rest.part(..rest.leading(|byte| byte != b'\n')), VALUE)?;
    let end = start + tag + 1 + length + VALUE.len();
    let gap = Gap { end, joint: Joint::Firm, divider: None, is_in_line: true };
    password(text, gap, certain::is_mixed_word)
}

/// Returns the word after a gap, if it has the shape of a password.
fn password(text: &[u8], gap: Gap, shape: fn(&[u8]) -> bool) -> Option<Span> {
    let value = value_at(text, gap)?;
    let is_password = shape(text.part(value.range())) && !is_part_of_code(text, value);
    (is_password && !pairs::in_uri(text, value.start())).then_some(value)
}

/// Returns the end of an index after a name: `password[0]`, `password(s)`, `password #1`.
fn behind_index(text: &[u8], end: usize) -> usize {
    let rest = text.clamped(end..end + 8);
    let blank = rest.leading(|byte| byte == b' ').min(1);
    let (open, close) = match rest.get(blank) {
        Some(b'[') => (1, Some(b']')),
        Some(b'(') => (1, Some(b')')),
        Some(b'#') => (1, None),
        _ => (0, None),
    };
    let from = blank + open;
    let index = rest
        .clamped(from..)
        .leading(|byte| byte.is_ascii_digit() || byte == b's' && close.is_some());
    let is_end = match (close, rest.get(from + index)) {
        (Some(close), next) => next == Some(&close),
        // Without brackets, a sign must follow, or the number may be a value.
        (None, next) => matches!(next, Some(b':' | b'=')),
    };
    let is_index = (1..=3).contains(&index) && is_end;
    if is_index { end + from + index + usize::from(close.is_some()) } else { end }
}

/// Returns the value after a few words and a sign, or after a verb: `password for joe: …`,
/// `token is now …`, `password: String = "…"`.
fn behind_words(text: &[u8], end: usize, is_name: impl Fn() -> bool) -> Option<Span> {
    let rest = text.clamped(end..end + MAX_WORDS_LENGTH);
    // Words follow a blank, a type follows a colon.
    let is_apart = matches!(rest, [b' ', b'a'..=b'z' | b'A'..=b'Z' | b'(', ..] | [b':', b' ', ..]);
    (is_apart && is_name()).then_some(())?;
    let is_word = |byte: u8| {
        byte.is_ascii_alphanumeric() || b" .@'`()/:_-!+?".contains(&byte) || byte >= 0x80
    };
    let words = rest.part(..rest.leading(is_word));
    let sign = |at: &usize| {
        // The colon of a URI does not count, and neither does the first one if a type follows it.
        *at > 0
            && matches!(rest.get(*at), Some(b':' | b'='))
            && !matches!(rest.get(at + 1), Some(b'/' | b':' | b'='))
    };
    let signs = (0..=words.len()).filter(sign).map(|at| end + at);
    let verbs = words.split(|&byte| byte == b' ').skip(1).take_while(|word| is_among(&VERBS, word));
    let behind_verbs = verbs.map(|word| word.len() + 1).sum::<usize>();
    let starts = signs.chain((behind_verbs > 0).then_some(end + behind_verbs));
    starts.take(MAX_SIGNS).find_map(|start| {
        let gap = gaps::behind(text, start).filter(|gap| gap.is_in_line)?;
        password(text, gap, certain::is_mixed_word)
    })
}

/// Returns the words that may be names: the last letters of the names of secrets are few.
pub(super) fn names(text: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    core::iter::from_fn(move || {
        while at < text.len() {
            let start = at;
            at = word_end(text, start);
            let word = text.part(start..at);
            let end = at - word.trailing(|byte| matches!(byte, b'-' | b'_' | b'0'..=b'9'));
            if end > start && certain::may_end_secret_name(text.part(start..end)) {
                return Some(Span::new(start, end));
            }
            if at == start {
                at += gaps::first_char(text.part(at..)).map_or(1, char::len_utf8);
            }
        }
        None
    })
}

/// Returns the end of the word that starts at `start`.
fn word_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        at += text
            .part(at..)
            .leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        match text.get(at).filter(|byte| !byte.is_ascii()) {
            Some(_) => match gaps::first_char(text.part(at..)).filter(|c| c.is_alphanumeric()) {
                Some(letter) => at += letter.len_utf8(),
                None => return at,
            },
            None => return at,
        }
    }
}

/// True for the name of a secret, which may have a word before it: `API key`.
pub(super) fn is_name(text: &[u8], name: Span) -> bool {
    let bytes = text.part(name.range()).tail(MAX_NAME_LENGTH);
    if certain::is_secret_name(bytes) {
        return true;
    }
    let before = text.clamped(name.start().saturating_sub(MAX_NAME_LENGTH)..name.start());
    let Some((b' ', before)) = before.split_last() else { return false };
    let word = before.trailing(|byte| byte.is_ascii_alphabetic());
    word > 0 && certain::is_secret_name(text.part(name.start() - 1 - word..name.end()))
}

/// Returns the span of the word or string at the end of a gap.
fn value_at(text: &[u8], gap: Gap) -> Option<Span> {
    let start = gap.end;
    let line = text.clamped(start..start + MAX_VALUE_LENGTH);
    let line = line.part(..line.leading(|byte| byte != b'\n'));
    let length = match closer(text.clamped(..start)) {
        Some(close) => memmem::find(line, close),
        None => None,
    };
    let length = length.or_else(|| {
        let divider = gap.divider?;
        let end = line.leading(|byte| byte != divider && byte != b'\r');
        let cell = line.part(..end);
        Some(end - cell.trailing(|byte| b" \t*_`\\".contains(&byte)))
    });
    let length = length.unwrap_or_else(|| {
        let is_end = |byte: u8| byte.is_ascii_whitespace() || b"\"'`<>&;,(){}[]|\\".contains(&byte);
        let length = line.leading(|byte| !is_end(byte));
        length - line.part(..length).trailing(|byte| b".:*_~!?".contains(&byte))
    });
    let value = line.part(..length);
    // A variable or a reference is not a secret.
    let is_reference = matches!(text.clamped(..start).last(), Some(b'$' | b'%' | b'@' | b'#'));
    let is_word = !value.is_empty() && !value.iter().any(u8::is_ascii_whitespace);
    (is_word && !is_reference).then(|| Span::new(start, start + length))
}

/// Returns the closer of the string that is open at the end of a text.
fn closer(before: &[u8]) -> Option<&'static [u8]> {
    const QUOTES: [[&str; 2]; 12] = [
        ["\\\"", "\\\""],
        ["\"", "\""],
        ["\\'", "\\'"],
        ["'", "'"],
        ["`", "`"],
        ["&quot;", "&quot;"],
        ["&#34;", "&#34;"],
        ["&#39;", "&#39;"],
        ["“", "”"],
        ["‘", "’"],
        ["«", "»"],
        ["<", ">"],
    ];
    let quote = QUOTES.into_iter().find(|[open, _]| before.ends_with(open.as_bytes()))?;
    Some(quote[1].as_bytes())
}

/// True for a word that is called, assigned to, or a key itself.
fn is_part_of_code(text: &[u8], value: Span) -> bool {
    let behind = text.clamped(value.end()..value.end() + 8);
    let quotes = behind.leading(|byte| b"\"'`\\ ".contains(&byte));
    // `[/password]` closes an element of BBCode.
    matches!(behind, [b'(', ..] | [b'[', ..]) && !behind.starts_with(b"[/")
        || matches!(behind.get(quotes..), Some([b'=' | b':', ..]))
        || memmem::find(text.part(value.range()), b"://").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden() {
        const T: &str = "s3cr3tX9";
        for text in [
            "| password | T |",
            "| **API key** | `T` |",
            "| Passwort: | T | x |",
            "│ password │ T │",
            "{| \n| password || T\n|}",
            "password\tT",
            "joe,password,T",
            "<td>password</td>\n<td><code>T</code></td>",
            "<dt>Password:<dd>T",
            "<b>password</b> <input value=\"T\">",
            "&lt;td&gt;password&lt;/td&gt;&lt;td&gt;T&lt;/td&gt;",
            "password -> T",
            "password => T",
            "`password` → `T`",
            "password -&gt; T",
            "[\"password\", \"T\"]",
            "password ..... T",
            "password: (T)",
            "password\n    T",
            "Contraseña: T",
            "Пароль — T",
            "パスワード：T",
            "password[0]: T",
            "password (s): T",
            "password for joe@a.example: T",
            "the token is now T",
            "password: String = \"T\"",
            "\"password\": {\"value\": \"T\"}",
            "password = f\"T\"",
            "password += T",
            "[password]T[/password]",
            "\\password{T}",
            "password <- T",
        ] {
            let text = &text.replace('T', T).replace("S3cr3tX9ring", "String");
            let text = &text.replace("s3cr3tX9ring", "Tring");
            let mut found: Vec<_> =
                values(text.as_bytes()).iter().map(|span| &text[span.range()]).collect();
            found.dedup();
            assert_eq!(found, [T], "{text}");
        }
        for text in [
            "| Token | Meaning |",
            "| signature | sha256 |",
            "| code | E1234X5 |",
            "the password, which s3cr3tX9",
            "a token. S3cr3tX9",
            "token(s3cr3tX9(x))",
            "\"password\", \"s3cr3tX9\": 1",
            "token: $s3cr3tX9",
            "token.s3cr3tX9",
            "src/token/s3cr3tX9",
            "https://a.example/token,s3cr3tX9",
            "tokens: s3cr3tX9",
            "token -> https://a.example/s3cr3tX9",
        ] {
            let found = values(text.as_bytes());
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }

    #[test]
    fn many_names_take_linear_time() {
        for piece in ["password <a ", "token -- ", "Пароль for ", "password: x "] {
            assert!(values(piece.repeat(1 << 12).as_bytes()).is_empty(), "{piece}");
        }
    }
}
