//! A directory that stays open while a file in it is replaced: [`OpenDirectory`].
//!
//! The system resolves a path each time it is used. Between two uses, another process could replace
//! a directory by a link, so that a change happens outside of the tree. Operations on an open
//! directory stay in it.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// The permissions of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// The owner only: it may hold secrets of a file that only the owner can read.
    Private,
    /// As the umask of the user allows.
    Default,
}

/// An open directory.
#[derive(Debug)]
pub(super) struct OpenDirectory {
    #[cfg(unix)]
    directory: rustix::fd::OwnedFd,
    #[cfg(not(unix))]
    directory: std::path::PathBuf,
}

#[cfg(unix)]
impl OpenDirectory {
    /// Opens the directory `rest` below `root`. A link is followed in `root` only.
    ///
    /// # Errors
    /// If it cannot be opened, or a component of `rest` is a link or `..`.
    pub fn open(root: &Path, rest: &Path) -> io::Result<Self> {
        use rustix::fs::{Mode, OFlags, open, openat};
        use std::path::Component;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let mut directory = open(root, flags, Mode::empty())?;
        for component in rest.components() {
            let name = match component {
                Component::Normal(name) => name,
                Component::CurDir => continue,
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            };
            let below = openat(&directory, name, flags | OFlags::NOFOLLOW, Mode::empty());
            directory = below.map_err(of_link)?;
        }
        Ok(Self { directory })
    }

    /// Opens a file for reading. Fails for a link, and does not wait for the writer of a pipe.
    pub fn file(&self, name: &OsStr) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(&self.directory, name, flags, Mode::empty()).map_err(of_link)?.into())
    }

    /// Creates a file. Fails on any existing name, even a link, which could lead the text
    /// elsewhere.
    pub fn create(&self, name: &OsStr, access: Access) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = match access {
            Access::Private => Mode::RUSR | Mode::WUSR,
            Access::Default => Mode::from_raw_mode(0o666),
        };
        Ok(openat(&self.directory, name, flags, mode)?.into())
    }

    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.directory, from, &self.directory, to)?)
    }

    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.directory, name, rustix::fs::AtFlags::empty())?)
    }

    /// Flushes the names of the directory to disk.
    pub fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.directory)?)
    }
}

/// Reports a link as a path that is not a directory, because the standard library has no stable
/// error kind for links.
#[cfg(unix)]
fn of_link(error: rustix::io::Errno) -> io::Error {
    if error == rustix::io::Errno::LOOP {
        io::ErrorKind::NotADirectory.into()
    } else {
        error.into()
    }
}

/// On other systems, a directory is represented by its path.
#[cfg(not(unix))]
impl OpenDirectory {
    pub fn open(root: &Path, rest: &Path) -> io::Result<Self> {
        Ok(Self { directory: root.join(rest) })
    }

    pub fn file(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.directory.join(name))
    }

    pub fn create(&self, name: &OsStr, _: Access) -> io::Result<File> {
        File::create_new(self.directory.join(name))
    }

    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        std::fs::rename(self.directory.join(from), self.directory.join(to))
    }

    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(self.directory.join(name))
    }

    /// Directories cannot be flushed there.
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}
