//! The menu of a site, which leads to documents that no other document links to: [`Menu`].

use std::path::Path;

use super::Site;
use crate::audit::paths;

/// The source of a generator's menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuRule {
    /// The links in documents.
    Links,
    /// All documents: every page is in the menu or in a list.
    Automatic,
    /// The settings, below this key. Without it, all documents.
    Settings(&'static str),
    /// The table of contents of Jupyter Book or MyST (`- file: a.md`). Without it, all documents of a
    /// MyST project, and the links in documents of Sphinx.
    TableOfContents,
}

/// The menu of one site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::audit) enum Menu {
    #[default]
    Links,
    Automatic,
    /// The settings that list the documents.
    Listed(String),
}

impl Menu {
    /// Returns the menu of a site with these settings.
    pub fn of(rule: MenuRule, settings: &str) -> Self {
        let is_key = |line: &str, key: &str| {
            line.trim_start().strip_prefix(key).is_some_and(|rest| rest.starts_with([':', '=']))
        };
        match rule {
            MenuRule::Links => Self::Links,
            MenuRule::Settings(key) if settings.lines().any(|line| is_key(line, key)) => {
                // `./a.md` and `a.md` are the same document.
                Self::Listed(settings.replace("./", ""))
            }
            MenuRule::TableOfContents => {
                let has = |start: &str| {
                    let mut lines = settings.lines().map(str::trim_start);
                    lines.any(|line| line.trim_start_matches("- ").starts_with(start))
                };
                match has("file:") || has("root:") {
                    true => Self::Listed(settings.replace("./", "")),
                    false if has("project:") => Self::Automatic,
                    false => Self::Links,
                }
            }
            MenuRule::Automatic | MenuRule::Settings(_) => Self::Automatic,
        }
    }

    /// True if the menu leads to a document of its site.
    pub fn leads_to(&self, document: &Path, site: &Site) -> bool {
        match self {
            Self::Links => false,
            Self::Automatic => true,
            Self::Listed(settings) => {
                let below = site.content.iter().filter_map(|root| paths::below(root, document));
                // Menus name documents with or without their extension.
                let names =
                    below.map(|below| below.with_extension("").to_string_lossy().into_owned());
                names.into_iter().any(|name| names_document(settings, &name))
            }
        }
    }
}

/// True if the text has this name as a whole word.
fn names_document(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(|c| is_part(c) || matches!(c, '/' | '.'))
                && !after.is_some_and(|c| is_part(c) || matches!(c, '/' | ':'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn menus_of_settings() {
        let settings = "site_name: x\nnav:\n  - Home: index.md\n  - guide/install.md\n";
        let menu = Menu::of(MenuRule::Settings("nav"), settings);
        assert!(matches!(menu, Menu::Listed(_)));
        assert_eq!(Menu::of(MenuRule::Settings("nav"), "navigation: x"), Menu::Automatic);
        assert!(names_document(settings, "guide/install") && names_document(settings, "index"));
        assert!(!names_document(settings, "install") && !names_document(settings, "guide"));
    }
}
