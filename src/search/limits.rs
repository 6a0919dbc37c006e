//! Limits on the resources of one input.

use crate::Finder;
use crate::archive;
use crate::document::mail;

/// Limits on the resources of one input. Exceeding one is reported as a problem.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Limits for compressed files and archives.
    pub archive: archive::ArchiveLimits,
    /// Limits for reading a message as MIME.
    pub mime: mail::MimeLimits,
    /// The largest message that is read as one, in bytes. A larger one is searched as text.
    pub message: usize,
    /// The longest wrapper in bytes (D3.5).
    pub wrapper: usize,
    /// The largest compiled size of the regular expressions of a selection, in bytes.
    pub regexp: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            archive: archive::ArchiveLimits::default(),
            mime: mail::MimeLimits::default(),
            message: mail::FORMAT.limits().largest,
            wrapper: Finder::MAX_WRAPPER_LENGTH,
            // The default of the regex crate
            regexp: 10 << 20,
        }
    }
}
