//! Applies the rules of ignore files in trees whose rules are too many for `ignore`:
//! [`PlainRules`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::ignore_guard::IgnoreGuard;
use super::ignore_rules::{IgnoreDecision, IgnoreRules};
use crate::threads::lock;

/// The rules of the directories looked up so far.
#[derive(Debug, Default)]
pub(super) struct PlainRules(Mutex<HashMap<PathBuf, Arc<DirectoryRules>>>);

#[derive(Debug)]
struct DirectoryRules {
    /// By precedence: those of `.ignore` come before those of git.
    files: [IgnoreRules; 3],
    /// True for the top of a work tree, above which git has no rules.
    is_top: bool,
}

impl PlainRules {
    /// True if a rule excludes the path. The walk goes from the top down and enters no excluded
    /// directory, so the directories above need no test.
    pub fn excludes(&self, guard: &IgnoreGuard, path: &Path, is_directory: bool) -> bool {
        let Ok(path) = std::path::absolute(path) else { return false };
        let above: Vec<(&Path, Arc<DirectoryRules>)> = path
            .ancestors()
            .skip(1)
            .map(|directory| (directory, self.rules_for(guard, directory)))
            .collect();
        let top = above.iter().position(|(_, rules)| rules.is_top);
        // An `.ignore` file far above is stronger than a `.gitignore` beside the path, so one kind
        // is looked through before the next.
        for kind in 0..3 {
            // The rules of git need a work tree.
            let reach = if kind == 0 { above.len() } else { top.map_or(0, |top| top + 1) };
            for (directory, rules) in above.iter().take(reach) {
                let Ok(below) = path.strip_prefix(directory) else { continue };
                let decision = rules.files.get(kind).map(|it| it.matched(below, is_directory));
                match decision {
                    Some(IgnoreDecision::Ignored) => return true,
                    Some(IgnoreDecision::Kept) => return false,
                    Some(IgnoreDecision::Nothing) | None => {}
                }
            }
        }
        false
    }

    fn rules_for(&self, guard: &IgnoreGuard, directory: &Path) -> Arc<DirectoryRules> {
        let mut known = lock(&self.0);
        if let Some(rules) = known.get(directory) {
            return Arc::clone(rules);
        }
        let files = guard.rules_of(directory);
        let rules = Arc::new(DirectoryRules { files, is_top: directory.join(".git").exists() });
        known.insert(directory.to_owned(), Arc::clone(&rules));
        rules
    }
}
