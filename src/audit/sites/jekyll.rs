//! [Jekyll](https://jekyllrb.com/docs/), which GitHub Pages runs.

use super::menu::MenuRule;
use super::rules::{
    Dialect, FILES, LinkBase, LiquidRule, MoreMounts, NameRule, PageRule, SiteRules, ThemeRule,
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
    liquid: Some(LiquidRule { includes_key: "includes_dir", includes: "_includes" }),
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

/// Returns the settings whose values are addresses of the site, as the reader of Markdown takes them:
/// `path=baseurl+host=url`.
pub(super) fn values(settings: &str) -> String {
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
        .take(MOST_SETTINGS)
        .collect();
    let of = |name: &str| {
        let found = pairs.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let (host, path) = (of("url"), of("baseurl"));
    let whole = format!("{host}{path}");
    let is_host = host.contains("://");
    let mut found = match path {
        // Without a path, the host alone is the address of the site.
        "" => "whole=baseurl".to_owned(),
        _ => "path=baseurl".to_owned(),
    };
    for (name, value) in pairs.iter().filter(|(name, _)| *name != "baseurl") {
        let kind = match value.as_str() {
            value if is_host && value == whole => "whole",
            value if is_host && value == host => "host",
            value if !path.is_empty() && value == path => "path",
            _ => continue,
        };
        found += &format!("+{kind}={name}");
    }
    found
}

/// Most settings that are looked at.
const MOST_SETTINGS: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_settings() {
        let settings = "title: A\nbaseurl: \"\" # none\nurl: 'https://a.dev'\nhome: https://a.dev/\ncdn: https://b.dev\n";
        assert_eq!(values(settings), "whole=baseurl+whole=url+whole=home");
        let settings = "baseurl: /b\nurl: https://a.dev\nhome: https://a.dev/b\n  url: c\n";
        assert_eq!(values(settings), "path=baseurl+host=url+whole=home");
        assert_eq!(values("title: A\n"), "whole=baseurl");
    }
}
