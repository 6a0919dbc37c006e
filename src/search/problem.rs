//! A problem with one input; all other inputs are still searched.

use std::fmt;
use std::io;

/// A problem with one input; all other inputs are still searched.
///
/// ```
/// use urigrep::search::{Problem, ProblemKind};
/// let problem = Problem::new(ProblemKind::Read, b"a.txt", "permission denied");
/// assert_eq!(problem.to_string(), "a.txt: permission denied");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    kind: ProblemKind,
    path: Vec<u8>,
    message: String,
}

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// An input could not be opened or read to its end. Everything read before the error was
    /// searched.
    Read,
    /// A limit was reached: part of the input was searched as text, or not at all.
    Limit,
    /// An archive is damaged. Everything before the damage was searched.
    Archive,
    /// The format of the input is not supported.
    Unread,
    /// A panic while the input was searched, which is a bug in this library.
    Panic,
}

impl Problem {
    /// Creates a problem with the input displayed as `path`; empty if the problem concerns no
    /// input.
    pub fn new(kind: ProblemKind, path: impl Into<Vec<u8>>, message: impl Into<String>) -> Self {
        Self { kind, path: path.into(), message: message.into() }
    }

    /// A failure of the system to open or read the input.
    pub(crate) fn read(path: impl Into<Vec<u8>>, error: &io::Error) -> Self {
        Self::new(ProblemKind::Read, path, describe(error))
    }

    /// The kind of problem.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// The displayed path of the input, with the archive members on the way. Its bytes need not be
    /// UTF-8.
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", String::from_utf8_lossy(&self.path))?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// The message of an I/O error, without the error number of the system.
///
/// ```
/// let error = std::fs::metadata("no-such-file").unwrap_err();
/// assert!(!urigrep::search::describe(&error).contains("os error"));
/// ```
pub fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        // The text of any other error may hold these words, such as the name of a file.
        Some(at) if error.raw_os_error().is_some() => text[..at].to_owned(),
        _ => text,
    }
}
