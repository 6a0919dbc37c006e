//! [Jekyll](https://jekyllrb.com/docs/), which GitHub Pages runs.

use super::menu::MenuRule;
use super::rules::{
    Dialect, FILES, LinkBase, MoreMounts, NameRule, PageRule, SiteRules, ThemeRule,
};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
    // Hexo's settings have the same name.
    markers: &["_config.yml#!new_post_name:", "_config.yaml"],
    command: Some("jekyll"),
    content_keys: &["source"],
    base_keys: &["baseurl"],
    host_keys: &["url"],
    content: &["."],
    pages: PageRule::WithFrontMatter,
    parts: &["node_modules", "vendor"],
    part_names: &["_data", "_includes", "_layouts", "_plugins", "_sass"],
    plugins: Some("_plugins"),
    theme: Some(ThemeRule { keys: &["theme", "remote_theme"], directories: &["assets"] }),
    outputs: &["_site"],
    slugs: Slugs::Jekyll,
    dialect: Dialect::Kramdown,
    endings: &[".md", ".markdown", ".html", "/index.md", "/index.html", "/README.md"],
    swaps: &[(".html", ".md"), (".html", ".markdown"), ("/index.html", "/README.md")],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    names: NameRule::Slugged,
    more_mounts: MoreMounts::Permalinks,
    address_keys: &["permalink", "redirect_from"],
    category_keys: &["categories", "category"],
    generated: &["feed.xml", "sitemap.xml"],
    menu: MenuRule::Automatic,
    ..FILES
};
