//! Examines ignore files before the walk reads them.
//!
//! The crate `ignore` opens everything that is named `.gitignore`, and compiles all its globs into
//! one set. A link to `/dev/zero` would take all memory, and a FIFO never ends. So a directory with
//! such a file is walked without rules, and that is reported. 2,000 globs such as `*a???*b` take
//! 2.7 GB, because the set's cache grows with their number times their length. A directory with
//! that many is walked by [`PlainRules`](super::plain_rules::PlainRules).

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use super::ignore_rules::{IgnoreRules, MAX_COST, MAX_RULES_BYTES, cost};
use crate::search::auxiliary::read_regular;
use crate::search::describe;
use crate::search::git_directory::GitDirectory;
use crate::threads::lock;

/// Limit on the files with such globs that apply to one directory. Each may fill caches of 10 MiB
/// per thread.
const MAX_GLOB_FILES: u32 = 16;

/// The cost of the rules of a directory and of those above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RuleCost {
    product: u64,
    files: u32,
}

impl RuleCost {
    fn add(self, other: Self) -> Self {
        let product = self.product.saturating_add(other.product);
        Self { product, files: self.files.saturating_add(other.files) }
    }
}

/// A directory whose rules `ignore` must not read.
#[derive(Debug)]
pub(crate) struct Refused {
    pub directory: PathBuf,
    pub why: WhyRefused,
}

/// The reason why rules are refused.
#[derive(Debug)]
pub(crate) enum WhyRefused {
    /// This file can't be read as rules, so no rules are applied.
    Unreadable(PathBuf, String),
    /// The rules would take too much memory, so they are compared one by one.
    Costly,
}

/// Decides whether `ignore` may read the rules of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Admitted,
    Costly,
    Unreadable,
}

#[derive(Debug, Default)]
pub(crate) struct IgnoreGuard {
    /// The canonical roots of the tree. The rules of a directory may be a link to a file within
    /// them.
    roots: Vec<PathBuf>,
    state: Mutex<GuardState>,
}

#[derive(Debug, Default)]
struct GuardState {
    /// The cost of directories whose own rules are not free.
    costs: HashMap<PathBuf, RuleCost>,
    refused: Vec<Refused>,
}

