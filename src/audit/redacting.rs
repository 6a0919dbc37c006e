//! Removes secrets from findings and texts; offsets stay the same.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use crate::audit::{AuditFinding, Evidence, Link, LinkKind};
use crate::change::{Replacement, redacted_values, redacted_words};
use crate::redact::texts::secret_spans;
use crate::{Finder, Finding, Span, percent, redact, redact_text};

/// Redacts a finding. Secrets of its URI, and of the text `written` at its place, are also removed
/// from its message and hint.
pub fn finding(written: &[u8], finding: &mut AuditFinding) {
    let written = String::from_utf8_lossy(written).into_owned();
    let mut known: Vec<String> = Vec::new();
    for text in [Some(written.as_str()), finding.uri.as_deref()].into_iter().flatten() {
        known.extend(secrets_of(text));
    }
    // Replace longer secrets first, because one may contain another.
    known.sort_by_key(|secret| Reverse(secret.len()));
    // Messages quote parts of the URI, which `redact` alone would not recognize as a secret.
    finding.message = sentence(&finding.message, &known);
    finding.hint = finding.hint.as_deref().map(|hint| sentence(hint, &known));
    finding.evidence = finding.evidence.as_deref().map(|it| Arc::new(evidence(it)));
    for edit in finding.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
        edit.from = redact_text(&redact(&edit.from)).into_owned();
        edit.to = Replacement::Uri(redact_text(&redact(edit.to.text())).into_owned());
    }
    finding.uri = finding.uri.as_deref().map(|uri| redact_text(&redact(uri)).into_owned());
}

/// Returns evidence whose URLs have no secrets.
fn evidence(evidence: &Evidence) -> Evidence {
    let redacted = |url: &str| redact_text(&redact(url)).into_owned();
    let mut shown = evidence.clone();
    shown.url = redacted(&shown.url);
    for redirect in &mut shown.redirects {
        redirect.to = redacted(&redirect.to);
    }
    shown.archived = shown.archived.as_deref().map(redacted);
    shown
}

fn sentence(text: &str, known: &[String]) -> String {
    // A label of Markdown may be `password: hunter2`, which no URI contains.
    let values = redacted_values(text.as_bytes(), &[]);
    let mut known = known.to_vec();
    known.extend(values.iter().map(|value| String::from_utf8_lossy(value.from()).into_owned()));
    let text = redact_text(text).into_owned();
    known.iter().fold(text, |text, secret| text.replace(secret.as_str(), "REDACTED"))
}

/// Returns the secrets in a text, and their parts that a message may quote alone.
fn secrets_of(text: &str) -> Vec<String> {
    const MIN_LENGTH: usize = 4;
    const MAX_SECRETS: usize = 16;
    let spans = secret_spans(text.as_bytes());
    let parts = spans.into_iter().filter_map(|span| text.get(span.range())).flat_map(|secret| {
        let decoded = percent::decode(secret).into_owned();
        let decoded = String::from_utf8_lossy(&decoded).into_owned();
        let password = secret.split_once(':').map(|(_, password)| password.to_owned());
        [Some(secret.to_owned()), Some(decoded), password].into_iter().flatten()
    });
    parts
        .filter(|secret| secret.len() >= MIN_LENGTH && secret != "REDACTED")
        .take(MAX_SECRETS)
        .collect()
}

/// Returns the spans of links with secrets.
pub fn secret_links<'l>(links: impl Iterator<Item = Link<'l>>) -> impl Iterator<Item = Span> {
    links.filter(has_secret).map(|link| link.span)
}

/// Masks each byte of secrets with an asterisk: these links, any match or rejected candidate with a
/// secret in the text, and words and values that `--redact` hides in a text.
pub fn text(text: &[u8], links: &[Span], finder: &Finder) -> Vec<u8> {
    let mut masked = text.to_vec();
    // Links alone do not suffice: code and comments have no links, but may hold secrets.
    let found = finder.findings(text).filter(|found| match found {
        Finding::Match(m) => m.redacted().is_some(),
        Finding::Relative(relative) => relative.redacted().is_some(),
        Finding::Rejected(rejected) => rejected.redacted().is_some(),
    });
    let found = links.iter().copied().chain(found.map(|found| found.span()));
    // A finding may show its line, which has words that are not URIs: an undefined label, a token
    // next to a link.
    let words = redacted_words(text, &[]).into_iter().chain(redacted_values(text, &[]));
    let words = words.map(|edit| edit.bytes().map(|at| at as usize));
    for span in found.chain(words.map(|[start, end]| Span::new(start, end))) {
        let bytes = masked.get_mut(span.range());
        for byte in bytes.unwrap_or_default() {
            // Keep line breaks, so that lines and columns stay the same.
            if !matches!(byte, b'\r' | b'\n') {
                *byte = b'*';
            }
        }
    }
    masked
}

fn has_secret(link: &Link<'_>) -> bool {
    let changes = |text: &str| {
        matches!(redact_text(text), Cow::Owned(_)) || matches!(redact(text), Cow::Owned(_))
    };
    changes(link.written)
        || match link.kind {
            LinkKind::Absolute(parsed) | LinkKind::Relative(parsed) => changes(parsed.uri),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let shown = |text: &str| sentence(text, &["hunter2".to_owned()]);
        assert_eq!(
            shown("`http://joe:pw@a.example/` is no `b?token=c0ffee`, see \"hunter2\""),
            "`http://REDACTED@a.example/` is no `b?token=REDACTED`, see \"REDACTED\""
        );
        assert_eq!(shown(" a  b\n"), " a  b\n");
        assert_eq!(
            secrets_of("http://joe:hunter2@a/?key=val"),
            ["joe:hunter2", "joe:hunter2", "hunter2"]
        );
    }
}
