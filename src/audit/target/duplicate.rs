//! `duplicate-definition`: a Markdown label with two destinations, of which the first wins
//! (CommonMark §4.7). Repeating the same definition is harmless and not reported.

use std::cell::OnceCell;

use crate::audit::finding::cut;
use crate::audit::link_context::AuditedPage;
use crate::audit::{AuditFinding, Check, LabelDefinition, Severity};
use crate::hash::HashMap;

pub static CHECK: Check = Check {
    id: "duplicate-definition",
    severity: Severity::Warning,
    summary: "a second definition of a label, with another target",
    rationale: "The first definition wins, and this one is never used (CommonMark section 4.7).",
    fails: "[a]\n\n[a]: install.md\n[a]: README.md",
    passes: "[a]\n\n[a]: install.md",
};

pub fn check(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    let is_apart = OnceCell::new();
    let mut first: HashMap<String, &str> = HashMap::default();
    for definition in page.facts.definitions().iter().filter(|it| !is_comment(it)) {
        let value = destination(&definition.value);
        let before = *first.entry(folded(&definition.label)).or_insert(value);
        if before != value {
            // Blocks that are rendered apart have definitions of their own.
            let is_apart = *is_apart.get_or_init(|| page.facts.has_rendered_blocks());
            sink(AuditFinding {
                check: &CHECK,
                severity: if is_apart { Severity::Note } else { CHECK.severity },
                span: definition.span,
                uri: Some(value.to_owned()),
                message: format!(
                    "`[{}]` is already defined as `{}`",
                    definition.label,
                    cut(before)
                ),
                hint: Some("remove it, or give it another label".to_owned()),
                evidence: None,
                fix: None,
            });
        }
    }
}

/// True for a definition that is used as a comment, `[comment]: <Some words>`: no file or page has
/// that name, and no reference uses the label.
fn is_comment(definition: &LabelDefinition) -> bool {
    const LABELS: [&str; 4] = ["//", "comment", "#", "_"];
    const FEWEST_SPACES: usize = 2;
    let is_text = destination(&definition.value).matches(' ').count() >= FEWEST_SPACES;
    is_text || LABELS.contains(&folded(&definition.label).as_str())
}

/// Returns the destination without brackets and title.
fn destination(value: &str) -> &str {
    match value.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((inner, _)) => inner,
        None => value.split_ascii_whitespace().next().unwrap_or_default(),
    }
}

/// Labels ignore case and treat white space as one space (CommonMark §4.7).
pub(in crate::audit) fn folded(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}
