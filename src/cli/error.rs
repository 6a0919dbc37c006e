//! The errors of a command line, a configuration file, or a baseline.

use std::fmt;
use std::path::Path;

/// An error of the command line: the flag concerned, and the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliError {
    flag: Option<&'static str>,
    kind: CliErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum CliErrorKind {
    /// The flag excludes something else.
    Conflict(String),
    /// The flag needs another one.
    Needs(&'static str),
    /// The value of the flag, or the command line as a whole, is invalid.
    Invalid(String),
    /// The selection is empty, for this reason.
    NothingSelected(String),
    /// A file is invalid or can't be used; `place` is its path, and where known the line.
    File { place: String, message: String },
}

impl CliError {
    pub fn conflict(flag: &'static str, other: impl Into<String>) -> Self {
        Self { flag: Some(flag), kind: CliErrorKind::Conflict(other.into()) }
    }

    pub fn needs(flag: &'static str, other: &'static str) -> Self {
        Self { flag: Some(flag), kind: CliErrorKind::Needs(other) }
    }

    pub fn invalid(flag: &'static str, message: impl Into<String>) -> Self {
        Self { flag: Some(flag), kind: CliErrorKind::Invalid(message.into()) }
    }

    /// An error that is not about one flag.
    pub fn general(message: impl Into<String>) -> Self {
        Self { flag: None, kind: CliErrorKind::Invalid(message.into()) }
    }

    pub fn nothing_selected(reason: impl Into<String>) -> Self {
        Self { flag: None, kind: CliErrorKind::NothingSelected(reason.into()) }
    }

    pub fn file(path: &Path, message: impl Into<String>) -> Self {
        Self::at_place(path.display().to_string(), message)
    }

    /// An error in a file, at `FILE:LINE` or `FILE:LINE:COLUMN`.
    pub fn at_place(place: String, message: impl Into<String>) -> Self {
        Self { flag: None, kind: CliErrorKind::File { place, message: message.into() } }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = self.flag.unwrap_or_default();
        match &self.kind {
            CliErrorKind::Conflict(other) => write!(f, "{flag} cannot be combined with {other}"),
            CliErrorKind::Needs(other) => write!(f, "{flag} needs {other}"),
            CliErrorKind::Invalid(message) if self.flag.is_none() => f.write_str(message),
            CliErrorKind::Invalid(message) => write!(f, "{flag}: {message}"),
            CliErrorKind::NothingSelected(reason) => write!(f, "no URI can match: {reason}"),
            CliErrorKind::File { place, message } => write!(f, "{place}: {message}"),
        }
    }
}

impl std::error::Error for CliError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        for (error, message) in [
            (CliError::conflict("--json", "--explain"), "--json cannot be combined with --explain"),
            (
                CliError::needs("--write-baseline", "--baseline FILE"),
                "--write-baseline needs --baseline FILE",
            ),
            (CliError::invalid("--glob", "unclosed"), "--glob: unclosed"),
            (CliError::general("x"), "x"),
            (CliError::nothing_selected("x"), "no URI can match: x"),
            (CliError::file(Path::new("a"), "x"), "a: x"),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
