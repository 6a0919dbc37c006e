//! The file system as a [`TargetLookup`]: what is at a path, letter by letter.
//!
//! Directories are listed once, and documents are read once, for their anchors. Only directories and regular files that
//! are HTML or Markdown are opened, and no answer depends on what was asked before. Links may lead out of
//! the audited directories.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::hash::Hash;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::anchors::Anchors;
use super::auditor::LARGEST;
use super::lookup::{Entry, TargetLookup};
use super::options::Slugs;
use super::spellings::Spellings;
use crate::search::{Input, Search};

/// A longer path is missing.
const LONGEST: usize = 4096;
/// So many names of files and of anchors are kept; then all of them are forgotten.
const MOST: usize = 4 << 20;

/// The file system, with a memory of directories and anchors.
///
/// ```
/// use std::path::Path;
/// use urigrep::audit::{Entry, FileTree, Slugs, TargetLookup};
/// use urigrep::search::Search;
/// let files = FileTree::new(Search::default(), Slugs::Any);
/// assert_eq!(files.look(Path::new("src/lib.rs")), Entry::File);
/// assert!(matches!(files.look(Path::new("src/LIB.rs")), Entry::OtherCase { .. }));
/// ```
#[derive(Debug)]
pub struct FileTree {
    directories: Cache<PathBuf, Directory>,
    anchors: Cache<PathBuf, Option<Arc<Anchors>>>,
    search: Search,
    slugs: Slugs,
}

impl FileTree {
    /// Reads documents, for their anchors, as `search` does.
    pub fn new(search: Search, slugs: Slugs) -> Self {
        Self { directories: Cache::default(), anchors: Cache::default(), search, slugs }
    }

    fn list(&self, path: &Path) -> Arc<Directory> {
        self.directories.get(path, || {
            let directory = Directory::read(path);
            let size = directory.entries.as_ref().map_or(1, |entries| entries.len());
            (directory, size)
        })
    }

    /// The directory of this path, whose names are exactly those of the path, or differ in case.
    fn directory(&self, path: &Path) -> Result<FoundPath, Entry> {
        let mut found = FoundPath { path: PathBuf::new(), is_exact: true };
        for component in path.components() {
            let Component::Normal(name) = component else {
                found.path.push(component);
                continue;
            };
            let (kind, name, is_exact) = self.name(&found, name)?;
            found.path.push(&name);
            found.is_exact &= is_exact;
            match kind.resolve(&found.path) {
                Entry::Directory => {}
                // a file has nothing below it
                Entry::File => return Err(Entry::Missing { nearest: None }),
                other => return Err(other),
            }
        }
        Ok(found)
    }

    /// What a directory has under this name, or under one that differs in case.
    fn name(&self, found: &FoundPath, name: &OsStr) -> Result<(FileKind, OsString, bool), Entry> {
        let listed = self.list(&found.path);
        let entries = match &listed.entries {
            Ok(entries) => entries,
            // a directory that may not be listed may still be entered
            Err(io::ErrorKind::PermissionDenied) => {
                return match FileKind::Link.resolve(&found.path.join(name)) {
                    Entry::Directory => Ok((FileKind::Directory, name.to_owned(), true)),
                    Entry::File => Ok((FileKind::File, name.to_owned(), true)),
                    _ => Err(Entry::Unknown),
                };
            }
            Err(io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(Entry::Missing { nearest: None });
            }
            Err(_) => return Err(Entry::Unknown),
        };
        if let Some(&kind) = entries.get(name) {
            return Ok((kind, name.to_owned(), true));
        }
        if let Some(other) = listed.in_other_case(name)
            && let Some(&kind) = entries.get(other)
        {
            return Ok((kind, other.to_owned(), false));
        }
        Err(Entry::Missing { nearest: listed.nearest(name) })
    }
}

