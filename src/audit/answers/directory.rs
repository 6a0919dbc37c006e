//! Exact names in directories: [`Directory`], and [`FoundDirectory`] for one reached by a path.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::cache::Cache;
use crate::audit::{PathStatus, Spellings, paths};
use crate::hash::HashMap;

/// A directory that a path leads to.
#[derive(Clone, Debug)]
pub(super) struct FoundDirectory {
    pub path: PathBuf,
    pub is_exact: bool,
    pub listed: Option<Arc<Directory>>,
}

impl FoundDirectory {
    /// Returns the entry with this name, or with a name that differs in case only, with the name
    /// that it has, and whether that is exactly this one.
    pub fn name<'n>(
        &self,
        name: &'n OsStr,
    ) -> Result<(FileKind, Cow<'n, OsStr>, bool), PathStatus> {
        let Some(listed) = &self.listed else {
            return Err(PathStatus::Unknown);
        };
        let entries = match &listed.entries {
            Ok(entries) => entries,
            // A directory without read permission may still be entered, so ask for the file itself.
            Err(io::ErrorKind::PermissionDenied) => {
                return match FileKind::Other.resolve(&self.path.join(name)) {
                    PathStatus::Directory => Ok((FileKind::Directory, Cow::Borrowed(name), true)),
                    PathStatus::File => Ok((FileKind::File, Cow::Borrowed(name), true)),
                    _ => Err(PathStatus::Unknown),
                };
            }
            Err(io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(PathStatus::Missing { nearest: None });
            }
            Err(_) => return Err(PathStatus::Unknown),
        };
        if let Some(&kind) = entries.get(name) {
            return Ok((kind, Cow::Borrowed(name), true));
        }
        if let Some(other) = listed.in_other_case(name)
            && let Some(&kind) = entries.get(other)
        {
            return Ok((kind, Cow::Owned(other.to_owned()), false));
        }
        Err(PathStatus::Missing { nearest: None })
    }

    /// Returns `Missing` with the name in the directory nearest to `name`.
    pub fn missing(&self, name: &OsStr) -> PathStatus {
        PathStatus::Missing {
            nearest: self.listed.as_ref().and_then(|listed| listed.nearest(name)),
        }
    }

    /// Returns the status of the entry with this name.
    pub fn look(&self, name: &OsStr) -> PathStatus {
        match self.probe(name) {
            // A dangling symbolic link exists under the right name: suggest no other.
            PathStatus::Missing { .. } if self.name(name).is_err() => self.missing(name),
            entry => entry,
        }
    }

    /// Like [`look`](Self::look), without the nearest name.
    pub fn probe(&self, name: &OsStr) -> PathStatus {
        match self.name(name) {
            Err(entry) => entry,
            Ok((FileKind::File, _, true)) if self.is_exact => PathStatus::File,
            Ok((FileKind::Directory, _, true)) if self.is_exact => PathStatus::Directory,
            Ok((kind, name, is_exact)) => {
                let actual = self.path.join(name);
                match kind.resolve(&actual) {
                    PathStatus::File | PathStatus::Directory if !(is_exact && self.is_exact) => {
                        PathStatus::OtherCase { actual }
                    }
                    entry => entry,
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    File,
    Directory,
    /// A symbolic link, a special file, or an entry of unknown type.
    Other,
}

impl FileKind {
    fn from_file_type(kind: FileType) -> Self {
        if kind.is_dir() {
            Self::Directory
        } else if kind.is_file() {
            Self::File
        } else {
            Self::Other
        }
    }

    pub fn resolve(self, path: &Path) -> PathStatus {
        match self {
            Self::File => PathStatus::File,
            Self::Directory => PathStatus::Directory,
            Self::Other => match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => PathStatus::Directory,
                Ok(_) => PathStatus::File,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    PathStatus::Missing { nearest: None }
                }
                Err(_) => PathStatus::Unknown,
            },
        }
    }
}

/// Identity of a directory, independent of the path that leads to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum DirectoryId {
    /// Device and inode.
    #[cfg_attr(not(unix), allow(dead_code))]
    Inode(u64, u64),
    /// The path, if the directory is missing or the system has no inodes.
    Path(PathBuf),
}

