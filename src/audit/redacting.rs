//! Findings and texts without secrets, at the same offsets.

use std::borrow::Cow;

use super::facts::{Link, LinkKind};
use super::finding::AuditFinding;
use crate::finder::{Finder, Finding};
use crate::redact::redact;
use crate::search::InputText;

pub fn finding(finding: &mut AuditFinding) {
    finding.message = sentence(&finding.message);
    finding.hint = finding.hint.as_deref().map(sentence);
    finding.uri = finding.uri.as_deref().map(|uri| redact(uri).into_owned());
}

/// A sentence, word by word: what is quoted in it may be a URI or a part of one.
fn sentence(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '`' | '"');
    text.split_inclusive(is_end)
        .map(|word| {
            let end = word.trim_end_matches(is_end).len();
            let (word, end) = word.split_at(end);
            redact(word).into_owned() + end
        })
        .collect()
}

/// The text with an asterisk for each byte of what holds a secret: links, and what the finder finds or rejects
/// anywhere.
pub fn text(text: InputText, links: &[Link], finder: &Finder) -> InputText {
    let mut masked = text.bytes().to_vec();
    let links = links.iter().filter(|link| has_secret(link));
    let found = finder.findings(text.bytes()).filter(|found| match found {
        Finding::Match(m) => m.redacted().is_some(),
        Finding::Relative(relative) => relative.redacted().is_some(),
        Finding::Rejected(rejected) => rejected.redacted().is_some(),
    });
    for span in links.map(|link| link.span).chain(found.map(|found| found.span())) {
        let bytes = masked.get_mut(span.range());
        for byte in bytes.unwrap_or_default() {
            if !matches!(byte, b'\r' | b'\n') {
                *byte = b'*';
            }
        }
    }
    text.with_bytes(masked)
}

fn has_secret(link: &Link) -> bool {
    let changes = |text: &str| matches!(redact(text), Cow::Owned(_));
    changes(&link.written)
        || match &link.kind {
            LinkKind::Absolute(parsed) | LinkKind::Relative(parsed) => changes(&parsed.uri),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(
            sentence("`http://joe:pw@a.example/` is no `b?token=c0ffee`, see \"x\""),
            "`http://REDACTED@a.example/` is no `b?token=REDACTED`, see \"x\""
        );
        assert_eq!(sentence(" a  b\n"), " a  b\n");
    }
}
