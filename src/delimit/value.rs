//! Recognizes strings of programs and data that contain only a URI (D3.8).
//!
//! `"http://a.example/?"` is a whole URI as an argument or a value. In prose, its question mark
//! belongs to the sentence. The text around the quotation marks distinguishes them: a bracket, a
//! comma, an operator, the end of a line.

use super::trim::ends_in_dots;
use crate::slice::{ByteRuns, SliceExt};

/// Maximum length of a keyword.
const MAX_KEYWORD_BYTES: usize = 16;

/// Maximum length of white space around an operator.
const MAX_SPACE_BYTES: usize = 64;

/// Use that a program makes of the string around a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringRole {
    /// Quoted in prose, or not recognizable as a program's string.
    Prose,
    /// An argument, an element, the value of a key.
    Value,
    /// Something is appended to it: `"http://a.example:" + port`.
    Operand,
}

/// Words of programs that precede a string. After any other word, a quotation mark belongs to
/// prose.
#[rustfmt::skip]
const KEYWORDS: [&[u8]; 13] = [
    b"@base", b"BASE", b"and", b"echo", b"import", b"include", b"not", b"or", b"puts", b"require", b"return", b"throw", b"yield",
];

/// Operators that append a string, if a name or a call follows. Longest first.
const OPERATORS: [&[u8]; 8] = [b"++", b"..", b"<>", b"||", b"+", b"&", b"%", b"."];

/// Returns the role of the string around `uri`. Its opening quotation mark ends `before`, and its
/// closing one starts `after`.
pub(super) fn role(before: &[u8], uri: &[u8], after: &[u8]) -> StringRole {
    // D4.5: the author shortened the URI
    if ends_in_dots(uri) {
        return StringRole::Prose;
    }
    let Some((_, before)) = before.split_last() else { return StringRole::Prose };
    // Inside another string the opening mark is escaped, and the sign before the backslash decides.
    let before = before.strip_suffix(b"\\").unwrap_or(before);
    let Some((mark, after)) = after.split_first() else { return StringRole::Prose };
    match after {
        // A literal of Turtle and its type
        [b'^', b'^', ..] => return StringRole::Value,
        // D4.8: a shell joins what touches the closing mark, whatever precedes the string.
        _ if continues_in_word(*mark, after) => return StringRole::Operand,
        _ if !opens_value(before) => return StringRole::Prose,
        _ => {}
    }
    let space = after.clamped(..MAX_SPACE_BYTES).leading(|b| matches!(b, b' ' | b'\t' | b'\r'));
    let after = after.part(space..);
    match after {
        // A comment, or what modifies the string: `$s = "http://a.example/?" fullword`
        [b'#', ..] | [b'/', b'/', ..] | [b'-', b'-', ..] if space > 0 => StringRole::Value,
        // YARA and the like put modifiers after a string. Only an assignment before it
        // distinguishes them from the words of a sentence.
        [next, ..] if space > 0 && next.is_ascii_lowercase() && is_assigned(before) => {
            StringRole::Value
        }
        [] | [b'\n' | b',' | b'}' | b']' | b')' | b';' | b':', ..] => StringRole::Value,
        _ if appends(after) => StringRole::Operand,
        // A method of the string, or another operator
        [b'.', next, ..] if next.is_ascii_alphabetic() => StringRole::Value,
        [b'=' | b'?' | b'!' | b'|' | b'@' | b'^', ..] => StringRole::Value,
        _ => StringRole::Prose,
    }
}

/// True if a variable of a shell touches the string that `mark` closes:
/// `'http://a.example:'"$PORT"`.
pub(super) fn continues_in_word(mark: u8, after: &[u8]) -> bool {
    match after {
        [b'"' | b'\'', rest @ ..] => rest.first() != Some(&mark) && is_variable(rest),
        _ => is_variable(after),
    }
}

/// True if `text` starts with a variable or a command of a shell: `$x`, `${x}`, `$(x)`.
pub(super) fn is_variable(text: &[u8]) -> bool {
    match text {
        [b'$', b'1'..=b'9', after @ ..] => !after.first().is_some_and(u8::is_ascii_alphanumeric),
        [b'$', next, ..] => next.is_ascii_alphabetic() || matches!(next, b'_' | b'{' | b'('),
        _ => false,
    }
}

/// True if `before` ends in the `=` of an assignment.
fn is_assigned(before: &[u8]) -> bool {
    let text = before.part(..before.len() - before.trailing(|b| matches!(b, b' ' | b'\t')));
    text.len() < before.len() && text.last() == Some(&b'=')
}

/// True if the text before a quotation mark shows that a value opens there.
fn opens_value(before: &[u8]) -> bool {
    // Prefix letters of a literal in Python or C: `f"…"`, `u8"…"`.
    let letters = before.tail(3).trailing(|b| b.is_ascii_alphanumeric());
    let is_prefix = (1..=2).contains(&letters)
        && before.tail(letters).iter().all(|b| b"frbuFRBUL8".contains(b));
    let before = if is_prefix { before.part(..before.len() - letters) } else { before };
    let text = before.part(..before.len() - before.trailing(|b| matches!(b, b' ' | b'\t')));
    match text.last() {
        None => true,
        // The last part of a sentence that a program splits into several strings is not a value.
        Some(b'\n') => {
            let line = text.trim_ascii_end();
            !matches!(line.last(), Some(b'"' | b'\''))
        }
        Some(
            b'(' | b'[' | b'{' | b',' | b'=' | b':' | b'+' | b'&' | b'<' | b'>' | b'?' | b';'
            | b'|' | b'-' | b'~',
        ) => true,
        Some(byte) if text.len() < before.len() && byte.is_ascii_alphabetic() => {
            let word = text.tail(
                text.tail(MAX_KEYWORD_BYTES).trailing(|b| b.is_ascii_alphanumeric() || b == b'@'),
            );
            KEYWORDS.contains(&word)
        }
        _ => false,
    }
}

/// True if `after` is an operator and its operand, not the end of a sentence or a method of the
/// string.
fn appends(after: &[u8]) -> bool {
    let Some(operator) = OPERATORS.iter().find(|operator| after.starts_with(operator)) else {
        return false;
    };
    let rest = after.part(operator.len()..);
    let operand =
        rest.part(rest.clamped(..MAX_SPACE_BYTES).leading(|b| matches!(b, b' ' | b'\t'))..);
    let starts = |b: &u8| b.is_ascii_alphanumeric() || b"$_(\"'@[{<\\".contains(b);
    match *operator {
        // Otherwise a full stop; PHP and Perl append with it.
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
            ("$s = \"", "\" fullword", StringRole::Value),
            ("- '", "' # a", StringRole::Value),
            ("say \"", "\" # a", StringRole::Prose),
            ("x = f\"", "\"\n", StringRole::Value),
            ("x = \"", "\" + y", StringRole::Operand),
            ("x = '", "' . $y", StringRole::Operand),
            ("x = '", "'.format(y)", StringRole::Value),
            ("He said \"", "\".", StringRole::Prose),
            ("He said \"", "\"", StringRole::Prose),
            ("see: \"", "\" and", StringRole::Prose),
            ("a '", "'^^xsd:anyURI .", StringRole::Value),
            ("curl '", "'\"$x\"", StringRole::Operand),
            ("curl \"", "\"$x", StringRole::Operand),
            ("curl \"", "\" $x", StringRole::Prose),
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
