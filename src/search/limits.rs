//! What one input may cost.

use crate::Finder;
use crate::archive;
use crate::document::mail;

/// What one input may cost; what goes beyond a limit is reported as a problem.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Compressed files and archives.
    pub archive: archive::ArchiveLimits,
    /// What of a message is read as MIME.
    pub mime: mail::MimeLimits,
    /// The largest message that is read as one, in bytes; a larger one is searched as text.
    pub message: usize,
    /// Bytes of a wrapper (D3.5).
    pub wrapper: usize,
    /// What the regular expressions of a selection may compile to, in bytes.
    pub regexp: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            archive: archive::ArchiveLimits::default(),
            mime: mail::MimeLimits::default(),
            message: mail::FORMAT.limits().largest,
            wrapper: Finder::LONGEST_WRAPPER,
            // the default of the regex crate
            regexp: 10 << 20,
        }
    }
}
