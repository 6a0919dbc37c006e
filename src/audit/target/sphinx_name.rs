//! `undefined-reference` of Sphinx: `` :term:`a` `` without an entry of a glossary, and `|a|`
//! without a definition. Sphinx shows both as text, and warns.

use super::undefined::CHECK;
use crate::audit::finding::cut;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{INTERSPHINX, UnresolvedLinks};
use crate::audit::{AuditFinding, Severity, UndefinedLabel};
use crate::document::NameSpace;

/// The substitutions of Sphinx itself (Sphinx, "Substitutions").
const BUILT_IN: [&str; 4] = ["release", "today", "translation progress", "version"];

/// Judges a reference to a term or to a substitution.
pub(super) fn check(
    page: &AuditedPage<'_>,
    reference: &UndefinedLabel,
    sink: &mut dyn FnMut(AuditFinding),
) {
    if page.site.unresolved != UnresolvedLinks::Sphinx {
        return;
    }
    let found = match reference.space {
        NameSpace::Term => term(page, &reference.label),
        _ => substitution(page, &reference.label),
    };
    let Some((severity, message)) = found else { return };
    sink(AuditFinding {
        check: &CHECK,
        severity,
        span: reference.span,
        uri: None,
        message,
        hint: None,
        evidence: None,
        fix: None,
    });
}

fn term(page: &AuditedPage<'_>, name: &str) -> Option<(Severity, String)> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let folded = words.join(" ").to_lowercase();
    if !page.files.lacks_term(&page.site, &folded) {
        return None;
    }
    let is_elsewhere = page.site.program_has(INTERSPHINX);
    let severity = if is_elsewhere { Severity::Note } else { Severity::Warning };
    Some((severity, format!("no glossary has the term `{}`", cut(name))))
}

fn substitution(page: &AuditedPage<'_>, name: &str) -> Option<(Severity, String)> {
    let site = &page.site;
    let is_defined = BUILT_IN.iter().any(|it| it.eq_ignore_ascii_case(name))
        || site.program_has(&format!("|{name}|"));
    // What includes a document may have the definition.
    if is_defined || page.is_part() || !page.files.importers(site, page.path).is_empty() {
        return None;
    }
    // These texts are put around each document, and may come from elsewhere.
    let is_open = ["rst_epilog", "rst_prolog", "import *"].iter().any(|it| site.program_has(it));
    let severity = if is_open { Severity::Note } else { Severity::Warning };
    Some((severity, format!("no definition for the substitution `|{}|`", cut(name))))
}
