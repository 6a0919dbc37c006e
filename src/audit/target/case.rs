//! `target-case`: a reference to a file whose name differs in case only.

use crate::audit::finding::shown_path;
use crate::audit::{AuditFinding, Check, LinkContext, PathStatus, Safety, Severity};

pub static CHECK: Check = Check {
    id: "target-case",
    severity: Severity::Error,
    summary: "a file name in the wrong case",
    rationale: "Paths are case-sensitive (RFC 3986 section 6.2.2.1): the link works only on file \
                systems that ignore case.",
    fails: "[start](readme.md)",
    passes: "[start](README.md)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let target = context.target()?;
    let PathStatus::OtherCase { actual } = &target.entry else {
        return None;
    };
    let path = target.path.as_ref()?;
    let message = format!("no such file: `{}`", shown_path(path));
    let finding = context.finding(&CHECK, message);
    let fix = context.references_to(actual).map(|to| (Safety::Safe, to));
    Some(finding.hint(format!("it is named `{}`", shown_path(actual))).fix_if(fix))
}
