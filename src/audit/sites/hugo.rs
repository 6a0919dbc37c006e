//! [Hugo](https://gohugo.io/documentation/).

use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{
    AutolinkRule, FILES, FileLookup, LanguageNameRule, LayoutRule, LinkBase, MarkdownRule,
    MountKeys, NameRule, PageDirectoryRule, SiteRules, TranslationRule, UnderscoredIndex,
    UntranslatedRule,
};
use crate::audit::Slugs;
use crate::document::LinkOrigin;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &[
        "hugo.toml",
        "hugo.yaml",
        "hugo.yml",
        "hugo.json",
        "config/_default",
        "config.toml",
        // Other programs also use these names (rclone's site still has `config.json`, and a theme
        // of Astro has `src/config.yaml`).
        "config.yaml#baseurl",
        "config.yaml#baseURL",
        "config.yaml#baseUrl",
        "config.yaml#languageCode",
        "config.json#baseurl",
        "config.json#baseURL",
        "config.yml#baseURL",
    ],
    content_keys: &["contentDir", "contentdir"],
    base_keys: &["baseURL", "baseurl", "baseUrl"],
    content: &["content"],
    statics: &["static", "assets"],
    parts: &["layouts", "archetypes", "assets"],
    outputs: &["public"],
    slugs: Slugs::GithubSlugger,
    // Hugo 0.144 introduced the new name. Names of settings are case-insensitive.
    slug_keys: &["autoIDType", "autoHeadingIDType", "autoidtype", "autoheadingidtype"],
    endings: &[
        ".md",
        "/index.md",
        "/_index.md",
        ".html",
        "/index.html",
        "/_index.html",
        ".adoc",
        "/README.md",
    ],
    swaps: &[(".html", ".md"), ("/index.html", "/_index.md")],
    links: LinkBase::Either,
    markdown: MarkdownRule::Kept,
    html_links: LinkBase::Either,
    page_directories: PageDirectoryRule::Always,
    lookup: FileLookup::AroundBundles,
    names: NameRule::Slugged,
    languages: &["content"],
    language_names: LanguageNameRule::Listed,
    untranslated: UntranslatedRule::Files,
    title_table: Some("permalinks"),
    mounts: Some(MountKeys { source: "source", target: "target", roots: &["content", "static"] }),
    hooks: &["layouts/_markup/render-link.html", "layouts/_default/_markup/render-link.html"],
    address_keys: &["url", "slug", "aliases", "from"],
    redirecting: &[
        "layouts/home.redirects",
        "layouts/home.redir",
        "layouts/index.redirects",
        "layouts/index.redir",
    ],
    generated: &["tags", "categories", "index.xml", "sitemap.xml"],
    autolinks: AutolinkRule::Linked,
    menu: MenuRule::Automatic,
    menus: &[
        MenuFile { path: "hugo.*", keys: MENUS, values: MenuValues::Addresses },
        MenuFile { path: "config.json", keys: MENUS, values: MenuValues::Addresses },
        MenuFile { path: "config.toml", keys: MENUS, values: MenuValues::Addresses },
        MenuFile { path: "config.y*", keys: MENUS, values: MenuValues::Addresses },
        MenuFile { path: "config/_default/config.*", keys: MENUS, values: MenuValues::Addresses },
        MenuFile { path: "config/_default/hugo.*", keys: MENUS, values: MenuValues::Addresses },
        MenuFile { path: "config/_default/menu*", keys: ENTRIES, values: MenuValues::Addresses },
        MenuFile { path: "config/_default/menu*/*", keys: ENTRIES, values: MenuValues::Addresses },
    ],
    constructs: &[LinkOrigin::Shortcode, LinkOrigin::ShortcodeArgument],
    layouts: LayoutRule::MayShowData,
    underscored_index: UnderscoredIndex::Found,
    translations: TranslationRule::Own,
    ..FILES
};

/// Keys of the entries in a file of menus.
const ENTRIES: MenuKeys = MenuKeys::Named(&["pageRef", "pageref", "url"]);

/// Keys of the entries of menus (Hugo, "Menus"), and of the menu of versions (Docsy, "Navigation").
const MENUS: MenuKeys =
    MenuKeys::NamedBelow(&["menu", "menus", "versions"], &["pageRef", "pageref", "url"]);

/// True if a directory below the content may be a language. A code of three letters without a
/// region must be in the settings: in nginx/documentation, `ngf`, `nic`, and `waf` are products.
pub(super) fn may_be_language(settings: &str, name: &str) -> bool {
    const LETTERS: usize = 2;
    // Codes of two letters, and codes with a region, are nearly always languages.
    if name.len() == LETTERS || name.contains('-') {
        return true;
    }
    // `[languages.deu]`, or `[deu]` in a file `languages.toml`.
    settings.lines().map(str::trim).any(|line| {
        let rest = line.trim_matches(['[', ']', '"']);
        let rest = rest.strip_prefix("languages.").unwrap_or(rest);
        rest.trim_end_matches([':', '{', ' ']) == name || line.contains(&format!("content/{name}"))
    })
}
