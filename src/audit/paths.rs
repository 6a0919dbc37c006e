//! Paths as seen from a directory: the same wherever the command runs.

use std::path::{Component, Path, PathBuf};

/// The absolute path without `.` and, as far as names go, without `..`.
pub fn absolute(path: &Path) -> PathBuf {
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn names_only() {
        assert_eq!(absolute(Path::new("/a/./b/../../c")), Path::new("/c"));
        assert_eq!(parent(Path::new("/a/b")), Path::new("/a"));
        let below = |path| below(Path::new("/a"), Path::new(path));
        assert_eq!(below("/a/b/../c"), Some(PathBuf::from("c")));
        assert_eq!(below("/ab"), None);
    }
}
