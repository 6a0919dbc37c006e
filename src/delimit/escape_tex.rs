//! The characters of a URI that TeX writes by a command (D2.4). The reader of LaTeX uses this too.

use super::escape::EscapeMeaning;
use crate::slice::SliceExt;

/// Commands by their names: the character, or nothing where a line may break.
const NAMES: [(&[u8], Option<char>); 6] = [
    (b"allowbreak", None),
    (b"linebreak", None),
    (b"slash", Some('/')),
    (b"string", None),
    (b"textasciitilde", Some('~')),
    (b"textunderscore", Some('_')),
];

/// Tildes that mathematics draws.
const MATHEMATICS: [&[u8]; 3] = [b"$\\sim$", b"$\\tilde{}$", b"$\\tilde{\\ }$"];

/// Tildes that start with a backslash: an accent over nothing, and mathematics whose dollar signs a
/// program has escaped.
const TILDES: [&[u8]; 2] = [b"\\~{}", b"\\$\\sim\\$"];

/// Reads the character that starts with the backslash at the start of `text`.
pub(crate) fn character(text: &[u8]) -> Option<EscapeMeaning> {
    if let Some(tilde) = TILDES.iter().find(|tilde| text.starts_with(tilde)) {
        return Some(EscapeMeaning::Char { char: '~', width: tilde.len() });
    }
    match text.strip_prefix(b"\\")? {
        [c @ (b'%' | b'&' | b'_' | b'#' | b'~'), ..] => {
            Some(EscapeMeaning::Char { char: char::from(*c), width: 2 })
        }
        // TeX's permission to hyphenate. It prints nothing, and the URI has no character there.
        [b'-', ..] => Some(EscapeMeaning::Nothing { width: 2 }),
        rest => named(rest),
    }
}

/// Reads a command, whose backslash is before `rest`, and the empty group or the space that ends
/// its name.
fn named(rest: &[u8]) -> Option<EscapeMeaning> {
    let (name, char) = NAMES.into_iter().find(|(name, _)| rest.starts_with(name))?;
    let end = match rest.part(name.len()..) {
        [b'{', b'}', ..] => 2,
        [b' ', ..] => 1,
        [letter, ..] if letter.is_ascii_alphabetic() => return None,
        _ => 0,
    };
    let width = 1 + name.len() + end;
    Some(match char {
        Some(char) => EscapeMeaning::Char { char, width },
        None => EscapeMeaning::Nothing { width },
    })
}

/// Reads a character in a group or in mathematics of its own: `{\_}`, `{\~{}}`, `$\sim$`. Programs
/// that keep libraries of references write all of them so, and TeX drops the braces.
pub(crate) fn group(text: &[u8]) -> Option<EscapeMeaning> {
    if let Some(tilde) = MATHEMATICS.iter().find(|tilde| text.starts_with(tilde)) {
        return Some(EscapeMeaning::Char { char: '~', width: tilde.len() });
    }
    let inside = text.strip_prefix(b"{").filter(|inside| inside.starts_with(b"\\"))?;
    let within = |width| (inside.get(width) == Some(&b'}')).then_some(width + 2);
    match character(inside)? {
        EscapeMeaning::Char { char, width } => {
            Some(EscapeMeaning::Char { char, width: within(width)? })
        }
        EscapeMeaning::Nothing { width } => Some(EscapeMeaning::Nothing { width: within(width)? }),
        EscapeMeaning::Hard | EscapeMeaning::Unreadable => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn char(char: char, width: usize) -> Option<EscapeMeaning> {
        Some(EscapeMeaning::Char { char, width })
    }

    #[test]
    fn characters() {
        for (text, expected) in [
            (r"\_b", char('_', 2)),
            (r"\~{}b", char('~', 4)),
            (r"\$\sim\$b", char('~', 8)),
            (r"\textasciitilde{}b", char('~', 17)),
            (r"\textasciitilde b", char('~', 16)),
            (r"\textasciitilde/b", char('~', 15)),
            (r"\allowbreak/b", Some(EscapeMeaning::Nothing { width: 11 })),
            (r"\-b", Some(EscapeMeaning::Nothing { width: 2 })),
            // Other commands, and what is not a character of a URI
            (r"\textasciitildes", None),
            (r"\stringent", None),
            (r"\sim$", None),
            (r"\$b", None),
            ("b", None),
        ] {
            assert_eq!(character(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn groups() {
        for (text, expected) in [
            (r"{\_}b", char('_', 4)),
            (r"{\~{}}b", char('~', 6)),
            (r"$\sim$b", char('~', 6)),
            (r"{\allowbreak}b", Some(EscapeMeaning::Nothing { width: 13 })),
            (r"{\_b}", None),
            (r"{\sf x}", None),
            ("{b}", None),
            ("$b$", None),
        ] {
            assert_eq!(group(text.as_bytes()), expected, "{text}");
        }
    }
}
