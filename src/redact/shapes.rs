//! Distinguishes values that people write, such as words and numbers, from generated ones.

use super::names::is_among;
use crate::slice::{ByteRuns, SliceExt};

/// True for text that people write: words, a number, or nothing.
pub(super) fn is_of_words(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| !byte.is_ascii_alphanumeric() && byte.is_ascii());
    let is_plain = |part: &[u8]| is_word(part) || is_number(part) || is_numbered_stand_in(part);
    // Two characters cannot be a credential.
    value.len() < 3 || parts.all(is_plain)
}

/// True for placeholder values in documentation: `val2`.
fn is_numbered_stand_in(part: &[u8]) -> bool {
    const STAND_INS: [&str; 22] = [
        "a", "abc", "arg", "b", "bar", "baz", "c", "foo", "id", "item", "k", "key", "n", "name",
        "p", "param", "test", "v", "val", "value", "x", "y",
    ];
    let digits = part.trailing(|byte| byte.is_ascii_digit());
    let stem = part.clamped(..part.len() - digits).to_ascii_lowercase();
    digits <= 2 && is_among(&STAND_INS, &stem)
}

fn is_number(part: &[u8]) -> bool {
    part.len() <= 20 && part.iter().all(u8::is_ascii_digit)
}

/// True for letters that look like a word: not too many, with few consonants in a row, and without
/// capitals in between.
fn is_word(part: &[u8]) -> bool {
    const MAX_LENGTH: usize = 24;
    if !part.is_ascii() {
        // Text in other scripts cannot be checked by its vowels. Tokens are ASCII, so it is not
        // one.
        return true;
    }
    let capitals = |pair: &&[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    part.len() <= MAX_LENGTH
        && part.iter().all(u8::is_ascii_alphabetic)
        // Base64 changes case all the time; a word in camel case does so rarely.
        && part.windows(2).filter(capitals).count() * 4 < part.len().max(5)
        && part
            .split(|byte| matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
            .all(|run| run.len() <= 5)
}

/// True for text that is not typed by hand: a long run in which letters and digits alternate many
/// times.
pub(super) fn is_random(value: &[u8]) -> bool {
    const MIN_LENGTH: usize = 16;
    const CHANGES: usize = 4;
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let mut runs = value.split(|byte| !byte.is_ascii_alphanumeric());
    runs.any(|run| {
        let changes = || run.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
        run.len() >= MIN_LENGTH && changes() >= CHANGES
    })
}

/// True for text that a program generated: random text, or a UUID (RFC 9562 §4).
pub(super) fn is_generated(value: &[u8]) -> bool {
    const PARTS: [usize; 5] = [8, 4, 4, 4, 12];
    let is_uuid = |text: &[u8]| {
        text.split(|&byte| byte == b'-').map(<[u8]>::len).eq(PARTS)
            && text.iter().filter(|byte| byte.is_ascii_digit()).count() > 2
    };
    let mut runs = value.split(|byte| !byte.is_ascii_hexdigit() && *byte != b'-');
    is_random(value) || runs.any(is_uuid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        for value in [
            "value",
            "foo-bar",
            "API_KEY",
            "created_at",
            "1",
            "60023584",
            "2024-01-01",
            "fooBar",
            "",
            "{key}",
            "v1",
            "é",
            "val2",
        ] {
            assert!(is_of_words(value.as_bytes()), "{value}");
        }
        for value in ["hunter2", "c0ffee", "aB3xY9", "qxzkwvbn", "deadbeef00"] {
            assert!(!is_of_words(value.as_bytes()), "{value}");
        }
        assert!(is_random(b"Zq9Zq9Zq9Zq9Zq9Z") && is_random(b"a3f5b1c9d2e4f6a8"));
        assert!(
            !is_random(b"my-page-2024-01-01-about-things") && !is_random(b"internationalization")
        );
    }
}
