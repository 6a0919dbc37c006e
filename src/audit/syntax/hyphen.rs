//! `ambiguous-hyphen`: a hyphen that ends a line inside a URI (RFC 3986 Appendix C, D3.3).

use crate::audit::fault::{Check, Fault, Severity};
use crate::audit::subject::Subject;

pub static CHECK: Check = Check {
    id: "ambiguous-hyphen",
    severity: Severity::Note,
    summary: "a URI that is broken across lines after a hyphen",
    rationale: "A reader can't tell whether the hyphen belongs to the URI or was added to break the \
                line (RFC 3986 Appendix C).",
};

pub fn check(subject: &Subject<'_>) -> Option<Fault> {
    let reading = subject.reading()?;
    let alternative = reading.alternative.as_deref()?;
    let message = "the hyphen at the end of the line may belong to the URI or not".to_owned();
    let hint = format!(
        "write it on one line: `{}`, or `{alternative}`",
        reading.uri
    );
    Some(subject.fault(&CHECK, message).hint(hint))
}
