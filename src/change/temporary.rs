//! A new file that takes the place of another: [`TemporaryFile`].
//!
//! The crate `tempfile` would create and remove it, but the owner, the permissions, the extended
//! attributes, and the order of the writes to disk would still be ours.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::ReplaceError;

/// A new file beside the one that it replaces, on the same file system. It is removed unless it is
/// renamed.
pub(super) struct TemporaryFile {
    file: File,
    path: Option<PathBuf>,
}

/// The permissions of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// The owner only: it may hold secrets of a file that only the owner can read.
    Private,
    /// As the umask of the user allows.
    Default,
}

impl TemporaryFile {
    pub fn beside(target: &Path, access: Access) -> io::Result<Self> {
        let mut error = io::Error::from(io::ErrorKind::AlreadyExists);
        for attempt in 0..100_u32 {
            let mut name = OsString::from(".");
            name.push(target.file_name().unwrap_or_default());
            // The process keeps two runs apart, and the attempt skips what a killed one left
            // behind.
            name.push(format!(".urigrep-{}-{attempt}", std::process::id()));
            let path = target.with_file_name(name);
            match create(&path, access) {
                Ok(file) => return Ok(Self { file, path: Some(path) }),
                Err(failed) => error = failed,
            }
            if error.kind() != io::ErrorKind::AlreadyExists {
                break;
            }
        }
        Err(error)
    }

    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.file).write_all(bytes)
    }

    /// Copies the owner, permissions, and extended attributes of another file.
    pub fn copy_metadata(&self, other: &Path, metadata: &Metadata) -> Result<(), ReplaceError> {
        // Before the permissions: a change of the owner clears the set-user-ID bits (chown(2)).
        set_owner(&self.file, metadata)?;
        self.file.set_permissions(metadata.permissions())?;
        // Last: the permissions of a group are the mask of an access control list, which setting
        // them would change (POSIX 1003.1e, draft 17, 23.1.1).
        set_attributes(&self.file, other)
    }

    /// Flushes it to disk: otherwise a crash after the rename may leave an empty file.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    pub fn rename(mut self, target: &Path) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        fs::rename(path, target)?;
        self.path = None;
        // The rename itself must reach the disk, too. Not all file systems support that, and the
        // new file is in place already.
        if let Some(directory) = target.parent().and_then(|directory| File::open(directory).ok()) {
            drop(directory.sync_all());
        }
        Ok(())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // If this fails, there is nothing else to do: the error that led here is reported.
            drop(fs::remove_file(path));
        }
    }
}

fn create(path: &Path, access: Access) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // Fails on any existing name, even a symbolic link, which could lead the text elsewhere.
    options.write(true).create_new(true);
    #[cfg(unix)]
    if access == Access::Private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = access;
    options.open(path)
}

#[cfg(unix)]
fn set_owner(file: &File, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) == (like.uid(), like.gid()) {
        return Ok(());
    }
    fchown(file, Some(like.uid()), Some(like.gid()))
}

#[cfg(not(unix))]
fn set_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Copies the extended attributes, among which are access control lists: without its list, a file
/// could be read by more people than before.
#[cfg(unix)]
fn set_attributes(file: &File, other: &Path) -> Result<(), ReplaceError> {
    use xattr::FileExt as _;
    let names = match xattr::list(other) {
        Ok(names) => names,
        // A file system without them.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for name in names {
        // The kernel labels files itself and drops capabilities of what is written (xattr(7)).
        if name.as_encoded_bytes().starts_with(b"security.") {
            continue;
        }
        let copied = match xattr::get(other, &name) {
            Ok(Some(value)) if file.get_xattr(&name).ok().flatten().as_ref() == Some(&value) => {
                Ok(())
            }
            Ok(Some(value)) => file.set_xattr(&name, &value),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        copied
            .map_err(|error| ReplaceError::Attribute(name.to_string_lossy().into_owned(), error))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn set_attributes(_: &File, _: &Path) -> Result<(), ReplaceError> {
    Ok(())
}
