//! `missing-anchor`: a fragment to which its document has no answer (RFC 3986 §3.5).

use std::path::Path;
use std::sync::Arc;

use crate::audit::anchors::Anchors;
use crate::audit::fault::{Check, Fault, Severity};
use crate::audit::options::Slugs;
use crate::audit::subject::{Scope, Subject};
use crate::audit::target::Target;
use crate::audit::tree::Entry;

pub static CHECK: Check = Check {
    id: "missing-anchor",
    severity: Severity::Warning,
    summary: "a fragment that names no heading and no id of its document",
    rationale: "The reader ends up at the top of the page (RFC 3986 section 3.5, HTML Standard \
                section 7.4.6.4).",
};

pub fn check(subject: &Subject<'_>) -> Option<Fault> {
    let target = subject.target()?;
    let scope = subject.scope;
    let fragment = target.fragment.as_deref()?;
    // what follows is a text to look for (URL Fragment Text Directives, section 3)
    let fragment = fragment.split(":~:").next().unwrap_or_default();
    if is_for_all(fragment) {
        return None;
    }
    let other;
    let anchors = match (&target.path, &target.entry) {
        (None, _) => {
            scope.facts.format()?;
            scope.anchors()
        }
        (Some(path), _) if path == scope.path => scope.anchors(),
        (Some(path), Entry::File) => {
            other = scope.tree.anchors(path)?;
            &*other
        }
        (Some(path), Entry::Directory) => {
            other = index(scope, path)?;
            &*other
        }
        _ => return None,
    };
    if anchors.contains(fragment) || is_line(fragment, target, scope) {
        return None;
    }
    let place = match &target.path {
        Some(path) => format!("`{}` has", path.display()),
        None => "the document has".to_owned(),
    };
    let mut fault = subject.fault(&CHECK, format!("{place} no anchor `{fragment}`"));
    fault.hint = anchors
        .nearest(fragment)
        .map(|name| format!("there is `#{name}`"));
    Some(fault)
}

/// Fragments that lead somewhere in any document, or that a script reads.
fn is_for_all(fragment: &str) -> bool {
    fragment.is_empty()
        || fragment.eq_ignore_ascii_case("top")
        || fragment.starts_with(['/', '!', '?'])
}

/// Lines of a file as forges show it, `L10-L20`, and the README on the page of a repository.
fn is_line(fragment: &str, target: &Target, scope: &Scope<'_>) -> bool {
    if !matches!(
        scope.options.slugs,
        Slugs::Any | Slugs::Github | Slugs::Gitlab
    ) {
        return false;
    }
    let mut lines = fragment.splitn(2, '-');
    let is_place = |text: &str, first: bool| {
        let digits = match text.strip_prefix('L') {
            Some(digits) => digits,
            None if !first => text,
            None => return false,
        };
        let mut numbers = digits.splitn(2, 'C');
        numbers.all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_lines = lines.next().is_some_and(|line| is_place(line, true))
        && lines.next().is_none_or(|line| is_place(line, false));
    let stem = target.path.as_deref().unwrap_or(scope.path).file_stem();
    let is_readme = stem.is_some_and(|stem| stem.eq_ignore_ascii_case("readme"));
    is_lines || fragment == "readme" && is_readme
}

/// The anchors of what a server or a forge shows for a directory.
fn index(scope: &Scope<'_>, directory: &Path) -> Option<Arc<Anchors>> {
    ["index.html", "README.md", "index.md", "readme.md"]
        .iter()
        .find_map(|name| {
            let path = directory.join(name);
            (scope.tree.look(&path) == Entry::File).then(|| scope.tree.anchors(&path))?
        })
}
