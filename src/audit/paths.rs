//! Paths as seen from a directory: the same wherever the command runs.

use std::path::{Component, Path, PathBuf};

/// The absolute path without `.` and, as far as names go, without `..`.
pub fn absolute(path: &Path) -> PathBuf {
    // The current directory has no name in relative paths.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut clean = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            component => clean.push(component),
        }
    }
    clean
}

/// One directory up, also from where the path starts.
pub(super) fn up(path: &mut PathBuf) {
    match path.components().next_back() {
        Some(Component::Normal(_)) => drop(path.pop()),
        Some(Component::RootDir | Component::Prefix(_)) => {}
        _ => path.push(".."),
    }
}

/// The directory of a file.
pub fn parent(path: &Path) -> PathBuf {
    let mut path = absolute(path);
    path.pop();
    path
}

/// The path below this absolute directory; `None` when it is elsewhere.
pub fn below(directory: &Path, path: &Path) -> Option<PathBuf> {
    absolute(path).strip_prefix(directory).ok().map(Path::to_owned)
}
