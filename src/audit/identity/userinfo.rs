//! `misleading-userinfo`: the part before `@` looks like the host (RFC 3986 §7.6).

use crate::Flag;
use crate::audit::{AuditFinding, Check, LinkContext, Severity};

pub static CHECK: Check = Check {
    id: "misleading-userinfo",
    severity: Severity::Error,
    summary: "a URI whose userinfo looks like its host",
    rationale: "A reader in a hurry mistakes the name before the `@` for the host (RFC 3986 \
                section 7.6).",
    fails: "[a](https://www.bank.com@evil.dev/)",
    passes: "[a](https://www.bank.com/)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (parsed, uri) = context.absolute()?;
    if !parsed.flags.contains(Flag::MisleadingUserinfo) {
        return None;
    }
    let host = uri.host().unwrap_or_default();
    let userinfo = uri.userinfo().unwrap_or_default();
    let shown = userinfo.split(':').next().unwrap_or_default();
    let message = format!("it looks like `{shown}` but leads to `{host}`");
    Some(context.finding(&CHECK, message))
}
