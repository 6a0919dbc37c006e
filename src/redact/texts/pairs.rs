//! Finds values after names of secrets in logs, settings, and headers: `"password": "…"`,
//! `secretKey=a/b==`, `Authorization: Basic …`.
//!
//! In a text, a `/`, `?`, or `#` belongs to a value, while it would end the value in a URI. Names
//! in URIs are left to the rest of this module, which knows their components.

use alloc::vec::Vec;

use memchr::{memchr_iter, memchr2, memmem};

use crate::redact::names::NameClass;
use crate::redact::shapes::is_random;
use crate::redact::{end_of, escapes};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Maximum bytes of a name, and maximum number of blanks on either side of the sign after it.
const MAX_NAME_LENGTH: usize = 64;
const MAX_BLANKS: usize = 8;
/// Longest string whose end is looked for.
const MAX_STRING_LENGTH: usize = 4096;
/// Bytes by which a value without quotes is judged. Each sign in a long word starts a value that
/// reaches to the end of the word.
const MAX_JUDGED_BYTES: usize = 1024;
/// Bytes before a sign in which its word may show that it is part of a URI.
const LOOKBACK: usize = 256;

/// Returns the spans of the values, in order.
pub(crate) fn values(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(length) = memchr2(b':', b'=', text.clamped(at..)) {
        let sign = at + length;
        at = sign + 1;
        let Some(value) = value(text, sign) else { continue };
        at = value.end();
        if text.part(value.range()) != crate::redact::MARK {
            found.push(value);
        }
    }
    found
}

/// Returns the span of the value after a sign, if it is a secret.
fn value(text: &[u8], sign: usize) -> Option<Span> {
    // `a::b`, `http://`, and `==` do not join a name to a value.
    if matches!(text.get(sign + 1), Some(b':' | b'/' | b'=')) || in_uri(text, sign) {
        return None;
    }
    let name_span = name(text, sign);
    let name = text.part(name_span.range());
    let behind_escape = escapes::end_in_word(text, name_span.start(), name_span.end());
    let without_escape = behind_escape.map(|start| text.clamped(start..name_span.end()));
    // `=>` does in hashes of Ruby and PHP, if a quoted value follows. Elsewhere, it is code.
    let is_arrow = text.get(sign + 1) == Some(&b'>');
    // So do `:=` of Go and make, `?=`, and a comparison with a secret.
    let is_quoted = is_arrow || operator_length(text.clamped(..sign)) > 0;
    let sign = sign + usize::from(is_arrow);
    let blanks = text.clamped(sign + 1..sign + 1 + MAX_BLANKS).leading(|b| b == b' ' || b == b'\t');
    let start = behind_marks(text, sign + 1 + blanks);
    if is_authorization(name) || without_escape.is_some_and(is_authorization) {
        // The scheme, and credentials up to the end of the line or string (RFC 9110 §11.4).
        let start = start + text.clamped(start..start + 3).leading(|b| b"[\"'".contains(&b));
        let scheme = end_of(text, start, |b| !b.is_ascii_alphanumeric() && b != b'-');
        let has_scheme = text.get(scheme) == Some(&b' ');
        let blanks = text.clamped(scheme..scheme + MAX_BLANKS).leading(|b| b == b' ');
        let from = if has_scheme { scheme + blanks } else { start };
        // The parameters of a scheme have their own quotes: `Digest username="joe", response="…"`.
        let has_parameters = text.get(from..).is_some_and(|rest| {
            rest.leading(|b| b.is_ascii_alphanumeric()) > 0
                && text.clamped(from..from + 32).contains(&b'=')
        }) && !text
            .clamped(..sign)
            .tail(LOOKBACK)
            .iter()
            .rev()
            .take_while(|&&b| b != b'\n')
            .any(|b| b"\"'".contains(b));
        let end = end_of(text, from, |b| {
            matches!(b, b'\n' | b'\r') || !has_parameters && matches!(b, b'"' | b'\'' | b'\\')
        });
        return (from < end).then(|| Span::new(from, end));
    }
    let class =
        NameClass::classify(name).max(without_escape.map_or(NameClass::Plain, NameClass::classify));
    if class == NameClass::Plain {
        return None;
    }
    if let Some(quote) = quote_at(text, start) {
        let from = start + quote.len();
        let closed = closing(text, from, quote);
        // In a truncated line, the closing quote is missing.
        let end = closed.unwrap_or_else(|| end_of(text, from, is_end));
        if closed.is_none() && !looks_secret(text.part(from..end)) {
            return None;
        }
        // The key of HTML that goes to a link: `accesskey="n"`.
        if end - from == 1 && name.eq_ignore_ascii_case(b"accesskey") {
            return None;
        }
        return class.hides(text.part(from..end)).then(|| Span::new(from, end));
    }
    if is_quoted {
        return None;
    }
    let near = text.clamped(start..start + MAX_JUDGED_BYTES);
    let value = near.part(..near.leading(|byte| !is_end(byte)));
    // Prose and programs contain names of secrets, too: "the token: see below", `token = read()`.
    let is_call = matches!(near.get(value.len()), Some(b'(' | b'['));
    let is_secret = looks_secret(value) && !is_call && class.hides(value);
    is_secret.then(|| Span::new(start, end_of(text, start + value.len(), is_end)))
}

