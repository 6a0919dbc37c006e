//! The escapes of troff, the language of man pages, within and after a URI (D2.4).

use super::escape::{EscapeMeaning, PATTERN, is_run};
use super::escape_code::{self, MAX_DIGITS};
use super::text_view::first_char;
use crate::grammar::table::is_uri_byte;
use crate::slice::{ByteRuns, SliceExt};

/// Interprets a glyph of troff that a URI may contain or that ends one: `\(ti`, `\[hy]`.
pub(super) fn glyph(rest: &[u8]) -> Option<EscapeMeaning> {
    let (name, width) = match rest {
        [b'[', b'u', ..] => return coded_glyph(rest.part(1..)),
        [b'(', name @ ..] => (name.get(..2)?, 4),
        [b'[', name @ ..] => (name.get(..2).filter(|_| name.get(2) == Some(&b']'))?, 5),
        _ => return None,
    };
    match name {
        b"ti" => Some(EscapeMeaning::Char { char: '~', width }),
        b"hy" if rest.get(width - 1).is_some_and(u8::is_ascii_alphanumeric) => {
            Some(EscapeMeaning::Char { char: '-', width })
        }
        // Brackets, quotation marks, and a hyphen after which no word continues
        b"hy" | b"la" | b"ra" | b"lq" | b"rq" | b"oq" | b"cq" | b"aq" | b"dq" | b"Fo" | b"Fc"
        | b"fo" | b"fc" | b"lB" | b"rB" | b"lC" | b"rC" => Some(EscapeMeaning::Hard),
        _ => None,
    }
}

/// Returns the character of a glyph that is named by its code, `u00E9`, as `preconv` of groff
/// writes characters outside of ASCII (groff_char(7)).
pub(crate) fn character(name: &[u8]) -> Option<char> {
    let digits =
        name.strip_prefix(b"u").filter(|digits| (4..=MAX_DIGITS).contains(&digits.len()))?;
    char::from_u32(escape_code::number(digits)?)
}

/// Interprets `\[u00E9]`, of which `name` starts after the bracket.
fn coded_glyph(name: &[u8]) -> Option<EscapeMeaning> {
    let name = name.part(..memchr::memchr(b']', name.clamped(..MAX_DIGITS + 2))?);
    let char = character(name).filter(|char| !char.is_ascii())?;
    if char.is_control() || char.is_whitespace() {
        Some(EscapeMeaning::Hard)
    } else {
        Some(EscapeMeaning::Char { char, width: name.len() + r"\[]".len() })
    }
}

/// True if a word continues after a font of troff: `I`, `(CW`, or `[R]`.
pub(super) fn font_within_word(font: &[u8]) -> bool {
    let after = match font {
        [b'A'..=b'Z', after @ ..] => after,
        [b'(', _, _, after @ ..] => after,
        [b'[', name @ ..] => {
            let length = name.clamped(..MAX_FONT_LENGTH).leading(|b| b.is_ascii_alphanumeric());
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
const MAX_FONT_LENGTH: usize = 8;

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
    crate::memmem::find(run.part(..run.leading(is_run)), b"\\-").is_some()
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