impl TargetLookup for FileTree {
    fn look(&self, path: &Path) -> Entry {
        if path.as_os_str().len() > LONGEST {
            return Entry::Missing { nearest: None };
        }
        let mut parts = path.components();
        let Some(Component::Normal(name)) = parts.next_back() else {
            return FileKind::Link.resolve(if path.as_os_str().is_empty() {
                Path::new(".")
            } else {
                path
            });
        };
        let found = match self.directory(parts.as_path()) {
            Ok(found) => found,
            Err(entry) => return entry,
        };
        match self.name(&found, name) {
            Err(entry) => entry,
            Ok((kind, name, is_exact)) => {
                let actual = found.path.join(name);
                match kind.resolve(&actual) {
                    Entry::File | Entry::Directory if !(is_exact && found.is_exact) => {
                        Entry::OtherCase { actual }
                    }
                    entry => entry,
                }
            }
        }
    }

    fn anchors(&self, path: &Path) -> Option<Arc<Anchors>> {
        let anchors = self.anchors.get(path, || {
            let anchors = read(&self.search, path, self.slugs).map(Arc::new);
            let size = anchors.as_ref().map_or(1, |anchors| anchors.len() + 1);
            (anchors, size)
        });
        Option::clone(&anchors)
    }
}

/// The anchors of a regular file that is a document.
fn read(search: &Search, path: &Path, slugs: Slugs) -> Option<Anchors> {
    // reading a pipe could wait for ever
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let text = search.read_text(&Input::in_tree(path), LARGEST, |format| format.is_some());
    let text = text.ok().flatten()?;
    Some(Anchors::read(text.format()?, text.bytes(), slugs))
}

/// How far a path was followed.
#[derive(Clone, Debug)]
struct FoundPath {
    path: PathBuf,
    is_exact: bool,
}

/// What an entry of a directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    File,
    Directory,
    /// A symbolic link, or unknown.
    Link,
}

impl FileKind {
    fn of(kind: FileType) -> Self {
        if kind.is_dir() {
            Self::Directory
        } else if kind.is_symlink() {
            Self::Link
        } else {
            Self::File
        }
    }

    fn resolve(self, path: &Path) -> Entry {
        match self {
            Self::File => Entry::File,
            Self::Directory => Entry::Directory,
            Self::Link => match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => Entry::Directory,
                Ok(_) => Entry::File,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Entry::Missing { nearest: None }
                }
                Err(_) => Entry::Unknown,
            },
        }
    }
}

/// The entries of a directory.
#[derive(Debug)]
struct Directory {
    entries: Result<HashMap<OsString, FileKind>, io::ErrorKind>,
    /// By the name in lower case, for those who look for one that is not there.
    lower: OnceLock<HashMap<String, OsString>>,
    spellings: OnceLock<Spellings>,
}

impl Directory {
    fn read(path: &Path) -> Self {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let entries = fs::read_dir(path).and_then(|entries| {
            let named = entries.map(|entry| {
                let entry = entry?;
                let kind = entry.file_type().map_or(FileKind::Link, FileKind::of);
                Ok((entry.file_name(), kind))
            });
            named.collect::<io::Result<_>>()
        });
        Self {
            entries: entries.map_err(|error| error.kind()),
            lower: OnceLock::new(),
            spellings: OnceLock::new(),
        }
    }

    /// The names in an order that is the same in every run.
    fn names(&self) -> Vec<&OsString> {
        let mut names: Vec<_> = self.entries.iter().flat_map(HashMap::keys).collect();
        names.sort_unstable();
        names
    }

    fn in_other_case(&self, name: &OsStr) -> Option<&OsStr> {
        let lower = self.lower.get_or_init(|| {
            let mut lower = HashMap::new();
            for name in self.names() {
                if let Some(text) = name.to_str() {
                    lower.entry(text.to_lowercase()).or_insert_with(|| name.clone());
                }
            }
            lower
        });
        lower.get(&name.to_str()?.to_lowercase()).map(OsString::as_os_str)
    }

    fn nearest(&self, name: &OsStr) -> Option<String> {
        let spellings = self.spellings.get_or_init(|| {
            let names = self.names().into_iter();
            Spellings::new(names.filter_map(|name| name.to_str()))
        });
        spellings.nearest(name.to_str()?).map(str::to_owned)
    }
}

/// Answers that are kept; who asks for one that somebody else is about to find waits for it.
#[derive(Debug)]
struct Cache<K, V> {
    kept: RwLock<CacheEntries<K, V>>,
}

/// The answers, each found by the first who asks, and their size.
type CacheEntries<K, V> = (HashMap<K, Arc<OnceLock<Arc<V>>>>, usize);

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self { kept: RwLock::new((HashMap::new(), 0)) }
    }
}

