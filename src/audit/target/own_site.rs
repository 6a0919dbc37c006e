//! `own-site`: a published URL of the site that these documents become, with no page in the tree.

use std::path::{Path, PathBuf};

use super::path::{self, PathCandidates};
use super::{Destination, LinkTarget, Unchecked, generated, joined, local};
use crate::UriRef;
use crate::audit::finding::shown_path;
use crate::audit::{AuditFinding, Check, LinkContext, PathStatus, Severity};

pub static CHECK: Check = Check {
    id: "own-site",
    severity: Severity::Warning,
    summary: "a published URL of this site that matches none of its pages",
    rationale: "The settings of the site, or its file `CNAME`, name its host. Moving a page \
                breaks such a URL like a relative link, but only once the site is published.",
    fails: "[start](https://this-site.dev/guide/star.html)",
    passes: "[start](https://this-site.dev/guide/start.html)",
};

/// True for a URL on the host of the site.
pub fn is_own(context: &LinkContext<'_>) -> bool {
    let Some(parsed) = context.parsed() else { return false };
    let reference = parsed.reference();
    let is_web = matches!(reference.scheme(), Some("http" | "https") | None);
    let serves = |host| context.page.site.serves(host, reference.path());
    is_web && reference.host().is_some_and(serves)
}

/// Resolves such a URL.
///
/// A host may also serve what other repositories publish, so a page is only missed in a directory
/// that this tree has, or if nothing else is published there.
pub fn destination<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    match local(context, reference) {
        Destination::Target(target) => {
            let is_sure = match &target.entry {
                PathStatus::Missing { nearest } => {
                    has_directory(context, reference.path())
                        || is_at_root(context, reference.path(), nearest.is_some())
                        || is_whole_host(context)
                }
                _ => true,
            };
            let is_missing = matches!(target.entry, PathStatus::Missing { .. });
            match is_sure {
                true if is_missing && is_of_other_version(context, reference.path()) => {
                    Destination::Unchecked(Unchecked::Version)
                }
                true => Destination::Target(target),
                false => Destination::Unchecked(Unchecked::Host),
            }
        }
        Destination::Unchecked(Unchecked::Apart) if is_whole_host(context) => {
            let PathCandidates::Paths(mut places) = path::candidates(context, reference.path())
            else {
                return Destination::Unchecked(Unchecked::Apart);
            };
            let missing = PathStatus::Missing { nearest: None };
            let path = places.next().map(Into::into);
            Destination::Target(LinkTarget::new(path, missing, reference.fragment()))
        }
        other => other,
    }
}

/// True for a page that another version of the documentation has: an address without a version
/// leads to the last one, and not to that of the document.
fn is_of_other_version(context: &LinkContext<'_>, path: &str) -> bool {
    let page = context.page;
    let inside = path.strip_prefix(page.site.base.as_str()).unwrap_or(path).trim_matches('/');
    let Some(inside) = joined(Path::new(""), inside) else { return false };
    let is_page =
        |place: PathBuf| generated::find(&page.site, page.files, &place).1 == PathStatus::File;
    !page.site.rules().version_directories.is_empty() && page.site.in_versions(&inside).any(is_page)
}

/// True if the host serves this site and nothing else: the settings and the file `CNAME` in the
/// tree name it, and the site is at its root. GitHub Pages serve other repositories only below the
/// host of that which is called like a host itself ("About custom domains and GitHub Pages").
fn is_whole_host(context: &LinkContext<'_>) -> bool {
    let site = &context.page.site;
    let names_host = |remote: &String| {
        let name = remote.rsplit('/').next().unwrap_or_default();
        name.ends_with(".github.io") || name.ends_with(".github.com")
    };
    let mut remotes = site.repository.iter().flat_map(|it| &it.remotes).peekable();
    site.is_whole_host && remotes.peek().is_some() && !remotes.any(names_host)
}

/// True for a page at the root of the site that certainly belongs to this site: other repositories
/// publish below directories of their own, so a file is not theirs, and neither is a name that
/// resembles one of the tree.
fn is_at_root(context: &LinkContext<'_>, path: &str, resembles_file: bool) -> bool {
    let inside = path.strip_prefix(context.page.site.base.as_str()).unwrap_or_default();
    let name = inside.trim_end_matches('/');
    let is_file = [".html", ".htm", ".md"].iter().any(|ending| name.ends_with(ending));
    !name.is_empty() && !name.contains('/') && (is_file || resembles_file)
}

/// True if the tree has the directory of this path, which is not the root of the site.
fn has_directory(context: &LinkContext<'_>, path: &str) -> bool {
    let directory = path.trim_end_matches('/').rsplit_once('/').map_or("", |(parent, _)| parent);
    if directory.len() < context.page.site.base.len() {
        return false;
    }
    match path::candidates(context, directory) {
        PathCandidates::Paths(mut places) => {
            places.any(|place| context.page.files.probe(&place) == PathStatus::Directory)
        }
        _ => false,
    }
}

pub fn finding(context: &LinkContext<'_>, path: &Path) -> AuditFinding {
    let message = format!("the site has no page here: no file `{}`", shown_path(path));
    context.finding(&CHECK, message)
}
