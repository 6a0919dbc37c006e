//! Reads files to change them, and replaces them atomically: [`FileSnapshot`].

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::directory::{Access, OpenDirectory};
use super::temporary::TemporaryFile;

/// Larger files are not changed: a file is held in memory twice.
pub const MAX_CHANGED_BYTES: u64 = 1 << 30;

/// The bytes of a file at one time.
#[derive(Debug)]
pub struct FileSnapshot {
    /// The file itself; the path may be a symbolic link to it.
    target: PathBuf,
    /// The way to it: no component of `rest` is a link.
    root: PathBuf,
    rest: PathBuf,
    metadata: Metadata,
    bytes: Vec<u8>,
}

/// Reason why a file was not replaced. It is unchanged then.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplaceError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is not a regular file.
    NotRegular,
    /// It is larger than [`MAX_CHANGED_BYTES`].
    TooLarge,
    /// Its permissions do not allow writing.
    ReadOnly,
    /// It has other names (hard links), which would keep the old content.
    HardLinked,
    /// Another program changed it since it was read.
    Changed,
    /// Another program is changing it: it holds a lock on it.
    Locked,
    /// An extended attribute of it, such as an access control list, cannot be given to the new
    /// file: its name, and why.
    Attribute(String, io::Error),
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => f.write_str(&crate::search::describe(error)),
            Self::NotRegular => f.write_str("not changed: it is not a regular file"),
            Self::TooLarge => {
                write!(f, "not changed: it is larger than {} MiB", MAX_CHANGED_BYTES >> 20)
            }
            Self::ReadOnly => f.write_str("not changed: it is read-only"),
            Self::HardLinked => f.write_str(
                "not changed: it has other names (hard links), which would keep the old text",
            ),
            Self::Changed => f.write_str("not changed: another program changed it; run it again"),
            Self::Locked => {
                f.write_str("not changed: another program is changing it; run it again")
            }
            Self::Attribute(name, error) => write!(
                f,
                "not changed: its extended attribute {name} cannot be kept ({})",
                crate::search::describe(error)
            ),
        }
    }
}

impl std::error::Error for ReplaceError {}

impl From<io::Error> for ReplaceError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ReplaceError> for io::Error {
    fn from(error: ReplaceError) -> Self {
        match error {
            ReplaceError::Io(error) => error,
            other => Self::other(other),
        }
    }
}

impl FileSnapshot {
    /// Reads a file. A symbolic link is followed: its target is what [`replace`](Self::replace)
    /// replaces.
    ///
    /// # Errors
    /// If it cannot be read, is not a regular file, or is too large.
    pub fn read(path: &Path) -> Result<Self, ReplaceError> {
        let target = fs::canonicalize(path)?;
        let (root, rest) = split_root(&target);
        Self::read_of(&root, &rest, target.clone())
    }

    /// Reads a file that a walk of `root` has found without following links. A link below `root`
    /// must have been added since, and may lead out of the tree. [`replace`](Self::replace) does
    /// not follow links either.
    ///
    /// On systems other than Unix, links are followed.
    ///
    /// ```
    /// use std::path::Path;
    /// use urigrep::change::FileSnapshot;
    /// let file = FileSnapshot::read_below(Path::new("docs"), Path::new("guide/audit.md"))?;
    /// assert!(file.target().ends_with("docs/guide/audit.md"));
    /// assert!(FileSnapshot::read_below(Path::new("docs"), Path::new("../README.md")).is_err());
    /// # Ok::<(), urigrep::change::ReplaceError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`read`](Self::read), and if there is a link or `..` in `rest`.
    pub fn read_below(root: &Path, rest: &Path) -> Result<Self, ReplaceError> {
        let real = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let target = fs::canonicalize(real)?.join(rest);
        Self::read_of(root, rest, target)
    }

