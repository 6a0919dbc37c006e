//! Links between the pages of a wiki, whose addresses are those of a forge: `Page`, `../wiki/Page`,
//! `https://github.com/owner/name/wiki/Page`.

use std::ffi::OsStr;

use super::path::decoded;
use super::{Destination, LinkTarget, forge, joined};
use crate::UriRef;
use crate::audit::finding::is_among;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::WikiRule;
use crate::audit::{LinkContext, PathStatus};
use crate::document::picture;

/// Resolves a path that names no file beside the page; `None` if no page has the name.
pub(super) fn instead<'s>(
    context: &LinkContext<'s>,
    path: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let page = context.page;
    if page.site.rules().wiki == WikiRule::None || !page.is_source() {
        return None;
    }
    // The first page is shown at `/owner/name/wiki` as well, and the menu beside it.
    let path = if is_beside_wiki(page) { path.strip_prefix("wiki/").unwrap_or(path) } else { path };
    let stack = if path.starts_with('/') { vec![] } else { vec!["owner", "name", "wiki"] };
    let stack = forge::walked(stack, path);
    match stack.as_slice() {
        // Each page has `_history` and `_edit`, and the wiki `_new`.
        ["owner", "name", "wiki", .., last] if is_of_page(last) => Some(Destination::Elsewhere),
        ["owner", "name", "wiki", names @ ..] if !names.is_empty() => {
            let name = names.join("/");
            named(page, &name, fragment).or_else(|| missing(page, path, &name, fragment))
        }
        ["owner", "name", name, ..] if !forge::is_page(name) => None,
        // Other pages of the forge. A wiki of its own starts at `/`.
        names => named(page, &names.join("/"), fragment).or(Some(Destination::Elsewhere)),
    }
}

/// Resolves the URL of a page; `None` if it is none of this wiki.
pub(super) fn of_url<'s>(
    context: &LinkContext<'s>,
    reference: &UriRef<'s>,
) -> Option<Destination<'s>> {
    let page = context.page;
    let repository = page.site.repository.as_ref()?;
    let name = repository.wiki_page(reference.host()?, reference.path())?;
    let name = name.trim_end_matches('/');
    if name.is_empty() || name.rsplit('/').next().is_some_and(is_of_page) {
        return None;
    }
    let fragment = reference.fragment();
    named(page, name, fragment).or_else(|| {
        let path = joined(&repository.directory, name)?;
        let missing = PathStatus::Missing { nearest: None };
        Some(Destination::Target(LinkTarget::new(Some(path.into()), missing, fragment)))
    })
}

/// Returns the missing page that `../wiki/Page` names.
fn missing<'s>(
    page: &AuditedPage<'_>,
    path: &str,
    name: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let place = joined(page.directory(), name).filter(|_| path.starts_with("../"))?;
    let entry = page.files.look(&place);
    Some(Destination::Target(LinkTarget::new(Some(place.into()), entry, fragment)))
}

/// Returns the page or file of this name, wherever it is.
fn named<'s>(
    page: &AuditedPage<'_>,
    name: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let found = page.files.page_named(&page.site, page.path, &decoded(name)?)?;
    Some(Destination::Target(LinkTarget::new(Some(found.into()), PathStatus::File, fragment)))
}

/// True for a page that is shown at the address of the wiki without a name.
fn is_beside_wiki(page: &AuditedPage<'_>) -> bool {
    let stem = page.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    stem.eq_ignore_ascii_case("home") || stem.starts_with('_')
}

/// True for an address that each page has beside its own, or the wiki as a whole.
fn is_of_page(name: &str) -> bool {
    is_among("_compare _edit _history _new _pages", name)
}

/// Returns the name of a page and a heading in `[[label|name#heading]]`. Gollum has the label first
/// in all markups but that of MediaWiki, and after the name of a picture the options of it.
pub(super) fn parts(text: &str) -> (&str, &str) {
    let mut parts = text.split('|').map(str::trim);
    let first = parts.next().unwrap_or_default();
    let target = match parts.next() {
        // The address of another site comes first.
        Some(second) if !picture::is_path(first.as_bytes()) && !first.contains("://") => second,
        _ => first,
    };
    // A URL, and what Gollum puts in the place of the link.
    let target = target.strip_prefix("include:").unwrap_or(target);
    if target.contains(':') || target.starts_with('_') {
        return ("", "");
    }
    let (name, fragment) = target.split_once('#').unwrap_or((target, ""));
    (name.trim(), fragment.trim())
}
