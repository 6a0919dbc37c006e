//! `dead-link`, `moved-link`, `unverified-link`: reports answers about URLs.

use crate::Span;
use crate::audit::finding::cut;
use crate::audit::target::Destination;
use crate::audit::{Answer, AuditFinding, Check, LinkContext, Severity, UrlKey};

pub static DEAD_LINK: Check = Check {
    id: "dead-link",
    severity: Severity::Error,
    summary: "a URL that leads nowhere",
    rationale: "Its server says that nothing is there (RFC 9110 section 15.5.5), or its host does not exist.",
    fails: "[a](https://a.dev/gone)",
    passes: "[a](https://a.dev/)",
};

pub static MOVED_LINK: Check = Check {
    id: "moved-link",
    severity: Severity::Note,
    summary: "a URL whose server names another one for good",
    rationale: "The old address should be replaced (RFC 9110 section 15.4.2); it may stop working.",
    fails: "[a](http://a.dev/old)",
    passes: "[a](https://a.dev/new)",
};

pub static UNVERIFIED_LINK: Check = Check {
    id: "unverified-link",
    severity: Severity::Note,
    summary: "a URL that could not be verified, and why",
    rationale: "A server that does not answer now, or answers no programs, proves nothing.",
    fails: "[a](https://slow.dev/)",
    passes: "[a](https://a.dev/)",
};

/// A link to the web, without its document.
#[derive(Clone, Debug)]
pub struct WebLink {
    pub key: UrlKey,
    span: Span,
    written: String,
    /// True if no reader can follow the link, so that its findings are at most notes.
    is_mild: bool,
}

/// Returns the link, if its destination is a URL.
pub fn link(context: &LinkContext<'_>) -> Option<WebLink> {
    let (_, uri) = context.absolute()?;
    let is_web = ["http", "https"].iter().any(|web| uri.scheme().eq_ignore_ascii_case(web));
    // A URL of the repository itself is resolved in the checkout, which needs no network.
    if !is_web || !matches!(context.destination(), Destination::Elsewhere) {
        return None;
    }
    // Template syntax is not a URL yet.
    if context.is_of_engine || uri.host().is_none_or(str::is_empty) {
        return None;
    }
    let is_mild = context.is_unused();
    let (span, written) = (context.link.span, context.link.written.to_owned());
    Some(WebLink { key: UrlKey::new(&uri), span, written, is_mild })
}

/// Returns the finding for an answer.
pub fn judge(link: WebLink, answer: &Answer) -> Option<AuditFinding> {
    let url = cut(&link.written);
    let (check, message, hint) = match answer {
        Answer::There => return None,
        Answer::Missing(evidence) => {
            (&DEAD_LINK, format!("`{url}` leads nowhere: {evidence}"), None)
        }
        Answer::Moved(to) => {
            (&MOVED_LINK, format!("`{url}` has moved"), Some(format!("write `{}`", cut(to))))
        }
        Answer::Unknown(why) => {
            (&UNVERIFIED_LINK, format!("`{url}` was not verified: {why}"), None)
        }
    };
    let uri = Some(link.written);
    let finding = AuditFinding { uri, hint, ..AuditFinding::new(check, link.span, message) };
    Some(if link.is_mild { finding.mild() } else { finding })
}
