//! `namespace-syntax`: a URN whose name is not what its namespace asks for, check digits included.

use crate::audit::fault::{Check, Fault, Severity};
use crate::audit::subject::Subject;

pub static CHECK: Check = Check {
    id: "namespace-syntax",
    severity: Severity::Warning,
    summary: "a URN whose name breaks the rules of its namespace, such as an ISBN with a wrong \
              check digit",
    rationale: "The registration of a namespace fixes the syntax of its names (RFC 8141 section \
                6.4.2); a check digit that does not fit means a slip in the number.",
};

pub fn check(subject: &Subject<'_>) -> Option<Fault> {
    let fault = subject.reading()?.fault?;
    let message = fault.kind().to_string();
    Some(subject.fault(&CHECK, message).hint(fault.form()))
}
