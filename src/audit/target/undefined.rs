//! `undefined-reference`: `[text][label]` or `[label][]` without a definition, which Markdown shows
//! as literal text (CommonMark §6.3).

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::path::Path;

use super::{cross_reference, sphinx_name};
use crate::audit::finding::{cut, is_among};
use crate::audit::link_context::{AuditedPage, is_code_path};
use crate::audit::sites::UnresolvedLinks;
use crate::audit::{AuditFinding, Check, Severity, Spellings};
use crate::document::{NameSpace, Scope};

pub static CHECK: Check = Check {
    id: "undefined-reference",
    severity: Severity::Warning,
    summary: "a reference of Markdown to a label that nothing defines",
    rationale: "It is no link then, and is shown with its brackets (CommonMark section 6.3).",
    fails: "[the manual][manual]",
    passes: "[the manual](install.md)",
};

pub fn check(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    let spellings = OnceCell::new();
    // If most labels of the document or tree are undefined, another tool resolves them.
    // Then each label is only a note.
    let is_custom = {
        let labels = page.facts.undefined().iter();
        let undefined = labels.filter(|it| it.space == NameSpace::Label).count();
        let are_most = undefined > FEW && undefined > page.facts.labels().len();
        are_most
            || is_fragment(page.path)
            || undefined > 0 && page.site.is_generated() && page.is_part()
            || undefined > 0 && is_of_commits(page)
            || matches!(page.site.unresolved, UnresolvedLinks::Hooks | UnresolvedLinks::Sphinx)
            || undefined > 0 && page.facts.has_rendered_blocks()
            || undefined > 0 && page.files.has_custom_labels(&page.site)
    };
    let is_of_rust = page.site.unresolved == UnresolvedLinks::Rust;
    let cross_ids = OnceCell::new();
    for undefined in page.facts.undefined() {
        if undefined.space == NameSpace::CrossReference {
            let own = cross_ids.get_or_init(|| cross_reference::own_ids(page));
            cross_reference::check(page, undefined, own, sink);
            continue;
        }
        if matches!(undefined.space, NameSpace::Term | NameSpace::Substitution) {
            sphinx_name::check(page, undefined, sink);
            continue;
        }
        if is_of_rust && is_item(&undefined.label) {
            continue;
        }
        // Sphinx projects define labels across documents, so a label is only unknown if the tree
        // has the project's documents. One of these may include a text beside them.
        let is_of_project = undefined.scope == Scope::Project;
        if is_of_project {
            let around = page.site.documentation.as_deref().unwrap_or(&page.site);
            let is_known = around.unresolved == UnresolvedLinks::Sphinx;
            if !is_known || page.files.has_label(&page.site, &undefined.label.to_lowercase()) {
                continue;
            }
        }
        let labels = || {
            let definitions = page.facts.definitions().iter();
            Spellings::new(definitions.map(|definition| &definition.label))
        };
        let nearest = spellings.get_or_init(labels).nearest(&undefined.label);
        sink(AuditFinding {
            check: &CHECK,
            // `<code>[string, <a href=…>T</a>][]</code>` is a type.
            severity: if is_custom
                || is_of_project
                || undefined.space == NameSpace::Shortcut
                || undefined.label.contains("</")
                || page.facts.is_in_formula(undefined.span)
            {
                Severity::Note
            } else {
                CHECK.severity
            },
            span: undefined.span,
            uri: None,
            message: format!("no definition for `[{}]`", undefined.label),
            hint: nearest.map(|label| format!("did you mean `[{}]`?", cut(label))),
            evidence: None,
            fix: None,
        });
    }
}

/// True for an entry of a change log in a file of its own. It is shown only within the change log,
/// which has the definitions.
fn is_fragment(path: &Path) -> bool {
    const DIRECTORIES: &str =
        ".changeset changelog changelog.d changelogs changes changes.d newsfragments unreleased";
    let directory = path.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    directory.is_some_and(|name| is_among(DIRECTORIES, name))
        && !["changelog", "readme"].iter().any(|it| stem.eq_ignore_ascii_case(it))
}

/// True for a change log that a tool writes from the subjects of commits, each with a link to its
/// commit: `[rule][other-rule]` in a subject is not meant as a link.
fn is_of_commits(page: &AuditedPage<'_>) -> bool {
    let stem = page.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let mut commits = page.facts.links().filter(|link| link.written.contains("/commit/"));
    stem.eq_ignore_ascii_case("changelog") && commits.nth(FEW).is_some()
}

/// This many undefined labels or fewer say nothing about a document.
const FEW: usize = 3;

/// True for an item to rustdoc: a path, code, or a name such as `AsRef`.
pub(in crate::audit) fn is_item(label: &str) -> bool {
    let label = label.trim();
    label.starts_with('`') || is_code_path(label, true) || is_camel_case(label)
}

/// True for a name with at least two humps; `Installation` is a plain word.
fn is_camel_case(label: &str) -> bool {
    let humps = label.chars().filter(char::is_ascii_uppercase).count();
    label.starts_with(|c: char| c.is_ascii_uppercase())
        && humps > 1
        && label.chars().any(|c| c.is_ascii_lowercase())
        && label.chars().all(|c| c.is_ascii_alphanumeric())
}
