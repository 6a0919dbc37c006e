//! How the settings of a site affect its Markdown: the dialect, and the anchors of headings.

use super::memory::SiteKey;
use super::settings::value;
use crate::audit::Slugs;
use crate::audit::finding::is_among;
use crate::audit::sites::jekyll;
use crate::audit::sites::rules::SiteRules;
use crate::document::{Dialect, SiteValues};

/// Returns the rule of the settings for anchors of headings.
pub fn slugs(rules: &SiteRules, settings: &str) -> Slugs {
    match value(settings, rules.slug_keys).as_deref() {
        Some("blackfriday") => Slugs::Blackfriday,
        Some("github-ascii") => Slugs::GithubAscii,
        _ if has_slugs(settings) || rules.slugs == Slugs::Vitepress && is_wrapped(settings) => {
            Slugs::Any
        }
        _ => rules.slugs,
    }
}

/// True if the settings define their own function for anchors: `slugify: name`, or
/// `slugify` alone in JavaScript.
fn has_slugs(settings: &str) -> bool {
    settings.match_indices("slugify").any(|(at, word)| {
        let rest = settings.get(at + word.len()..).unwrap_or_default();
        rest.starts_with([':', ',']) || rest.starts_with(" }")
    })
}

/// True if another package builds the settings of VitePress, and may set the function for
/// anchors: `import { defineConfig } from '@cordisjs/vitepress'`.
fn is_wrapped(settings: &str) -> bool {
    settings.lines().any(|line| {
        let import = line.strip_prefix("import ").and_then(|it| it.split_once(" from "));
        let Some((names, from)) = import else { return false };
        let from = from.trim_matches([';', ' ', '"', '\'']);
        let is_own = from.starts_with('.') || from.starts_with("vitepress") || from == "vuepress";
        names.split(|c: char| !c.is_alphanumeric()).any(|it| it == "defineConfig") && !is_own
    })
}

/// Returns the dialect that is not in the generator's rules: the one with values of the settings,
/// and the dialects of unknown generators. Some read Markdown by kramdown, and sites built with
/// Next read `.md` as MDX.
pub fn dialect(rules: &SiteRules, key: &SiteKey, settings: &str) -> Option<Dialect> {
    if rules.liquid.is_some_and(|it| !it.is_quoted) {
        return Some(Dialect::Kramdown(jekyll::values(settings)));
    }
    let name = key.marker.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match name {
        name if is_among("bridgetown.config.yml initializers.rb nanoc.yaml", name) => {
            Some(Dialect::Kramdown(SiteValues::NONE))
        }
        name if name.starts_with("next.config.") => Some(Dialect::Jsx),
        _ => None,
    }
}
