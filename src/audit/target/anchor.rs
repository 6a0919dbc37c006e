//! `missing-anchor`: a fragment to which its document has no answer (RFC 3986 §3.5).

use std::path::Path;
use std::sync::Arc;

use crate::audit::anchors::Anchors;
use crate::audit::finding::{AuditFinding, Check, Severity, cut};
use crate::audit::link_context::{LinkContext, Scope};
use crate::audit::lookup::Entry;
use crate::audit::options::Slugs;
use crate::audit::target::LinkTarget;
use crate::audit::target::path::decoded;

pub static CHECK: Check = Check {
    id: "missing-anchor",
    severity: Severity::Warning,
    summary: "a fragment that names no heading and no id of its document",
    rationale: "The reader ends up at the top of the page (RFC 3986 section 3.5, HTML Standard \
                section 7.4.6.4).",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let target = context.target()?;
    let scope = context.scope;
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
            other = scope.files.anchors(path)?;
            &*other
        }
        (Some(path), Entry::Directory) => {
            other = index(scope, path)?;
            &*other
        }
        _ => return None,
    };
    // as it is written first, then decoded (HTML Standard, section 7.4.6.4)
    let decoded = decoded(fragment).unwrap_or_default();
    if anchors.contains(fragment) || anchors.contains(&decoded) {
        return None;
    }
    if is_of_forge(fragment, target, scope) || is_lines_of_rustdoc(fragment, anchors) {
        return None;
    }
    let fragment = decoded.as_str();
    let place = match &target.path {
        Some(path) => format!("`{}` has", path.display()),
        None => "the document has".to_owned(),
    };
    let mut finding = context.finding(&CHECK, format!("{place} no anchor `{fragment}`"));
    finding.hint = anchors.nearest(fragment).map(|name| format!("there is `#{}`", cut(name)));
    Some(finding)
}

/// Fragments that lead somewhere in any document, or that a script reads.
fn is_for_all(fragment: &str) -> bool {
    fragment.is_empty()
        || fragment.eq_ignore_ascii_case("top")
        || fragment.starts_with(['/', '!', '?'])
}

/// What a forge makes of a fragment: the lines of a file, `L10-L20`, the README on the page of a
/// repository, an image for one of two themes.
fn is_of_forge(fragment: &str, target: &LinkTarget, scope: &Scope<'_>) -> bool {
    if !matches!(scope.options.slugs, Slugs::Any | Slugs::Github | Slugs::Gitlab) {
        return false;
    }
    let stem = target.path.as_deref().unwrap_or(scope.path).file_stem();
    let is_readme = stem.is_some_and(|stem| stem.eq_ignore_ascii_case("readme"));
    let (first, last) = match fragment.split_once('-') {
        Some((first, last)) => (first, Some(last)),
        None => (fragment, None),
    };
    let is_line = |line: &str| line.strip_prefix('L').is_some_and(is_place);
    is_line(first) && last.is_none_or(|last| is_line(last) || is_place(last))
        || fragment == "readme" && is_readme
        || matches!(fragment, "gh-light-mode-only" | "gh-dark-mode-only")
}

/// `10` or `10C4`.
fn is_place(place: &str) -> bool {
    let mut numbers = place.splitn(2, 'C');
    numbers.all(is_number)
}

/// `173-177` in a source file that rustdoc shows: its script marks the lines, each of which has an id.
fn is_lines_of_rustdoc(fragment: &str, anchors: &Anchors) -> bool {
    let lines = fragment.split_once('-');
    lines
        .is_some_and(|(first, last)| is_number(first) && is_number(last) && anchors.contains(first))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The anchors of what a server or a forge shows for a directory.
fn index(scope: &Scope<'_>, directory: &Path) -> Option<Arc<Anchors>> {
    ["index.html", "README.md", "index.md", "readme.md"].iter().find_map(|name| {
        let path = directory.join(name);
        (scope.files.look(&path) == Entry::File).then(|| scope.files.anchors(&path))?
    })
}