impl<K: Hash + Eq, V> Cache<K, V> {
    /// The answer for `key`, which `find` finds, with its size.
    fn get<Q>(&self, key: &Q, find: impl FnOnce() -> (V, usize)) -> Arc<V>
    where
        K: std::borrow::Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        let known = {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            kept.0.get(key).cloned()
        };
        let lock = || self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let cell = known.unwrap_or_else(|| lock().0.entry(key.to_owned()).or_default().clone());
        let mut grown = 0;
        let value = cell.get_or_init(|| {
            let (value, size) = find();
            grown = size;
            Arc::new(value)
        });
        if grown > 0 {
            let mut kept = lock();
            kept.1 += grown;
            if kept.1 > MOST {
                *kept = (HashMap::new(), 0);
            }
        }
        value.clone()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str) -> Self {
            let name = format!("urigrep-tree-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    fn tree() -> FileTree {
        FileTree::new(Search::default(), Slugs::Any)
    }

    #[test]
    fn letter_by_letter() {
        let dir = Temporary::new("look");
        fs::create_dir_all(dir.0.join("Docs/Deep")).unwrap();
        fs::write(dir.0.join("Docs/a.md"), "").unwrap();
        fs::write(dir.0.join("Docs/Deep/x.md"), "").unwrap();
        symlink("Docs", dir.0.join("link")).unwrap();
        symlink("nowhere", dir.0.join("broken")).unwrap();
        let tree = tree();
        let look = |path: &str| tree.look(&dir.0.join(path));
        let missing =
            |nearest: Option<&str>| Entry::Missing { nearest: nearest.map(str::to_owned) };
        let other = |path: &str| Entry::OtherCase { actual: dir.0.join(path) };
        for _ in 0..2 {
            assert_eq!(look("Docs/a.md"), Entry::File);
            assert_eq!(look("Docs"), Entry::Directory);
            assert_eq!(look("Docs/"), Entry::Directory);
            assert_eq!(look("link/a.md"), Entry::File);
            assert_eq!(look("link"), Entry::Directory);
            assert_eq!(look("broken"), missing(None));
            assert_eq!(look("docs/a.md"), other("Docs/a.md"));
            assert_eq!(look("Docs/A.md"), other("Docs/a.md"));
            assert_eq!(look("docs/deep/x.md"), other("Docs/Deep/x.md"));
            assert_eq!(look("docs/b/x.md"), missing(None));
            assert_eq!(look("Docs/a.md/x"), missing(None));
            assert_eq!(look("Dosc/a.md"), missing(Some("Docs")));
            assert_eq!(look(&"a/".repeat(5000)), missing(None));
        }
        assert_eq!(tree.look(Path::new("")), Entry::Directory);
        assert_eq!(tree.look(Path::new("..")), Entry::Directory);
        assert_eq!(tree.look(Path::new("/")), Entry::Directory);
        assert_eq!(tree.look(Path::new("Cargo.toml")), Entry::File);
        assert_eq!(tree.look(Path::new("./src/../Cargo.toml")), Entry::File);
    }

    #[test]
    fn anchors_of_documents_only() {
        let dir = Temporary::new("anchors");
        fs::write(dir.0.join("a.html"), "<p id=here>").unwrap();
        fs::write(dir.0.join("a.rs"), "<p id=here>").unwrap();
        let tree = tree();
        let anchors = |name: &str| tree.anchors(&dir.0.join(name));
        // html's reader decides what they are
        assert!(anchors("a.html").is_some());
        assert!(anchors("a.rs").is_none());
        assert!(anchors("b.html").is_none());
        assert!(tree.anchors(Path::new("/dev/zero")).is_none());
        let first = anchors("a.html").unwrap();
        assert!(Arc::ptr_eq(&first, &anchors("a.html").unwrap()));
    }

    #[test]
    fn memory_is_bounded() {
        let memory: Cache<PathBuf, usize> = Cache::default();
        for at in 0..100 {
            let path = PathBuf::from(at.to_string());
            assert_eq!(*memory.get(path.as_path(), || (at, MOST / 10)), at);
        }
        assert!(memory.kept.read().unwrap().0.len() <= 10);
    }
}
