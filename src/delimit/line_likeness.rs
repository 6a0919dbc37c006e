//! Compares the starts of two lines (D5).
//!
//! The lines of a log, a list, or a table start alike: with a time stamp, a number, a path, or the
//! same word. Then the second line does not continue the first.

use super::line_prefix::{LinePrefix, line_before};
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Most bytes of a first word that are compared.
const MAX_WORD_LENGTH: usize = 64;

/// True if the line at `next` starts like the line of the URI at `start`, before that URI.
pub(super) fn starts_alike(haystack: &[u8], start: usize, next: usize) -> bool {
    let Some(before) = line_before(haystack, start) else { return false };
    let prefix = LinePrefix::at(haystack, start);
    let this = prefix.skip(haystack.part(..start), start - before.len());
    let this = first_word(haystack.part(this..start));
    let other = first_word(haystack.part(prefix.skip(haystack, next)..));
    work_counter::add(before.len() + other.text.len());
    let are_paths = starts_path(this.text) && starts_path(other.text);
    match this.ends {
        // Two settings in lines of their own
        _ if this.text.ends_with(b"=") && is_setting(this.text) && is_setting(other.text) => true,
        // Two lines that start with a path list files, such as the components of a program.
        _ if are_paths => true,
        true => this.text == other.text || is_named(this.text) && alike(this.text, other.text),
        // The URI belongs to the first word: `2026-11-26,http://a.example/`.
        false => is_named(this.text) && starts_with_shape(this.text, other.text),
    }
}

/// True for the name of a setting with dots, and its `=`: `a.b=c`.
fn is_setting(word: &[u8]) -> bool {
    let name = word.leading(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    word.get(name) == Some(&b'=') && word.part(..name).contains(&b'.')
}

/// True for `/name`.
fn starts_path(word: &[u8]) -> bool {
    matches!(word, [b'/', first, ..] if first.is_ascii_alphanumeric())
}

struct FirstWord<'t> {
    text: &'t [u8],
    /// White space follows it.
    ends: bool,
}

fn first_word(text: &[u8]) -> FirstWord<'_> {
    let near = text.clamped(..2 * MAX_WORD_LENGTH);
    let near = near.part(near.leading(|b| matches!(b, b' ' | b'\t'))..).clamped(..MAX_WORD_LENGTH);
    let length = near.leading(|b| !b.is_ascii_whitespace());
    FirstWord { text: near.part(..length), ends: length < near.len() }
}

/// True if a word has a digit or a mark inside, so that its shape says more than that it is a word.
fn is_named(word: &[u8]) -> bool {
    let word = word.part(..word.len() - word.trailing(|b| b".,;:)".contains(&b)));
    let has_name = word.iter().any(u8::is_ascii_alphanumeric);
    // A hyphen or an apostrophe is part of plain words (`well-known`), whose shapes are alike by
    // chance.
    has_name && word.iter().any(|b| !b.is_ascii_alphabetic() && !matches!(b, b'-' | b'\'' | 0x80..))
}

/// True if two words have the same shape, or start with the same name and mark: `API_Token` and
/// `API_Variable2`.
fn alike(a: &[u8], b: &[u8]) -> bool {
    let name = a.leading(|b| b.is_ascii_alphanumeric());
    // Shorter heads are alike by chance: `a_b` and `a_c` in prose about a program.
    let same_head = name > 2 && name < a.len() && b.starts_with(a.part(..name + 1));
    same_head || shape(a).eq(shape(b))
}

/// True if the shape of `word` starts with that of `start`.
fn starts_with_shape(start: &[u8], word: &[u8]) -> bool {
    let mut rest = shape(word);
    shape(start).all(|part| rest.next() == Some(part))
}

/// Returns the shape of a word: runs of digits, runs of letters, and marks.
fn shape(word: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => b'0',
        b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => b'a',
        mark => mark,
    };
    let mut last = None;
    word.iter().filter_map(move |&byte| {
        let class = class(byte);
        let is_run = byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let repeats = is_run && last.replace(class) == Some(class);
        if !is_run {
            last = None;
        }
        (!repeats).then_some(class)
    })
}

#[cfg(test)]
mod tests {
    use super::starts_alike;

    #[test]
    fn lines_that_start_alike() {
        for (text, expected) in [
            ("17/06/09 20:10:46 INFO http://a\n18/06/09 20:10:46 INFO", true),
            ("CPE http://a\nCPE cpe:/x", true),
            ("/components/a http://a\n/components/b_c/d x", true),
            ("API_Token of http://a\nAPI_Variable2 x", true),
            ("/login?u=http://a\n/redirect?u=x", true),
            ("1. http://a\n2. x", true),
            ("2026-11-26,http://a\n2026-11-27,x", true),
            ("# [1] http://a\n# [2] x", true),
            ("a.url=http://a\na.user=b", true),
            ("url=http://a\nuser=b", true),
            ("see http://a\npath/x.html", false),
            ("well-known http://a\nlong-name", false),
            ("http://a\npath", false),
            ("", false),
        ] {
            let start = text.find("http").unwrap_or(0);
            let next = text.find('\n').map_or(text.len(), |at| at + 1);
            assert_eq!(starts_alike(text.as_bytes(), start, next), expected, "{text}");
        }
    }
}
