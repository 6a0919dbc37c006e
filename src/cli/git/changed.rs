//! Lines that changed since a revision: [`LinesSince`].

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use urigrep::search::SearchBuilder;

use super::patch::{self, PatchChange};
use super::submodules::submodules;
use super::{diff, git, not_run, old_tree, path_of, top};
use crate::cli::error::CliError;

/// Treatment of files that git considers renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovedFiles {
    /// Only their changed lines count.
    AreTheSame,
    /// All lines of a file count that was moved to another directory, because its relative links
    /// lead elsewhere.
    HaveChanged,
}

/// Lines that changed since a revision.
#[derive(Debug, Default)]
pub struct LinesSince {
    /// By absolute path without symbolic links.
    files: HashMap<PathBuf, Vec<RangeInclusive<u64>>>,
    /// The last components of these paths.
    names: HashSet<OsString>,
    /// Directories with other checkouts that git does not track. All lines of their files count.
    checkouts: Vec<PathBuf>,
    /// The absolute paths of files looked up so far, by the path as written: resolving one takes
    /// several system calls.
    known: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl LinesSince {
    /// Asks git for the lines below these paths that changed since a revision, in submodules too.
    /// All lines of files that git does not track, and does not ignore, count as changed, and so do
    /// all files of a checkout inside that git does not track.
    ///
    /// # Errors
    /// If git fails: outside of a checkout, or for an unknown revision.
    pub fn since(revision: &str, near: &[PathBuf], moved: MovedFiles) -> Result<Self, CliError> {
        let failed = |message: String| CliError::invalid("--since", message);
        let mut lines = Self::default();
        let mut tops: Vec<PathBuf> = Vec::new();
        for path in near {
            let top = top(path).map_err(failed)?;
            if !tops.contains(&top) {
                tops.push(top);
            }
        }
        for top in tops {
            let old = old_tree(&top, revision).map_err(failed)?;
            lines.read(&top, &old, moved).map_err(failed)?;
        }
        Ok(lines)
    }

    /// Adds the lines of a checkout that differ from a commit or another tree, and those of its
    /// submodules from the commits that it names for them.
    fn read(&mut self, top: &Path, old: &str, moved: MovedFiles) -> Result<(), String> {
        let places = [
            // Hunks without context are exactly the changed lines.
            "--unified=0",
            "--inter-hunk-context=0",
            // A user may switch them off (`diff.noprefix`).
            "--src-prefix=a/",
            "--dst-prefix=b/",
            // Deleted files have no lines to audit.
            "--diff-filter=d",
        ];
        let on = |change| match change {
            PatchChange::Lines(name, lines) => self.add(top.join(name), lines),
            // For a binary file, git says only that it changed.
            PatchChange::Binary(name) => self.add(top.join(name), 1..=u64::MAX),
            PatchChange::Renamed { from, to } => {
                if moved == MovedFiles::HaveChanged && from.parent() != to.parent() {
                    self.add(top.join(to), 1..=u64::MAX);
                }
            }
        };
        diff(top, &places, old, |printed| {
            patch::read(printed, on).map_err(|error| not_run(&error))
        })?;
        // A diff has only tracked files. A page that was just written is new, too.
        let others = git(top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
        for name in others.split(|byte| *byte == 0).filter(|it| !it.is_empty()) {
            let path = top.join(path_of(name));
            // Git names an untracked checkout inside of another one, but not its files. Asking git
            // for them may fail: the checkout may have another owner, or be broken.
            if name.ends_with(b"/") {
                self.checkouts.push(std::fs::canonicalize(&path).unwrap_or(path))
            } else {
                self.add(path, 1..=u64::MAX)
            }
        }
        for submodule in submodules(top, old)? {
            let old = match &submodule.commit {
                Some(old) => old.clone(),
                // All of it is new.
                None => empty_tree(top)?,
            };
            self.read(&top.join(&submodule.path), &old, moved)
                .map_err(|message| submodule.failed(&message))?;
        }
        Ok(())
    }

    fn add(&mut self, file: PathBuf, lines: RangeInclusive<u64>) {
        self.names.insert(file.file_name().unwrap_or_default().to_owned());
        self.files.entry(file).or_default().push(lines);
    }

    /// Restricts a search to these lines.
    pub fn limit(self, builder: SearchBuilder) -> SearchBuilder {
        builder.only_lines(move |path, first, last| self.have(path, first, last))
    }

    /// True if one of these lines of the file changed.
    pub fn have(&self, path: &Path, first: u64, last: u64) -> bool {
        // Most files have not changed. Only a symbolic link may have a name other than that of its
        // file.
        let is_link = || std::fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
        let is_named = || path.file_name().is_some_and(|name| self.names.contains(name));
        // Resolving a path takes several system calls, and a tree has many files that did not
        // change.
        if self.checkouts.is_empty() && !is_named() && !is_link() {
            return false;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match known.get(path) {
            Some(file) => file,
            None => {
                let file = std::fs::canonicalize(path).unwrap_or_default();
                known.entry(path.to_owned()).or_insert(file)
            }
        };
        if self.checkouts.iter().any(|checkout| file.starts_with(checkout)) {
            return true;
        }
        // Git reports the hunks of a file in order.
        self.files.get(file).is_some_and(|lines| {
            let next = lines.partition_point(|changed| *changed.end() < first);
            lines.get(next).is_some_and(|changed| *changed.start() <= last)
        })
    }
}

/// Returns the object name of the empty tree, which depends on the hash function of the repository.
pub fn empty_tree(top: &Path) -> Result<String, String> {
    let id = git(top, &["hash-object", "-t", "tree", "--stdin"])?;
    Ok(String::from_utf8_lossy(&id).trim().to_owned())
}