/// Returns the start of a value after the end of the bold name before it: `**password:** …`.
fn behind_marks(text: &[u8], start: usize) -> usize {
    let stars = text.clamped(start..start + 2).leading(|b| b == b'*');
    let blanks = text.clamped(start + stars..start + stars + MAX_BLANKS).leading(|b| b == b' ');
    if stars > 0 && blanks > 0 { start + stars + blanks } else { start }
}

/// True for the byte after a value without quotes.
fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\"'`<>&;,(){}[]|\\".contains(&byte)
}

/// True for a value that is not a word of prose or of a program.
fn looks_secret(value: &[u8]) -> bool {
    is_random(value) || value.iter().any(u8::is_ascii_digit)
}

/// Returns the length of the first character of `:=`, `?=`, `!=`, or `==`, if the text before a
/// sign ends in it.
fn operator_length(before: &[u8]) -> usize {
    usize::from(matches!(before.last(), Some(b':' | b'?' | b'!' | b'=')))
}

/// Quotes of texts in HTML.
const ENTITIES: [&[u8]; 5] = [b"&quot;", b"&#34;", b"&#39;", b"&#x27;", b"&apos;"];

/// Returns the quote that starts at `at`, with the backslashes of a string in another: `\\\"`.
fn quote_at(text: &[u8], at: usize) -> Option<&[u8]> {
    const MAX_BACKSLASHES: usize = 8;
    let rest = text.clamped(at..at + MAX_BACKSLASHES + 1);
    let backslashes = rest.leading(|b| b == b'\\');
    match rest.get(backslashes) {
        Some(b'"' | b'\'' | b'`') => Some(rest.part(..backslashes + 1)),
        _ => ENTITIES.into_iter().find(|quote| text.clamped(at..).starts_with(quote)),
    }
}

/// Returns the offset of the quote that closes a string. Quotes in the string have more
/// backslashes, unless the string ends in backslashes: `"a\\"`.
fn closing(text: &[u8], from: usize, quote: &[u8]) -> Option<usize> {
    // Bounded, because each name in a long line looks for its own closing quote.
    let line = text.clamped(from..from + MAX_STRING_LENGTH);
    let line = line.clamped(..memchr::memchr(b'\n', line).unwrap_or(line.len()));
    let (&last, backslashes) = quote.split_last()?;
    if last == b';' {
        return memmem::find(line, quote).filter(|&at| at > 0).map(|at| from + at);
    }
    memchr_iter(last, line).find_map(|at| {
        let before = line.part(..at).trailing(|b| b == b'\\');
        let is_inside = before > backslashes.len() && (!backslashes.is_empty() || before % 2 == 1);
        let end = at - before.min(backslashes.len());
        (!is_inside && end > 0).then_some(from + end)
    })
}

