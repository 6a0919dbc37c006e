//! `invalid-uri`: a destination that is not a valid reference (RFC 3986 §4.1).

use crate::Reason;
use crate::audit::finding::cut;
use crate::audit::{AuditFinding, Check, LinkContext, LinkKind, Severity};

pub static CHECK: Check = Check {
    id: "invalid-uri",
    severity: Severity::Error,
    summary: "the link target is not a valid URI reference, and can't be repaired",
    rationale: "Programs read it in different ways, or not at all (RFC 3986 section 4.1).",
    fails: "[a](https://a.dev:80x/)",
    passes: "[a](https://a.dev:8080/)",
};

fn is_data(written: &str) -> bool {
    let start = written.trim_start().get(..5);
    start.is_some_and(|start| start.eq_ignore_ascii_case("data:"))
}

/// Splits `https:/a.dev/b` and `https:a.dev/b`, which lack slashes, into the scheme and what follows
/// the slash. The third part says what is wrong.
fn lacks_slashes(written: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = written.trim().split_once(':')?;
    match rest.strip_prefix('/') {
        Some(rest) => (!rest.starts_with('/')).then_some((scheme, rest, "only one slash follows")),
        None => Some((scheme, rest, "no `//` follows")),
    }
}

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let LinkKind::Rejected { reason, at } = context.link.kind else {
        return None;
    };
    // `placeholder` reports templates, and defanging is deliberate.
    if !context.is_destination() || matches!(reason, Reason::Template | Reason::Defanged) {
        return None;
    }
    // Finders limit the length, but a `data:` URI is as long as its content (RFC 2397).
    if reason == Reason::TooLong && is_data(context.link.written) {
        return None;
    }
    let text = reason.to_string();
    let (what, hint) = match text.split_once("; ") {
        Some((what, hint)) => (what, Some(hint.to_owned())),
        None => (text.as_str(), None),
    };
    let place = match at {
        Some(c) if !c.is_control() => format!(" (at `{c}`)"),
        _ => String::new(),
    };
    let lacks_slashes = lacks_slashes(context.link.written).filter(|_| reason == Reason::NoHost);
    let (text, hint) = match lacks_slashes {
        Some((scheme, rest, what)) => (
            format!("not a valid URI: {what} `{scheme}:`"),
            Some(format!("write `{scheme}://{}`", cut(rest))),
        ),
        None => (format!("not a valid URI: {what}{place}"), hint),
    };
    let mut finding = context.finding(&CHECK, text);
    finding.hint = hint;
    // Browsers accept other characters in it: `data:image/svg+xml,<svg …>` in a style sheet.
    Some(if is_data(context.link.written) { finding.mild() } else { finding })
}
