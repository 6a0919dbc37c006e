//! Finds values beside the name of a secret, without a sign between them: `password("…")`, `<input
//! name="token" value="…">`, `Bearer …`, `login joe password …`, `joe:…@host:path`.

use alloc::vec::Vec;

use memchr::{memchr_iter, memmem};

use super::certain::is_mixed_word;
use crate::redact::names::NameClass;
use crate::redact::shapes::is_random;
use crate::redact::{end_of, escapes};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Bytes before and after `value` in which the name of the pair is looked for.
const NEAR: usize = 128;

/// Bytes before a word in which the words that name it start. A reader of a text in pieces keeps
/// this many bytes of the previous piece, see [`BYTES_BEFORE`](super::passages::BYTES_BEFORE).
pub(super) const WORDS_BEFORE: usize = 512;

/// Longest name, and longest value in quotes.
const MAX_NAME_LENGTH: usize = 64;
const MAX_VALUE_LENGTH: usize = 512;

/// Returns the values, unordered.
pub(super) fn values(text: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = memchr_iter(b'(', text).filter_map(|at| of_call(text, at)).collect();
    found.extend(memmem::find_iter(text, b"value").filter_map(|at| of_pair(text, at, at + 5)));
    found.extend(memmem::find_iter(text, b"content=").filter_map(|at| of_pair(text, at, at + 7)));
    found.extend(memchr_iter(b'@', text).filter_map(|at| of_remote(text, at)));
    found.extend(memmem::find_iter(text, b"WIFI:").filter_map(|at| of_network(text, at + 5)));
    words(text, &mut found);
    found
}

/// Returns the string argument of a function with the name of a secret; if there are two, the
/// second one: `setPassword("…")`, `basicAuth("joe", "…")`.
fn of_call(text: &[u8], open: usize) -> Option<Span> {
    let before = text.clamped(open.saturating_sub(MAX_NAME_LENGTH)..open);
    let before =
        before.clamped(..before.len() - before.trailing(|b| matches!(b, b'=' | b':' | b' ')));
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let name = before.tail(before.trailing(is_name));
    let class = NameClass::classify(name);
    let is_pair = name.ends_with_ignore_case(b"credentials") || name.ends_with_ignore_case(b"auth");
    if class == NameClass::Plain && !is_pair {
        return None;
    }
    let first = quoted(text, open + 1)?;
    let behind = end_of(text, first.end() + 1, |byte| byte != b' ');
    let value = match text.get(behind) {
        Some(b',') => quoted(text, end_of(text, behind + 1, |byte| byte != b' '))?,
        _ if is_pair => return None,
        _ => first,
    };
    // A text without digits is for people: `password("Your password")`.
    let bytes = text.part(value.range());
    let is_secret = bytes.iter().any(u8::is_ascii_digit) && !bytes.contains(&b' ');
    (is_secret && (is_pair || class.hides(bytes))).then_some(value)
}

/// Returns the string that starts at `at`, without its quotes.
fn quoted(text: &[u8], at: usize) -> Option<Span> {
    let &quote = text.get(at).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let end = end_of(text.clamped(..at + MAX_VALUE_LENGTH), at + 1, |b| b == quote || b == b'\n');
    (text.get(end) == Some(&quote) && end > at + 1).then(|| Span::new(at + 1, end))
}

/// Returns the value of a pair of two fields, one of which has the name: `name="token" value="…"`,
/// `{"key": "token", "value": "…"}`, and the two lines of a list in YAML.
fn of_pair(text: &[u8], start: usize, end: usize) -> Option<Span> {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
    let sign =
        end + text.clamped(end..end + 4).leading(|b| matches!(b, b'"' | b'\'' | b'\\' | b' '));
    matches!(text.get(sign), Some(b'=' | b':')).then_some(())?;
    let at = sign + 1 + text.clamped(sign + 1..sign + 9).leading(is_blank);
    let value = quoted(text, at).or_else(|| {
        let end = end_of(text.clamped(..at + MAX_VALUE_LENGTH), at, |b| {
            b.is_ascii_whitespace() || b"\"'<>,;{}[]".contains(&b)
        });
        (end > at).then(|| Span::new(at, end))
    })?;
    let before = text.clamped(start.saturating_sub(NEAR)..start);
    // The pair is in this line and the one before, and in one pair of brackets.
    let line = before.trailing(|byte| !matches!(byte, b'\n' | b'{' | b'<' | b'}' | b'>'));
    let lines = match before.len().checked_sub(line + 1).and_then(|at| before.get(at)) {
        Some(b'\n') => {
            line + 1
                + before.clamped(..before.len() - line - 1).trailing(|b| !b"\n{}<>".contains(&b))
        }
        _ => line,
    };
    let behind = text.clamped(value.end()..value.end() + NEAR);
    let behind = behind.part(..behind.leading(|byte| !b"\n{}<>".contains(&byte)));
    let class = pair_class(before.tail(lines));
    let class = if class == NameClass::Plain { pair_class(behind) } else { class };
    let bytes = text.part(value.range());
    let is_secret = class.hides(bytes) || is_of_password(before, behind) || {
        // `<password value="…"/>`, where the value may also be the name of something.
        let tag = before.tail(line + 1);
        let name = tag.strip_prefix(b"<").unwrap_or_default();
        let name = name.part(
            ..name.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'),
        );
        NameClass::classify(name) == NameClass::Secret && is_mixed_word(bytes)
    };
    is_secret.then_some(value)
}

