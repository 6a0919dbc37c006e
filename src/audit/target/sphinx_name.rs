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
    let Some(Undefined { severity, message, hint }) = found else { return };
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
    let words: Vec<&str> = name.split_whitespace().collect();
    let folded = words.join(" ").to_lowercase();
    if !page.files.lacks_term(&page.site, &folded) {
        return None;
    }
    let nearest = page.files.nearest_term(&page.site, &folded);
    // Another project may have the term, unless it is a typing error of one here. It may have the
    // plural, too.
    let is_typo = nearest.as_deref().is_some_and(|term| !is_plural(term, &folded));
    let is_elsewhere = page.site.program_has(INTERSPHINX) && !is_typo;
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
    let is_defined = BUILT_IN.iter().any(|it| it.eq_ignore_ascii_case(name))
        || site.program_has(&format!("|{name}|"));
    // What includes a document may have the definition.
    if is_defined || page.is_part() || !page.files.importers(site, page.path).is_empty() {
        return None;
    }
    // These texts are put around each document, and may come from elsewhere.
    let is_open = ["rst_epilog", "rst_prolog", "import *"].iter().any(|it| site.program_has(it));
    let severity = if is_open { Severity::Note } else { Severity::Warning };
    let message = format!("no definition for the substitution `|{}|`", cut(name));
    Some(Undefined { severity, message, hint: None })
}
