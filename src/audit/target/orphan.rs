//! `orphan`: a document that no other document links to.

use std::path::Path;

use crate::Span;
use crate::audit::auditor::FORGES;
use crate::audit::finding::shown_path;
use crate::audit::link_context::AuditedPage;
use crate::audit::{AuditFinding, Check, Severity, paths};

/// `orphan`: a document that no other document or menu links to. Finding it needs all links of a
/// tree; see [`AuditorBuilder::orphans`](crate::audit::AuditorBuilder::orphans).
pub static ORPHAN: Check = Check {
    id: "orphan",
    severity: Severity::Warning,
    summary: "a document that no other document links to (only with --orphans or --check orphan)",
    rationale: "Readers find it only by searching, so it goes out of date unnoticed.",
    fails: "see the manual in notes.md",
    passes: "see the [manual](notes.md)",
};

pub fn check(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    // Without --orphans, no links were collected, so nothing is known.
    let is_linked = page.files.is_linked(page.path).unwrap_or(true);
    if is_linked || !is_read_alone(page) || is_entry_page(page.path) || page.is_part() {
        return;
    }
    let is_post =
        page.site.rules().posts.iter().any(|posts| {
            page.path.components().any(|part| part.as_os_str().to_str() == Some(posts))
        });
    if is_post || page.site.menu.leads_to(page.path, &page.site) {
        return;
    }
    let title = page.facts.headings().next();
    sink(AuditFinding {
        check: &ORPHAN,
        severity: ORPHAN.severity,
        span: title.map_or(Span::new(0, 0), |heading| heading.span),
        uri: None,
        message: format!("no document links to `{}`", shown_path(&paths::without_dots(page.path))),
        hint: Some("link to it, or remove it".to_owned()),
        evidence: None,
        fix: None,
    });
}

/// True for documents that people read on their own, unlike style sheets and pictures.
fn is_read_alone(page: &AuditedPage<'_>) -> bool {
    let extension = page.path.extension().and_then(|extension| extension.to_str());
    page.is_source() || matches!(extension, Some("html" | "htm" | "xhtml"))
}

/// True for documents that readers start with, and for those that a forge or a reader looks for by
/// name, such as `LICENSE.md`.
fn is_entry_page(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_upper = stem.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_' | '-'));
    let starts = ["index", "_index", "readme", "summary", "home", "default", "404", "_sidebar"];
    let is_on_forge =
        path.components().any(|part| FORGES.iter().any(|forge| part.as_os_str() == *forge));
    is_upper || is_on_forge || starts.contains(&stem.to_ascii_lowercase().as_str())
}
