//! Tracked documents that a walk passes over: in hidden directories, and named by `.ignore`.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use urigrep::internal::DotIgnore;
use urigrep::search::Search;

use super::{git, is_document, may_be_in_checkout, path_of};

/// Documents that are in every clone, but not audited: agents keep theirs in `.agents/` and the
/// like, and `.ignore` is for searches. They are counted, so that users know that they were not
/// audited.
#[derive(Clone, Debug, Default)]
pub struct LeftOutDocuments {
    pub hidden: u64,
    /// Names of the outermost hidden directories.
    pub directories: BTreeSet<String>,
    /// Documents that a rule of `.ignore` names.
    pub ignored: u64,
}

impl LeftOutDocuments {
    /// Counts the files that git tracks below these directories, and that the search would take if
    /// they were not hidden or ignored.
    pub fn count(directories: &[PathBuf], search: &Search) -> Self {
        let mut found = Self::default();
        let in_checkouts = directories.iter().filter(|it| it.is_dir() && may_be_in_checkout(it));
        for directory in in_checkouts {
            let listed = tracked(directory, &[":(glob)**/.*/**", ":(glob)**/.ignore"]);
            let (rules, hidden): (Vec<PathBuf>, _) =
                listed.into_iter().partition(|path| path.ends_with(".ignore"));
            hidden.iter().for_each(|path| found.add_hidden(path, search));
            // Few trees have such a file, and listing all other files takes time.
            let has_rules = !rules.is_empty() || directory.join(".ignore").is_file();
            if has_rules && !search.reads_ignored_files() {
                let mut rules = DotIgnore::default();
                let place = directory.strip_prefix(".").unwrap_or(directory);
                let all = tracked(directory, &["."]).into_iter();
                let taken = all.filter(|path| is_document(path) && search.takes_path(path));
                let ignored = taken.filter(|path| rules.ignores(&place.join(path), false));
                found.ignored += ignored.count() as u64;
            }
        }
        found
    }

    /// Returns the same without hidden documents that were audited nevertheless.
    pub fn without(&self, audited: u64) -> Self {
        Self { hidden: self.hidden.saturating_sub(audited), ..self.clone() }
    }

    fn add_hidden(&mut self, path: &Path, search: &Search) {
        // An audit visits these.
        const FORGES: [&str; 2] = [".github", ".gitlab"];
        let Some(hidden) = hidden(path).filter(|it| !FORGES.contains(it)) else { return };
        // Counts only files that are left out because they are hidden. A file that `--glob`
        // excludes is left out on purpose.
        if is_document(path) && !search.takes_path(path) && search.takes_path(shown(path)) {
            self.hidden += 1;
            self.directories.insert(hidden.to_owned());
        }
    }

    /// Returns the names of the directories, or the first ones of many.
    pub fn names(&self) -> String {
        const MAX_NAMES: usize = 3;
        let names = self.directories.iter().take(MAX_NAMES).map(|name| format!("{name}/"));
        let names = names.collect::<Vec<_>>().join(", ");
        if self.directories.len() > MAX_NAMES { names + ", …" } else { names }
    }
}

/// Returns the tracked files that match, relative to the directory.
fn tracked(directory: &Path, patterns: &[&str]) -> Vec<PathBuf> {
    let arguments = ["ls-files", "--cached", "-z", "--"].iter().chain(patterns).copied();
    let listed = git(directory, &arguments.collect::<Vec<_>>()).unwrap_or_default();
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(path_of).collect()
}

/// Returns the name of the first hidden directory above a file.
fn hidden(path: &Path) -> Option<&str> {
    let above = path.parent()?.components();
    above.filter_map(|part| part.as_os_str().to_str()).find(|name| name.starts_with('.'))
}

/// Returns the path as if nothing on it were hidden.
fn shown(path: &Path) -> PathBuf {
    let parts = path.components().map(|part| match part {
        Component::Normal(name) => match name.to_str() {
            Some(name) => PathBuf::from(name.trim_start_matches('.')),
            None => PathBuf::from(name),
        },
        other => PathBuf::from(other.as_os_str()),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(hidden(Path::new("a/.b/.c/d.md")), Some(".b"));
        assert_eq!(hidden(Path::new("a/.b.md")), None);
        assert_eq!(shown(Path::new("a/.b/c.md")), Path::new("a/b/c.md"));
    }
}
