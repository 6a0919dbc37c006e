//! The reason why a walk stops.

use super::{ArchiveFormat, ArchiveProblem};

pub(super) enum Stop {
    /// The visitor returned `Break`.
    Requested,
    /// A stream failed, and recorded the reason in the ledger.
    ReadFailed,
    Problem(ArchiveProblem),
}

pub(super) type WalkResult<T = ()> = Result<T, Stop>;

impl From<ArchiveProblem> for Stop {
    fn from(problem: ArchiveProblem) -> Self {
        Self::Problem(problem)
    }
}

impl From<std::io::Error> for Stop {
    fn from(_: std::io::Error) -> Self {
        Self::ReadFailed
    }
}

impl ArchiveFormat {
    pub(super) fn truncated(self) -> Stop {
        Stop::Problem(ArchiveProblem::Truncated(self))
    }
}
