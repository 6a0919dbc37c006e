//! Finds all secrets of a text that are not `name=value`: [`secrets`]. Arguments of
//! commands are found here, the others by the modules that it calls.

use alloc::vec::Vec;

use memchr::memmem;

use super::{beside, columns, commands, elements, following, inserts, keys, lists};
use crate::redact::end_of;
use crate::redact::names::NameClass;
use crate::redact::shapes::is_random;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Bytes before a line on which its secrets may depend: words that name a secret, and the start of
/// a word that the line continues.
pub(crate) const BYTES_BEFORE: usize = beside::WORDS_BEFORE + 128;

/// Longest name of a flag.
const MAX_NAME_LENGTH: usize = 64;

/// Returns the spans of the secrets, sorted by start. They may overlap.
pub(crate) fn secrets(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    keys::add(text, &mut found);
    lists::add_items(text, &mut found);
    found.extend(memmem::find_iter(text, b"--").filter_map(|at| value_of_flag(text, at + 2)));
    found.extend(elements::texts(text));
    found.extend(commands::passwords(text));
    found.extend(beside::values(text));
    found.extend(following::values(text));
    found.extend(columns::values(text));
    found.extend(inserts::values(text));
    found.retain(|secret| text.part(secret.range()) != crate::redact::MARK);
    found.sort_unstable_by_key(|secret| (secret.start(), secret.end()));
    found.dedup();
    found
}

/// Returns the start of a key or element without an end in the text. The next text may continue it.
pub(crate) fn unfinished_secret(text: &[u8]) -> Option<usize> {
    keys::open(text).into_iter().chain(elements::open(text)).min()
}

/// Returns the secret value after the flag whose name starts at `start`: `--api-key VALUE`.
fn value_of_flag(text: &[u8], start: usize) -> Option<Span> {
    let rest = text.clamped(start..start + MAX_NAME_LENGTH);
    let length = rest.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let name = rest.part(..length);
    let class = NameClass::classify(name);
    if class == NameClass::Plain {
        return None;
    }
    let end = start + length;
    // In a list of arguments, such as JSON, the name and the value are quoted.
    let from = match text.clamped(end..end + 4) {
        [b' ', ..] => end + 1,
        [b'"', b',', b' ', b'"'] | [b'\'', b',', b' ', b'\''] => end + 3,
        [b'"', b',', b'"', ..] | [b'\'', b',', b'\'', ..] => end + 2,
        _ => return None,
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden() {
        for (text, hidden) in [
            ("tool --api-key s3cr3tvalue --verbose", "s3cr3tvalue"),
            ("tool --password 'correct horse' x", "correct horse"),
            ("tool --token FILE, --password --verbose, --page 2", ""),
            ("curl -u admin:hunter2 https://a.example/", "hunter2"),
            ("<string name=\"api_key\">s3cret1</string><p name=\"a\">s3cret2</p>", "s3cret1"),
            ("<param id=\"1\" name='token'>s3cret1</param>", "s3cret1"),
            ("<password>hunter2</password><page>2</page>", "hunter2"),
            ("<password>REDACTED</password> <token>", ""),
            ("<code>f(x1)</code> <Code>s3Zq9x0Yw8Vu7Ts6R</Code>", "s3Zq9x0Yw8Vu7Ts6R"),
            ("[\"--password\", \"hunter2\"] ['--token','hunter3']", "hunter2|hunter3"),
        ] {
            let found = secrets(text.as_bytes());
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }

    #[test]
    fn what_may_go_on() {
        for (text, expected) in [
            ("a <password>\nx\n", Some(2)),
            ("<password>x</password>\n", None),
            ("a < b <page>\n", None),
            ("<p id=1\n", Some(0)),
            ("<p name=\"token\">\n", Some(0)),
        ] {
            assert_eq!(unfinished_secret(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn many_names_take_linear_time() {
        let text = "curl --password <password>".repeat(1 << 12);
        assert!(secrets(text.as_bytes()).is_empty());
    }
}
