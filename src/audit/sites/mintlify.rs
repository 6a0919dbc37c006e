//! [Mintlify](https://www.mintlify.com/docs).

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
