//! `broken-syntax`: `[text](a file.md)`, which is not a link because of the space (CommonMark §6.3).

use crate::audit::link_context::AuditedPage;
use crate::audit::target::names_reference;
use crate::audit::{
    AuditFinding, Check, Link, LinkContext, LinkKind, Safety, Severity, SpannedText,
};
use crate::document::{Content, Role};

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
        if page.is_rst() {
            sink(of_rst(destination));
            continue;
        }
        if page.is_asciidoc() {
            sink(of_asciidoc(destination));
            continue;
        }
        let message = "this is no link: a destination ends at a space";
        let hint = format!("write `<{name}>`, or `{}`", name.replace(' ', "%20"));
        let finding = AuditFinding::new(&CHECK, destination.span, message.to_owned());
        let finding = AuditFinding { uri: Some(name.to_owned()), ..finding }.hint(hint);
        sink(match fix(page, destination) {
            Some((safety, to)) => finding.fix_destination(safety, to),
            None => finding,
        });
    }
}

/// Returns the finding for `` `text <a b>`_ ``, which leads to `ab` (docutils, "Embedded URIs and
/// Aliases").
fn of_rst(destination: &SpannedText) -> AuditFinding {
    let name = destination.text.as_str();
    let message = "the spaces of a destination are removed".to_owned();
    let hint = format!("write `<{name}_>` for the target of this name");
    let finding = AuditFinding::new(&CHECK, destination.span, message);
    AuditFinding { uri: Some(name.to_owned()), ..finding }.hint(hint)
}

/// Returns the finding for `xref:a.adoc` without brackets (AsciiDoc, "Cross References").
fn of_asciidoc(destination: &SpannedText) -> AuditFinding {
    let name = destination.text.as_str();
    let message = "this is no link: brackets are missing behind its target".to_owned();
    let finding = AuditFinding::new(&CHECK, destination.span, message);
    AuditFinding { uri: Some(name.to_owned()), ..finding }.hint(format!("write `{name}[]`"))
}

/// Returns the destination with its spaces encoded. If it leads to a file, that was meant; a path that
/// leads nowhere would only be another fault.
fn fix(page: &AuditedPage<'_>, destination: &SpannedText) -> Option<(Safety, String)> {
    let to = destination.text.replace(' ', "%20");
    let link = Link {
        span: destination.span,
        role: Role::Destination,
        element: Some("link"),
        attribute: None,
        content: Content::Reference,
        written: &destination.text,
        kind: LinkKind::Empty,
        label: None,
    };
    match LinkContext::new(link, page).would_pass(&to) {
        true => Some((Safety::Safe, to)),
        false => to.contains("://").then_some((Safety::Unsafe, to)),
    }
}
