//! `rare-ip`: an IPv4 address in a notation that only some programs accept (RFC 3986 §7.4).

use crate::audit::{AuditFinding, Check, LinkContext, Severity};

pub static CHECK: Check = Check {
    id: "rare-ip",
    severity: Severity::Warning,
    summary: "a host that is an IPv4 address in a rare form",
    rationale: "Some programs read it as the address, others as a name; it hides where the link \
                leads (RFC 3986 section 7.4).",
    fails: "[a](http://0177.0.0.1/)",
    passes: "[a](https://a.dev/)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (_, uri) = context.absolute()?;
    let address = uri.rare_ip()?;
    let host = uri.host().unwrap_or_default();
    let message = format!("the host `{host}` is a rare form of an IPv4 address");
    Some(context.finding(&CHECK, message).hint(format!("write `{address}`")))
}
