//! Decodes characters that a program writes by their codes: `\u00e9`, `\U000000e9`, `\u{e9}`,
//! `\x3d` (D2.4).

use core::str::from_utf8;

use super::escape::EscapeMeaning;
use crate::grammar::table::is_uri_byte;
use crate::slice::{ByteRuns, SliceExt};

/// Most digits of a code in braces.
// `10FFFF`, the last code of Unicode, has six digits.
pub(super) const MAX_DIGITS: usize = 6;

/// Returns what `rest`, the text after `slashes` backslashes, stands for, if it starts with `u`, `U`
/// or `x` and the digits of a code. A text in a string has two, and four in a string of that.
pub(super) fn read(rest: &[u8], slashes: usize) -> Option<EscapeMeaning> {
    match rest {
        [b'u', b'{', ..] => braced(rest, slashes),
        [b'u', ..] => four_digits(rest, slashes),
        // Of C, Python, TOML, and YAML
        [b'U', ..] => Some(meaning(number(rest.get(1..9)?)?, slashes + 9)),
        [b'x', ..] => bytes(rest, slashes),
        _ => None,
    }
}

/// Decodes `uXXXX`, or two of them that form a surrogate pair.
fn four_digits(rest: &[u8], slashes: usize) -> Option<EscapeMeaning> {
    let unit = number(rest.get(1..5)?)?;
    // RFC 8259 §7: a character beyond U+FFFF is a surrogate pair. Half of one is not a character,
    // which `meaning` rejects (D2.4).
    let low = next_code(rest.part(5..), slashes, b'u').and_then(|low| number(low.get(..4)?));
    Some(match (unit, low) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
            meaning(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), 2 * (slashes + 5))
        }
        _ => meaning(unit, slashes + 5),
    })
}

/// Returns the text after the `slashes` backslashes and the letter at the start of `text`.
fn next_code(text: &[u8], slashes: usize, letter: u8) -> Option<&[u8]> {
    let row = text.clamped(..slashes).leading(|b| b == b'\\');
    if row == slashes { text.part(row..).strip_prefix(&[letter]) } else { None }
}

/// Decodes `u{X}`, with one to six digits.
fn braced(rest: &[u8], slashes: usize) -> Option<EscapeMeaning> {
    let digits = rest.part(2..);
    let digits = digits.part(..digits.clamped(..=MAX_DIGITS).leading(|b| b.is_ascii_hexdigit()));
    let end = 2 + digits.len();
    let is_code = rest.get(end) == Some(&b'}') && (1..=MAX_DIGITS).contains(&digits.len());
    if is_code { Some(meaning(number(digits)?, slashes + end + 1)) } else { None }
}

/// Decodes `xNN`, or the row of them that is one character in UTF-8.
fn bytes(rest: &[u8], slashes: usize) -> Option<EscapeMeaning> {
    let (mut utf8, mut next) = ([0; 4], rest.strip_prefix(b"x"));
    let mut read = 0;
    for length in 1..=utf8.len() {
        let Some((text, code)) = next.and_then(|text| Some((text, number(text.get(..2)?)?))) else {
            break;
        };
        read = length;
        *utf8.get_mut(length - 1)? = u8::try_from(code).ok()?;
        let char = from_utf8(utf8.get(..length)?).ok().and_then(|text| text.chars().next());
        if let Some(char) = char {
            return Some(meaning(u32::from(char), length * (slashes + 3)));
        }
        next = next_code(text.part(2..), slashes, b'x');
    }
    if read == 0 {
        return None;
    }
    // In other encodings, one byte is a letter. Which one is unknown, but for the no-break space.
    Some(match utf8.first() {
        Some(0xA0) => EscapeMeaning::Hard,
        _ => EscapeMeaning::Unreadable,
    })
}

/// A decoded character ends the URI if the plain one would (D2.2). So does an apostrophe: programs
/// write it by its code where it is a quotation mark.
fn meaning(code: u32, width: usize) -> EscapeMeaning {
    match char::from_u32(code) {
        Some(char) if char.is_control() || char.is_whitespace() => EscapeMeaning::Hard,
        Some('"' | '\'' | '<' | '>' | '`') => EscapeMeaning::Hard,
        Some('\\') | None => EscapeMeaning::Unreadable,
        // The exceptions are lax characters, which repair encodes (D2.3).
        Some(char)
            if char.is_ascii()
                && !is_uri_byte(code as u8)
                && !matches!(char, '{' | '}' | '|' | '^') =>
        {
            EscapeMeaning::Hard
        }
        Some(char) => EscapeMeaning::Char { char, width },
    }
}

/// Returns the value of `digits`, all of them hexadecimal.
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, &b| Some(value << 4 | char::from(b).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_characters() {
        let char = |char, width| Some(EscapeMeaning::Char { char, width });
        for (text, expected) in [
            ("u00e9t", char('é', 6)),
            ("u{e9}t", char('é', 6)),
            ("u{1F600}", char('😀', 9)),
            ("U000000e9t", char('é', 10)),
            ("U00110000", Some(EscapeMeaning::Unreadable)),
            ("Users", None),
            ("ud83d\\ude00", char('😀', 12)),
            ("x3d1", char('=', 4)),
            ("xc3\\xa9", char('é', 8)),
            ("xe2\\x80\\x9d", char('”', 12)),
            ("u0022", Some(EscapeMeaning::Hard)),
            ("x1b[0m", Some(EscapeMeaning::Hard)),
            ("xa0", Some(EscapeMeaning::Hard)),
            ("xff.xml", Some(EscapeMeaning::Unreadable)),
            ("ud83d", Some(EscapeMeaning::Unreadable)),
            ("u005c", Some(EscapeMeaning::Unreadable)),
            ("user", None),
            ("u{}", None),
            ("u{1234567}", None),
            ("x", None),
        ] {
            assert_eq!(read(text.as_bytes(), 1), expected, "{text}");
        }
        for (text, expected) in [
            ("u0026b", char('&', 7)),
            ("ud83d\\\\ude00", char('😀', 14)),
            ("ud83d\\ude00", Some(EscapeMeaning::Unreadable)),
            ("xc3\\\\xa9", char('é', 10)),
        ] {
            assert_eq!(read(text.as_bytes(), 2), expected, "{text}");
        }
    }
}
