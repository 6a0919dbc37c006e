//! Decides whether a path is outside of a tree. Files and directories there are not read, even if
//! settings name them or symbolic links lead to them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::audit::paths;

/// True if a path leads into the tree of a directory: into each checkout around it or, without a
/// checkout, below it or its parent. Settings often name a directory beside their own:
/// `path: '../docs'`.
pub fn is_in_tree(directory: &Path, path: &Path) -> bool {
    leads_into(directory, path, |directory| real(directory.parent().unwrap_or(directory)))
}

/// True if no symbolic link at the end of a path leads out of the tree.
pub(super) fn is_beside_in_tree(path: &Path) -> bool {
    let directory = path.parent().unwrap_or(Path::new(""));
    leads_into(directory, path, real)
}

/// True if a path leads below a directory, or below all checkouts around it; without a checkout,
/// below the place that `otherwise` returns.
fn leads_into(
    directory: &Path,
    path: &Path,
    otherwise: impl FnOnce(&Path) -> Option<PathBuf>,
) -> bool {
    let path = paths::or_here(path);
    let Some(path) = real(path) else { return false };
    let directory = paths::absolute(directory);
    // Fast path: no link leads anywhere.
    if path.starts_with(&directory) {
        return true;
    }
    let checkouts = directory.ancestors().filter(|above| above.join(".git").exists());
    let checkouts: Vec<PathBuf> = checkouts.filter_map(real).collect();
    if checkouts.is_empty() {
        return otherwise(&directory).is_some_and(|place| path.starts_with(place));
    }
    // A checkout that a symbolic link leads to has its own `.git`. So all checkouts count, not only
    // the nearest one.
    checkouts.iter().all(|checkout| path.starts_with(checkout))
}

/// Returns a path without symbolic links.
fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}
