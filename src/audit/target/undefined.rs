//! `undefined-reference`: `[text][label]` or `[label][]` without a definition, which Markdown shows as
//! it stands (CommonMark §6.3).

use std::cell::OnceCell;

use crate::audit::fault::{Check, Fault, Severity};
use crate::audit::spellings::Spellings;
use crate::audit::subject::{Scope, is_code_path};

pub static CHECK: Check = Check {
    id: "undefined-reference",
    severity: Severity::Warning,
    summary: "a reference of Markdown to a label that nothing defines",
    rationale: "It is no link then, and is shown with its brackets (CommonMark section 6.3).",
};

pub fn check(scope: &Scope<'_>, sink: &mut dyn FnMut(Fault)) {
    let spellings = OnceCell::new();
    for undefined in scope.facts.undefined() {
        if is_item(&undefined.label) {
            continue;
        }
        let labels = || {
            let definitions = scope.facts.definitions().iter();
            Spellings::new(definitions.map(|definition| &definition.label))
        };
        let nearest = spellings.get_or_init(labels).nearest(&undefined.label);
        sink(Fault {
            check: &CHECK,
            span: undefined.span,
            uri: None,
            message: format!("nothing defines `[{}]`", undefined.label),
            hint: nearest.map(|label| format!("there is `[{label}]`")),
        });
    }
}

/// True for what rustdoc takes for an item: a path, or code.
fn is_item(label: &str) -> bool {
    let label = label.trim();
    label.starts_with('`') || is_code_path(label, true)
}