/// True for the attributes of a form field for passwords.
fn is_of_password(before: &[u8], behind: &[u8]) -> bool {
    const TYPES: [&[u8]; 3] = [b"type=\"password\"", b"type='password'", b"type=password"];
    let has = |text: &[u8]| TYPES.into_iter().any(|it| memmem::find(text, it).is_some());
    has(before.tail(before.trailing(|byte| !matches!(byte, b'<' | b'>')))) || has(behind)
}

/// Classifies the value of the field `name`, `key`, or `id` in a text.
fn pair_class(text: &[u8]) -> NameClass {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    for field in [&b"name"[..], b"key", b"Key", b"Name", b"id"] {
        for at in memmem::find_iter(text, field) {
            let end = at + field.len();
            let is_sign = |byte: u8| b"\"'\\ :=".contains(&byte);
            let start = end + text.clamped(end..).leading(is_sign);
            let signs = text.clamped(end..start);
            if text.clamped(..at).last().is_some_and(|&byte| is_word(byte))
                || !signs.iter().any(|byte| b":=".contains(byte))
            {
                continue;
            }
            let name = text.clamped(start..start + MAX_NAME_LENGTH);
            let class = NameClass::classify(name.part(..name.leading(is_word)));
            if class != NameClass::Plain {
                return class;
            }
        }
    }
    NameClass::Plain
}

/// Returns the password in the address of a remote repository, as people write it by mistake:
/// `joe:…@host:path`.
fn of_remote(text: &[u8], at: usize) -> Option<Span> {
    let before = text.clamped(at.saturating_sub(MAX_VALUE_LENGTH)..at);
    let is_user = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let word =
        before.trailing(|byte| !byte.is_ascii_whitespace() && !b"\"'`<>(=,/".contains(&byte));
    let word = before.tail(word);
    let colon = word.leading(is_user);
    let host = text.clamped(at + 1..at + 1 + MAX_NAME_LENGTH);
    let path = host.leading(is_user);
    let is_path = matches!(host.get(path..), Some([b':', next, ..]) if next.is_ascii_alphabetic() || *next == b'/');
    let is_remote =
        colon > 0 && word.get(colon) == Some(&b':') && host.part(..path).contains(&b'.');
    // In `sip:joe@host.example:a`, the word before the colon is a scheme, not a user.
    let is_scheme = ["mailto", "sip", "sips", "xmpp", "acct", "im"]
        .iter()
        .any(|scheme| word.part(..colon).eq_ignore_ascii_case(scheme.as_bytes()));
    let password = Span::new(at - word.len() + colon + 1, at);
    (is_path && is_remote && !is_scheme && !password.is_empty()).then_some(password)
}

/// Returns the password in the text of a QR code for a network: `WIFI:S:name;T:WPA;P:…;;`.
fn of_network(text: &[u8], start: usize) -> Option<Span> {
    let mut fields = text.clamped(start..start + MAX_VALUE_LENGTH);
    let mut at = start;
    loop {
        let is_end = |(i, byte): (usize, &u8)| {
            // A backslash escapes a semicolon within a value.
            *byte == b';' && fields.get(i.wrapping_sub(1)) != Some(&b'\\') || *byte == b'\n'
        };
        let length = fields.iter().enumerate().position(is_end)?;
        // `P` is the field of the password (ZXing, "Wi-Fi Network config").
        if let Some(b"P:") = fields.get(..2)
            && length > 2
        {
            return Some(Span::new(at + 2, at + length));
        }
        at += length + 1;
        fields = fields.get(length + 1..)?;
    }
}