    fn read_of(root: &Path, rest: &Path, target: PathBuf) -> Result<Self, ReplaceError> {
        let (directory, name) = open_parent(root, rest)?;
        let mut file = directory.file(name).map_err(moved)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ReplaceError::NotRegular);
        }
        if metadata.len() > MAX_CHANGED_BYTES {
            return Err(ReplaceError::TooLarge);
        }
        // With one byte more than the file has, reading meets its end without growing the buffer.
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default() + 1);
        // The file may grow while it is read.
        Read::by_ref(&mut file).take(MAX_CHANGED_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_CHANGED_BYTES {
            return Err(ReplaceError::TooLarge);
        }
        let (root, rest) = (root.to_owned(), rest.to_owned());
        Ok(Self { target, root, rest, metadata, bytes })
    }

    /// Returns the path of the file itself, without symbolic links.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Replaces the file by one with these bytes, the same permissions, owner, and extended
    /// attributes. Readers see the old file or the new one, never a part of it.
    ///
    /// # Errors
    /// If the file changed since it was read, is being changed by another process that uses this
    /// function, is read-only, or has other hard links, or if the new file cannot be written or
    /// cannot have the attributes. The old file is still there then.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), ReplaceError> {
        // Renaming needs only permissions of the directory. But a file was made read-only so that
        // it stays as it is.
        if self.metadata.permissions().readonly() {
            return Err(ReplaceError::ReadOnly);
        }
        if links(&self.metadata) > 1 {
            return Err(ReplaceError::HardLinked);
        }
        // Opened again: many files may wait for their turn, and a process has few descriptors.
        let (directory, name) = open_parent(&self.root, &self.rest)?;
        let temporary = TemporaryFile::beside(&directory, name, Access::Private)?;
        temporary.write(bytes)?;
        let old = directory.file(name).map_err(moved)?;
        temporary.copy_metadata(&old, &self.metadata)?;
        temporary.sync()?;
        // Two of us would both find the old bytes, and one change would be lost.
        lock(&old)?;
        // As late as possible. What a program writes after this moment that takes no lock is lost,
        // as with any editor. Another file may have the name since it was opened to lock it.
        let now = directory.file(name).map_err(moved)?;
        if !has_bytes(now, &self.bytes)? {
            return Err(ReplaceError::Changed);
        }
        temporary.rename(name)?;
        Ok(())
    }
}

/// Opens the directory of a file, without following links below `root`.
fn open_parent<'r>(
    root: &Path,
    rest: &'r Path,
) -> Result<(OpenDirectory, &'r OsStr), ReplaceError> {
    let name = rest.file_name().ok_or(ReplaceError::NotRegular)?;
    let parent = rest.parent().unwrap_or(Path::new(""));
    Ok((OpenDirectory::open(root, parent).map_err(moved)?, name))
}

/// Returns the root of an absolute path, such as `/`, and the rest.
fn split_root(path: &Path) -> (PathBuf, PathBuf) {
    use std::path::Component;
    let is_root = |it: &Component<'_>| matches!(it, Component::RootDir | Component::Prefix(_));
    path.components().partition(is_root)
}

/// Reports a link at a place where the walk found none as a change.
fn moved(error: io::Error) -> ReplaceError {
    match error.kind() {
        io::ErrorKind::NotADirectory => ReplaceError::Changed,
        _ => ReplaceError::Io(error),
    }
}

/// Writes a file at once: readers see the old one or the new one, never a part of it, and a crash
/// or a full disk leaves the old one. A file that exists keeps its permissions, owner, and extended
/// attributes; a symbolic link stays one.
///
/// A file that cannot be replaced is written in place: a device, and a file whose directory allows
/// no new one.
///
/// ```
/// let path = std::env::temp_dir().join("urigrep-example-at-once.json");
/// urigrep::change::write_at_once(&path, b"{}")?;
/// assert_eq!(std::fs::read(&path)?, b"{}");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be written; the old file is still there then, unless it was written in place.
pub fn write_at_once(path: &Path, bytes: &[u8]) -> Result<(), ReplaceError> {
    let existing = fs::canonicalize(path).and_then(|target| Ok((fs::metadata(&target)?, target)));
    let (target, access) = match &existing {
        Ok((metadata, _)) if !metadata.is_file() => return Ok(fs::write(path, bytes)?),
        Ok((_, target)) => (target.as_path(), Access::Private),
        Err(_) => (path, Access::Default),
    };
    let name = target.file_name().unwrap_or_default();
    let directory = OpenDirectory::open(target.parent().unwrap_or(Path::new("")), Path::new(""));
    let Ok(directory) = directory else { return Ok(fs::write(path, bytes)?) };
    let Ok(temporary) = TemporaryFile::beside(&directory, name, access) else {
        return Ok(fs::write(path, bytes)?);
    };
    temporary.write(bytes)?;
    if let Ok((metadata, _)) = &existing {
        // One that can be written, but not read.
        let Ok(old) = directory.file(name) else { return Ok(fs::write(path, bytes)?) };
        temporary.copy_metadata(&old, metadata)?;
    }
    temporary.sync()?;
    match temporary.rename(name) {
        // A single file that is mounted, as in containers.
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Ok(fs::write(path, bytes)?),
        renamed => Ok(renamed?),
    }
}

/// True if a regular file has exactly these bytes. No more of it is read: what took its place may
/// be endless.
fn has_bytes(file: File, bytes: &[u8]) -> io::Result<bool> {
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut found = Vec::with_capacity(bytes.len() + 1);
    file.take(bytes.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(found == bytes)
}

/// Locks a file until it is closed. Of those who opened the same file, only the first gets the lock
/// before the new file has taken its place; the others then find new bytes.
#[cfg(unix)]
fn lock(file: &File) -> Result<(), ReplaceError> {
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(ReplaceError::Locked),
        // A file system without locks: comparing must do.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(()),
    }
}

/// On Windows, a locked file could not be read to compare it.
#[cfg(not(unix))]
fn lock(_: &File) -> Result<(), ReplaceError> {
    Ok(())
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}
