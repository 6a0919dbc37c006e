//! The wikis of GitHub and GitLab, which Gollum shows: pages are found by name, and addresses have no
//! extension (GitHub, "Adding or editing wiki pages"; Gollum, "Links").

use super::Repository;
use super::rules::{AutolinkRule, FILES, ForgeRule, SiteRules, WikiRule};

pub(super) static RULES: SiteRules = SiteRules {
    forge: ForgeRule::OnForge,
    autolinks: AutolinkRule::Linked,
    endings: &[
        ".md",
        ".markdown",
        ".mediawiki",
        ".wiki",
        ".asciidoc",
        ".adoc",
        ".rst",
        ".rest",
        ".org",
        ".textile",
        ".creole",
        ".rdoc",
        ".pod",
    ],
    wiki: WikiRule::Gollum,
    ..FILES
};

/// True for a clone of a wiki: `git@github.com:a/b.wiki.git`.
pub(super) fn is_clone(repository: &Repository) -> bool {
    !repository.remotes.is_empty() && repository.remotes.iter().all(|it| it.ends_with(".wiki"))
}

/// True for the names in the directory of a wiki: the page that it starts with, and the menu or the
/// footer of all its pages.
pub(super) fn are_names(names: &[String]) -> bool {
    let has = |stem: &str| {
        names.iter().any(|name| {
            let rest = name.strip_prefix(stem);
            rest.is_some_and(|rest| RULES.endings.contains(&rest))
        })
    };
    has("Home") && (has("_Sidebar") || has("_Footer"))
}
