//! One thing to search: a file by its path, or standard input.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Result, Seek};
use std::path::{Path, PathBuf};

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
        }
    }

    /// The path, unless it is standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File { path, .. } => Some(path),
        }
    }

    /// How it came to be searched.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Stdin => Origin::Named,
            Self::File { origin, .. } => *origin,
        }
    }

    /// Opens it.
    pub fn open(&self) -> Result<Input> {
        match self {
            Self::Stdin => stdin(),
            Self::File { path, .. } => input(File::open(path)?, 0),
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
