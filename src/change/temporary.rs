//! A new file that takes the place of another: [`TemporaryFile`].
//!
//! The crate `tempfile` would only create and remove it. Owner, permissions, extended attributes,
//! and the order of writes would still be our work.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Write};

use super::directory::{Access, OpenDirectory};
use super::file::ReplaceError;

/// Bytes that most file systems allow for a name.
const MAX_NAME_BYTES: usize = 255;

/// A new file beside the one that it replaces, on the same file system. It is removed unless it is
/// renamed.
pub(super) struct TemporaryFile<'d> {
    directory: &'d OpenDirectory,
    file: File,
    name: Option<OsString>,
}

impl<'d> TemporaryFile<'d> {
    /// Creates a file that is to become `target`.
    pub fn beside(
        directory: &'d OpenDirectory,
        target: &OsStr,
        access: Access,
    ) -> io::Result<Self> {
        let mut error = io::Error::from(io::ErrorKind::AlreadyExists);
        for attempt in 0..100_u32 {
            let name = temporary_name(target, attempt);
            match directory.create(&name, access) {
                Ok(file) => return Ok(Self { directory, file, name: Some(name) }),
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
    pub fn copy_metadata(&self, other: &File, metadata: &Metadata) -> Result<(), ReplaceError> {
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

    pub fn rename(mut self, target: &OsStr) -> io::Result<()> {
        let Some(name) = &self.name else { return Ok(()) };
        self.directory.rename(name, target)?;
        self.name = None;
        // The rename itself must reach the disk, too. Not all file systems support that, and the
        // new file is in place already.
        drop(self.directory.sync());
        Ok(())
    }
}

impl Drop for TemporaryFile<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // A failure is ignored: the error that led here is reported.
            drop(self.directory.remove(name));
        }
    }
}

/// Returns `.NAME.urigrep-PROCESS-ATTEMPT`. The process number distinguishes two runs, and the
/// attempt skips files that a killed run left behind. `NAME` is left out if the result would be too
/// long.
fn temporary_name(target: &OsStr, attempt: u32) -> OsString {
    let end = format!(".urigrep-{}-{attempt}", std::process::id());
    let mut name = OsString::from(".");
    if target.len() + end.len() < MAX_NAME_BYTES {
        name.push(target);
    }
    name.push(end);
    name
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
fn set_attributes(file: &File, other: &File) -> Result<(), ReplaceError> {
    use xattr::FileExt as _;
    let names = match other.list_xattr() {
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
        let copied = match other.get_xattr(&name) {
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
fn set_attributes(_: &File, _: &File) -> Result<(), ReplaceError> {
    Ok(())
}
