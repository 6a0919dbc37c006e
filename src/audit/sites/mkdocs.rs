//! [MkDocs](https://www.mkdocs.org/), Material for MkDocs, and their successors: ProperDocs and
//! Zensical, which read the same documents.

use super::edited::EditKey;
use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{
    DirectoryRule, FEEDS, FILES, LinkBase, MoreMounts, MoreSettings, PageDirectoryRule, ReadmeRule,
    SettingsPaths, SiteRules,
};
use crate::audit::Slugs;
use crate::document::{Dialect, LinkOrigin};

pub(super) static RULES: SiteRules = SiteRules {
    markers: &[
        "mkdocs.yml",
        "mkdocs.yaml",
        "mkdocs.yml.in",
        "properdocs.yml",
        "properdocs.yaml",
        "zensical.toml",
    ],
    more_settings: Some(MoreSettings {
        start: "mkdocs",
        endings: &[".yml", ".yaml"],
        key: "docs_dir:",
    }),
    content_keys: &["docs_dir"],
    base_keys: &["site_url"],
    edit_key: Some(EditKey::Path("edit_uri", "repo_url")),
    content: &["docs"],
    inherit_key: Some("INHERIT"),
    more_mounts: MoreMounts::Included,
    // Templates and their files, which are published at `/`.
    parts: &[
        "docs/includes",
        "docs/overrides",
        "docs/snippets",
        "includes",
        "overrides",
        "snippets",
    ],
    static_keys: &["custom_dir"],
    readmes: ReadmeRule::UnlessIndexExists,
    outputs: &["site"],
    slugs: Slugs::Mkdocs,
    dialect: Dialect::Python,
    hooks: &["#hooks:", "#autorefs", "#mkdocstrings"],
    endings: &[".md", "/index.md", "/README.md", ".html", "/index.html"],
    swaps: &[("/index.html", "/index.md"), ("/index.html", ".md")],
    links: LinkBase::Unresolved,
    generated: FEEDS,
    html_links: LinkBase::Page,
    page_directories: PageDirectoryRule::Always,
    directories: DirectoryRule::NeedsIndex,
    menu: MenuRule::Settings("nav"),
    menus: &[MenuFile {
        path: "mkdocs.*",
        keys: MenuKeys::Below(&["nav"]),
        values: MenuValues::Sources,
    }],
    file_keys: &["extra_css", "extra_javascript", "favicon", "logo"],
    constructs: &[LinkOrigin::Snippet],
    settings_paths: SettingsPaths::Content,
    ..FILES
};
