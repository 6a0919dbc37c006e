//! [Mintlify](https://www.mintlify.com/docs).

use std::path::Path;

use super::discovery::{DirectoryLister, joined};
use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{FEEDS, FILES, InterfaceKeys, LinkBase, SiteRules};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
    // Files of other programs have the same name. The address is that of the JSON Schema.
    markers: &["docs.json#mintlify.com", "mint.json"],
    content: &["."],
    // Any file beside the settings is published.
    statics: &["."],
    parts: &["snippets"],
    // Mintlify does not document how it derives anchors.
    slugs: Slugs::Any,
    endings: &[".mdx", ".md", "/index.mdx", "/index.md"],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    included_key: Some("$ref"),
    interfaces: Some(InterfaceKeys {
        sources: &["openapi", "asyncapi"],
        directory: "directory",
        default: "api-reference",
    }),
    generated: FEEDS,
    menu: MenuRule::Settings("pages"),
    menus: &[
        MenuFile { path: "docs.json", keys: PAGES, values: MenuValues::Documents },
        MenuFile { path: "mint.json", keys: PAGES, values: MenuValues::Documents },
    ],
    file_keys: &["dark", "light"],
    ..FILES
};

/// Lists of pages, the first page of a group, links in bars, targets of redirects, and the image of
/// the site.
const PAGES: MenuKeys = MenuKeys::Named(&["pages", "root", "href", "destination", "favicon"]);

/// Fewer addresses in redirects do not show where a site is published.
const MIN_ADDRESSES: usize = 4;

/// Most targets of redirects that are looked up.
const MAX_TARGETS: usize = 64;

/// Returns the path at which the site is published, `/docs/`, if both ends of all its redirects start
/// with it, no page or directory has that name, and without it one of them leads to a page. The
/// settings don't name it: all 195 errors of formbricks were about such redirects.
pub(super) fn base(settings: &str, above: &Path, files: &dyn DirectoryLister) -> Option<String> {
    // Descriptions of interfaces have a `source`, too.
    let (_, redirects) = settings.split_once("\"redirects\"")?;
    let settings = redirects.split(']').next()?;
    let (sources, targets) = (strings(settings, "source"), strings(settings, "destination"));
    let first = sources.first()?.strip_prefix('/')?.split('/').next()?.to_owned();
    let start = format!("/{first}/");
    let is_page = |name: &String| {
        name.strip_prefix(first.as_str()).is_some_and(|rest| matches!(rest, "" | ".md" | ".mdx"))
    };
    let ends = sources.iter().chain(targets.iter().filter(|target| target.starts_with('/')));
    let is_base = sources.len() + targets.len() >= MIN_ADDRESSES
        && !first.is_empty()
        && ends.into_iter().all(|address| address.starts_with(&start))
        && !files.names(above).iter().any(is_page);
    let leads_to_page = |target: &&str| {
        let Some(place) = target.strip_prefix(&start).map(|rest| joined(above, rest)) else {
            return false;
        };
        let (Some(around), Some(name)) = (place.parent(), place.file_name()) else { return false };
        let name = name.to_string_lossy();
        let names = files.names(around);
        let mut endings = names.iter().filter_map(|it| it.strip_prefix(&*name));
        endings.any(|ending| matches!(ending, ".md" | ".mdx"))
    };
    (is_base && targets.iter().take(MAX_TARGETS).any(leads_to_page)).then_some(start)
}

/// Returns the strings that are values of a key in JSON.
fn strings<'t>(json: &'t str, key: &str) -> Vec<&'t str> {
    let key = format!("\"{key}\"");
    let values = json.split(&key).skip(1);
    let values = values.map(|rest| rest.trim_start().strip_prefix(':').unwrap_or_default());
    values.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
}
