//! [VitePress](https://vitepress.dev/) and VuePress.

use super::edited::EditKey;
use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{ALIASES, AutolinkRule, ContentRule, DirectoryRule, FEEDS, FILES, SiteRules};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &[".vitepress", ".vuepress"],
    content_keys: &["srcDir"],
    content_rule: ContentRule::BesideDefault,
    base_keys: &["base"],
    host_keys: &["hostname"],
    edit_key: Some(EditKey::Address("editLink")),
    content: &["."],
    statics: &["public", ".vuepress/public"],
    excluded_keys: &["srcExclude"],
    outputs: &[".vitepress/dist"],
    slugs: Slugs::Vitepress,
    endings: &[".md", "/index.md", "/README.md", ".html", "/index.html"],
    swaps: &[(".html", ".md"), ("/index.html", "/index.md")],
    directories: DirectoryRule::NeedsIndex,
    aliases: ALIASES,
    // `[package].md` with a module that lists the packages (VitePress, "Dynamic Routes").
    dynamic: &["."],
    generated: FEEDS,
    autolinks: AutolinkRule::Linked,
    menu: MenuRule::Settings("sidebar"),
    menus: &[
        MenuFile { path: ".vitepress/*", keys: LINKS, values: MenuValues::Addresses },
        MenuFile { path: ".vitepress/config/*", keys: LINKS, values: MenuValues::Addresses },
        MenuFile { path: ".vuepress/*", keys: LINKS, values: MenuValues::Addresses },
        MenuFile { path: ".vuepress/config/*", keys: LINKS, values: MenuValues::Addresses },
    ],
    file_keys: &["dark", "light", "logo", "src"],
    address_function: Some("rewrites"),
    ..FILES
};

const LINKS: MenuKeys = MenuKeys::Named(&["link"]);

/// True if the settings name a plugin of markdown-it for `![a](b.png =20x30)`.
pub(super) fn has_picture_sizes(settings: &str) -> bool {
    const NAMES: [&str; 3] = ["markdown-it-imsize", "plugin-img-size", "markdown-it-image-size"];
    NAMES.iter().any(|name| settings.contains(name))
}
