//! `broken-syntax`: `[text](a file.md)`, which is not a link because of the space (CommonMark
//! §6.3).

use crate::Span;
use crate::audit::link_context::AuditedPage;
use crate::audit::target::names_reference;
use crate::audit::{
    AuditFinding, Check, Link, LinkContext, LinkKind, Safety, Severity, SpannedText,
};
use crate::document::{Content, Dialect, LinkOrigin, Role};

pub static CHECK: Check = Check {
    id: "broken-syntax",
    severity: Severity::Warning,
    summary: "a Markdown destination with a space, which makes it plain text",
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
        if page.has_directives() {
            sink(of_rst(destination));
            continue;
        }
        if page.has_attributes() {
            sink(of_asciidoc(destination));
            continue;
        }
        if let Some(path) = without_size(page, name) {
            let span = Span::new(destination.span.start(), destination.span.start() + path.len());
            LinkContext::new(link_to(path, span, "image"), page).check_as(path, sink);
            continue;
        }
        if matches!(page.site.dialect(), Dialect::Kramdown(_)) {
            // kramdown reads up to the bracket that closes it (`LINK_PAREN_STOP_RE`).
            let encoded = name.replace(' ', "%20");
            LinkContext::new(link_to(name, destination.span, "link"), page)
                .check_as(&encoded, sink);
            continue;
        }
        let message = "not a link: a destination ends at the first space";
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
    let message = "spaces in a destination are removed".to_owned();
    let hint = format!("write `<{name}_>` for the target of this name");
    let finding = AuditFinding::new(&CHECK, destination.span, message);
    AuditFinding { uri: Some(name.to_owned()), ..finding }.hint(hint)
}

/// Returns the finding for `xref:a.adoc` without brackets (AsciiDoc, "Cross References").
fn of_asciidoc(destination: &SpannedText) -> AuditFinding {
    let name = destination.text.as_str();
    let message = "not a link: the target needs brackets after it".to_owned();
    let finding = AuditFinding::new(&CHECK, destination.span, message);
    AuditFinding { uri: Some(name.to_owned()), ..finding }.hint(format!("write `{name}[]`"))
}

/// Returns the path before a size, `a.png =394x`, which plugins of markdown-it read after a
/// picture.
fn without_size<'n>(page: &AuditedPage<'_>, name: &'n str) -> Option<&'n str> {
    let (path, size) = name.split_once(" =")?;
    let (width, height) = size.split_once('x')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_size = is_number(width) && is_number(height) && size.len() > 1;
    (is_size && !path.contains(' ') && page.site.has_picture_sizes).then_some(path)
}

/// Returns a link to a text that the reader of Markdown did not take for a destination.
fn link_to<'t>(written: &'t str, span: Span, element: &'static str) -> Link<'t> {
    Link {
        span,
        role: Role::Destination,
        element: Some(element),
        attribute: None,
        origin: LinkOrigin::Element,
        content: Content::Reference,
        written,
        kind: LinkKind::Empty,
        label: None,
    }
}

/// Returns the destination with its spaces encoded. If it leads to a file, that was meant; a path
/// that leads nowhere would only be another fault.
fn fix(page: &AuditedPage<'_>, destination: &SpannedText) -> Option<(Safety, String)> {
    let to = destination.text.replace(' ', "%20");
    let link = link_to(&destination.text, destination.span, "link");
    if LinkContext::new(link, page).would_pass(&to) {
        Some((Safety::Safe, to))
    } else {
        to.contains("://").then_some((Safety::Unsafe, to))
    }
}
