//! `undefined-reference`: `[text][label]` or `[label][]` without a definition, which Markdown shows
//! as literal text (CommonMark §6.3).

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use super::duplicate::folded;
use super::included_names::InIncluded;
use super::{cross_reference, liquid, sphinx_label, sphinx_name};
use crate::Span;
use crate::audit::finding::{cut, is_among};
use crate::audit::link_context::{AuditedPage, is_code_path};
use crate::audit::sites::{UnresolvedLinks, is_in_tree};
use crate::audit::{
    AuditFinding, Check, Link, LinkContext, PathStatus, Severity, Spellings, UndefinedLabel,
};
use crate::document::{NameSpace, Scope};
use crate::slice::SliceExt as _;

pub static CHECK: Check = Check {
    id: "undefined-reference",
    severity: Severity::Warning,
    summary: "a Markdown reference to a label that is not defined",
    rationale: "Without a definition it is plain text, brackets included (CommonMark section 6.3).",
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
        let are_most = undefined > TOO_FEW_LINKS && undefined > page.facts.labels().len();
        are_most
            || is_fragment(page.path)
            || undefined > 0 && page.site.is_generated() && page.is_part()
            || undefined > 0 && is_of_commits(page)
            || matches!(page.site.unresolved, UnresolvedLinks::Hooks | UnresolvedLinks::Sphinx)
            || undefined > 0 && page.facts.has_rendered_blocks()
            || undefined > 0 && page.files.has_custom_labels(&page.site)
    };
    let included = OnceCell::new();
    let is_of_rust = page.site.unresolved == UnresolvedLinks::Rust;
    let cross_ids = OnceCell::new();
    for undefined in page.facts.undefined() {
        if undefined.space == NameSpace::CrossReference {
            let own = cross_ids.get_or_init(|| cross_reference::own_ids(page));
            cross_reference::check(page, undefined, own, sink);
            continue;
        }
        if undefined.space == NameSpace::Attachment {
            sink(attachment(undefined));
            continue;
        }
        if undefined.space == NameSpace::Term {
            sphinx_name::check(page, undefined, InIncluded::Missing, sink);
            continue;
        }
        if matches!(undefined.space, NameSpace::Substitution | NameSpace::Note) {
            let name = sphinx_name::written(undefined);
            let found = page.included_files().look_for(page, &name);
            sphinx_name::check(page, undefined, found, sink);
            continue;
        }
        if is_of_rust && is_item(&undefined.label) {
            continue;
        }
        // Sphinx projects define labels across documents, so a label is only unknown if the tree
        // has the project's documents. One of these may include a text beside them.
        if undefined.scope == Scope::Project {
            let around = page.site.documentation.as_deref().unwrap_or(&page.site);
            let is_known = around.unresolved == UnresolvedLinks::Sphinx;
            let judged = is_known.then(|| sphinx_label::judge(page, &undefined.label)).flatten();
            if let Some(sphinx_label::UndefinedProjectLabel { severity, nearest }) = judged {
                sink(finding(undefined, severity, nearest.as_deref()));
            }
            continue;
        }
        let included = included.get_or_init(|| included_labels(page));
        let label = folded(&undefined.label);
        if included.iter().any(|labels| labels.contains(&label)) {
            continue;
        }
        let in_files = page.included_files().look_for(page, &undefined.label);
        if in_files == InIncluded::Defined {
            continue;
        }
        // A reference by title may name one of another part of the book.
        if page.has_attributes() && page.book().has_anchor(page, &undefined.label) {
            continue;
        }
        let labels = || {
            let definitions = page.facts.definitions().iter();
            Spellings::new(definitions.map(|definition| &definition.label))
        };
        let nearest = spellings.get_or_init(labels).nearest(&undefined.label);
        // docutils looks up `name_` only in the document, or in the texts that the settings put
        // around each document.
        let is_of_rest = page.has_directives() && !is_in_other_texts(page);
        // `<code>[string, <a href=…>T</a>][]</code>` is a type, not a reference.
        let severity = if is_custom && !is_of_rest
            || in_files == InIncluded::Unknown
            || page.has_attributes() && is_in_other_texts(page)
            || undefined.space == NameSpace::Shortcut
            || undefined.label.contains("</")
            || are_tags(page.facts.source_text(), undefined.span)
            || is_of_code_or_form(page.facts.source_text(), undefined.span)
            || page.facts.is_in_formula(undefined.span)
        {
            Severity::Note
        } else {
            CHECK.severity
        };
        sink(finding(undefined, severity, nearest));
    }
}

/// Number of included files that are read.
const MAX_INCLUDED: usize = 64;

