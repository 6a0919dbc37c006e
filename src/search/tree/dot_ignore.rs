//! The rules of `.ignore` files for paths that need not exist, such as those of a git revision.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::ignore_rules::{IgnoreRules, Ruling};

/// The `.ignore` files of the directories that were asked about. The rules are those of today.
#[derive(Debug, Default)]
pub struct DotIgnore(HashMap<PathBuf, IgnoreRules>);

impl DotIgnore {
    /// True if a rule excludes the file, or a directory above it.
    pub fn ignores(&mut self, file: &Path) -> bool {
        let paths = file.ancestors().filter(|path| !path.as_os_str().is_empty());
        paths.into_iter().any(|path| self.excludes(path, path != file))
    }

    /// True if the nearest rule that is about this path excludes it.
    fn excludes(&mut self, path: &Path, is_directory: bool) -> bool {
        for directory in path.ancestors().skip(1) {
            let rules = self.0.entry(directory.to_owned());
            let rules = rules.or_insert_with(|| IgnoreRules::read(&directory.join(".ignore")));
            let Ok(below) = path.strip_prefix(directory) else { continue };
            match rules.matched(below, is_directory) {
                Ruling::Ignored => return true,
                Ruling::Kept => return false,
                Ruling::Nothing => {}
            }
        }
        false
    }
}
