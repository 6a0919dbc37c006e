//! Lexical path operations, independent of the current directory.

use std::path::{Component, Path, PathBuf};

use super::current_directory;
use crate::slice::SliceExt as _;

/// Returns the path, or `.` instead of the empty path, which cannot be opened.
pub(super) fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Returns the nearest directory above a path, or the path itself, that is a checkout of git.
pub(super) fn checkout(path: &Path) -> Option<&Path> {
    path.ancestors().find(|above| above.join(".git").exists())
}

/// Returns the absolute path without `.` and, lexically, without `..`.
pub fn absolute(path: &Path) -> PathBuf {
    // Fast path: most paths are made of plain names, and audits ask for several of each link.
    if let Some(plain) = plain(path)
        && let Some(absolute) = absolute_of_plain(plain)
    {
        return absolute;
    }
    let path = or_here(path);
    let known = path.is_relative().then(|| current_directory::joined(path.to_str()?)).flatten();
    let absolute = known.filter(|_| cfg!(unix));
    let absolute = absolute.or_else(|| std::path::absolute(path).ok());
    let absolute = absolute.unwrap_or_else(|| path.to_owned());
    let mut clean = PathBuf::with_capacity(absolute.as_os_str().len());
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

/// Returns the absolute path of one that [`plain`] has returned, if the current directory is known.
fn absolute_of_plain(plain: &str) -> Option<PathBuf> {
    if plain.starts_with('/') {
        Some(PathBuf::from(plain))
    } else {
        current_directory::joined(plain)
    }
}

/// Like [`Path::join`], with one allocation instead of two.
pub(super) fn join(directory: &Path, below: &str) -> PathBuf {
    let mut joined = PathBuf::with_capacity(directory.as_os_str().len() + 1 + below.len());
    joined.push(directory);
    joined.push(below);
    joined
}

/// Moves up one directory, also above the start of a relative path.
pub(super) fn up(path: &mut PathBuf) {
    match path.components().next_back() {
        Some(Component::Normal(_)) => drop(path.pop()),
        Some(Component::RootDir | Component::Prefix(_)) => {}
        _ => path.push(".."),
    }
}

/// Returns the directory of a file.
pub fn parent(path: &Path) -> PathBuf {
    let mut path = absolute(path);
    path.pop();
    path
}

/// True for a regular file at a path below a directory to which no symbolic link leads. Such a link
/// could lead out of the tree, where nothing may be changed, or to a file that never ends.
pub(super) fn is_real_file(directory: &Path, below: &Path) -> bool {
    let above = below.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
    let is_real = |it: &Path| !directory.join(it).is_symlink();
    let metadata = directory.join(below).symlink_metadata();
    metadata.is_ok_and(|it| it.is_file()) && above.into_iter().all(is_real)
}

/// Returns the path relative to this directory; `None` if it is not below.
pub fn below(directory: &Path, path: &Path) -> Option<PathBuf> {
    DescendantPath::new(path).below(directory)
}

/// A path to compare with several directories; its analysis is done once.
#[derive(Clone, Copy, Debug)]
pub(super) struct DescendantPath<'p> {
    path: &'p Path,
    plain: Option<&'p str>,
}

impl<'p> DescendantPath<'p> {
    pub fn new(path: &'p Path) -> Self {
        Self { path, plain: plain(path) }
    }

    /// Returns the path relative to this directory; `None` if it is not below.
    pub fn below(self, directory: &Path) -> Option<PathBuf> {
        // Fast path: if both start at the same place, it is enough to compare text.
        if let (Some(above), Some(whole)) = (plain(directory), self.plain)
            && above.starts_with('/') == whole.starts_with('/')
        {
            let rest = whole.strip_prefix(above)?;
            return if above.is_empty() || rest.is_empty() {
                Some(PathBuf::from(rest))
            } else {
                rest.strip_prefix('/').map(PathBuf::from)
            };
        }
        absolute(self.path).strip_prefix(absolute(directory)).ok().map(Path::to_owned)
    }
}

/// Removes `.` components: links do not have them, but walked paths may.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::with_capacity(path.as_os_str().len());
    clean.extend(path.components().filter(|part| *part != Component::CurDir));
    clean
}

/// True for equal paths. Different paths usually differ in their last name, so that is compared
/// first.
pub(super) fn are_same(a: &Path, b: &Path) -> bool {
    let [a_name, b_name] = [a, b].map(|path| {
        let bytes = path.as_os_str().as_encoded_bytes();
        let start = memchr::memrchr(b'/', bytes).map_or(0, |slash| slash + 1);
        bytes.clamped(start..)
    });
    a_name == b_name && a == b
}

/// Removes a leading `.`.
pub(super) fn without_dot(path: &Path) -> &Path {
    match path.as_os_str().as_encoded_bytes() {
        [b'.'] | [b'.', b'/', ..] => path.strip_prefix(".").unwrap_or(path),
        _ => path,
    }
}

/// Returns the path without a leading `./`, if it is only names separated by single slashes.
pub(super) fn plain(path: &Path) -> Option<&str> {
    let path = without_dot(path).to_str()?;
    let bytes = path.as_bytes();
    // A name between slashes is plain unless it is empty or starts with a dot. Without an early
    // exit, the loop stays short.
    let is_no_name = |(a, b): (&u8, &u8)| (*a == b'/') & ((*b == b'.') | (*b == b'/'));
    let has_others =
        bytes.iter().zip(bytes.iter().skip(1)).fold(false, |has, it| has | is_no_name(it));
    (!has_others && !bytes.starts_with(b".") && !bytes.ends_with(b"/") && cfg!(unix))
        .then_some(path)
}

/// Endings that bundlers add to a path without an extension (webpack and Vite,
/// `resolve.extensions`).
const MODULES: [&str; 8] = [".js", ".jsx", ".ts", ".tsx", ".mjs", ".json", ".mdx", ".md"];

/// Returns the files that an import of a path without its extension may mean.
pub(super) fn modules(place: &Path) -> Vec<PathBuf> {
    let with = |before: &str, ending: &str| {
        let mut path = place.as_os_str().to_owned();
        path.push(before);
        path.push(ending);
        PathBuf::from(path)
    };
    let inside = ["", "/index"].into_iter();
    inside.flat_map(|before| MODULES.iter().map(move |ending| with(before, ending))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive twin reads the path name by name.
    #[test]
    fn plain_paths_are_absolute_at_once() {
        let current = std::env::current_dir().unwrap();
        for path in
            ["", ".", "a", "./a", "a/b.md", "a//b", "a/../b", "../b", ".a", "/", "/a", "/a/../b"]
        {
            let mut naive = if path.starts_with('/') { PathBuf::new() } else { current.clone() };
            for component in Path::new(path).components() {
                match component {
                    Component::CurDir => {}
                    Component::ParentDir => drop(naive.pop()),
                    component => naive.push(component),
                }
            }
            // Not only equal as paths: `a/` is equal to `a`.
            assert_eq!(absolute(Path::new(path)).as_os_str(), naive.as_os_str(), "{path}");
        }
    }

    /// The naive twin compares absolute paths.
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
