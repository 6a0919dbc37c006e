//! `namespace-syntax`: a URN whose name violates the rules of its namespace, check digits included.

use crate::audit::{AuditFinding, Check, LinkContext, Severity};

pub static CHECK: Check = Check {
    id: "namespace-syntax",
    severity: Severity::Warning,
    summary: "a URN whose name breaks the rules of its namespace, such as an ISBN with a wrong \
              check digit",
    rationale: "The registration of a namespace fixes the syntax of its names (RFC 8141 section \
                6.4.2); a wrong check digit means a typo in the number.",
    fails: "[a](urn:isbn:0451450524)",
    passes: "[a](urn:isbn:0451450523)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let finding = context.parsed()?.nss_fault?;
    let message = finding.kind().to_string();
    Some(context.finding(&CHECK, message).hint(finding.form()))
}
