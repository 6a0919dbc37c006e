//! What a repository leaves out, by its `.gitignore` files: [`IgnoredPaths`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::cache::Cache;
use crate::audit::paths;

/// A compiled glob with its share of the automaton, and the rules of one file seen from a directory.
const GLOB_BYTES: usize = 2048;
const RULES_BYTES: usize = 256;

/// The rules of directories, read once each.
#[derive(Debug, Default)]
pub(super) struct IgnoredPaths {
    rules: Cache<OsString, Gitignore>,
    /// The rules for what is in a directory: its own and those above it, the deepest last.
    above: Cache<OsString, Vec<RulesAbove>>,
    /// What was asked: pages lead to the same places.
    answers: Cache<OsString, bool>,
}

/// The rules of a `.gitignore`, seen from a directory below it.
#[derive(Debug)]
struct RulesAbove {
    /// Where they are.
    directory: PathBuf,
    rules: Arc<Gitignore>,
    /// What they say of the directory below, and so of what is in it unless they say more.
    ruling: IgnoreDecision,
}

/// What rules say of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IgnoreDecision {
    Nothing,
    Ignored,
    Kept,
}

impl IgnoreDecision {
    fn of<T>(matched: &Match<T>) -> Self {
        match matched {
            Match::None => Self::Nothing,
            Match::Ignore(_) => Self::Ignored,
            Match::Whitelist(_) => Self::Kept,
        }
    }
}

impl IgnoredPaths {
    /// True for a path in this checkout that a `.gitignore` above it leaves out; the deepest one counts.
    pub fn has(&self, checkout: &Path, path: &Path) -> bool {
        let Some(inside) = paths::below(checkout, path) else {
            return false;
        };
        let whole = checkout.join(&inside);
        *self
            .answers
            .get(whole.as_os_str(), || (self.find(checkout, &inside), whole.as_os_str().len()))
    }

    fn find(&self, checkout: &Path, inside: &Path) -> bool {
        let Some(parent) = inside.parent() else { return false };
        let around = checkout.join(parent);
        let above = self.above.get(around.as_os_str(), || {
            let above = self.above(checkout, parent);
            let bytes = RULES_BYTES * above.len();
            (above, bytes)
        });
        let mut is_ignored = false;
        for RulesAbove { directory, rules, ruling } in above.iter() {
            let below = inside.strip_prefix(directory).unwrap_or(inside);
            // Nobody knows whether what is not there would be a directory; all that match a file match a directory.
            let rulings = match rules.matched(below, true) {
                Match::None => [*ruling; 2],
                directory => {
                    let file = match IgnoreDecision::of(&rules.matched(below, false)) {
                        IgnoreDecision::Nothing => *ruling,
                        own => own,
                    };
                    [IgnoreDecision::of(&directory), file]
                }
            };
            if rulings.contains(&IgnoreDecision::Ignored) {
                is_ignored = true;
            } else if rulings.contains(&IgnoreDecision::Kept) {
                is_ignored = false;
            }
        }
        is_ignored
    }

    /// The rules for what is in a directory of a checkout.
    fn above(&self, checkout: &Path, directory: &Path) -> Vec<RulesAbove> {
        let mut above: Vec<&Path> = directory.ancestors().collect();
        above.reverse();
        let with_rules = above.into_iter().filter_map(|at| {
            let place = checkout.join(at);
            let find = || {
                let rules = read(&place.join(".gitignore"));
                let bytes = GLOB_BYTES * rules.len();
                (rules, bytes)
            };
            let rules = self.rules.get(place.as_os_str(), find);
            if rules.is_empty() {
                return None;
            }
            let below = directory.strip_prefix(at).unwrap_or(directory);
            let ruling = IgnoreDecision::of(&rules.matched_path_or_any_parents(below, true));
            Some(RulesAbove { directory: at.to_path_buf(), rules, ruling })
        });
        with_rules.collect()
    }
}

/// The rules of a file, for paths relative to its directory; none if there is no such file.
fn read(file: &Path) -> Gitignore {
    let mut rules = GitignoreBuilder::new("");
    // A line that makes no sense is skipped, as git does.
    let _ = rules.add(file);
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}
