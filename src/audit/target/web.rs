//! Checks of links to the web, which report answers about URLs.

use crate::Span;
use crate::audit::finding::cut;
use crate::audit::identity::is_example;
use crate::audit::target::{Destination, resolver};
use crate::audit::{
    Answer, Answers, AuditFinding, Check, Fault, LinkContext, Safety, Severity, UrlLink, Verdict,
};

pub static DEAD_LINK: Check = Check {
    id: "dead-link",
    severity: Severity::Error,
    summary: "a link to a page or host that does not exist",
    rationale: "Its server answers that there is no such page (RFC 9110 section 15.5.5), or its \
                host does not exist.",
    fails: "[a](https://a.dev/gone)",
    passes: "[a](https://a.dev/)",
};

pub static INSECURE_LINK: Check = Check {
    id: "insecure-link",
    severity: Severity::Warning,
    summary: "an `http` URL whose server also answers by `https` (only with --require-https)",
    rationale: "Everyone on the way can read and change a page without TLS (RFC 7258).",
    fails: "[a](http://a.dev/)",
    passes: "[a](https://a.dev/)",
};

pub static REDIRECTED_LINK: Check = Check {
    id: "redirected-link",
    severity: Severity::Warning,
    summary: "a URL that redirects to a front page or a login page",
    rationale: "Sites redirect from pages that no longer exist to their front page, so readers do not find what the link promises.",
    fails: "[a](https://a.dev/gone)",
    passes: "[a](https://a.dev/)",
};

pub static UNREACHABLE_ANCHOR: Check = Check {
    id: "unreachable-anchor",
    severity: Severity::Warning,
    summary: "a fragment that matches nothing on a page of another site",
    rationale: "The reader ends up at the top of the page (RFC 3986 section 3.5).",
    fails: "[a](https://a.dev/#instal)",
    passes: "[a](https://a.dev/#install)",
};

pub static MOVED_LINK: Check = Check {
    id: "moved-link",
    severity: Severity::Note,
    summary: "a link that a server, or the site's own settings, redirect permanently",
    rationale: "The old address should be replaced (RFC 9110 section 15.4.2); it may stop working.",
    fails: "[a](http://a.dev/old)",
    passes: "[a](https://a.dev/new)",
};

pub static UNVERIFIED_LINK: Check = Check {
    id: "unverified-link",
    severity: Severity::Note,
    summary: "a URL that could not be verified, and why",
    rationale: "A server that is down, or refuses programs, says nothing about the page.",
    fails: "[a](https://slow.dev/)",
    passes: "[a](https://a.dev/)",
};

/// True for a finding that is not a reason to fail: only a proof that a page is gone is one. A
/// severity that is raised to error makes it one.
pub fn is_advisory(check: &Check, severity: Severity) -> bool {
    let advisory = [&REDIRECTED_LINK, &UNREACHABLE_ANCHOR, &MOVED_LINK, &UNVERIFIED_LINK];
    severity < Severity::Error && advisory.iter().any(|advisory| advisory.id == check.id)
}

/// A link to the web, without its document.
#[derive(Clone, Debug)]
pub struct WebLink {
    pub url: UrlLink,
    span: Span,
    written: String,
    /// True if no reader can follow the link, so that its findings are at most notes.
    is_mild: bool,
}

/// Returns the link, if its destination is a URL, or an identifier that a resolver on the web
/// knows.
pub fn link(context: &LinkContext<'_>, answers: &dyn Answers) -> Option<WebLink> {
    let (_, uri) = context.absolute()?;
    let is_web = ["http", "https"].iter().any(|web| uri.scheme().eq_ignore_ascii_case(web));
    let url = match resolver::url(&uri) {
        Some(url) => url,
        None if is_web => UrlLink::new(&uri),
        None if answers.takes_mail() && uri.scheme().eq_ignore_ascii_case("mailto") => {
            UrlLink::mail(&uri)?
        }
        None => return None,
    };
    // A URL of the repository itself is resolved in the checkout, which needs no network.
    if is_web && !matches!(context.destination(), Destination::Elsewhere) {
        return None;
    }
    // Nothing is at a host that is reserved for examples (RFC 2606), and `placeholder` reports
    // links that should lead somewhere. `.test` is for networks of one's own, which
    // `--allow-private` asks.
    let is_own = uri.host().is_some_and(|host| host.to_ascii_lowercase().ends_with(".test"));
    if is_web && is_example(&uri) && !is_own && answers.remapped(&url).is_none() {
        return None;
    }
    // Template syntax is not a URL yet.
    if context.is_of_engine || is_web && uri.host().is_none_or(str::is_empty) {
        return None;
    }
    let is_mild = context.is_unused();
    let (span, written) = (context.link.span, context.link.written.to_owned());
    Some(WebLink { url, span, written, is_mild })
}

