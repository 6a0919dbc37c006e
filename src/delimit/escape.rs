//! Backslashes that can be read through (D2.4).

use super::text_view::first_char;
use crate::grammar::table::is_uri_byte;
use crate::registry::{LinkTerm, link_term};
use crate::slice::{ByteRuns, SliceExt};

/// Whose escapes a text uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeDialect {
    /// Any text: `\u0026`, and the breaks and hyphens of troff.
    Plain,
    /// JSON that writes `/` as `\/`.
    Json,
    /// The argument of a TeX command.
    Tex,
    /// The destination of a Markdown link or definition.
    Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeMeaning {
    Char {
        char: char,
        width: usize,
    },
    Nothing {
        width: usize,
    },
    Hard,
    /// The URI goes on in a way that can't be read.
    Unreadable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlashSpelling {
    Plain,
    Escaped(EscapeDialect),
    None,
}

/// The slashes that `rest`, the text after a colon, starts with.
pub(crate) fn slashes(rest: &[u8]) -> SlashSpelling {
    match rest {
        [b'/', b'/', ..] => return SlashSpelling::Plain,
        [b'\\', ..] | [b'/', b'\\', ..] => {}
        _ => return SlashSpelling::None,
    }
    let (mut at, mut found, mut dialect) = (0, 0, EscapeDialect::Plain);
    while found < 2 && at < 32 {
        match rest.get(at) {
            Some(b'/') => (at, found) = (at + 1, found + 1),
            Some(b'\\') => match read(rest, at, EscapeDialect::Json) {
                EscapeMeaning::Char { char: '/', width } => {
                    (at, found) = (at + width, found + 1);
                    if width == 2 {
                        dialect = EscapeDialect::Json;
                    }
                }
                EscapeMeaning::Nothing { width } => at += width,
                _ => return SlashSpelling::None,
            },
            _ => return SlashSpelling::None,
        }
    }
    match found {
        2 => SlashSpelling::Escaped(dialect),
        _ => SlashSpelling::None,
    }
}

/// Reads the backslash at `text[at]`, which is right after a URI character.
pub(crate) fn read(text: &[u8], at: usize, dialect: EscapeDialect) -> EscapeMeaning {
    let rest = text.part(at + 1..);
    let two = |char| EscapeMeaning::Char { char, width: 2 };
    match (dialect, rest) {
        (_, [b'\n', ..] | [b'\r', b'\n', ..] | [b'*', ..]) => EscapeMeaning::Unreadable,
        (_, [b'e', b'\n', ..] | [b'e', b'\r', b'\n', ..]) => EscapeMeaning::Unreadable,
        (_, [b'u', ..]) => unicode(rest),
        (EscapeDialect::Json, [b'/', ..]) => two('/'),
        (EscapeDialect::Markdown, [c, ..]) if c.is_ascii_punctuation() && *c != b'\\' => {
            two(char::from(*c))
        }
        // the accent over nothing, which is how many write a tilde
        (EscapeDialect::Tex, [b'~', b'{', b'}', ..]) => EscapeMeaning::Char { char: '~', width: 4 },
        (EscapeDialect::Tex, [c @ (b'%' | b'&' | b'_' | b'#' | b'~'), ..]) => two(char::from(*c)),
        (EscapeDialect::Tex, [b'-', ..]) => EscapeMeaning::Nothing { width: 2 },
        // troff's names for a tilde
        (_, [b'(', b't', b'i', ..]) => EscapeMeaning::Char { char: '~', width: 4 },
        (_, [b'[', b't', b'i', b']', ..]) => EscapeMeaning::Char { char: '~', width: 5 },
        (_, [c @ (b'-' | b'&' | b':' | b'%' | b'|'), tail @ ..]) if inside_run(rest) => match c {
            b'-' => two('-'),
            // no troff: a shell or TeX quotes what would break the URI if it were nothing
            b'&' if starts_parameter(tail) => two('&'),
            b'%' if starts_triplet(tail) => two('%'),
            _ => EscapeMeaning::Nothing { width: 2 },
        },
        _ => EscapeMeaning::Hard,
    }
}

/// `name=`, as after the `&` of a query.
fn starts_parameter(text: &[u8]) -> bool {
    let name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    text.get(text.clamped(..64).leading(name)) == Some(&b'=')
}

/// Two hexadecimal digits that are not the start of a word.
fn starts_triplet(text: &[u8]) -> bool {
    let [a, b, ..] = text else { return false };
    a.is_ascii_hexdigit() && b.is_ascii_hexdigit() && (a.is_ascii_digit() || b.is_ascii_digit())
}

/// Whether a URI character follows a row of troff escapes, of which `rest` is the first
/// without its backslash.
fn inside_run(rest: &[u8]) -> bool {
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

/// `uXXXX`, or two of them that are a surrogate pair.
fn unicode(rest: &[u8]) -> EscapeMeaning {
    let Some(unit) = hex4(rest) else {
        return EscapeMeaning::Hard;
    };
    let (code, width) = match (unit, rest.get(5..)) {
        (0xd800..=0xdbff, Some([b'\\', low @ ..])) => match hex4(low) {
            Some(low @ 0xdc00..=0xdfff) => (0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), 12),
            _ => return EscapeMeaning::Hard,
        },
        _ => (unit, 6),
    };
    match char::from_u32(code) {
        Some(char @ ('&' | '=' | '?' | '/' | '#')) => EscapeMeaning::Char { char, width },
        Some(char) if !char.is_ascii() && link_term(char) == LinkTerm::Include => {
            EscapeMeaning::Char { char, width }
        }
        _ => EscapeMeaning::Hard,
    }
}

/// The value of `uXXXX` at the start of `text`.
fn hex4(text: &[u8]) -> Option<u32> {
    let [b'u', digits @ ..] = text else {
        return None;
    };
    let digits = digits.get(..4)?;
    digits.iter().try_fold(0, |value, &b| Some(value << 4 | char::from(b).to_digit(16)?))
}
