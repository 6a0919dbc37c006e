//! `misleading-userinfo`: what stands before the `@` looks like the host (RFC 3986 §7.6).

use crate::audit::fault::{Check, Fault, Severity};
use crate::audit::subject::Subject;
use crate::kind::Flag;

pub static CHECK: Check = Check {
    id: "misleading-userinfo",
    severity: Severity::Error,
    summary: "a URI whose userinfo looks like its host",
    rationale: "A hasty reader takes the name before the `@` for the place where it leads (RFC 3986 \
                section 7.6).",
};

pub fn check(subject: &Subject<'_>) -> Option<Fault> {
    let (reading, uri) = subject.absolute()?;
    if !reading.flags.contains(Flag::MisleadingUserinfo) {
        return None;
    }
    let host = uri.host().unwrap_or_default();
    let userinfo = uri.userinfo().unwrap_or_default();
    let shown = userinfo.split(':').next().unwrap_or_default();
    let message = format!("it looks like `{shown}` but leads to `{host}`");
    Some(subject.fault(&CHECK, message))
}
