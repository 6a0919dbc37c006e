//! Names and words that are hardly anything but those of secrets.

use crate::redact::names::{NameClass, NameWords, is_among};
use crate::redact::shapes::is_random;
use crate::redact::words::{ENDINGS, NAMES};
use crate::slice::ByteRuns as _;

/// True for a name that hardly means anything but a secret. `code` and `pin` often mean
/// something else.
pub(super) fn is_secret_name(raw: &[u8]) -> bool {
    NameClass::classify(raw) == NameClass::Secret
        && (!raw.is_ascii() || !is_among(&NAMES, NameWords::split(raw).joined()))
}

/// True if the last letters of a word are those of a certain name; a cheap test that most words
/// fail.
pub(super) fn may_end_secret_name(word: &[u8]) -> bool {
    let [.., a, b] = word else { return false };
    let [a, b] = [a, b].map(|byte| byte.to_ascii_lowercase().wrapping_sub(b'a'));
    let seconds = LAST_PAIRS.get(usize::from(a)).copied().unwrap_or_default();
    b < 26 && seconds & (1 << b) != 0 || !word.tail(2).is_ascii()
}

/// Last two letters of [`ENDINGS`]: for each letter before the last, a bit set of last letters.
const LAST_PAIRS: [u32; 26] = {
    let (mut letters, mut i) = ([0; 26], 0);
    while i < ENDINGS.len() {
        let [.., before, last] = ENDINGS[i].as_bytes() else { panic!("a letter alone") };
        letters[(*before - b'a') as usize] |= 1 << (*last - b'a');
        i += 1;
    }
    letters
};

/// True for a word in which letters and digits are mixed: a password, or the name of an algorithm.
pub(super) fn is_mixed_word(value: &[u8]) -> bool {
    has_run(value, |run| match changes(run) {
        0 => false,
        // A word and a number, such as `hunter22`.
        1 => run.len() >= 8 || run.len() == 7 && run.last().is_some_and(u8::is_ascii_digit),
        _ => run.len() >= 6,
    })
}

/// True if a run of letters and digits passes, or is random. Names in programs are not random: they
/// have capitals inside, but hardly any digit.
fn has_run(value: &[u8], test: impl Fn(&[u8]) -> bool) -> bool {
    let mut runs = value.split(|byte| !byte.is_ascii_alphanumeric());
    runs.any(|run| test(run) || run.iter().any(u8::is_ascii_digit) && is_random(run))
}

/// Counts how often letters follow digits, or digits letters.
fn changes(run: &[u8]) -> usize {
    run.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count()
}
