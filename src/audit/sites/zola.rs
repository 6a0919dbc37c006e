//! [Zola](https://www.getzola.org/documentation/).

use super::menu::MenuRule;
use super::rules::{FILES, LinkBase, MarkdownRule, NameRule, PageDirectoryRule, SiteRules};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["config.toml#base_url"],
    base_keys: &["base_url"],
    content: &["content"],
    content_prefix: Some("@/"),
    statics: &["static"],
    outputs: &["public"],
    slugs: Slugs::Any,
    endings: &[".md", "/index.md", "/_index.md"],
    links: LinkBase::Either,
    markdown: MarkdownRule::Kept,
    html_links: LinkBase::Either,
    page_directories: PageDirectoryRule::Always,
    names: NameRule::Slugged,
    address_keys: &["path", "slug", "aliases"],
    generated: &["tags", "categories", "atom.xml", "rss.xml", "sitemap.xml"],
    menu: MenuRule::Automatic,
    ..FILES
};
