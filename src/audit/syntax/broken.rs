//! `broken-syntax`: `[text](a file.md)`, which is no link because of the space (CommonMark §6.3).

use crate::audit::link_context::AuditedPage;
use crate::audit::target::names_reference;
use crate::audit::{AuditFinding, Check, Severity};

pub static CHECK: Check = Check {
    id: "broken-syntax",
    severity: Severity::Warning,
    summary: "a destination of Markdown with a space, which makes it plain text",
    rationale: "A destination ends at a space unless it is in `<…>` (CommonMark section 6.3), so \
                readers see the brackets instead of a link.",
    fails: "[the paper](https://a.dev/the paper)",
    passes: "[the paper](https://a.dev/the%20paper)",
};

pub fn check(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    for destination in page.facts.malformed() {
        let name = destination.text.as_str();
        // `[text](@ref name)` is read by another program than those that read CommonMark.
        if names_reference(name) {
            continue;
        }
        let message = "this is no link: a destination ends at a space";
        let hint = format!("write `<{name}>`, or `{}`", name.replace(' ', "%20"));
        let finding = AuditFinding::new(&CHECK, destination.span, message.to_owned());
        sink(AuditFinding { uri: Some(name.to_owned()), hint: Some(hint), ..finding });
    }
}