impl DirectoryId {
    pub fn new(path: &Path) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // `metadata` follows symbolic links, so all paths to a directory have the same
            // identity.
            let here = paths::or_here(path);
            if let Ok(metadata) = fs::metadata(here) {
                return Self::Inode(metadata.dev(), metadata.ino());
            }
        }
        Self::Path(path.to_owned())
    }
}

/// Bytes of misspelled names that one directory caches with their suggestions.
const MAX_NEAREST_BYTES: usize = 1 << 20;

/// The names in a directory, from one listing.
#[derive(Debug)]
pub(super) struct Directory {
    pub entries: Result<HashMap<OsString, FileKind>, io::ErrorKind>,
    /// Names by their lower-case form, built on the first miss.
    lower: OnceLock<HashMap<String, OsString>>,
    spellings: OnceLock<Spellings>,
    /// Suggestions for missing names: several pages often share a broken link.
    nearest: Cache<String, Option<String>>,
    /// The names that are valid Unicode, sorted.
    sorted: OnceLock<Arc<Vec<String>>>,
}

impl Directory {
    pub fn read(path: &Path) -> Self {
        let path = paths::or_here(path);
        // One listing answers all questions about names here, so a link costs no system call of its
        // own. Up to half of an audit was spent in such calls before (docs/decisions/0009).
        let entries = fs::read_dir(path).and_then(|entries| {
            let named = entries.map(|entry| {
                let entry = entry?;
                let kind = entry.file_type().map_or(FileKind::Other, FileKind::from_file_type);
                Ok((entry.file_name(), kind))
            });
            named.collect::<io::Result<_>>()
        });
        Self {
            entries: entries.map_err(|error| error.kind()),
            lower: OnceLock::new(),
            spellings: OnceLock::new(),
            nearest: Cache::bounded(MAX_NEAREST_BYTES),
            sorted: OnceLock::new(),
        }
    }

    /// Adds files that are not there yet.
    pub fn with_files(mut self, names: impl IntoIterator<Item = OsString>) -> Self {
        if let Ok(entries) = &mut self.entries {
            for name in names {
                entries.entry(name).or_insert(FileKind::File);
            }
        }
        self
    }

    /// Returns the names in a deterministic order.
    pub fn names(&self) -> Vec<&OsString> {
        let mut names: Vec<_> = self.entries.iter().flat_map(HashMap::keys).collect();
        names.sort_unstable();
        names
    }

    /// Returns the names that are valid Unicode, sorted.
    pub fn sorted_names(&self) -> Arc<Vec<String>> {
        let sorted = self.sorted.get_or_init(|| {
            let names = self.names().into_iter().filter_map(|name| name.to_str());
            Arc::new(names.map(str::to_owned).collect())
        });
        Arc::clone(sorted)
    }

    /// Estimates the size in bytes, including the lower-case, sorted, and spelling indexes.
    pub fn bytes(&self) -> usize {
        const NAME_BYTES: usize = 160;
        let names = self.entries.iter().flat_map(HashMap::keys);
        size_of::<Self>() + names.map(|name| NAME_BYTES + 4 * name.len()).sum::<usize>()
    }

    fn in_other_case(&self, name: &OsStr) -> Option<&OsStr> {
        let lower = self.lower.get_or_init(|| {
            // The names are sorted, so that of several names that differ in case only, the same one
            // wins in every run.
            let mut lower = HashMap::default();
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
        let name = name.to_str()?;
        let nearest = self.nearest.get(name, || {
            let spellings = self.spellings.get_or_init(|| {
                let names = self.names().into_iter();
                Spellings::new(names.filter_map(|name| name.to_str()))
            });
            (spellings.nearest(name).map(str::to_owned), 2 * name.len())
        });
        Option::clone(&nearest)
    }
}
