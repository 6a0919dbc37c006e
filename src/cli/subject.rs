//! One thing to search: a file by its path, or standard input.

use std::ffi::OsStr;
use std::fs::File;
#[cfg(unix)]
use std::io::Seek;
use std::io::{Read, Result};
use std::path::{Path, PathBuf};

use urigrep::container::archive::MemberPath;

/// How a file came to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was named on the command line.
    Named,
    /// It was found in a directory.
    Tree,
}

/// One thing to search.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Standard input.
    Stdin,
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// The path as it is printed.
        shown: PathBuf,
        /// How it was found.
        origin: Origin,
    },
    /// A stream of another subject, which is compressed or an archive.
    Stream(Box<Stream>),
}

/// A stream of a subject that is compressed or an archive.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The subject.
    pub of: Subject,
    /// Where in it the stream is.
    pub place: MemberPath,
    /// The path of the subject and the members on the way, as they are printed.
    pub shown: Vec<u8>,
    /// Its name, without the extensions of compressions.
    pub name: Vec<u8>,
    /// How many streams of the subject come before it.
    pub index: u64,
}

/// What a subject is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It is a file, or all that is compressed in one.
    File,
    /// It is one of the members of an archive.
    Member,
}

/// Something for each level.
#[derive(Clone, Debug)]
pub struct Levels<T> {
    /// For files.
    pub file: T,
    /// For members of archives.
    pub member: T,
}

impl<T> Levels<T> {
    /// What there is for this level.
    pub fn of(&self, level: Level) -> &T {
        match level {
            Level::File => &self.file,
            Level::Member => &self.member,
        }
    }
}

/// How the bytes of a subject come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// At once: a regular file of about so many bytes.
    File(u64),
    /// As somebody writes them, or as the system makes them up.
    Stream,
}

/// An opened subject.
pub struct Input {
    /// The bytes; a regular file ends where it ended when it was opened.
    pub reader: Box<dyn Read + Send>,
    /// How they come.
    pub delivery: Delivery,
    /// A large regular file once more, and the offset from which it is read.
    pub large: Option<(File, u64)>,
}

/// A larger file is read and searched by all threads.
const LARGE: u64 = 2 << 20;

impl Subject {
    /// A file that was named on the command line.
    pub fn named(path: &Path) -> Self {
        Self::File {
            path: path.to_owned(),
            shown: path.to_owned(),
            origin: Origin::Named,
        }
    }

    /// The path as it is printed.
    pub fn shown(&self) -> &[u8] {
        match self {
            Self::Stdin => b"<stdin>",
            Self::File { shown, .. } => OsStr::as_encoded_bytes(shown.as_os_str()),
            Self::Stream(stream) => &stream.shown,
        }
    }

    /// The path of its file as it is printed, and, when it is not all of that file, where in it it is.
    pub fn located(&self) -> (&[u8], Option<&MemberPath>) {
        match self {
            Self::Stdin | Self::File { .. } => (self.shown(), None),
            Self::Stream(stream) => (stream.of.shown(), Some(&stream.place)),
        }
    }

    /// What it is part of.
    pub fn level(&self) -> Level {
        match self {
            Self::Stream(stream) if !stream.place.members().is_empty() => Level::Member,
            _ => Level::File,
        }
    }

    /// How many streams of the same file come before it.
    pub fn index(&self) -> u64 {
        match self {
            Self::Stdin | Self::File { .. } => 0,
            Self::Stream(stream) => stream.index,
        }
    }

    /// The name of its file or member, which may say what format it is in.
    pub fn name(&self) -> &[u8] {
        match self {
            Self::Stdin => b"",
            Self::File { path, .. } => path.file_name().unwrap_or_default().as_encoded_bytes(),
            Self::Stream(stream) => &stream.name,
        }
    }

    /// What follows the last dot of its name.
    pub fn extension(&self) -> Option<&str> {
        let name = self.name();
        let at = name.iter().rposition(|&byte| byte == b'.')?;
        std::str::from_utf8(&name[at + 1..]).ok()
    }

    /// The path of its file, unless that is standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File { path, .. } => Some(path),
            Self::Stream(stream) => stream.of.path(),
        }
    }

    /// How it came to be searched.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Stdin => Origin::Named,
            Self::File { origin, .. } => *origin,
            Self::Stream(stream) => stream.of.origin(),
        }
    }

    /// Opens it.
    pub fn open(&self) -> Result<Input> {
        match self {
            Self::Stdin => stdin(),
            Self::File { path, .. } => input(File::open(path)?, 0),
            Self::Stream(stream) => stream.of.open(),
        }
    }
}

/// What a file that stands at this offset is read through.
fn input(file: File, at: u64) -> Result<Input> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(Input {
            reader: Box::new(file),
            delivery: Delivery::Stream,
            large: None,
        });
    }
    let left = metadata.len().saturating_sub(at);
    let large = if left > LARGE {
        Some((file.try_clone()?, at))
    } else {
        None
    };
    Ok(Input {
        reader: Box::new(file.take(left)),
        delivery: Delivery::File(left),
        large,
    })
}

#[cfg(unix)]
fn stdin_file() -> Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(std::io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(unix)]
fn stdin() -> Result<Input> {
    let mut file = stdin_file()?;
    // Whoever had it before may have read some of it; a pipe has no offset.
    let at = file.stream_position().unwrap_or(0);
    input(file, at)
}

#[cfg(not(unix))]
fn stdin() -> Result<Input> {
    Ok(Input {
        reader: Box::new(std::io::stdin()),
        delivery: Delivery::Stream,
        large: None,
    })
}

/// True when standard input is a file, a pipe or a socket, so that it is meant to be read.
#[cfg(unix)]
pub fn stdin_is_offered() -> bool {
    use std::os::unix::fs::FileTypeExt;
    stdin_file()
        .and_then(|file| file.metadata())
        .is_ok_and(|metadata| {
            let kind = metadata.file_type();
            kind.is_file() || kind.is_fifo() || kind.is_socket()
        })
}

/// True when standard input is not a terminal.
#[cfg(not(unix))]
pub fn stdin_is_offered() -> bool {
    use std::io::IsTerminal;
    !std::io::stdin().is_terminal()
}
