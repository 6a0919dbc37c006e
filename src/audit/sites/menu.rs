//! The menu of a site, which links to documents that no other document links to: [`Menu`].

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

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
    /// The table of contents of Jupyter Book or MyST (`- file: a.md`). Without it, all documents of
    /// a MyST project, and the links in documents of Sphinx.
    TableOfContents,
}

/// The menu of one site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::audit) enum Menu {
    #[default]
    Links,
    Automatic,
    /// The settings that list the documents.
    Listed(Arc<MenuText>),
}

/// Settings that name documents. Sites are copied for each directory, so they share it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::audit) struct MenuText {
    text: String,
    /// The names of documents in it that are whole words.
    names: HashSet<String>,
}

/// Most endings of a name, such as a language before the extension.
const MAX_ENDINGS: usize = 3;
/// Longer words are not names of documents, and each of their prefixes would be stored.
const MAX_WORD_BYTES: usize = 256;

/// Bytes of a name in a set, besides its text.
const NAME_BYTES: usize = 32;

impl MenuText {
    fn new(settings: &str) -> Self {
        // `./a.md` and `a.md` are the same document.
        let text = settings.replace("./", "");
        let mut names = HashSet::new();
        for piece in text.split_inclusive(|c: char| !is_of_name(c)) {
            let word = piece.trim_end_matches(|c| !is_of_name(c));
            if word.is_empty() || word.len() > MAX_WORD_BYTES {
                continue;
            }
            // The name of `a.b.md` may be `a.b` or `a`. Names with more full stops are rare, and
            // each of their prefixes would be stored.
            let dots = word.rmatch_indices('.').take(MAX_ENDINGS);
            let stems = dots.filter_map(|(dot, _)| word.get(..dot));
            names.extend(stems.map(str::to_owned));
            // `guide: x` is a key.
            if !piece.ends_with(':') {
                names.insert(word.to_owned());
            }
        }
        Self { text, names }
    }

    fn has(&self, name: &str) -> bool {
        if name.len() <= MAX_WORD_BYTES && name.chars().all(is_of_name) {
            self.names.contains(name)
        } else {
            // Names with spaces and the like are rare.
            names_document(&self.text, name)
        }
    }
}

/// True for characters that occur in names only.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.')
}

impl Menu {
    /// Returns the menu of a site with these settings.
    pub fn read(rule: MenuRule, settings: &str) -> Self {
        let is_key = |line: &str, key: &str| {
            line.trim_start().strip_prefix(key).is_some_and(|rest| rest.starts_with([':', '=']))
        };
        match rule {
            MenuRule::Links => Self::Links,
            MenuRule::Settings(key) if settings.lines().any(|line| is_key(line, key)) => {
                Self::Listed(Arc::new(MenuText::new(settings)))
            }
            MenuRule::TableOfContents => {
                let has = |start: &str| {
                    let mut lines = settings.lines().map(str::trim_start);
                    lines.any(|line| line.trim_start_matches("- ").starts_with(start))
                };
                match has("file:") || has("root:") {
                    true => Self::Listed(Arc::new(MenuText::new(settings))),
                    false if has("project:") => Self::Automatic,
                    false => Self::Links,
                }
            }
            MenuRule::Automatic | MenuRule::Settings(_) => Self::Automatic,
        }
    }

    /// Returns the number of bytes that it keeps.
    pub fn kept_bytes(&self) -> usize {
        match self {
            Self::Links | Self::Automatic => 0,
            Self::Listed(settings) => {
                let names: usize = settings.names.iter().map(|it| NAME_BYTES + it.len()).sum();
                settings.text.len() + names
            }
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
                names.into_iter().any(|name| settings.has(&name))
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
        let menu = Menu::read(MenuRule::Settings("nav"), settings);
        assert!(matches!(menu, Menu::Listed(_)));
        assert_eq!(Menu::read(MenuRule::Settings("nav"), "navigation: x"), Menu::Automatic);
        let text = MenuText::new(settings);
        for name in ["guide/install", "index", "install", "guide", "Home", "guide/install.md", "x"]
        {
            assert_eq!(text.has(name), names_document(settings, name), "{name}");
        }
        assert!(names_document(settings, "guide/install") && names_document(settings, "index"));
        assert!(!names_document(settings, "install") && !names_document(settings, "guide"));
    }
}
