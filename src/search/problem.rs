//! What went wrong with an input, while the others were searched.

use std::fmt;
use std::io;

/// What went wrong with one input; the search goes on with the others.
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
    /// An input could not be opened, or not be read to its end; what was read before was searched.
    Read,
    /// A limit was reached: part of the input was searched as text, or not at all.
    Limit,
    /// An archive is damaged; what came before the damage was searched.
    Archive,
    /// An input is in a format that is not read.
    Unread,
    /// A panic while the input was searched, which is a fault of this library.
    Panic,
}

impl Problem {
    /// A problem with the input that is displayed as `path`; empty when it concerns none.
    pub fn new(kind: ProblemKind, path: impl Into<Vec<u8>>, message: impl Into<String>) -> Self {
        Self { kind, path: path.into(), message: message.into() }
    }

    /// A failure of the system to open or read the input.
    pub(crate) fn read(path: impl Into<Vec<u8>>, error: &io::Error) -> Self {
        Self::new(ProblemKind::Read, path, describe(error))
    }

    /// What kind of problem it is.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// The path of the input as it is displayed, with the members of archives on the way; its bytes need not be UTF-8.
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// What is wrong, for people.
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

/// The message of an I/O error, without the number of the system.
///
/// ```
/// let error = std::fs::metadata("no-such-file").unwrap_err();
/// assert!(!urigrep::search::describe(&error).contains("os error"));
/// ```
pub fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(at) if error.raw_os_error().is_some() => text[..at].to_owned(),
        _ => text,
    }
}
