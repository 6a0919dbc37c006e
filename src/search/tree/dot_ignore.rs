//! The rules of ignore files for paths that need not exist, such as those of a git revision.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::ignore_rules::{IgnoreDecision, IgnoreRules};

/// The `.ignore` and `.gitignore` files of the directories looked up so far. They are read from the
/// working tree, even for a revision.
#[derive(Debug, Default)]
pub struct DotIgnore(HashMap<PathBuf, Rules>);

#[derive(Debug)]
struct Rules {
    /// Of `.ignore`, which is stronger.
    own: IgnoreRules,
    /// Of `.gitignore`.
    git: IgnoreRules,
}

impl DotIgnore {
    /// True if a rule excludes the file, or a directory above it. Git answers for its own rules; a
    /// file that they exclude is `ignored_by_git`.
    pub fn ignores(&mut self, file: &Path, ignored_by_git: bool) -> bool {
        let mut is_kept = false;
        for path in file.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            // Only `.ignore`: `ignored_by_git` is the answer for `.gitignore`.
            match self.decision(path, path != file, |rules| [&rules.own, &rules.own]) {
                IgnoreDecision::Ignored => return true,
                IgnoreDecision::Kept => is_kept = true,
                IgnoreDecision::Nothing => {}
            }
        }
        ignored_by_git && !is_kept
    }

    /// True if a rule of `.ignore` or `.gitignore` excludes the file, or a directory above it.
    pub(crate) fn excludes(&mut self, file: &Path) -> bool {
        let mut paths = file.ancestors().filter(|path| !path.as_os_str().is_empty());
        paths.any(|path| {
            let decided = self.decision(path, path != file, |rules| [&rules.own, &rules.git]);
            decided == IgnoreDecision::Ignored
        })
    }

    /// True if a rule with `!` names this path. It is then searched although it is hidden.
    pub(super) fn keeps(&mut self, path: &Path, is_directory: bool) -> bool {
        self.decision(path, is_directory, |rules| [&rules.own, &rules.git]) == IgnoreDecision::Kept
    }

    /// Returns the decision of the nearest rule about this path.
    fn decision(
        &mut self,
        path: &Path,
        is_directory: bool,
        of: impl Fn(&Rules) -> [&IgnoreRules; 2],
    ) -> IgnoreDecision {
        for directory in path.ancestors().skip(1) {
            let rules = self.0.entry(directory.to_owned()).or_insert_with(|| Rules {
                own: IgnoreRules::read(&directory.join(".ignore")),
                git: IgnoreRules::read(&directory.join(".gitignore")),
            });
            let Ok(below) = path.strip_prefix(directory) else { continue };
            let decided = of(rules).map(|rules| rules.matched(below, is_directory));
            if let Some(decision) =
                decided.into_iter().find(|decision| *decision != IgnoreDecision::Nothing)
            {
                return decision;
            }
        }
        IgnoreDecision::Nothing
    }
}
