//! `undefined-reference` of reStructuredText: `` :term:`a` `` without an entry of a glossary (Sphinx),
//! `|a|` without a definition, and `[1]_` or `[A]_` without a footnote or citation. docutils shows
//! them as text, and reports an error.

use super::included_names::InIncluded;
use super::undefined::{CHECK, is_fragment};
use crate::audit::finding::cut;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{ForgeRule, INTERSPHINX, UnresolvedLinks};
use crate::audit::{AuditFinding, Severity, UndefinedLabel};
use crate::document::NameSpace;

/// The substitutions of Sphinx itself (Sphinx, "Substitutions").
const BUILT_IN: [&str; 4] = ["release", "today", "translation progress", "version"];

/// Returns the name as its document has it where it is defined.
pub(super) fn written(reference: &UndefinedLabel) -> String {
    match reference.space {
        NameSpace::Substitution => format!("|{}|", reference.label),
        _ => format!("[{}]", reference.label),
    }
}

/// Judges a reference to a term, to a substitution, or to a note; `included` says whether a file
/// that the document includes defines it.
pub(super) fn check(
    page: &AuditedPage<'_>,
    reference: &UndefinedLabel,
    included: InIncluded,
    sink: &mut dyn FnMut(AuditFinding),
) {
    if included == InIncluded::Defined {
        return;
    }
    let found = match reference.space {
        NameSpace::Term => term(page, &reference.label),
        NameSpace::Note => note(page, &reference.label),
        _ => substitution(page, &reference.label),
    };
    let Some(Undefined { severity, message, hint }) = found else { return };
    let severity = if included == InIncluded::Unknown { Severity::Note } else { severity };
    sink(AuditFinding {
        check: &CHECK,
        severity,
        span: reference.span,
        uri: None,
        message,
        hint,
        evidence: None,
        fix: None,
    });
}

/// What is known about a name without a definition.
struct Undefined {
    severity: Severity,
    message: String,
    hint: Option<String>,
}

fn term(page: &AuditedPage<'_>, name: &str) -> Option<Undefined> {
    if !is_of_sphinx(page) {
        return None;
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let folded = words.join(" ").to_lowercase();
    if !page.files.lacks_term(&page.site, &folded) {
        return None;
    }
    let nearest = page.files.nearest_term(&page.site, &folded);
    // Another project may have the term, unless it is a typing error of one here. It may have the
    // plural, too.
    let is_typo = nearest.as_deref().is_some_and(|term| !is_plural(term, &folded));
    let is_elsewhere = page.site.program_has(INTERSPHINX) && !is_typo
        // A program may have all terms of a project without a glossary.
        || !page.files.has_glossary(&page.site);
    Some(Undefined {
        severity: if is_elsewhere { Severity::Note } else { Severity::Warning },
        message: format!("no glossary has the term `{}`", cut(name)),
        hint: nearest.map(|term| format!("did you mean `{}`?", cut(&term))),
    })
}

/// True for two words of which one is the other with an `s`.
fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}

fn substitution(page: &AuditedPage<'_>, name: &str) -> Option<Undefined> {
    let site = &page.site;
    let is_of_sphinx = is_of_sphinx(page);
    let is_defined = is_of_sphinx
        && (BUILT_IN.iter().any(|it| it.eq_ignore_ascii_case(name))
            || site.program_has(&format!("|{name}|")));
    if is_defined || is_in_another(page) {
        return None;
    }
    // Other programs than docutils may read the document, and define names.
    let is_known = is_of_sphinx || site.rules().forge == ForgeRule::OnForge;
    let severity = if is_open(page) || !is_known { Severity::Note } else { Severity::Warning };
    let message = format!("no definition for the substitution `|{}|`", cut(name));
    Some(Undefined { severity, message, hint: None })
}

/// Judges a reference to a footnote, or to a citation, which any document of a project of Sphinx
/// may have.
fn note(page: &AuditedPage<'_>, label: &str) -> Option<Undefined> {
    if is_in_another(page) {
        return None;
    }
    let is_footnote = label.starts_with('#') || label.bytes().all(|byte| byte.is_ascii_digit());
    let is_elsewhere = !is_footnote && page.site.rules().forge != ForgeRule::OnForge;
    let severity = if is_elsewhere || is_open(page) { Severity::Note } else { Severity::Warning };
    let kind = if is_footnote { "footnote" } else { "citation" };
    let message = format!("no {kind} `[{}]`", cut(label));
    Some(Undefined { severity, message, hint: None })
}

/// True for a document of a project of Sphinx.
fn is_of_sphinx(page: &AuditedPage<'_>) -> bool {
    page.site.unresolved == UnresolvedLinks::Sphinx
}

/// True for a document that others include, which may have the definition.
fn is_in_another(page: &AuditedPage<'_>) -> bool {
    page.is_part()
        || is_fragment(page.path)
        || !page.files.importers(&page.site, page.path).is_empty()
}

/// True if the settings put texts around each document, which may come from elsewhere.
fn is_open(page: &AuditedPage<'_>) -> bool {
    is_of_sphinx(page)
        && ["rst_epilog", "rst_prolog", "import *"].iter().any(|it| page.site.program_has(it))
}
