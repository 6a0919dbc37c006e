//! Paths as seen from a directory: the same wherever the command runs.

use std::path::{Component, Path, PathBuf};

use crate::slice::SliceExt as _;

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

/// The same as [`Path::join`], which asks for memory twice.
pub(super) fn join(directory: &Path, below: &str) -> PathBuf {
    let mut joined = PathBuf::with_capacity(directory.as_os_str().len() + 1 + below.len());
    joined.push(directory);
    joined.push(below);
    joined
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

/// The path below this directory; `None` when it is elsewhere.
pub fn below(directory: &Path, path: &Path) -> Option<PathBuf> {
    DescendantPath::new(path).below(directory)
}

/// A path that may be below several directories: what there is to know of it is asked once.
#[derive(Clone, Copy, Debug)]
pub(super) struct DescendantPath<'p> {
    path: &'p Path,
    plain: Option<&'p str>,
}

impl<'p> DescendantPath<'p> {
    pub fn new(path: &'p Path) -> Self {
        Self { path, plain: plain(path) }
    }

    /// The path below this directory; `None` when it is elsewhere.
    pub fn below(self, directory: &Path) -> Option<PathBuf> {
        // Most start from the same place, and their names tell.
        if let (Some(above), Some(whole)) = (plain(directory), self.plain)
            && above.starts_with('/') == whole.starts_with('/')
        {
            let rest = whole.strip_prefix(above)?;
            return match above.is_empty() || rest.is_empty() {
                true => Some(PathBuf::from(rest)),
                false => rest.strip_prefix('/').map(PathBuf::from),
            };
        }
        absolute(self.path).strip_prefix(absolute(directory)).ok().map(Path::to_owned)
    }
}

/// The path without `.`: links name files so, walks may not.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::with_capacity(path.as_os_str().len());
    clean.extend(path.components().filter(|part| *part != Component::CurDir));
    clean
}

/// True for the path of one file. Most that are not differ in their last name, which is looked at first.
pub(super) fn are_same(a: &Path, b: &Path) -> bool {
    let [a_name, b_name] = [a, b].map(|path| {
        let bytes = path.as_os_str().as_encoded_bytes();
        let start = memchr::memrchr(b'/', bytes).map_or(0, |slash| slash + 1);
        bytes.clamped(start..)
    });
    a_name == b_name && a == b
}

/// The path without a `.` at its start.
pub(super) fn without_dot(path: &Path) -> &Path {
    match path.as_os_str().as_encoded_bytes() {
        [b'.'] | [b'.', b'/', ..] => path.strip_prefix(".").unwrap_or(path),
        _ => path,
    }
}

/// The path without `./` before it, if nothing in it means anything but names with one `/` between them.
fn plain(path: &Path) -> Option<&str> {
    let path = without_dot(path).to_str()?;
    let bytes = path.as_bytes();
    // what is between slashes is a name unless it is nothing or starts with a dot; without an end, the loop is short
    let is_no_name = |(a, b): (&u8, &u8)| (*a == b'/') & ((*b == b'.') | (*b == b'/'));
    let has_others =
        bytes.iter().zip(bytes.iter().skip(1)).fold(false, |has, it| has | is_no_name(it));
    (!has_others && !bytes.starts_with(b".") && !bytes.ends_with(b"/") && cfg!(unix))
        .then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive twin goes by absolute paths.
    #[test]
    fn names_tell_what_is_below() {
        let current = std::env::current_dir().unwrap();
        let in_current = current.join("a/b");
        let names = [
            "",
            ".",
            "./",
            "a",
            "./a",
            "a/b",
            "./a/b",
            "a/bc",
            "a/b/c.md",
            "a//b",
            "a/./b",
            "a/../a/b",
            "..",
            "../x",
            "a/.b",
            ".a",
            "a/",
            "/",
            "/a",
            "/a/b",
            in_current.to_str().unwrap(),
            current.to_str().unwrap(),
        ];
        for directory in names.map(Path::new) {
            for path in names.map(Path::new) {
                let naive =
                    absolute(path).strip_prefix(absolute(directory)).ok().map(Path::to_owned);
                assert_eq!(
                    below(directory, path),
                    naive,
                    "{} in {}",
                    path.display(),
                    directory.display()
                );
            }
        }
    }
}
