//! Reads files to change them, and replaces them atomically: [`FileSnapshot`].

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Larger files are not changed: a file is held in memory twice.
pub const MAX_CHANGED_BYTES: u64 = 1 << 30;

/// The bytes of a file at one time.
#[derive(Debug)]
pub struct FileSnapshot {
    /// The file itself; the path may be a symbolic link to it.
    target: PathBuf,
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
        }
    }
}

impl std::error::Error for ReplaceError {}

impl From<io::Error> for ReplaceError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
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
        let mut file = File::open(&target)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ReplaceError::NotRegular);
        }
        if metadata.len() > MAX_CHANGED_BYTES {
            return Err(ReplaceError::TooLarge);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default() + 1);
        // The file may grow while it is read.
        Read::by_ref(&mut file).take(MAX_CHANGED_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_CHANGED_BYTES {
            return Err(ReplaceError::TooLarge);
        }
        Ok(Self { target, metadata, bytes })
    }

    /// Returns the path of the file itself, without symbolic links.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Replaces the file by one with these bytes, the same permissions, and the same owner. Readers
    /// see the old file or the new one, never a part of it.
    ///
    /// # Errors
    /// If the file changed since it was read, is read-only, or has other hard links, or if the new
    /// file cannot be written. The old file is still there then.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), ReplaceError> {
        // Renaming needs permissions of the directory only. Whoever made a file read-only wants it
        // to stay, though.
        if self.metadata.permissions().readonly() {
            return Err(ReplaceError::ReadOnly);
        }
        if links(&self.metadata) > 1 {
            return Err(ReplaceError::HardLinked);
        }
        let temporary = Temporary::create(&self.target)?;
        temporary.write(bytes, &self.metadata)?;
        // As late as possible. A change after this moment is lost, as with any editor.
        if fs::read(&self.target)? != self.bytes {
            return Err(ReplaceError::Changed);
        }
        temporary.rename(&self.target)?;
        Ok(())
    }
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}

/// A new file beside the one that it replaces, on the same file system. It is removed unless it is
/// renamed.
struct Temporary {
    file: File,
    path: Option<PathBuf>,
}

impl Temporary {
    fn create(target: &Path) -> io::Result<Self> {
        let mut error = io::Error::from(io::ErrorKind::AlreadyExists);
        for attempt in 0..100_u32 {
            let mut name = OsString::from(".");
            name.push(target.file_name().unwrap_or_default());
            name.push(format!(".urigrep-{}-{attempt}", std::process::id()));
            let path = target.with_file_name(name);
            match create_private(&path) {
                Ok(file) => return Ok(Self { file, path: Some(path) }),
                Err(failed) => error = failed,
            }
            if error.kind() != io::ErrorKind::AlreadyExists {
                break;
            }
        }
        Err(error)
    }

    /// Writes the bytes to disk, with the permissions and the owner of another file.
    fn write(&self, bytes: &[u8], like: &Metadata) -> io::Result<()> {
        (&self.file).write_all(bytes)?;
        set_owner(&self.file, like)?;
        self.file.set_permissions(like.permissions())?;
        // Without this, a crash after the renaming may leave an empty file.
        self.file.sync_all()
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        fs::rename(path, target)?;
        self.path = None;
        // The renaming itself must reach the disk, too. Not all file systems can do that, and the
        // new file is in place already.
        if let Some(directory) = target.parent().and_then(|directory| File::open(directory).ok()) {
            drop(directory.sync_all());
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // If this fails, there is nothing else to do: the error that led here is reported.
            drop(fs::remove_file(path));
        }
    }
}

/// Creates a file that nobody else can read: it may hold secrets of one that nobody else can read.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
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
