//! The exit status.

use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Match,
    NoMatch,
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
