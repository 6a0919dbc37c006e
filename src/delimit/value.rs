//! Strings of programs and data that hold a URI and nothing else (D3.8).
//!
//! `"http://a.example/?"` is a whole URI as an argument or a value, and a URI with the question mark of its sentence in
//! prose. What stands around the quotation marks tells both apart: a bracket, a comma, an operator, the end of a line.

use crate::slice::{ByteRuns, SliceExt};

/// What a program does with the string in which a URI is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringRole {
    /// Quoted in prose, or not known to be the string of a program.
    Prose,
    /// An argument, an element, the value of a key.
    Value,
    /// Something is appended to it: `"http://a.example:" + port`.
    Operand,
}

/// Words of programs behind which a string stands. Behind any other word, a quotation mark is one of prose.
#[rustfmt::skip]
const KEYWORDS: [&[u8]; 10] = [
    b"@base", b"BASE", b"echo", b"import", b"include", b"puts", b"require", b"return", b"throw", b"yield",
];

/// Operators that append a string, where a name or a call follows. The longest are first.
const OPERATORS: [&[u8]; 8] = [b"++", b"..", b"<>", b"||", b"+", b"&", b"%", b"."];

/// The role of the string that holds `uri`, whose opening quotation mark ends `before`, and whose closing one starts `after`.
pub(super) fn role(before: &[u8], uri: &[u8], after: &[u8]) -> StringRole {
    // D4.5
    if uri.ends_with(b"...") {
        return StringRole::Prose;
    }
    let Some((_, before)) = before.split_last() else { return StringRole::Prose };
    let before = before.strip_suffix(b"\\").unwrap_or(before);
    if !opens_value(before) {
        return StringRole::Prose;
    }
    let after = after.part(1..);
    let after = after.part(after.clamped(..64).leading(|b| matches!(b, b' ' | b'\t' | b'\r'))..);
    match after {
        [] | [b'\n' | b',' | b'}' | b']' | b')' | b';' | b':', ..] => StringRole::Value,
        _ if appends(after) => StringRole::Operand,
        // a method of the string, another operator
        [b'.', next, ..] if next.is_ascii_alphabetic() => StringRole::Value,
        [b'=' | b'?' | b'!' | b'|' | b'@' | b'^', ..] => StringRole::Value,
        _ => StringRole::Prose,
    }
}

/// Whether the text before a quotation mark says that a value opens there.
fn opens_value(before: &[u8]) -> bool {
    // the letters of a literal in Python or C: `f"…"`, `u8"…"`
    let letters = before.tail(3).trailing(|b| b.is_ascii_alphanumeric());
    let is_prefix = (1..=2).contains(&letters)
        && before.tail(letters).iter().all(|b| b"frbuFRBUL8".contains(b));
    let before = if is_prefix { before.part(..before.len() - letters) } else { before };
    let text = before.part(..before.len() - before.trailing(|b| matches!(b, b' ' | b'\t')));
    match text.last() {
        None => true,
        // not the last part of a sentence that a program has in several strings
        Some(b'\n') => {
            let line = text.trim_ascii_end();
            !matches!(line.last(), Some(b'"' | b'\''))
        }
        Some(
            b'(' | b'[' | b'{' | b',' | b'=' | b':' | b'+' | b'&' | b'<' | b'>' | b'?' | b';'
            | b'|' | b'-' | b'~',
        ) => true,
        Some(byte) if text.len() < before.len() && byte.is_ascii_alphabetic() => {
            let word =
                text.tail(text.tail(16).trailing(|b| b.is_ascii_alphanumeric() || b == b'@'));
            KEYWORDS.contains(&word)
        }
        _ => false,
    }
}

/// Whether `after` is an operator and what it appends: no end of a sentence, and no method of the string.
fn appends(after: &[u8]) -> bool {
    let Some(operator) = OPERATORS.iter().find(|operator| after.starts_with(operator)) else {
        return false;
    };
    let rest = after.part(operator.len()..);
    let operand = rest.part(rest.clamped(..64).leading(|b| matches!(b, b' ' | b'\t'))..);
    let starts = |b: &u8| b.is_ascii_alphanumeric() || b"$_(\"'@[{<\\".contains(b);
    match *operator {
        // a full stop, or PHP and Perl
        b"." => matches!(operand.first(), Some(b'$' | b'"' | b'\'' | b'@' | b'\\')),
        _ => operand.first().is_none_or(|b| starts(b) || *b == b'\n' || *b == b'\r'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_roles() {
        for (before, after, expected) in [
            ("f(\"", "\")", StringRole::Value),
            ("x = \"", "\";", StringRole::Value),
            ("\"k\": \"", "\",", StringRole::Value),
            ("return '", "'", StringRole::Value),
            ("x = f\"", "\"\n", StringRole::Value),
            ("x = \"", "\" + y", StringRole::Operand),
            ("x = '", "' . $y", StringRole::Operand),
            ("x = '", "'.format(y)", StringRole::Value),
            ("He said \"", "\".", StringRole::Prose),
            ("He said \"", "\"", StringRole::Prose),
            ("see: \"", "\" and", StringRole::Prose),
            ("see: \"", "\". And", StringRole::Prose),
        ] {
            assert_eq!(
                role(before.as_bytes(), b"http://a/", after.as_bytes()),
                expected,
                "{before} {after}"
            );
        }
    }
}
