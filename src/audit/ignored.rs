//! What a repository leaves out, by its `.gitignore` files: [`IgnoredPaths`].

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::cache::Cache;
use super::paths;

/// The rules of directories, read once each.
#[derive(Debug, Default)]
pub(super) struct IgnoredPaths {
    rules: Cache<PathBuf, Gitignore>,
    /// What was asked: pages lead to the same places.
    answers: Cache<PathBuf, bool>,
}

impl IgnoredPaths {
    /// True for a path in this checkout that a `.gitignore` above it leaves out; the deepest one counts.
    pub fn has(&self, checkout: &Path, path: &Path) -> bool {
        let Some(inside) = paths::below(checkout, path) else {
            return false;
        };
        *self.answers.get(&checkout.join(&inside), || (self.find(checkout, &inside), 1))
    }

    fn find(&self, checkout: &Path, inside: &Path) -> bool {
        let mut above: Vec<&Path> = inside.ancestors().skip(1).collect();
        above.reverse();
        let mut is_ignored = false;
        for directory in above {
            let rules = self.rules.get(&checkout.join(directory), || {
                (read(&checkout.join(directory).join(".gitignore")), 1)
            });
            if rules.is_empty() {
                continue;
            }
            let below = inside.strip_prefix(directory).unwrap_or(inside);
            // Nobody knows whether what is not there would be a directory.
            let matched = [false, true]
                .map(|is_directory| rules.matched_path_or_any_parents(below, is_directory));
            if matched.iter().any(ignore::Match::is_ignore) {
                is_ignored = true;
            } else if matched.iter().any(ignore::Match::is_whitelist) {
                is_ignored = false;
            }
        }
        is_ignored
    }
}

/// The rules of a file, for paths relative to its directory; none if there is no such file.
fn read(file: &Path) -> Gitignore {
    let mut rules = GitignoreBuilder::new("");
    // A line that makes no sense is skipped, as git does.
    let _ = rules.add(file);
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}
