//! [Astro](https://docs.astro.build/) and [Starlight](https://starlight.astro.build/).

use super::edited::EditKey;
use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{
    ALIASES, AddressBase, AutolinkRule, BaseRule, DirectoryRule, FEEDS, FILES, LinkBase, MenuPaths,
    NameRule, PageDirectoryRule, SiteRules, UntranslatedRule,
};
use crate::audit::Slugs;

const SIDEBAR: MenuKeys = MenuKeys::Named(&["link", "slug"]);
/// Attributes of links in components.
const ATTRIBUTES: MenuKeys = MenuKeys::Attributes(&["href", "link", "to"]);
const REDIRECTS: MenuValues = MenuValues::AddressesAndRedirects;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["astro.config.*"],
    base_keys: &["base"],
    host_keys: &["site"],
    edit_key: Some(EditKey::Address("editLink")),
    content: &["src/content/docs", "src/content", "src/pages"],
    statics: &["public"],
    parts: &["src/components", "src/includes", "src/layouts", "src/partials", "src/snippets"],
    outputs: &["dist"],
    // A picture of Markdown without `./` is an import, which Astro's `vite-plugin-config-alias`
    // looks up below `compilerOptions.baseUrl`.
    import_settings: &["tsconfig.json", "jsconfig.json"],
    slugs: Slugs::GithubSlugger,
    endings: &[
        ".md",
        ".mdx",
        ".astro",
        "/index.md",
        "/index.mdx",
        "/index.astro",
        ".html",
        "/index.html",
        // `src/pages/a.json.ts` answers `/a.json` (Astro, "Endpoints").
        ".ts",
        ".js",
    ],
    swaps: &[],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    page_directories: PageDirectoryRule::Always,
    directories: DirectoryRule::NeedsIndex,
    names: NameRule::FileSlugged,
    languages: &["src/content/docs"],
    untranslated: UntranslatedRule::All,
    aliases: ALIASES,
    routes: Some(("src/pages", "starlight")),
    dynamic: &["src/pages"],
    address_keys: &["slug"],
    address_base: AddressBase::Root,
    generated: FEEDS,
    autolinks: AutolinkRule::Linked,
    menu: MenuRule::Automatic,
    menus: &[
        MenuFile { path: "astro.config.*", keys: SIDEBAR, values: REDIRECTS },
        // The settings may import the sidebar.
        MenuFile { path: "sidebar*", keys: SIDEBAR, values: REDIRECTS },
        MenuFile { path: "*/sidebar*", keys: SIDEBAR, values: REDIRECTS },
        MenuFile { path: "src/*/sidebar*", keys: SIDEBAR, values: REDIRECTS },
        MenuFile { path: "src/pages/", keys: ATTRIBUTES, values: MenuValues::OfPrograms },
        MenuFile { path: "src/components/", keys: ATTRIBUTES, values: MenuValues::OfPrograms },
        MenuFile { path: "src/layouts/", keys: ATTRIBUTES, values: MenuValues::OfPrograms },
    ],
    file_keys: &["customCss", "dark", "favicon", "light", "src"],
    base: BaseRule::Written,
    menu_paths: MenuPaths::Rooted,
    ..FILES
};
