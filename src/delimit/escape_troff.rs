//! The escapes of troff, the language of man pages, within and behind a URI (D2.4).

use super::escape::{EscapeMeaning, PATTERN, is_run};
use super::text_view::first_char;
use crate::grammar::table::is_uri_byte;
use crate::slice::{ByteRuns, SliceExt};

/// Interprets a glyph of troff that a URI may contain or that ends one: `\(ti`, `\[hy]`.
pub(super) fn glyph(rest: &[u8]) -> Option<EscapeMeaning> {
    if let Some(code) = rest.strip_prefix(b"[u") {
        return code_of_glyph(code);
    }
    let (name, width) = match rest {
        [b'(', name @ ..] => (name.get(..2)?, 4),
        [b'[', name @ ..] => (name.get(..2).filter(|_| name.get(2) == Some(&b']'))?, 5),
        _ => return None,
    };
    match name {
        b"ti" => Some(EscapeMeaning::Char { char: '~', width }),
        b"hy" if rest.get(width - 1).is_some_and(u8::is_ascii_alphanumeric) => {
            Some(EscapeMeaning::Char { char: '-', width })
        }
        // brackets, quotation marks, and a hyphen behind which no word goes on
        b"hy" | b"la" | b"ra" | b"lq" | b"rq" | b"oq" | b"cq" | b"aq" | b"dq" | b"Fo" | b"Fc"
        | b"fo" | b"fc" | b"lB" | b"rB" | b"lC" | b"rC" => Some(EscapeMeaning::Hard),
        _ => None,
    }
}

/// Interprets the rest of `\[u00E9]`, which `preconv` of groff writes for a character outside of ASCII
/// (groff_char(7)).
fn code_of_glyph(code: &[u8]) -> Option<EscapeMeaning> {
    let digits = code.clamped(..=MAX_DIGITS).leading(|b| b.is_ascii_hexdigit());
    let is_code = (4..=MAX_DIGITS).contains(&digits) && code.get(digits) == Some(&b']');
    let digit = |code: u32, b: &u8| Some(code << 4 | char::from(*b).to_digit(16)?);
    let number = code.part(..digits).iter().try_fold(0, digit)?;
    let char = char::from_u32(number).filter(|char| is_code && !char.is_ascii())?;
    match char.is_control() || char.is_whitespace() {
        true => Some(EscapeMeaning::Hard),
        false => Some(EscapeMeaning::Char { char, width: digits + 4 }),
    }
}

/// Most digits of a code. `10FFFF`, the last code of Unicode, has six digits.
const MAX_DIGITS: usize = 6;

/// True if a word goes on behind a font of troff: `I`, `(CW`, or `[R]`.
pub(super) fn font_within_word(font: &[u8]) -> bool {
    let after = match font {
        [b'A'..=b'Z', after @ ..] => after,
        [b'(', _, _, after @ ..] => after,
        [b'[', name @ ..] => {
            let length = name.clamped(..LONGEST_FONT).leading(|b| b.is_ascii_alphanumeric());
            name.part(length..).strip_prefix(b"]").unwrap_or_default()
        }
        _ => return false,
    };
    match after {
        [b'/' | b'?' | b'=' | b'&' | b'#' | b'-' | b'_' | b'.', next, ..] => {
            next.is_ascii_alphanumeric()
        }
        _ => after.first().is_some_and(u8::is_ascii_alphanumeric),
    }
}

/// Longest name of a font in brackets that is read.
const LONGEST_FONT: usize = 8;

/// True if `string` starts with the name of a string that man pages define for a quotation mark or
/// a dash.
pub(super) fn is_quote_string(string: &[u8]) -> bool {
    let names = [b"(Aq", b"(C`", b"(C'", b"(L\"", b"(R\"", b"(lq", b"(rq", b"(--"];
    names.iter().any(|name| string.starts_with(*name))
}

/// True if a mark stands on one side of an escape, where a man page allows a line to break:
/// `example.org/\:path`.
pub(super) fn is_break(before: &[u8], after: &[u8]) -> bool {
    before.last().is_some_and(|b| b"/.-?&=_:".contains(b))
        || after.first().is_some_and(|b| b"/.-?&\\".contains(b))
}

/// True if the run at the start of `text` has a hyphen of troff, `\-`.
pub(super) fn has_hyphen(text: &[u8]) -> bool {
    let run = text.clamped(..PATTERN);
    memchr::memmem::find(run.part(..run.leading(is_run)), b"\\-").is_some()
}

/// True if a URI character follows a row of troff escapes. `rest` starts with the first of them,
/// without its backslash.
pub(super) fn inside_run(rest: &[u8]) -> bool {
    let mut rest = rest.part(1..);
    let mut row = 0;
    while let [b'\\', b'-' | b'&' | b':' | b'%' | b'|', tail @ ..] = rest {
        rest = tail;
        row += 1;
        if row > 16 {
            return false;
        }
    }
    rest.starts_with(b"\\(ti")
        || rest.starts_with(b"\\[ti]")
        || first_char(rest).is_some_and(|(c, _)| !c.is_ascii() || is_uri_byte(c as u8))
}
