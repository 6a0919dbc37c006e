//! Files among the sources of a site that it does not publish, so that their links are not judged.

use std::ffi::OsStr;

use super::link_context::AuditedPage;

/// True for a page that its site excludes, for a page saved in place of a picture, and for a list
/// of addresses among the sources of a site, which the site itself generates.
pub(super) fn is_unpublished(page: &AuditedPage<'_>) -> bool {
    let site = &page.site;
    let name = page.path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_picture = name.ends_with(".svg") && page.facts.is_whole_page();
    let statics = || site.rules().statics.iter().filter(|name| **name != ".");
    let is_static = || page.path.ancestors().any(|it| statics().any(|name| it.ends_with(name)));
    let is_list = name.starts_with("sitemap") && name.ends_with(".xml");
    is_picture || site.leaves_out(page.path) || is_list && site.is_generated() && !is_static()
}
