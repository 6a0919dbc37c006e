//! Paths that a repository excludes by `.gitignore` files: [`IgnoredPaths`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::Cache;
use crate::audit::paths;
use crate::search::{IgnoreDecision, IgnoreRules};

/// Estimated bytes of a compiled glob with its share of the automaton, and of one [`RulesAbove`].
const GLOB_BYTES: usize = 2048;
const RULES_BYTES: usize = 256;

/// Treatment of links to missing files that a `.gitignore` excludes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IgnoredTargets {
    /// A build may create them, so the links are not judged (`unchecked-target`).
    #[default]
    Excused,
    /// They are reported like other missing files. For untrusted trees, whose rules could excuse
    /// every link.
    Judged,
}

/// Rules of the `.gitignore` files; each is read once.
#[derive(Debug, Default)]
pub(super) struct IgnoredPaths {
    rules: Cache<OsString, IgnoreRules>,
    /// Rules that apply in a directory: its own and those above it, the deepest last.
    above: Cache<OsString, Vec<RulesAbove>>,
    /// Answers by path, because many pages link to the same places.
    answers: Cache<OsString, bool>,
}

/// The rules of a `.gitignore`, seen from a directory below it.
#[derive(Debug)]
struct RulesAbove {
    /// Directory of the `.gitignore`, relative to the checkout.
    directory: PathBuf,
    rules: Arc<IgnoreRules>,
    /// Decision for the directory below, which its contents inherit unless a rule matches them.
    decision: IgnoreDecision,
}

impl IgnoredPaths {
    /// True if a `.gitignore` above this path of the checkout excludes it. The deepest matching
    /// rule decides.
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
        // What the rules say of the directory is computed once and inherited by everything in it.
        // Only the path's own name is matched here
        // (docs/measurements/2026-11-25-audit-file-system.md).
        let above = self.above.get(around.as_os_str(), || {
            let above = self.above(checkout, parent);
            let bytes = RULES_BYTES * above.len();
            (above, bytes)
        });
        let mut is_ignored = false;
        for RulesAbove { directory, rules, decision } in above.iter() {
            let below = inside.strip_prefix(directory).unwrap_or(inside);
            // A missing path could be a file or a directory, so try both. Rules that match a file
            // also match a directory, so the first match tells whether the second is needed.
            let decisions = match rules.matched(below, true) {
                IgnoreDecision::Nothing => [*decision; 2],
                directory => {
                    let file = match rules.matched(below, false) {
                        IgnoreDecision::Nothing => *decision,
                        own => own,
                    };
                    [directory, file]
                }
            };
            if decisions.contains(&IgnoreDecision::Ignored) {
                is_ignored = true;
            } else if decisions.contains(&IgnoreDecision::Kept) {
                is_ignored = false;
            }
        }
        is_ignored
    }

    /// Returns the rules that apply in a directory of a checkout, skipping empty ones.
    fn above(&self, checkout: &Path, directory: &Path) -> Vec<RulesAbove> {
        // From the checkout down, because later rules override earlier ones.
        let mut above: Vec<&Path> = directory.ancestors().collect();
        above.reverse();
        let with_rules = above.into_iter().filter_map(|at| {
            let place = checkout.join(at);
            let find = || {
                let rules = IgnoreRules::read(&place.join(".gitignore"));
                let bytes = GLOB_BYTES * rules.len();
                (rules, bytes)
            };
            let rules = self.rules.get(place.as_os_str(), find);
            if rules.is_empty() {
                return None;
            }
            let below = directory.strip_prefix(at).unwrap_or(directory);
            let decision = rules.matched_or_above(below, true);
            Some(RulesAbove { directory: at.to_path_buf(), rules, decision })
        });
        with_rules.collect()
    }
}
