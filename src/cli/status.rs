//! The exit status.

use std::process::ExitCode;

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There was a match.
    Match,
    /// There was none.
    NoMatch,
    /// There was an error.
    Error,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Match => 0,
            Status::NoMatch => 1,
            Status::Error => 2,
        })
    }
}
