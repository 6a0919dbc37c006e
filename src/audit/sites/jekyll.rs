//! [Jekyll](https://jekyllrb.com/docs/), which GitHub Pages runs.

use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{
    CollectionRule, ContentStart, FILES, LinkBase, LiquidRule, MoreMounts, NameRule,
    PageDirectoryRule, PageRule, SiteRules, ThemeRule,
};
use crate::audit::Slugs;
use crate::document::{Dialect, SiteValue, SiteValues};

pub(super) static RULES: SiteRules = SiteRules {
    // Hexo's settings have the same name.
    markers: &["_config.yml#!new_post_name:", "_config.yaml"],
    command: Some("jekyll"),
    content_keys: &["source"],
    content_start: ContentStart::Build,
    base_keys: &["baseurl"],
    host_keys: &["url"],
    content: &["."],
    pages: PageRule::WithFrontMatter,
    parts: &["node_modules", "vendor"],
    part_names: &["_data", "_includes", "_layouts", "_plugins", "_sass"],
    plugins: Some("_plugins"),
    theme: Some(ThemeRule { keys: &["theme", "remote_theme"], directories: &["assets"] }),
    liquid: Some(LiquidRule {
        includes_key: "includes_dir",
        includes: "_includes",
        is_quoted: false,
    }),
    outputs: &["_site"],
    slugs: Slugs::Jekyll,
    dialect: Dialect::Kramdown(SiteValues::NONE),
    endings: &[".md", ".markdown", ".html", "/index.md", "/index.html", "/README.md"],
    swaps: &[(".html", ".md"), (".html", ".markdown"), ("/index.html", "/README.md")],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    page_directories: PageDirectoryRule::IfSetting("permalink", "pretty"),
    names: NameRule::Slugged,
    more_mounts: MoreMounts::Permalinks,
    address_keys: &["permalink", "redirect_from"],
    category_keys: &["categories", "category"],
    generated: &["feed.xml", "sitemap.xml"],
    menu: MenuRule::Automatic,
    menus: &[MenuFile {
        path: "_data/",
        keys: MenuKeys::Named(&["href", "link", "url"]),
        values: MenuValues::OfTemplates,
    }],
    collections: CollectionRule::Underscored,
    ..FILES
};

/// Returns the settings whose values are addresses of the site.
pub(super) fn values(settings: &str) -> SiteValues {
    let unquoted = |value: &str| {
        let value = value.trim();
        let quoted = ['"', '\''].iter().find_map(|&mark| {
            let rest = value.strip_prefix(mark)?;
            Some(rest.split(mark).next().unwrap_or_default())
        });
        let value = quoted.unwrap_or_else(|| value.split(" #").next().unwrap_or_default().trim());
        value.trim_end_matches('/').to_owned()
    };
    let pairs = settings.lines().filter_map(|line| line.split_once(':'));
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    let pairs: Vec<(&str, String)> = pairs
        .filter(|(name, _)| is_name(name))
        .map(|(name, value)| (name, unquoted(value)))
        .take(MAX_SETTINGS)
        .collect();
    let of = |name: &str| {
        let found = pairs.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let (host, path) = (of("url"), of("baseurl"));
    let whole = format!("{host}{path}");
    let is_host = host.contains("://");
    let base = match path {
        // Without a path, the host alone is the address of the site.
        "" => SiteValue::Whole,
        _ => SiteValue::Path,
    };
    let others = pairs.iter().filter(|(name, _)| *name != "baseurl").filter_map(|(name, value)| {
        let value = match value.as_str() {
            value if is_host && value == whole => SiteValue::Whole,
            value if is_host && value == host => SiteValue::Host,
            value if !path.is_empty() && value == path => SiteValue::Path,
            _ => return None,
        };
        Some(((*name).to_owned(), value))
    });
    SiteValues::new(std::iter::once(("baseurl".to_owned(), base)).chain(others).collect())
}

/// Maximum number of settings that are examined.
const MAX_SETTINGS: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_settings() {
        use SiteValue::{Host, Path, Whole};
        let settings = "title: A\nbaseurl: \"\" # none\nurl: 'https://a.dev'\nhome: https://a.dev/\ncdn: https://b.dev\n";
        check(settings, &[("baseurl", Whole), ("url", Whole), ("home", Whole)]);
        let settings = "baseurl: /b\nurl: https://a.dev\nhome: https://a.dev/b\n  url: c\n";
        check(settings, &[("baseurl", Path), ("url", Host), ("home", Whole)]);
        check("title: A\n", &[("baseurl", Whole)]);
    }

    #[track_caller]
    fn check(settings: &str, expected: &[(&str, SiteValue)]) {
        let values = values(settings);
        let found: Vec<_> = values.named().iter().map(|(name, it)| (name.as_str(), *it)).collect();
        assert_eq!(found, expected);
    }
}
