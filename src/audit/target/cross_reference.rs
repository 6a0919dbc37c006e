//! `undefined-reference` of Quarto: `@fig-a` without a figure, which is shown as “?@fig-a”.

use memchr::memmem;

use super::undefined::CHECK;
use crate::audit::finding::cut;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::quarto;
use crate::audit::{AuditFinding, Severity, UndefinedLabel};
use crate::hash::HashSet;

/// Returns the ids of the document itself, which may be newer than the file in the tree.
pub(super) fn own_ids(page: &AuditedPage<'_>) -> HashSet<String> {
    let mut ids = HashSet::default();
    quarto::add_ids(page.facts.source_text(), &mut ids);
    ids
}

/// Judges a cross-reference; `own` are the ids of the document.
pub(super) fn check(
    page: &AuditedPage<'_>,
    reference: &UndefinedLabel,
    own: &HashSet<String>,
    sink: &mut dyn FnMut(AuditFinding),
) {
    let is_of_quarto = page.site.rules().cross_ids;
    // Outside of a project, only the extension shows that Quarto reads the document. Other Markdown
    // uses `@tip-toe` for a person.
    let is_alone = page.path.extension().is_some_and(|it| it == "qmd");
    if !(is_of_quarto && quarto::has_ids(page.path) || is_alone) {
        return;
    }
    let written = &reference.label;
    // `@Fig-a` is `@fig-a` at the start of a sentence.
    let id = match written.split_at_checked(1) {
        Some((first, rest)) => first.to_lowercase() + rest,
        None => written.clone(),
    };
    let is_known =
        |id: &str| own.contains(id) || is_of_quarto && page.files.has_cross_id(&page.site, id);
    // A file that a document includes may define it.
    let is_judged = is_of_quarto || memmem::find(page.facts.source_text(), b"{{<").is_none();
    if !is_judged || is_known(written) || is_known(&id) {
        return;
    }
    let nearest = if is_of_quarto { page.files.nearest_cross_id(&page.site, &id) } else { None };
    sink(AuditFinding {
        check: &CHECK,
        // The program in a cell may create the figure.
        severity: Severity::Note,
        span: reference.span,
        uri: None,
        message: format!("no definition for `@{}`", cut(written)),
        hint: nearest.map(|id| format!("did you mean `@{}`?", cut(&id))),
        evidence: None,
        fix: None,
    });
}