/// Returns a new URL with the fragment of the old one, which the server has not seen.
fn with_fragment(to: &str, written: &str) -> String {
    match written.split_once('#') {
        Some((_, fragment)) if !to.contains('#') => format!("{to}#{fragment}"),
        _ => to.to_owned(),
    }
}

/// Returns the finding for an answer.
pub fn judge(link: WebLink, answer: Answer) -> Option<AuditFinding> {
    let url = cut(&link.written);
    let write = |to: &str| Some(format!("write `{}`", cut(&with_fragment(to, &link.written))));
    let (check, message, hint) = match &answer.verdict {
        Verdict::Alive => return None,
        Verdict::Dead(death) => {
            let copy = answer.evidence.as_ref().and_then(|it| it.archived.as_deref());
            let hint = copy.filter(|copy| !copy.is_empty());
            let hint = hint.map(|copy| format!("there is a copy at `{}`", cut(copy)));
            (&DEAD_LINK, format!("`{url}` leads nowhere: {death}"), hint)
        }
        Verdict::Moved(to) => (&MOVED_LINK, format!("`{url}` has moved"), write(to)),
        Verdict::Insecure(to) => {
            (&INSECURE_LINK, format!("`{url}` is also there by `https`"), write(to))
        }
        Verdict::Elsewhere(page, to) => {
            let message = format!("`{url}` redirects to {page}, `{}`", cut(to));
            (&REDIRECTED_LINK, message, None)
        }
        Verdict::NoAnchor(nearest) => {
            let fragment = cut(link.url.fragment.as_deref().unwrap_or_default()).into_owned();
            let hint = nearest.as_deref().map(|name| format!("did you mean `#{}`?", cut(name)));
            (&UNREACHABLE_ANCHOR, format!("`{url}` has no anchor `{fragment}`"), hint)
        }
        Verdict::Unknown(why) => {
            let is_private =
                answer.evidence.as_ref().is_some_and(|it| it.fault == Some(Fault::Private));
            let hint = is_private.then(|| "`--allow-private` requests such addresses".to_owned());
            (&UNVERIFIED_LINK, format!("`{url}` was not verified: {why}"), hint)
        }
    };
    let uri = Some(link.written);
    let finding = AuditFinding {
        uri,
        hint,
        evidence: answer.evidence.clone(),
        ..AuditFinding::new(check, link.span, message)
    };
    let finding = match fix(&answer, finding.uri.as_deref().unwrap_or_default()) {
        Some((safety, to)) => finding.fix(safety, to),
        None => finding,
    };
    Some(if link.is_mild { finding.mild() } else { finding })
}

/// Returns the URL to write in place of `written`, as a server knows it.
fn fix(answer: &Answer, written: &str) -> Option<(Safety, String)> {
    // A server never sees the fragment, so it stays.
    let (start, fragment) = written.split_once('#').unwrap_or((written, ""));
    let with_fragment = |to: &str| {
        if to.contains('#') || fragment.is_empty() {
            to.to_owned()
        } else {
            format!("{to}#{fragment}")
        }
    };
    match &answer.verdict {
        // The new address replaces the old one (RFC 9110 section 15.4.2).
        Verdict::Moved(to) | Verdict::Insecure(to) => Some((Safety::Safe, with_fragment(to))),
        Verdict::NoAnchor(Some(nearest)) => Some((Safety::Unsafe, format!("{start}#{nearest}"))),
        Verdict::Dead(_) => {
            let copy = answer.evidence.as_ref()?.archived.as_deref();
            Some((Safety::Unsafe, copy.filter(|copy| !copy.is_empty())?.to_owned()))
        }
        _ => None,
    }
}
