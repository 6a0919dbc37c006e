//! The files of a tree by the names that `[[wikilinks]]` use: [`Vault`].
//!
//! Obsidian, Foam, and wikis of forges find a page by its name, wherever it is.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::cache::Cache;
use crate::audit::paths;
use crate::audit::sites::{VAULTS, WikiRule, entries, text};
use crate::hash::HashMap;
use crate::slice::SliceExt as _;

/// Bytes of a path beside its text.
const PATH_BYTES: usize = 24;

/// Maximum number of indexed files.
const MAX_FILES: usize = 200_000;

/// Number of documents that are read to decide whether a tree uses wikilinks. They are from the
/// whole tree: the first ones of a tree may be release notes, or translations.
const MAX_SAMPLE: usize = 300;

/// This many wikilinks, or fewer, are too few to decide about a tree.
const TOO_FEW_WIKILINKS: usize = 20;

/// One in this many wikilinks without a page shows that a vault links to pages before they are
/// written.
const UNWRITTEN: usize = 5;

/// The files below a directory.
#[derive(Debug, Default)]
pub(super) struct Vault {
    /// By folded name, for documents also without their extension.
    by_name: HashMap<String, NamedFiles>,
    /// The files that names with a directory, as in `[[guide/install]]`, may mean.
    by_end: Cache<String, Vec<PathBuf>>,
    count: usize,
    /// True if many wikilinks name pages that are not written yet.
    has_unwritten: bool,
}

impl Vault {
    /// Lists a tree; `None` if its documents do not use wikilinks.
    pub fn read(directory: &Path, wiki: WikiRule) -> Option<Self> {
        let mut vault = Self::default();
        let (mut is_marked, mut documents) = (wiki != WikiRule::None, Vec::new());
        let mut pending = vec![directory.to_owned()];
        while let Some(directory) = pending.pop() {
            for entry in entries(&directory) {
                let name = entry.file_name().to_string_lossy().into_owned();
                is_marked |= VAULTS.contains(&name.as_str());
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
        vault.sort();
        let [found, missing] = vault.sampled(documents);
        vault.has_unwritten =
            found + missing > TOO_FEW_WIKILINKS && missing * UNWRITTEN > found + missing;
        (is_marked || found > TOO_FEW_WIKILINKS && found > missing).then_some(vault)
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
            self.by_name.entry(folded(key)).or_default().files.push(path.clone());
        }
    }

    /// Brings the files of each name into their order, as `find` expects.
    fn sort(&mut self) {
        self.by_name.values_mut().for_each(|named| named.files.sort_unstable());
    }

    /// Returns the file with this name, or with a path that ends like this. Of several, the one
    /// closest to the document: a tree may hold a vault per language.
    pub fn find(&self, name: &str, document: &Path) -> Option<PathBuf> {
        let wanted = folded(name.trim_start_matches('/'));
        let last = wanted.rsplit('/').next()?;
        let files = self.by_name.get(last)?;
        let document = paths::without_dots(document);
        if last == wanted {
            return closest(&files.files, &document);
        }
        let ending = self.by_end.get(&wanted, || {
            let files = files.ending(&wanted);
            let bytes = files.iter().map(|file| file.as_os_str().len() + PATH_BYTES).sum();
            (files, bytes)
        });
        closest(&ending, &document)
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

/// The files of one name.
#[derive(Debug, Default)]
struct NamedFiles {
    /// Sorted.
    files: Vec<PathBuf>,
    /// The folded names of each path from the last directory to the first, sorted, with the index
    /// of the path. Made for the first link with a directory and this name.
    reversed: OnceLock<Vec<(String, usize)>>,
}

impl NamedFiles {
    /// Returns the files whose path ends like `wanted`, whose last name is theirs.
    fn ending(&self, wanted: &str) -> Vec<PathBuf> {
        let reversed = self.reversed.get_or_init(|| {
            let directories = |path: &PathBuf| {
                let above = path.parent().unwrap_or(Path::new("")).to_string_lossy();
                reversed_names(&folded(&above))
            };
            let mut reversed: Vec<_> = self.files.iter().map(directories).zip(0..).collect();
            reversed.sort_unstable();
            reversed
        });
        let (directories, _) = wanted.rsplit_once('/').unwrap_or_default();
        let start = reversed_names(directories);
        let first = reversed.partition_point(|(names, _)| *names < start);
        let found = reversed.iter().skip(first).take_while(|(names, _)| names.starts_with(&start));
        let mut found: Vec<usize> = found.map(|(_, index)| *index).collect();
        found.sort_unstable();
        found.into_iter().filter_map(|index| self.files.get(index).cloned()).collect()
    }
}

/// Returns the names of a path from the last to the first, each with a slash.
fn reversed_names(path: &str) -> String {
    path.rsplit('/').filter(|name| !name.is_empty()).flat_map(|name| [name, "/"]).collect()
}

/// Returns the first of the sorted `files` that shares most directories with the document. In
/// sorted order, it is next to the place of the document.
fn closest(files: &[PathBuf], document: &Path) -> Option<PathBuf> {
    let shared = |path: &PathBuf| {
        path.components().zip(document.components()).take_while(|(own, other)| own == other).count()
    };
    let place = files.partition_point(|path| path.as_path() < document);
    let (before, after) = files.split_at_checked(place)?;
    let most = before.last().into_iter().chain(after.first()).map(shared).max()?;
    let start: PathBuf = document.components().take(most).collect();
    let first = files.partition_point(|path| path.as_path() < start.as_path());
    files.get(first).cloned()
}

/// Extensions that a name may lack.
const DOCUMENTS: [&str; 12] = [
    ".md",
    ".mdx",
    ".markdown",
    ".canvas",
    ".base",
    ".qmd",
    // Those of wikis.
    ".adoc",
    ".asciidoc",
    ".mediawiki",
    ".org",
    ".rst",
    ".textile",
];

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
        vault.sort();
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
