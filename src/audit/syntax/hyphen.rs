//! `ambiguous-hyphen`: a line break after a hyphen inside a URI (RFC 3986 Appendix C, D3.3).

use crate::audit::{AuditFinding, Check, LinkContext, Severity};

pub static CHECK: Check = Check {
    id: "ambiguous-hyphen",
    severity: Severity::Note,
    summary: "a URI that is broken across lines after a hyphen",
    rationale: "A reader can't tell whether the hyphen belongs to the URI or was added to break the \
                line (RFC 3986 Appendix C).",
    fails: "see <http://a.org/long-\nname/b>",
    passes: "see <http://a.org/long-name/b>",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let parsed = context.parsed()?;
    let alternative = parsed.alternative?;
    let message = "the hyphen at the end of the line may or may not belong to the URI".to_owned();
    let hint = format!("write it on one line: `{}`, or `{alternative}`", parsed.uri);
    Some(context.finding(&CHECK, message).hint(hint))
}
