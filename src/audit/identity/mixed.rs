//! `mixed-script-host`: a label of the host mixes scripts (UTS #39 §5).

use crate::audit::fault::{Check, Fault, Severity};
use crate::audit::subject::Subject;
use crate::kind::Flag;

pub static CHECK: Check = Check {
    id: "mixed-script-host",
    severity: Severity::Warning,
    summary: "a host in which letters of several scripts stand in one label",
    rationale: "Letters of two scripts that look alike make another name of the one that is read \
                (RFC 3987 section 8, UTS #39 section 5).",
};

pub fn check(subject: &Subject<'_>) -> Option<Fault> {
    let (reading, uri) = subject.absolute()?;
    if !reading.flags.contains(Flag::MixedScriptHost) {
        return None;
    }
    let host = uri.host().unwrap_or_default();
    let message = format!("a label of the host `{host}` mixes scripts");
    Some(
        subject
            .fault(&CHECK, message)
            .hint("check each letter of the host"),
    )
}
