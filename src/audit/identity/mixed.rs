//! `mixed-script-host`: a label of the host mixes scripts (UTS #39 §5).

use crate::Flag;
use crate::audit::{AuditFinding, Check, LinkContext, Severity};

pub static CHECK: Check = Check {
    id: "mixed-script-host",
    severity: Severity::Warning,
    summary: "a host with a label that mixes scripts",
    rationale: "Letters of different scripts look alike, so readers mistake the host for another \
                one (RFC 3987 section 8, UTS #39 section 5).",
    fails: "[a](https://\u{430}pple.com/)",
    passes: "[a](https://apple.com/)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (parsed, uri) = context.absolute()?;
    if !parsed.flags.contains(Flag::MixedScriptHost) {
        return None;
    }
    let host = uri.host().unwrap_or_default();
    let message = format!("a label of the host `{host}` mixes scripts");
    Some(context.finding(&CHECK, message).hint("check each letter of the host"))
}