/// Adds random words after the name of a secret or of an authentication scheme, and the word after
/// `password` in a file of logins (netrc): `token …`, `Bearer …`, `machine a login joe password …`.
fn words(text: &[u8], found: &mut Vec<Span>) {
    let mut before: [Span; 3] = [Span::new(0, 0); 3];
    let is_blank = |byte: u8| byte.is_ascii_whitespace();
    let mut at = 0;
    while at < text.len() {
        let start = end_of(text, at, |byte| !is_blank(byte));
        at = end_of(text, start, is_blank);
        let word = inner(text, start, at);
        let bytes = text.part(word.range());
        // Names that are farther away are not about this word.
        let [last, user, login] = before.map(|word| {
            if start - word.start() <= WORDS_BEFORE { text.part(word.range()) } else { b"" }
        });
        // The words of a netrc file, `login joe password x`.
        let is_login = || last == b"password" && login == b"login" && !user.is_empty();
        if bytes.len() >= 16 && names_next(last, user) && is_random(bytes) && !is_joined(bytes)
            || !bytes.is_empty() && bytes != b"password" && is_login()
        {
            found.push(word);
        }
        before = [word, before[0], before[1]];
    }
}

/// Returns a word without the marks around it.
fn inner(text: &[u8], start: usize, end: usize) -> Span {
    let is_mark = |byte: u8| b"\"'`,.;()[]<>{}".contains(&byte);
    let start = start + text.part(start..end).leading(is_mark);
    Span::new(start, end - text.part(start..end).trailing(is_mark))
}

/// True for words with a sign, and for addresses: other modules examine these.
fn is_joined(word: &[u8]) -> bool {
    word.iter().any(|byte| b"=:/@\\".contains(byte))
}

/// True if a word says that the next one is a secret; `is` and an arrow may be between them.
fn names_next(last: &[u8], before: &[u8]) -> bool {
    let last = match last {
        b"is" | b"->" | b"=>" => before,
        _ => last,
    };
    let last = last.strip_prefix(b":").unwrap_or(last);
    // A string of JSON may have its line breaks in the word before: `"x\nBearer`.
    let start = last.len() - last.trailing(|byte| byte.is_ascii_alphanumeric());
    let behind = escapes::end_in_word(last, start, last.len());
    let names = |last: &[u8]| {
        let is = |known: &[u8]| last.eq_ignore_ascii_case(known);
        last.len() <= MAX_NAME_LENGTH
            && (is(b"bearer")
                || is(b"basic")
                || is(b"login")
                || NameClass::classify(last) == NameClass::Secret)
    };
    names(last) || behind.is_some_and(|behind| names(last.clamped(behind..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden() {
        const T: &str = "s3Zq9x0Yw8Vu7Ts6R";
        for text in [
            "setPassword(\"T\")",
            ".basicAuth('joe', 'T')",
            "auth=(\"joe\",\"T\")",
            "token(`T`)",
            "new NetworkCredentials(\"joe\", \"T\")",
            "<add key=\"ApiKey\" value=\"T\"/>",
            "<input value='T' name='password'>",
            "<meta name=csrf-token content=T>",
            "{\"name\": \"API_TOKEN\", \"value\": \"T\"}",
            "- name: API_TOKEN\n  value: T\n",
            "{\"value\":\"T\",\"key\":\"token\"}",
            "git remote add o joe:T@a.example:b.git",
            "WIFI:S:x;T:WPA;P:T;;",
            "Bearer T",
            "the token T,",
            "ENV API_KEY \"T\"",
            "the token is T",
            "{\"log\":\"x\\nBearer T",
            "cargo login T",
            "machine a.example login joe password T",
            "login joe\n  password T\n",
            ":password \"T\"",
        ] {
            let text =
                &text.replace('T', T).replace("WS3", "WT").replace(&format!("{T}:WPA"), "T:WPA");
            let text = &text.replace(&format!("{T}OKEN"), "TOKEN");
            let mut found: Vec<_> =
                values(text.as_bytes()).iter().map(|span| &text[span.range()]).collect();
            found.dedup();
            assert_eq!(found, [T], "{text}");
        }
        for text in [
            "password(\"Your password 1\")",
            "token(name)",
            "auth(\"joe1\")",
            "<option value=\"a1\">",
            "{\"name\":\"x\",\"value\":\"a1\"}",
            "name: token\n\nvalue: a1",
            "<b name=token></b><b value=s3cret1>",
            "mailto:joe@a.example:b",
            "sip:joe@a.example:5060",
            "joe@a.example:b.git",
            "WIFI:S:x;T:nopass;;",
            "the token is here",
            "commit s3Zq9x0Yw8Vu7Ts6R",
            "password manager",
            "the password s3cret",
            "token http://s3Zq9x0Yw8Vu7Ts6R/",
        ] {
            let found = values(text.as_bytes());
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }

    #[test]
    fn many_names_take_linear_time() {
        let text = "token(name= value=\"WIFI:a:b@c:d password ".repeat(1 << 12);
        assert!(values(text.as_bytes()).is_empty());
    }
}
