//! The rules of ignore files for paths that need not exist, such as those of a git revision.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::ignore_rules::{IgnoreRules, Ruling};

/// The `.ignore` and `.gitignore` files of the directories that were asked about. The rules are those of today.
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
    /// True if a rule excludes the file, or a directory above it. Git answers for its own rules; a file that they
    /// exclude is `ignored_by_git`.
    pub fn ignores(&mut self, file: &Path, ignored_by_git: bool) -> bool {
        let mut is_kept = false;
        for path in file.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            // Only `.ignore`: `ignored_by_git` is the answer for `.gitignore`.
            match self.ruling(path, path != file, |rules| [&rules.own, &rules.own]) {
                Ruling::Ignored => return true,
                Ruling::Kept => is_kept = true,
                Ruling::Nothing => {}
            }
        }
        ignored_by_git && !is_kept
    }

    /// True if a rule with `!` names this path. It is then searched although it is hidden.
    pub(super) fn keeps(&mut self, path: &Path, is_directory: bool) -> bool {
        self.ruling(path, is_directory, |rules| [&rules.own, &rules.git]) == Ruling::Kept
    }

    /// Returns what the nearest rule says about this path.
    fn ruling(
        &mut self,
        path: &Path,
        is_directory: bool,
        of: impl Fn(&Rules) -> [&IgnoreRules; 2],
    ) -> Ruling {
        for directory in path.ancestors().skip(1) {
            let rules = self.0.entry(directory.to_owned()).or_insert_with(|| Rules {
                own: IgnoreRules::read(&directory.join(".ignore")),
                git: IgnoreRules::read(&directory.join(".gitignore")),
            });
            let Ok(below) = path.strip_prefix(directory) else { continue };
            let ruled = of(rules).map(|rules| rules.matched(below, is_directory));
            if let Some(ruling) = ruled.into_iter().find(|ruling| *ruling != Ruling::Nothing) {
                return ruling;
            }
        }
        Ruling::Nothing
    }
}
