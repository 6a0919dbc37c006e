//! Counts of a search.

use std::ops::AddAssign;

use crate::document::mail::Skipped;

/// Counts of one input, or of a whole search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Number of searched files and archive members.
    pub files: u64,
    /// Number of those with a match.
    pub matched: u64,
    /// Those of them that were read as documents, not as plain text.
    pub documents: u64,
    /// Those of the documents that are mail: a message or a mailbox.
    pub mail: u64,
    /// Binary and special files that were not searched.
    pub skipped: u64,
    /// Those of them that are documents or archives in a format without a reader: old Office, PST,
    /// RAR.
    pub unread: u64,
    /// Number of bytes read, after decompression.
    pub bytes: u64,
    /// Matches that were selected.
    pub matches: u64,
    /// Candidates that were rejected.
    pub rejected: u64,
    /// Parts of mail that were not searched.
    pub skipped_parts: SkippedParts,
}

/// Parts of mail that were not searched, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedParts {
    /// Encrypted parts.
    pub encrypted: u64,
    /// Images and other binary parts.
    pub binary: u64,
}

impl SkippedParts {
    /// The total number.
    pub const fn total(self) -> u64 {
        self.encrypted + self.binary
    }

    pub(crate) fn count(&mut self, reason: Skipped) {
        match reason {
            Skipped::Encrypted => self.encrypted += 1,
            _ => self.binary += 1,
        }
    }
}

impl AddAssign for SkippedParts {
    fn add_assign(&mut self, other: Self) {
        self.encrypted += other.encrypted;
        self.binary += other.binary;
    }
}

impl Stats {
    /// The counts of one binary or special file.
    pub(crate) fn of_skipped_file() -> Self {
        Self { skipped: 1, ..Self::default() }
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.matched += other.matched;
        self.documents += other.documents;
        self.mail += other.mail;
        self.skipped += other.skipped;
        self.unread += other.unread;
        self.bytes += other.bytes;
        self.matches += other.matches;
        self.rejected += other.rejected;
        self.skipped_parts += other.skipped_parts;
    }
}
