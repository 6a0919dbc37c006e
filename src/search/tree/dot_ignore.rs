//! The rules of `.ignore` files for paths that need not exist, such as those of a git revision.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The largest file of rules that is read, in bytes.
const MAX_RULES: u64 = 1 << 20;

/// The `.ignore` files of the directories that were asked about. The rules are those of today.
#[derive(Debug, Default)]
pub struct DotIgnore(HashMap<PathBuf, Option<Gitignore>>);

impl DotIgnore {
    /// True if a rule excludes the file, or a directory above it.
    pub fn ignores(&mut self, file: &Path) -> bool {
        let paths = file.ancestors().filter(|path| !path.as_os_str().is_empty());
        paths.into_iter().any(|path| self.excludes(path, path != file))
    }

    /// True if the nearest rule that is about this path excludes it.
    fn excludes(&mut self, path: &Path, is_directory: bool) -> bool {
        for directory in path.ancestors().skip(1) {
            let rules = self.0.entry(directory.to_owned()).or_insert_with(|| rules(directory));
            match rules.as_ref().map(|rules| rules.matched(path, is_directory)) {
                Some(Match::Ignore(_)) => return true,
                Some(Match::Whitelist(_)) => return false,
                Some(Match::None) | None => {}
            }
        }
        false
    }
}

fn rules(directory: &Path) -> Option<Gitignore> {
    let file = directory.join(".ignore");
    let metadata = fs::metadata(&file).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_RULES {
        return None;
    }
    let mut builder = GitignoreBuilder::new(directory);
    // Invalid rules are skipped, as in a walk.
    drop(builder.add(file));
    builder.build().ok()
}
