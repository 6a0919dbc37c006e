//! `misleading-text`: the text of a link is a URI that differs from the destination.
//!
//! The text may be shorter than the link: `http` for `https`, no `www.`, a prefix of the path, no
//! query.

use crate::audit::link_context::AuditedPage;
use crate::audit::{AuditFinding, Check, Label, LabelKind, LinkKind, Severity};
use crate::reference::Normalizer;
use crate::{Uri, percent};

pub static CHECK: Check = Check {
    id: "misleading-text",
    severity: Severity::Warning,
    summary: "a link whose text is a different URI than its destination",
    rationale: "Readers believe the text: one of the two is out of date, or it is meant to deceive \
                (RFC 3986 section 7.6).",
    fails: "[https://bank.dev/](https://evil.dev/)",
    passes: "[https://bank.dev/](https://bank.dev/)",
};

pub fn check(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    for label in page.facts.labels() {
        let link = label.link.and_then(|link| page.facts.link(link));
        let Some(link) = link else { continue };
        let LinkKind::Absolute(parsed) = link.kind else {
            continue;
        };
        let Some(shown) = shown(&label) else { continue };
        if parsed.uri.len() > MAX_LENGTH {
            continue;
        }
        let Some(leads) = parsed.reference().to_uri() else {
            continue;
        };
        if is_web(&leads) && !says(&shown, &leads) {
            sink(AuditFinding {
                check: &CHECK,
                severity: CHECK.severity,
                span: label.span,
                uri: Some(link.written.to_string()),
                message: format!(
                    "the text is `{}` but the link leads to `{}`",
                    label.text.trim(),
                    leads.as_str()
                ),
                hint: Some("make the text and the target the same URL".to_owned()),
                evidence: None,
                fix: None,
            });
        }
    }
}

/// Longer destinations are not compared, because many texts may share one.
const MAX_LENGTH: usize = 1024;

/// Returns the normalized URI if the whole text is one that is not abbreviated.
fn shown(label: &Label<'_>) -> Option<String> {
    let text = label.text.trim();
    let is_without_scheme = text.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("www."));
    // Fast path: most texts are plain words.
    let has_scheme = memchr::memchr(b':', text.as_bytes()).is_some();
    if !(has_scheme || is_without_scheme) || text.contains("...") || label.kind == LabelKind::Image
    {
        return None;
    }
    // `([https://a.dev)](https://a.dev)`: the bracket belongs to the sentence, and so does a full
    // stop.
    let text = without_lone_bracket(text).trim_end_matches(['.', ',', ';']);
    let uri = if is_without_scheme { format!("http://{text}") } else { text.to_owned() };
    let parsed = Uri::parse(&uri).ok()?;
    is_web(&parsed).then(|| Normalizer::new().normalize(parsed).into_owned())
}

/// Returns the text without an unpaired closing bracket at its end, and without a punctuation mark
/// after that.
fn without_lone_bracket(text: &str) -> &str {
    let bare = text.trim_end_matches(['.', ',', ';']);
    match bare.strip_suffix(')') {
        Some(inner) if inner.matches('(').count() <= inner.matches(')').count() => inner,
        _ => text,
    }
}

fn is_web(uri: &Uri<'_>) -> bool {
    ["http", "https", "ftp"].iter().any(|scheme| uri.scheme().eq_ignore_ascii_case(scheme))
        && uri.host().is_some_and(|host| !host.is_empty())
}

/// True if `shown` agrees with the URI `leads`, of which it may be only a part.
fn says(shown: &str, leads: &Uri<'_>) -> bool {
    let normal = Normalizer::new().normalize(*leads);
    let (Ok(shown), Ok(leads)) = (Uri::parse(shown), Uri::parse(&normal)) else {
        return true;
    };
    let host = |uri: &Uri<'_>| {
        let host = uri.host().unwrap_or_default().to_owned();
        host.strip_prefix("www.").unwrap_or(&host).to_owned()
    };
    let path = |uri: &Uri<'_>| {
        let path = percent::decode(uri.path());
        String::from_utf8_lossy(&path).trim_end_matches('/').to_lowercase()
    };
    let (shown_host, shown_path) = (host(&shown), path(&shown));
    if shown_host == host(&leads) {
        return path(&leads).starts_with(&shown_path);
    }
    // The destination may be an archive or a proxy whose own address includes the shown one.
    let decoded = percent::decode(leads.as_str());
    let decoded = String::from_utf8_lossy(&decoded).to_lowercase();
    decoded.contains(&format!("{shown_host}{shown_path}"))
}
