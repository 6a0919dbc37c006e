//! `own-site`: a published URL of the site that these documents become, with no page in the tree.

use std::path::Path;

use super::path::{self, Places};
use super::{Destination, local};
use crate::UriRef;
use crate::audit::finding::shown_path;
use crate::audit::{AuditFinding, Check, LinkContext, PathStatus, Severity};

pub static CHECK: Check = Check {
    id: "own-site",
    severity: Severity::Warning,
    summary: "a published URL of this site that leads to none of its pages",
    rationale: "The settings of the site, or its file `CNAME`, name its host. A page that was moved \
                breaks such a URL as it breaks a relative link, but only once it is published.",
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
/// that this tree has.
pub fn destination<'s>(context: &LinkContext<'s>, reference: &UriRef<'s>) -> Destination<'s> {
    match local(context, reference) {
        Destination::Target(target) => {
            let is_sure = match &target.entry {
                PathStatus::Missing { nearest } => {
                    has_directory(context, reference.path())
                        || is_at_root(context, reference.path(), nearest.is_some())
                }
                _ => true,
            };
            match is_sure {
                true => Destination::Target(target),
                false => Destination::Elsewhere,
            }
        }
        // Links to the web need no note about what can't be checked here.
        Destination::Elsewhere | Destination::Unchecked(_) => Destination::Elsewhere,
    }
}

/// True for a page at the root of the site that is certainly of this site: other repositories publish
/// below directories of their own, so a file is none of theirs, and neither is a name that resembles
/// one of the tree.
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
    match path::of(context, directory) {
        Places::Paths(mut places) => {
            places.any(|place| context.page.files.probe(&place) == PathStatus::Directory)
        }
        _ => false,
    }
}

pub fn finding(context: &LinkContext<'_>, path: &Path) -> AuditFinding {
    let message = format!("the site has no page here: no file `{}`", shown_path(path));
    context.finding(&CHECK, message)
}
