//! Secrets in texts that no sign joins to a name: blocks of private keys, arguments of commands, and
//! elements of XML.

use alloc::vec::Vec;

use memchr::memmem;

use super::end_of;
use super::names::{NameClass, is_random};
use super::tokens::key_label;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest private key; one of 16,384 bits takes 13 KB.
const LONGEST_KEY: usize = 32 << 10;

/// Longest line before and behind the name of a command.
const LONGEST_LINE: usize = 1024;

/// Longest name of a flag or an element.
const LONGEST_NAME: usize = 64;

/// Returns the spans of the secrets, sorted by start. They may overlap.
pub(crate) fn secrets(text: &[u8]) -> Vec<Span> {
    let mut found = keys(text);
    found.extend(memmem::find_iter(text, b"--").filter_map(|at| of_flag(text, at + 2)));
    found.extend(memchr::memchr_iter(b'<', text).filter_map(|at| of_element(text, at + 1)));
    found.extend(memmem::find_iter(text, b"curl").filter_map(|at| of_curl(text, at + 4)));
    found.retain(|secret| text.part(secret.range()) != super::MARK);
    found.sort_unstable_by_key(|secret| secret.start());
    found
}

/// Returns what stands between `-----BEGIN … PRIVATE KEY-----` and the end of the block (RFC 7468).
fn keys(text: &[u8]) -> Vec<Span> {
    const BEGIN: &[u8] = b"-----BEGIN";
    const DASHES: &[u8] = b"-----";
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = memmem::find(text.clamped(at..), BEGIN) {
        at += begin + BEGIN.len();
        let label = text.clamped(at..);
        let Some(length) = key_label(label) else { continue };
        if !label.part(length..).starts_with(DASHES) {
            continue;
        }
        at += length + DASHES.len();
        let block = text.clamped(at..at + LONGEST_KEY);
        // A log may cut the key off. Then all of it that looks like one is secret.
        let length = memmem::find(block, b"-----END").unwrap_or_else(|| {
            block.leading(|byte| {
                byte.is_ascii_alphanumeric() || b"+/=\\-:,. \t\r\n\"'|".contains(&byte)
            })
        });
        let start = at + block.clamped(..length).leading(|byte| byte.is_ascii_whitespace());
        let end = at + length - block.clamped(..length).trailing(|byte| byte.is_ascii_whitespace());
        at += length;
        if start < end {
            found.push(Span::new(start, end));
        }
    }
    found
}

/// Returns the value behind a flag whose name begins at `start`, `--api-key VALUE`.
fn of_flag(text: &[u8], start: usize) -> Option<Span> {
    let rest = text.clamped(start..start + LONGEST_NAME);
    let length = rest.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let name = rest.part(..length);
    let class = NameClass::of(name);
    if text.get(start + length) != Some(&b' ') || class == NameClass::Plain {
        return None;
    }
    let from = start + length + 1;
    if let Some(&quote @ (b'"' | b'\'')) = text.get(from) {
        let end = end_of(text, from + 1, |byte| byte == quote || byte == b'\n');
        let is_closed = text.get(end) == Some(&quote) && from + 1 < end;
        let value = Span::new(from + 1, end.max(from + 1));
        return (is_closed && class.hides(text.part(value.range()))).then_some(value);
    }
    let end = end_of(text, from, |byte| byte.is_ascii_whitespace() || b"\"'`<>;|".contains(&byte));
    let value = text.part(from..end);
    // `--token FILE` in a text about the flag, and `--password --verbose`.
    let is_secret = is_random(value) || value.iter().any(u8::is_ascii_digit);
    (is_secret && !value.starts_with(b"-") && class.hides(value)).then(|| Span::new(from, end))
}

/// Returns the text of an element whose name begins at `start`, `<password>x</password>`.
fn of_element(text: &[u8], start: usize) -> Option<Span> {
    let rest = text.clamped(start..start + LONGEST_NAME);
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
    let name = rest.part(..rest.leading(is_of_name));
    let from = start + name.len() + 1;
    if name.is_empty() || rest.get(name.len()) != Some(&b'>') {
        return None;
    }
    let class = NameClass::of(name);
    let end = match class {
        NameClass::Plain => return None,
        _ => end_of(text, from, |byte| matches!(byte, b'<' | b'>')),
    };
    let is_closed =
        text.clamped(end..).strip_prefix(b"</").is_some_and(|end| end.starts_with(name));
    let value = text.part(from..end);
    (is_closed && !value.trim_ascii().is_empty() && class.hides(value))
        .then(|| Span::new(from, end))
}

/// Returns the password behind `-u` or `--user` in the line of a command whose name ends at `start`.
fn of_curl(text: &[u8], start: usize) -> Option<Span> {
    let line = text.clamped(start..start + LONGEST_LINE);
    let line = line.part(..line.leading(|byte| byte != b'\n'));
    let flags: [&[u8]; 4] = [b" -u ", b" -u", b" --user ", b" --user="];
    let mut places = flags.iter().filter_map(|flag| Some(memmem::find(line, flag)? + flag.len()));
    let from = places.next()?;
    let from = from + line.clamped(from..).leading(|byte| b"\"'".contains(&byte));
    let end = end_of(line, from, |byte| byte.is_ascii_whitespace() || b"\"'`".contains(&byte));
    let colon = memchr::memchr(b':', line.part(from..end))?;
    let password = Span::new(start + from + colon + 1, start + end);
    // The password of a variable is no secret.
    (!password.is_empty() && text.get(password.start()) != Some(&b'$')).then_some(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden() {
        for (text, hidden) in [
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nab+/=\n-----END RSA PRIVATE KEY-----\n",
                "MIIE\nab+/=",
            ),
            ("key: \"-----BEGIN PRIVATE KEY-----\\nMIIE\\n", "\\nMIIE\\n"),
            ("-----BEGIN PUBLIC KEY-----\nMIIE\n", ""),
            ("tool --api-key s3cr3tvalue --verbose", "s3cr3tvalue"),
            ("tool --password 'correct horse' x", "correct horse"),
            ("tool --token FILE, --password --verbose, --page 2", ""),
            ("curl -u admin:hunter2 https://a.example/", "hunter2"),
            ("curl --user 'admin:hunter2' https://a.example/", "hunter2"),
            ("docker run -u 1000:1000 curl", ""),
            ("curl -u admin https://a.example:80/", ""),
            ("<password>hunter2</password><page>2</page>", "hunter2"),
            ("<password>REDACTED</password> <token>", ""),
        ] {
            let found = secrets(text.as_bytes());
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }

    #[test]
    fn many_names_take_linear_time() {
        let text = "curl --password <password>".repeat(1 << 12);
        assert!(secrets(text.as_bytes()).is_empty());
    }
}