/// Returns the span of the name before a sign, without its quotes and the marks of Markdown.
fn name(text: &[u8], sign: usize) -> Span {
    let from = sign.saturating_sub(MAX_NAME_LENGTH + MAX_BLANKS);
    let before = text.clamped(from..sign - operator_length(text.clamped(..sign)));
    let is_mark = |b: u8| b" \t\"'`\\*".contains(&b);
    let before = before.clamped(..before.len() - before.trailing(is_mark));
    let entity = ENTITIES.into_iter().find(|quote| before.ends_with(quote));
    let before = before.clamped(..before.len() - entity.map_or(0, <[u8]>::len));
    let length = before.trailing(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    Span::new(from + before.len() - length, from + before.len())
}

fn is_authorization(name: &[u8]) -> bool {
    let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
    is(b"authorization") || is(b"proxy-authorization")
}

/// True if the word that a sign is in has `://` before it.
pub(super) fn in_uri(text: &[u8], sign: usize) -> bool {
    let before = text.clamped(sign.saturating_sub(LOOKBACK)..sign);
    let word = before.trailing(|b| !b.is_ascii_whitespace() && !b"\"'`<>".contains(&b));
    before.part(before.len() - word..).windows(3).any(|part| part == b"://")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line of JSON of a megabyte took seconds: each name looked for the end of the line.
    #[test]
    fn long_lines_take_linear_time() {
        let text = r#"{"id":1,"token":"abc1","x":"a"},"#.repeat(40_000);
        assert_eq!(values(text.as_bytes()).len(), 40_000);
    }

    /// Each name in a long word read the value up to its end.
    #[test]
    fn long_words_take_linear_time() {
        let text = "password=".repeat(200_000);
        assert!(values(text.as_bytes()).is_empty());
        let long = format!("password=a1{}", "b".repeat(2 * MAX_JUDGED_BYTES));
        assert_eq!(values(long.as_bytes()), [Span::new(9, long.len())]);
    }

    #[test]
    fn values_behind_names() {
        for (text, hidden) in [
            ("secretKey=qsajAIxNKu/8iS2G8NPRV/dD53X8", "qsajAIxNKu/8iS2G8NPRV/dD53X8"),
            ("AccountKey=a1b2/c3+d4==;Endpoint=x", "a1b2/c3+d4=="),
            ("{\"user\":\"jo\",\"password\":\"correct horse\"}", "correct horse"),
            ("  api_key: 'a b1c'", "a b1c"),
            ("PGPASSWORD='a b' psql", "a b"),
            ("password: hunter22", "hunter22"),
            ("AWS_SECRET_ACCESS_KEY=\"wJalr/K7MDENG/bPx\"", "wJalr/K7MDENG/bPx"),
            (
                "Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==\r\nHost: a",
                "dXNlcjpwYXNzd29yZDEyMw==",
            ),
            ("\"Authorization\": \"Bearer a/b+c==\"", "a/b+c=="),
            ("-H 'authorization: token c0ffee'", "c0ffee"),
            ("X-Api-Key: 0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"),
            (
                "Cookie: sessionid=a1b2c3d4e5; csrftoken=x9y8z7w6v5",
                "sessionid=a1b2c3d4e5|x9y8z7w6v5",
            ),
            (
                "Authorization: Digest username=\"joe\", response=\"c0ffee\"\n",
                "username=\"joe\", response=\"c0ffee\"",
            ),
            ("{\\\"password\\\": \\\"hunter2\\\"}", "hunter2"),
            ("\\\\\\\"password\\\\\\\":\\\\\\\"hunter2\\\\\\\"", "hunter2"),
            ("{\"password\": \"ab\\\"cd1234\", \"a\": 1}", "ab\\\"cd1234"),
            ("\"password\": \"a1\\\\\", \"b\": 2", "a1\\\\"),
            ("&quot;password&quot;:&quot;hunter2&quot;", "hunter2"),
            ("'password' => 'hunter2'", "hunter2"),
            (":password=>\"hunter2\"", "hunter2"),
            ("password => hunter2()", ""),
            ("**password:** hunter2, **password**: hunter3", "hunter2|hunter3"),
            ("x\\npin=hunter2\\nkey: 'hunter3'", "hunter2|hunter3"),
            ("C:\\token=hunter2", "hunter2"),
            ("x\\nAuthorization: Basic c0ffee\\r\\n", "c0ffee"),
            ("\"Authorization\":[\"Bearer a/b+c==\"]", "a/b+c=="),
            ("<a accesskey=\"n\" href=b>", ""),
            ("the token: see below", ""),
            ("token = read_token1(x)", ""),
            ("password::new(1)", ""),
            ("http://a.example/?token=c0ffee1234", ""),
            ("token=REDACTED", ""),
            ("page=12 user: jo1", ""),
            ("password:", ""),
            ("password=\"", ""),
            (
                "password := \"hunter2\", PASSWORD ?= 'hunter3', password == \"hunter4\"",
                "hunter2|hunter3|hunter4",
            ),
            ("password := read2(), password == expected2", ""),
            ("\"token\": \"hunter2", "hunter2"),
            ("the password: \"see\nbelow", ""),
        ] {
            let found = values(text.as_bytes());
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }
}