impl IgnoreGuard {
    pub fn new<'p>(roots: impl Iterator<Item = &'p Path>) -> Self {
        let roots = roots.filter_map(|root| fs::canonicalize(root).ok()).collect();
        Self { roots, state: Mutex::default() }
    }

    /// Examines the rules of a root and of all directories above it, which apply to it, too.
    pub fn admits_root(&self, root: &Path) -> Admission {
        let Ok(absolute) = fs::canonicalize(root) else {
            // The walk itself reports unreadable paths.
            return Admission::Admitted;
        };
        let mut cost = RuleCost::default();
        for directory in absolute.ancestors() {
            match self.cost_of(directory) {
                Ok(own) => cost = cost.add(own),
                Err(refused) => {
                    return self.refuse(Refused { directory: root.to_owned(), ..refused });
                }
            }
        }
        self.admits_cost(root, cost)
    }

    /// Examines the rules of a directory before the walk enters it.
    pub fn admits(&self, directory: &Path) -> Admission {
        match self.cost_of(directory) {
            // Most directories have no costly rules. They take no entry in the map, which would
            // otherwise grow with the tree.
            Ok(own) if own == RuleCost::default() => Admission::Admitted,
            Ok(own) => {
                let state = self.lock();
                // The rules of all directories above apply here, too, so one directory cannot be
                // judged alone. Many cheap files could otherwise add up to the same cost.
                let above = directory.ancestors().skip(1).filter_map(|path| state.costs.get(path));
                let cost = above.fold(own, |sum, cost| sum.add(*cost));
                // A refusal takes the lock again.
                drop(state);
                let admission = self.admits_cost(directory, cost);
                if admission == Admission::Admitted {
                    self.lock().costs.insert(directory.to_owned(), own);
                }
                admission
            }
            Err(refused) => self.refuse(refused),
        }
    }

    /// Returns the directories that were refused since the last call.
    pub fn take_refused(&self) -> Vec<Refused> {
        std::mem::take(&mut self.lock().refused)
    }

    fn admits_cost(&self, directory: &Path, cost: RuleCost) -> Admission {
        if cost.product <= MAX_COST && cost.files <= MAX_GLOB_FILES {
            return Admission::Admitted;
        }
        self.refuse(Refused { directory: directory.to_owned(), why: WhyRefused::Costly })
    }

    fn refuse(&self, refused: Refused) -> Admission {
        let admission = match refused.why {
            WhyRefused::Costly => Admission::Costly,
            WhyRefused::Unreadable(..) => Admission::Unreadable,
        };
        self.lock().refused.push(refused);
        admission
    }

    /// Returns the cost of the rules in a directory.
    fn cost_of(&self, directory: &Path) -> Result<RuleCost, Refused> {
        let mut cost = RuleCost::default();
        let mut files = vec![directory.join(".ignore"), directory.join(".gitignore")];
        files.extend(self.exclude_file(directory)?);
        for file in files {
            if self.is_there(directory, &file)? {
                let rules = read_regular(&file, MAX_RULES_BYTES);
                let rules = rules.map_err(|error| refused(directory, &file, &describe(&error)))?;
                cost = cost.add(cost_of_rules(&rules));
            }
        }
        Ok(cost)
    }

    /// Returns the rules of a directory: those of `.ignore`, of `.gitignore`, and, at the top of a
    /// work tree, of git's own exclude file.
    pub(super) fn rules_of(&self, directory: &Path) -> [IgnoreRules; 3] {
        let excluded = self.exclude_file(directory).ok().flatten();
        let files = [Some(directory.join(".ignore")), Some(directory.join(".gitignore")), excluded];
        files.map(|file| match file {
            Some(file) if self.is_there(directory, &file).unwrap_or(false) => {
                IgnoreRules::read(&file)
            }
            _ => IgnoreRules::Plain(Vec::new()),
        })
    }

    /// Returns git's own exclude file for the work tree that has its top here.
    fn exclude_file(&self, directory: &Path) -> Result<Option<PathBuf>, Refused> {
        match GitDirectory::find(directory) {
            Ok(git) => Ok(git.map(|git| git.common.join("info/exclude"))),
            Err(link) => Err(refused(directory, &link.file, &describe(&link.error))),
        }
    }

    /// True for a file that the walk would read as rules.
    fn is_there(&self, directory: &Path, file: &Path) -> Result<bool, Refused> {
        let metadata = match fs::symlink_metadata(file) {
            Ok(metadata) => metadata,
            Err(_) => return Ok(false),
        };
        // The walk reports that a directory is not a file.
        if metadata.is_dir() {
            return Ok(false);
        }
        if !metadata.is_symlink() {
            return Ok(true);
        }
        // git does not follow such a link at all. A link that leads out of the tree is likely
        // hostile.
        match fs::canonicalize(file) {
            Ok(target) if self.is_in_tree(directory, &target) => Ok(!target.is_dir()),
            Ok(_) => Err(refused(directory, file, "a link that leads out of the tree")),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(refused(directory, file, &describe(&error))),
        }
    }

    fn is_in_tree(&self, directory: &Path, target: &Path) -> bool {
        self.roots.iter().any(|root| target.starts_with(root))
            || fs::canonicalize(directory).is_ok_and(|directory| target.starts_with(directory))
    }

    fn lock(&self) -> MutexGuard<'_, GuardState> {
        lock(&self.state)
    }
}

fn refused(directory: &Path, file: &Path, reason: &str) -> Refused {
    let why = WhyRefused::Unreadable(file.to_owned(), reason.to_owned());
    Refused { directory: directory.to_owned(), why }
}

fn cost_of_rules(rules: &[u8]) -> RuleCost {
    // Only the product of number and length predicts the memory; neither factor alone does.
    let product = cost(rules);
    RuleCost { product, files: u32::from(product > 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs() {
        assert_eq!(cost_of_rules(b"*.o\ntarget\n"), RuleCost::default());
        let hostile: String = (0..2000).map(|at| format!("*a???*b{at}\n")).collect();
        assert!(cost_of_rules(hostile.as_bytes()).product > MAX_COST);
    }
}
