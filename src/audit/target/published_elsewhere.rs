//! Addresses below directories that the tree does not have. Several repositories may publish on one
//! host, as well as old versions that no tree has any more.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Unchecked;
use crate::audit::finding::is_among;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::LinkBase;
use crate::audit::{LinkContext, PathStatus, paths};
use crate::document::LinkOrigin;

/// Words for versions whose directory a build or a server creates.
const VERSIONS: &str = "current dev devel edge head latest lts main master next nightly stable";

/// Returns why a missing address may be published from elsewhere. All five false errors on
/// swift.org were links to other projects' documentation on the same host.
pub fn reason(context: &LinkContext<'_>, places: &[PathBuf], written: &str) -> Option<Unchecked> {
    let page = context.page;
    if written.starts_with('/') && is_served_by_program(page) {
        return Some(Unchecked::Route);
    }
    // A path of a picture is not an address.
    let is_page = || Path::new(written).extension().is_none_or(|it| it == "md" || it == "html");
    let leads_away = written.starts_with('/') || written.starts_with("../") && is_page();
    // A missing file in a directory that is there is missing.
    let is_beside = |place: &PathBuf| place.parent().is_some_and(|it| !page.is_absent(it));
    // No other repository publishes a file that a link between files names.
    let is_file = || page.site.rules().links == LinkBase::File && written.ends_with(".md");
    if !leads_away
        || !written.starts_with('/') && page.is_source() && is_file()
        || context.link.origin == LinkOrigin::DocumentName
        || !page.site.is_generated()
        || places.iter().any(is_beside)
    {
        return None;
    }
    let mut below = places.iter().flat_map(|place| below_roots(page, place));
    if below.clone().any(|(root, inside)| is_of_version(page, root, &inside)) {
        return Some(Unchecked::Version);
    }
    let is_deep = below.clone().any(|(_, inside)| inside.iter().count() > 1);
    (is_deep && below.all(|(root, inside)| is_unknown(page, root, &inside)))
        .then_some(Unchecked::Apart)
}

/// True for HTML among the resources of a module of Gradle or Maven: the program in the module
/// serves it, and has routes of its own.
fn is_served_by_program(page: &AuditedPage<'_>) -> bool {
    const RESOURCES: [&str; 3] = ["src", "main", "resources"];
    let names: Vec<&OsStr> = page.path.iter().collect();
    !page.is_source() && names.windows(3).any(|it| it.iter().zip(RESOURCES).all(|(a, b)| *a == b))
}

/// True for an address whose first directory is unknown, so that only a guess says that this tree
/// should have it.
pub fn is_guess(page: &AuditedPage<'_>, path: &Path) -> bool {
    let mut below = below_roots(page, path);
    // A server may also have other directories than the HTML of a checkout.
    let is_part = page.site.repository.is_some() && !page.is_source();
    (page.site.is_generated() || is_part)
        && path.extension().is_none()
        && below.clone().next().is_some()
        && below.all(|(root, inside)| is_unknown(page, root, &inside))
}

/// Returns the path below each root that contains it.
fn below_roots<'p>(
    page: &'p AuditedPage<'_>,
    place: &'p Path,
) -> impl Iterator<Item = (&'p Path, PathBuf)> + Clone {
    let roots = page.site.roots_above(place).into_iter();
    roots.filter_map(move |root| Some((root, paths::below(root, place)?)))
}

/// True if neither a directory nor a page has the first name, or one like it.
fn is_unknown(page: &AuditedPage<'_>, root: &Path, inside: &Path) -> bool {
    let Some(first) = inside.iter().next() else { return false };
    let place = paths::join(paths::without_dot(root), &first.to_string_lossy());
    let is_page = || page.files.page(&page.site, &place).is_some();
    matches!(page.files.look(&place), PathStatus::Missing { nearest: None })
        && !page.site.rules().endings.iter().any(|ending| {
            let mut path = place.as_os_str().to_owned();
            path.push(ending);
            !page.is_absent(Path::new(&path))
        })
        && !page.site.is_mounted_at(first)
        && !is_page()
        && !first.to_str().is_some_and(|first| page.files.has_pages_below(&page.site, first))
}

/// True if the first name that is missing is that of a version, and not of the page itself.
fn is_of_version(page: &AuditedPage<'_>, root: &Path, inside: &Path) -> bool {
    let names: Vec<_> = inside.iter().filter_map(|name| name.to_str()).collect();
    let mut place = paths::without_dot(root).to_owned();
    for (at, name) in names.iter().enumerate() {
        place = paths::join(&place, name);
        if page.is_absent(&place) && !page.site.is_mounted_at(OsStr::new(name)) {
            let is_page = at + 1 == names.len();
            return is_version_number(name) || !is_page && is_among(VERSIONS, name);
        }
    }
    false
}

/// True for the name of a version: its number, or `latest`.
pub(in crate::audit) fn is_version(name: &str) -> bool {
    is_version_number(name) || is_among(VERSIONS, name)
}

/// True for `1.2`, `v2`, `v1.2.x`, and `28.x`, but not for a year.
fn is_version_number(name: &str) -> bool {
    let bare = name.strip_prefix('v').unwrap_or(name);
    let mut parts = bare.split('.');
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.next().is_some_and(is_part)
        && (bare.contains('.') || bare.len() < name.len())
        && parts.all(|part| part == "x" || is_part(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_versions() {
        for number in ["1.2", "v2", "v1.2.x", "28.x", "0.10"] {
            assert!(is_version_number(number), "{number}");
        }
        for name in ["2016", "x", "v", "vite", "1.", "1.2-beta", "a.1"] {
            assert!(!is_version_number(name), "{name}");
        }
    }
}
