//! Decides which entries of a tree a walk takes, beyond what the crate `ignore` decides.

use std::collections::HashSet;
#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::DirEntry;

use crate::search::tree::ignore_guard::{Admission, IgnoreGuard, Refused};
use crate::search::tree::plain_rules::PlainRules;
use crate::search::tree::walk_options::WalkOptions;
use crate::threads::lock;

/// The way in which a walk applies the rules of ignore files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RulesApplied {
    /// By `ignore`.
    #[default]
    Compiled,
    /// One by one.
    Plain,
    None,
}

/// Decides which directories the walk enters, and with [`RulesApplied::Plain`], which files it
/// takes.
#[derive(Debug)]
pub(crate) struct EntryFilter {
    guard: IgnoreGuard,
    plain: PlainRules,
    roots: Vec<PathBuf>,
    /// The directories entered so far, by device and inode, if links are followed.
    entered: Option<Mutex<HashSet<(u64, u64)>>>,
}

impl EntryFilter {
    pub fn new(options: &WalkOptions, roots: &[&Path]) -> Self {
        let entered = options
            .follow
            .then(|| Mutex::new(roots.iter().filter_map(|root| identity(root)).collect()));
        Self {
            guard: IgnoreGuard::new(roots.iter().copied()),
            plain: PlainRules::default(),
            roots: roots.iter().map(|root| root.to_path_buf()).collect(),
            entered,
        }
    }

    /// Returns how the rules of a root can be applied.
    pub fn rules_for_root(&self, root: &Path) -> RulesApplied {
        match root.is_dir().then(|| self.guard.admits_root(root)) {
            None | Some(Admission::Admitted) => RulesApplied::Compiled,
            Some(Admission::Costly) => RulesApplied::Plain,
            Some(Admission::Unreadable) => RulesApplied::None,
        }
    }

    pub fn admits(&self, entry: &DirEntry, rules: RulesApplied) -> bool {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        // Paths that the user named are always searched.
        if rules == RulesApplied::Plain
            && entry.depth() > 0
            && self.plain.excludes(&self.guard, entry.path(), is_directory)
        {
            return false;
        }
        if !is_directory {
            return true;
        }
        // `ignore` would read the rules of this directory on entering it. A refused one is left out
        // here, and walked afterwards.
        if rules == RulesApplied::Compiled && self.guard.admits(entry.path()) != Admission::Admitted
        {
            return false;
        }
        let Some(entered) = &self.entered else { return true };
        // The walk itself reports unreadable paths.
        identity(entry.path()).is_none_or(|identity| lock(entered).insert(identity))
    }

    pub fn take_refused(&self) -> Vec<Refused> {
        self.guard.take_refused()
    }

    pub fn is_root(&self, directory: &Path) -> bool {
        self.roots.iter().any(|root| root == directory)
    }

    /// Returns how deep a walk from this directory may go, if a walk from its root may go `most`
    /// deep.
    pub fn depth_below(&self, directory: &Path, most: Option<usize>) -> Option<usize> {
        let below = |root: &PathBuf| Some(directory.strip_prefix(root).ok()?.components().count());
        // A directory may be below several roots. The nearest one allows the deepest walk.
        let depth = self.roots.iter().filter_map(below).min().unwrap_or(0);
        most.map(|most| most.saturating_sub(depth))
    }
}

/// Returns the device and the inode of a path, which identify a directory.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}
