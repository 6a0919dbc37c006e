//! Finds the roots of a site that contain a path: [`RootIndex`].

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::audit::paths;
use crate::hash::HashMap;

/// The roots of a site by their paths. Settings may name thousands, and each missing link is looked
/// for below all of them, so comparing every place with every root would take cubic time.
#[derive(Debug, Default)]
pub(super) struct RootIndex(OnceLock<IndexedRoots>);

#[derive(Debug, Default)]
struct IndexedRoots {
    /// The roots that it was made of.
    count: usize,
    by_path: HashMap<String, Vec<usize>>,
    /// The roots with relative paths, and those with absolute ones: only the file system can
    /// compare a path of one kind with one of the other.
    relative: Vec<usize>,
    absolute: Vec<usize>,
    /// Roots whose paths can only be compared with the help of the file system.
    others: Vec<usize>,
}

/// Comparing few roots is faster than looking each directory above a path up.
const MAX_COMPARED_ROOTS: usize = 16;

/// Longest path on common systems (`PATH_MAX` of Linux).
const MAX_PATH_BYTES: usize = 4096;

impl RootIndex {
    /// Returns the roots that may contain a path, in their order.
    pub fn above<'r>(&self, roots: &'r [PathBuf], path: &Path) -> Vec<&'r Path> {
        let indexed = match paths::plain(path).filter(|_| roots.len() > MAX_COMPARED_ROOTS) {
            // Roots are added while a site is put together.
            Some(plain) => self.indexed(roots).map(|indexed| indexed.above(plain)),
            None => None,
        };
        match indexed {
            Some(found) => {
                found.into_iter().filter_map(|at| roots.get(at)).map(PathBuf::as_path).collect()
            }
            None => roots.iter().map(PathBuf::as_path).collect(),
        }
    }

    fn indexed(&self, roots: &[PathBuf]) -> Option<&IndexedRoots> {
        let indexed = self.0.get_or_init(|| IndexedRoots::new(roots));
        (indexed.count == roots.len()).then_some(indexed)
    }
}

impl IndexedRoots {
    fn new(roots: &[PathBuf]) -> Self {
        let mut indexed = Self { count: roots.len(), ..Self::default() };
        for (at, root) in roots.iter().enumerate() {
            let Some(root) = paths::plain(root) else {
                indexed.others.push(at);
                continue;
            };
            indexed.by_path.entry(root.to_owned()).or_default().push(at);
            if root.starts_with('/') {
                indexed.absolute.push(at)
            } else {
                indexed.relative.push(at)
            }
        }
        indexed
    }

    fn above(&self, path: &str) -> Vec<usize> {
        // Each directory above it is looked up, and no file has such a path.
        if path.len() > MAX_PATH_BYTES {
            return Vec::new();
        }
        let mut found = self.others.clone();
        found.extend(if path.starts_with('/') { &self.relative } else { &self.absolute });
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        let above = ends.filter_map(|end| path.get(..end)).chain([""]);
        found.extend(above.filter_map(|above| self.by_path.get(above)).flatten());
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Roots of a copy of a site may change.
impl Clone for RootIndex {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// It follows from the roots, so it need not be compared.
impl PartialEq for RootIndex {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_comparing_all_finds() {
        let mut roots: Vec<PathBuf> = (0..40).map(|it| PathBuf::from(format!("a/b{it}"))).collect();
        roots.extend(["", "a", "/c", "./a/b1", "../d", "a/b1", "a/b1/e"].map(PathBuf::from));
        let index = RootIndex::default();
        for path in ["a/b1/e/f.md", "a/b1", "a/b11/x", "g", "../d/h", "/c/i", "./a/b2/j", "a/./b3"]
        {
            let path = Path::new(path);
            let of = |roots: &[&Path]| -> Vec<PathBuf> {
                roots.iter().filter_map(|root| paths::below(root, path)).collect()
            };
            let all: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
            assert_eq!(of(&index.above(&roots, path)), of(&all), "{}", path.display());
        }
    }
}