/// Returns the labels of the files that tags of Liquid put into the document before Markdown is
/// read.
fn included_labels(page: &AuditedPage<'_>) -> Vec<Arc<HashSet<String>>> {
    let is_liquid = |link: &Link<'_>| liquid::is_include_of(page, link.origin);
    let mut files = BTreeSet::new();
    for link in page.facts.links().filter(is_liquid).take(MAX_INCLUDED) {
        let context = LinkContext::new(link, page);
        let places = liquid::places(&context, link.written);
        let file = places.into_iter().find(|it| page.files.probe(it) == PathStatus::File);
        files.extend(file.filter(|file| is_in_tree(page.directory(), file)));
    }
    files.iter().map(|file| page.files.defined_labels(file)).collect()
}

/// Returns the finding about a file that a cell of a notebook does not have.
fn attachment(undefined: &UndefinedLabel) -> AuditFinding {
    AuditFinding {
        message: format!("the cell has no attachment `{}`", cut(&undefined.label)),
        ..finding(undefined, CHECK.severity, None)
    }
}

fn finding(undefined: &UndefinedLabel, severity: Severity, nearest: Option<&str>) -> AuditFinding {
    let UndefinedLabel { label, span, .. } = undefined;
    AuditFinding {
        check: &CHECK,
        severity,
        span: *span,
        uri: None,
        message: format!("no definition for `[{label}]`"),
        hint: nearest.map(|label| format!("did you mean `[{}]`?", cut(label))),
        evidence: None,
        fix: None,
    }
}

/// True for a document of which other documents or the settings may define names: it is included,
/// or the settings put a text around each document.
fn is_in_other_texts(page: &AuditedPage<'_>) -> bool {
    let site = &page.site;
    page.is_part()
        || ["rst_epilog", "rst_prolog", "import *"].iter().any(|it| site.program_has(it))
        || !page.files.importers(site, page.path).is_empty()
}

/// True for a reference that is two tags side by side, `[Slow] [Disruptive][Feature:A]` or
/// `- [LWJGL3][ANGLE] fixes …`, or a list such as `[a=1][,][b=2]`. Labels that people define have
/// letters, and nearly all of them start with a small one.
fn are_tags(text: &[u8], span: Span) -> bool {
    let written = text.clamped(span.range());
    let Some(middle) = memchr::memmem::rfind(written, b"][") else { return false };
    let (tag, label) = (written.clamped(1..middle), written.clamped(middle + 2..));
    let label = label.strip_suffix(b"]").unwrap_or(label);
    let is_capital = |text: &[u8]| text.first().is_some_and(u8::is_ascii_uppercase);
    if label.is_empty() || !label.iter().any(|it| it.is_ascii_alphanumeric() || !it.is_ascii()) {
        return !label.is_empty();
    }
    let before = text.clamped(..span.start());
    let line = before.clamped(memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..);
    let is_first = line.iter().all(|byte| b" \t-*+>".contains(byte));
    let after = text.clamped(span.end()..);
    let has_tag_beside = line.trim_ascii_end().ends_with(b"]")
        || after.starts_with(b"[")
        || after.starts_with(b" [");
    is_capital(tag) && is_capital(label) && tag != label && (is_first || has_tag_beside)
}

/// True for `["name"][100]`, which shows a path of data, and for `[+][country][number]`, three parts
/// of a form: a reference has two.
fn is_of_code_or_form(text: &[u8], span: Span) -> bool {
    let written = text.clamped(span.range());
    let is_quote = |byte: Option<&u8>| byte.is_some_and(|it| matches!(it, b'"' | b'\''));
    let middle = memchr::memmem::rfind(written, b"][");
    let shown = middle.map_or(&b""[..], |middle| written.clamped(1..middle));
    if shown.len() > 1 && is_quote(shown.first()) && shown.first() == shown.last() {
        return true;
    }
    let (before, after) = (text.clamped(..span.start()), text.clamped(span.end()..));
    // The next part, or the one before if the parser takes the last two as a reference.
    let third = after.strip_prefix(b"[").filter(|it| !it.starts_with(b"!"));
    let third = third.and_then(|it| it.get(memchr::memchr2(b']', b'\n', it)?..));
    let is_last = third.is_some_and(
        |it| matches!(it, [b']', rest @ ..] if !rest.starts_with(b"[") && !rest.starts_with(b"(")),
    );
    let is_after = before.ends_with(b"]") && {
        let line = before.clamped(memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..);
        let open = memchr::memrchr(b'[', line);
        open.is_some_and(|open| !line.clamped(..open).ends_with(b"]"))
    };
    middle.is_some() && (is_last && !before.ends_with(b"]") || is_after && !after.starts_with(b"["))
}

/// True for an entry of a change log in a file of its own. It is shown only within the change log,
/// which has the definitions.
pub(super) fn is_fragment(path: &Path) -> bool {
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
    stem.eq_ignore_ascii_case("changelog") && commits.nth(TOO_FEW_LINKS).is_some()
}

/// This many undefined labels, or links to commits, or fewer say nothing about a document.
const TOO_FEW_LINKS: usize = 3;

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
