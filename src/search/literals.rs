//! Literals that every match of a regular expression contains.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// More literals than this do not make the search faster.
const MAX_LITERALS: usize = 16;
/// Nearly every text contains shorter literals, so they do not help.
const MIN_LENGTH: usize = 3;

/// Returns ASCII strings, one of which is in every match of the expressions. It is also in the text
/// that the URI was made from.
pub(super) fn required_literals(expressions: &[String]) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for expression in expressions {
        let hir = ParserBuilder::new().utf8(false).build().parse(expression).ok()?;
        all.append(&mut required(&hir)?);
    }
    (1..=MAX_LITERALS).contains(&all.len()).then_some(all)
}

fn required(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(vec![unmapped(&literal.0)?.to_vec()]),
        HirKind::Capture(capture) => required(&capture.sub),
        // A part that may be absent requires nothing.
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => {
            let shortest = |set: &Vec<Vec<u8>>| set.iter().map(Vec::len).min();
            // One part decides, as a match has all of them. Long literals are rare in text, so they
            // exclude most of it.
            parts.iter().filter_map(required).max_by_key(shortest)
        }
        HirKind::Alternation(parts) => {
            let sets: Option<Vec<_>> = parts.iter().map(required).collect();
            sets.map(|sets| sets.concat()).filter(|set| set.len() <= MAX_LITERALS)
        }
        _ => None,
    }
}

/// Returns the longest part of a literal that is the same in the text and in the URI, where other
/// characters are percent-encoded (D2.2, D2.3). That excludes percent signs and possible hex digits
/// after one.
fn unmapped(literal: &[u8]) -> Option<&[u8]> {
    let is_plain = |byte: &u8| byte.is_ascii_graphic();
    let digits = |part: &[u8]| part.iter().take(2).take_while(|b| b.is_ascii_hexdigit()).count();
    let parts = literal.split(|byte| *byte == b'%' || !is_plain(byte));
    let parts = parts.filter_map(|part| part.get(digits(part)..));
    parts.max_by_key(|part| part.len()).filter(|part| part.len() >= MIN_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required() {
        let of = |expression: &str| {
            let literals = required_literals(&[expression.to_owned()])?;
            Some(literals.into_iter().map(|l| String::from_utf8_lossy(&l).into_owned()).collect())
        };
        for (expression, expected) in [
            ("wiki", Some(vec!["wiki"])),
            ("^https?://.*github", Some(vec!["github"])),
            ("(?:kernel|lwn)\\.org", Some(vec![".org"])),
            ("%20index", Some(vec!["index"])),
            ("(wiki)?", None),
            ("face", None),
            ("(?i)wiki", None),
            ("\u{e9}", None),
        ] {
            let expected: Option<Vec<String>> =
                expected.map(|all| all.into_iter().map(str::to_owned).collect());
            assert_eq!(of(expression), expected, "{expression}");
        }
    }
}
