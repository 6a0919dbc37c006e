//! Errors in archives, with messages for people.

use std::fmt;
use std::io::{Error, ErrorKind};

use super::ArchiveFormat;
use super::stream::StreamRole;

/// An error in a compressed stream or an archive.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArchiveProblem {
    /// The input could not be read.
    Unreadable(Error),
    /// It ends too early.
    Truncated(ArchiveFormat),
    /// It does not follow its format.
    Corrupt(ArchiveFormat, String),
    /// Other data follows its end.
    Trailing(ArchiveFormat),
    /// It is packed in an unsupported way.
    Unsupported(ArchiveFormat, String),
    /// This many members are encrypted and were skipped.
    Encrypted(u64),
    /// A limit stopped the reading.
    Limit(ArchiveLimit),
    /// This many more problems were not reported individually.
    More(u64),
}

/// The [limit](super::ArchiveLimits) that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveLimit {
    /// The number of bytes.
    Bytes(u64),
    /// The ratio of unpacked bytes to read bytes.
    Ratio(u64),
    /// The depth. Deeper levels are delivered as stored.
    Depth(usize),
    /// The number of members.
    Members(u64),
}

impl ArchiveFormat {
    pub(super) fn corrupt(self, what: &str) -> ArchiveProblem {
        ArchiveProblem::Corrupt(self, what.to_owned())
    }

    pub(super) fn unsupported(self, what: &str) -> ArchiveProblem {
        ArchiveProblem::Unsupported(self, what.to_owned())
    }
}

impl ArchiveProblem {
    /// True if the data is not in the expected format.
    pub(super) fn is_refusal(&self) -> bool {
        match self {
            Self::Truncated(_) | Self::Corrupt(..) | Self::Trailing(_) | Self::Unsupported(..) => {
                true
            }
            Self::Unreadable(_) | Self::Encrypted(_) | Self::Limit(_) | Self::More(_) => false,
        }
    }

    pub(super) fn from_read_error(error: Error, role: StreamRole) -> Self {
        let format = match role {
            StreamRole::Unpacked(format) => format,
            StreamRole::Member(format)
                // Any other kind comes from the input itself, such as a disk that fails.
                if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::InvalidData) =>
            {
                format
            }
            StreamRole::Member(_) | StreamRole::PassThrough => return Self::Unreadable(error),
        };
        match error.kind() {
            ErrorKind::UnexpectedEof => Self::Truncated(format),
            ErrorKind::OutOfMemory => format.unsupported("it needs too much memory to unpack"),
            ErrorKind::Unsupported => Self::Unsupported(format, error.to_string()),
            _ => Self::Corrupt(format, error.to_string()),
        }
    }
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(out),
            Self::Truncated(format) => write!(out, "the {format} data ends too early"),
            Self::Corrupt(format, what) => write!(out, "the {format} data is corrupt: {what}"),
            Self::Trailing(format) => {
                write!(out, "unexpected data follows the {format} data")
            }
            Self::Unsupported(format, what) => {
                write!(out, "this {format} data is not read: {what}")
            }
            Self::Encrypted(1) => write!(out, "a member is encrypted and was skipped"),
            Self::Encrypted(count) => {
                write!(out, "{count} members are encrypted and were skipped")
            }
            Self::Limit(limit) => limit.fmt(out),
            Self::More(count) => write!(out, "{count} more problems like these"),
        }
    }
}

impl std::error::Error for ArchiveProblem {}

impl fmt::Display for ArchiveLimit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(most) => {
                write!(out, "it unpacks to more than {most} bytes; the rest was not read")
            }
            Self::Ratio(most) => write!(
                out,
                "it unpacks to more than {most} times its size; the rest was not read (decompression bomb?)"
            ),
            Self::Depth(most) => write!(
                out,
                "archives are nested more than {most} deep; the inner ones were searched without unpacking"
            ),
            Self::Members(most) => {
                write!(out, "it has more than {most} members; the rest was not read")
            }
        }
    }
}
