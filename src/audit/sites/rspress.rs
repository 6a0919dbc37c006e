//! [Rspress](https://rspress.rs/).

use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{
    ALIASES, AutolinkRule, DirectoryRule, FEEDS, FILES, LinkBase, RootedRule, SiteRules,
    UntranslatedRule,
};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["rspress.config.*"],
    content_keys: &["root"],
    base_keys: &["base"],
    host_keys: &["siteOrigin"],
    content: &["docs"],
    statics: &["docs/public"],
    outputs: &["doc_build"],
    slugs: Slugs::GithubSlugger,
    endings: &[
        ".md",
        ".mdx",
        "/index.md",
        "/index.mdx",
        ".tsx",
        ".jsx",
        "/index.tsx",
        "/index.jsx",
        ".html",
        "/index.html",
    ],
    swaps: &[(".html", ".md"), (".html", ".mdx")],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    directories: DirectoryRule::NeedsIndex,
    languages: &["docs"],
    untranslated: UntranslatedRule::All,
    rooted: RootedRule::OfLanguage,
    aliases: ALIASES,
    generated: FEEDS,
    autolinks: AutolinkRule::Linked,
    menu: MenuRule::Automatic,
    menus: &[
        MenuFile { path: "rspress.config.*", keys: LINKS, values: MenuValues::Addresses },
        MenuFile { path: "docs/_nav.json", keys: LINKS, values: MenuValues::Addresses },
    ],
    ..FILES
};

const LINKS: MenuKeys = MenuKeys::Named(&["link"]);
