//! The path cache: resolves paths to directories and lists these: [`PathCache`].

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::cache::Cache;
use super::directory::{Directory, DirectoryId, FileKind, FoundDirectory};
use super::overlay::Overlay;
use crate::audit::PathStatus;

/// Longer paths are missing: no file can have one (`PATH_MAX` on Linux).
const MAX_PATH_BYTES: usize = 4096;

/// Cache of resolved paths and of listings.
#[derive(Debug, Default)]
pub(super) struct PathCache {
    // Keyed by the bytes of the path: hashing a `PathBuf` goes over its components one by one,
    // which takes several times as long.
    by_path: Cache<OsString, KnownPath>,
    /// Listings by device and inode. Symbolic links give a directory many paths, and a link to `..`
    /// endlessly many, but one listing serves them all.
    listings: Cache<DirectoryId, Directory>,
    overlay: Option<Overlay>,
}

/// Listing and resolution of one path.
#[derive(Debug, Default)]
struct KnownPath {
    listing: OnceLock<Arc<Directory>>,
    resolved: OnceLock<Result<FoundDirectory, PathStatus>>,
}

impl PathCache {
    /// Creates a cache for which the documents of an overlay are files.
    pub fn with_overlay(overlay: Option<Overlay>) -> Self {
        Self { overlay, ..Self::default() }
    }

    fn known(&self, path: &Path) -> Arc<KnownPath> {
        let path = path.as_os_str();
        // The path is stored twice: as the key, and as the file system spells it.
        self.by_path.get(path, || (KnownPath::default(), 2 * path.len() + size_of::<KnownPath>()))
    }

    /// Lists the directory that the operating system finds at a path.
    pub fn list(&self, path: &Path) -> Arc<Directory> {
        let known = self.known(path);
        known.listing.get_or_init(|| self.list_uncached(path)).clone()
    }

    fn list_uncached(&self, path: &Path) -> Arc<Directory> {
        // By identity, not by path: 28 kB of links to `..` took 121 MB with a listing per path, and
        // take 18 MB now.
        let id = DirectoryId::new(path);
        self.listings.get(&id, || {
            let new = self.overlay.iter().flat_map(|overlay| overlay.documents_in(path));
            let directory = Directory::read(path).with_files(new);
            let bytes = directory.bytes();
            (directory, bytes)
        })
    }

    /// Applies `look` to the last name of a path in its directory. All names of the path must match
    /// exactly.
    pub fn look_with(
        &self,
        path: &Path,
        look: impl Fn(&FoundDirectory, &OsStr) -> PathStatus,
    ) -> PathStatus {
        if path.as_os_str().len() > MAX_PATH_BYTES {
            return PathStatus::Missing { nearest: None };
        }
        let mut parts = path.components();
        let Some(Component::Normal(name)) = parts.next_back() else {
            let is_here = path.as_os_str().is_empty();
            return FileKind::Other.resolve(if is_here { Path::new(".") } else { path });
        };
        let directory = parts.as_path();
        let known = self.known(directory);
        match known.resolved.get_or_init(|| self.resolve(directory)) {
            Ok(found) => look(found, name),
            Err(status) => status.clone(),
        }
    }

    fn resolve(&self, path: &Path) -> Result<FoundDirectory, PathStatus> {
        let mut found = FoundDirectory { path: PathBuf::new(), is_exact: true, listed: None };
        for component in path.components() {
            let Component::Normal(name) = component else {
                found.path.push(component);
                continue;
            };
            found.listed = Some(self.list(&found.path));
            let named = found.name(name).map_err(|status| match status {
                PathStatus::Missing { .. } => found.missing(name),
                status => status,
            });
            let (kind, name, is_exact) = named?;
            found.path.push(&name);
            found.is_exact &= is_exact;
            match kind.resolve(&found.path) {
                PathStatus::Directory => {}
                // A file has no entries.
                PathStatus::File => return Err(PathStatus::Missing { nearest: None }),
                other => return Err(other),
            }
        }
        found.listed = Some(self.list(&found.path));
        Ok(found)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_directory_with_many_paths_is_listed_once() {
        let root = std::env::temp_dir().join(format!("urigrep-paths-{}", std::process::id()));
        fs::create_dir_all(root.join("a")).unwrap();
        symlink("..", root.join("a/up")).unwrap();
        let cache = PathCache::default();
        let first = cache.list(&root.join("a"));
        let again = cache.list(&root.join("a/up/a/up/a"));
        assert!(Arc::ptr_eq(&first, &again));
        let file = root.join("a/up/a/none.md");
        assert_eq!(
            cache.look_with(&file, FoundDirectory::probe),
            PathStatus::Missing { nearest: None }
        );
        fs::remove_dir_all(&root).unwrap();
    }
}
