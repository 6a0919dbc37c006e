//! [Docusaurus](https://docusaurus.io/docs).

use super::edited::EditKey;
use super::menu::MenuRule;
use super::rules::{
    ALIASES, AddressBase, ContentRule, DirectoryRule, FILES, FileLookup, IndexRule, LinkBase,
    MountKeys, NameRule, SiteRules,
};
use crate::audit::Slugs;
use crate::document::Dialect;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["docusaurus.config.*"],
    content_keys: &["path"],
    content_rule: ContentRule::BesideDefault,
    version_directories: &["versioned_docs", "docusaurus-plugin-content-docs"],
    base_keys: &["baseUrl"],
    host_keys: &["url"],
    edit_key: Some(EditKey::OfPlugin("editUrl")),
    content: &["docs", "blog", "src/pages", "versioned_docs", "i18n", "community", "src"],
    content_prefix: Some("@site/"),
    statics: &["static", "."],
    excluded_keys: &["exclude"],
    // Of `src`, only the documents in `src/pages` are pages.
    excluded: &["src/components/**/README.md", "src/theme/**/README.md"],
    outputs: &["build"],
    slugs: Slugs::GithubSlugger,
    dialect: Dialect::Mdx,
    endings: &[
        ".md",
        ".mdx",
        "/index.md",
        "/index.mdx",
        "/README.md",
        "/README.mdx",
        ".js",
        ".jsx",
        ".tsx",
        "/index.js",
        "/index.tsx",
        ".html",
        "/index.html",
    ],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    lookup: FileLookup::ContentToo,
    index: IndexRule::LikeDirectory,
    directories: DirectoryRule::NeedsIndex,
    names: NameRule::Slugged,
    languages: &["i18n"],
    mounts: Some(MountKeys { source: "path", target: "routeBasePath", roots: &[""] }),
    aliases: ALIASES,
    address_keys: &["slug", "id"],
    address_base: AddressBase::Directory,
    generated: &[
        "docs/tags",
        "blog/tags",
        "blog/archive",
        "blog/page",
        "tags",
        "search",
        "category",
        "docs/category",
        // Of the plugins that every preset has.
        "atom.xml",
        "feed.json",
        "rss.xml",
        "sitemap.xml",
    ],
    posts: &["blog"],
    schemes: &["pathname"],
    menu: MenuRule::Automatic,
    ..FILES
};
