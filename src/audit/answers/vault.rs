//! The files of a tree by the names that `[[wikilinks]]` use: [`Vault`].
//!
//! Obsidian, Foam, and wikis of forges find a page by its name, wherever it is.

use std::path::{Path, PathBuf};

use crate::audit::paths;
use crate::audit::sites::{entries, text};
use crate::hash::HashMap;
use crate::slice::SliceExt as _;

/// Maximum number of indexed files.
const MAX_FILES: usize = 200_000;

/// Number of documents that are read to decide whether a tree uses wikilinks. They are from the
/// whole tree: the first ones of a tree may be release notes, or translations.
const MAX_SAMPLE: usize = 300;

/// This many wikilinks, or fewer, are too few to decide about a tree.
const FEW: usize = 20;

/// One in this many wikilinks without a page shows that a vault links to pages before they are
/// written.
const UNWRITTEN: usize = 5;

/// Files and directories that show that a tree uses wikilinks.
const MARKERS: [&str; 5] = [".obsidian", ".foam", ".logseq", "dendron.yml", "quartz.config.ts"];

/// The files below a directory.
#[derive(Debug, Default)]
pub(super) struct Vault {
    /// By folded name, for documents also without their extension.
    by_name: HashMap<String, Vec<PathBuf>>,
    count: usize,
    /// True if many wikilinks name pages that are not written yet.
    has_unwritten: bool,
}

impl Vault {
    /// Lists a tree; `None` if its documents do not use wikilinks.
    pub fn read(directory: &Path) -> Option<Self> {
        let mut vault = Self::default();
        let (mut is_marked, mut documents) = (false, Vec::new());
        let mut pending = vec![directory.to_owned()];
        while let Some(directory) = pending.pop() {
            for entry in entries(&directory) {
                let name = entry.file_name().to_string_lossy().into_owned();
                is_marked |= MARKERS.contains(&name.as_str());
                let Ok(kind) = entry.file_type() else { continue };
                // Obsidian leaves hidden directories out.
                if kind.is_dir() && !name.starts_with('.') && name != "node_modules" {
                    pending.push(directory.join(&name));
                } else if kind.is_file() {
                    let path = paths::without_dots(&paths::join(&directory, &name));
                    if name.ends_with(".md") {
                        documents.push(path.clone());
                    }
                    vault.add(&name, path);
                }
            }
            if vault.count >= MAX_FILES {
                break;
            }
        }
        let [found, missing] = vault.sampled(documents);
        vault.has_unwritten = found + missing > FEW && missing * UNWRITTEN > found + missing;
        (is_marked || found > FEW && found > missing).then_some(vault)
    }

    /// Counts the wikilinks of these documents that lead to a file, and the others.
    fn sampled(&self, mut documents: Vec<PathBuf>) -> [usize; 2] {
        // Directories are listed in any order, and each run must take the same sample.
        documents.sort_unstable();
        let step = documents.len().div_ceil(MAX_SAMPLE).max(1);
        let (mut found, mut missing) = (0, 0);
        for document in documents.iter().step_by(step) {
            let [leading, others] = self.counted(&text(document));
            found += leading;
            missing += others;
        }
        [found, missing]
    }

    /// True if many wikilinks name pages that are not written yet, which is a common way of
    /// working.
    pub fn has_unwritten(&self) -> bool {
        self.has_unwritten
    }

    /// Returns the number of names, for the limit of a cache.
    pub fn len(&self) -> usize {
        self.count
    }

    fn add(&mut self, name: &str, path: PathBuf) {
        self.count += 1;
        let stem = DOCUMENTS.iter().find_map(|extension| name.strip_suffix(extension));
        for key in [Some(name), stem].into_iter().flatten() {
            self.by_name.entry(folded(key)).or_default().push(path.clone());
        }
    }

    /// Returns the file with this name, or with a path that ends like this. Of several, the one
    /// closest to the document: a tree may hold a vault per language.
    pub fn find(&self, name: &str, document: &Path) -> Option<&Path> {
        let wanted = folded(name.trim_start_matches('/'));
        let last = wanted.rsplit('/').next()?;
        let files = self.by_name.get(last)?.iter();
        let is_below = |path: &&PathBuf| {
            if last == wanted {
                return true;
            }
            let path = format!("/{}", folded(&path.to_string_lossy()));
            let path = path.as_str();
            let stems = DOCUMENTS.iter().filter_map(|extension| path.strip_suffix(extension));
            let tail = format!("/{wanted}");
            std::iter::once(path).chain(stems).any(|path| path.ends_with(&tail))
        };
        let document = paths::without_dots(document);
        let shared = |path: &PathBuf| {
            let pairs = path.components().zip(document.components());
            pairs.take_while(|(own, other)| own == other).count()
        };
        // The first of equals, as in the listing.
        let files = files.filter(is_below).map(|path| (shared(path), path));
        let closest = files.reduce(|best, other| if other.0 > best.0 { other } else { best });
        closest.map(|(_, path)| path.as_path())
    }

    /// Counts the wikilinks of a text that lead to a file, and the others.
    fn counted(&self, text: &str) -> [usize; 2] {
        let mut counts = [0, 0];
        for (at, _) in text.match_indices("[[") {
            // A name is in one line, and not a link of Markdown.
            let line = text.clamped(at + 2..).split('\n').next().unwrap_or_default();
            let Some((name, after)) = line.split_once("]]") else { continue };
            if after.starts_with('(') || name.contains(['[', ']']) {
                continue;
            }
            let name = name.split(['|', '#']).next().unwrap_or_default().trim();
            if !name.is_empty() {
                counts[usize::from(self.find(name, Path::new("")).is_none())] += 1;
            }
        }
        counts
    }
}

/// Extensions that a name may lack.
const DOCUMENTS: [&str; 6] = [".md", ".mdx", ".markdown", ".canvas", ".base", ".qmd"];

/// Returns a name as wikis compare it: without case, and with hyphens as spaces.
fn folded(name: &str) -> String {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if matches!(c, ' ' | '_') { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_name() {
        let mut vault = Vault::default();
        vault.add("The Page.md", "a/The Page.md".into());
        vault.add("b.png", "img/b.png".into());
        vault.add("b.png", "de/b.png".into());
        let found = |name: &str| {
            let path = vault.find(name, Path::new("de/c.md"));
            path.map(|path| path.to_string_lossy().into_owned())
        };
        for name in ["the page", "The-Page", "The Page.md", "a/The Page", "/a/the page"] {
            assert_eq!(found(name).as_deref(), Some("a/The Page.md"), "{name}");
        }
        assert_eq!(found("b.png").as_deref(), Some("de/b.png"));
        assert_eq!(found("img/b.png").as_deref(), Some("img/b.png"));
        assert_eq!(found("b").or(found("c/The Page")), None);
        assert_eq!(vault.counted("[[the page|x]] [[none#a]] [[1]](x) [[ ]]"), [1, 1]);
    }
}
