//! What was done, in numbers: `--stats` and the summary of JSON.

use urigrep::container::document::mail::Skipped;

/// Counts of one file or of the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files searched.
    pub files: u64,
    /// Files searched that had a match.
    pub matched: u64,
    /// Binary and special files not searched.
    pub skipped: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Matches that were selected.
    pub matches: u64,
    /// Candidates that were rejected.
    pub rejected: u64,
    /// Parts of mail that were not searched.
    pub unread: Unread,
}

/// Parts of mail that were not searched, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// Those that are encrypted.
    pub encrypted: u64,
    /// Those that are no text, as images.
    pub binary: u64,
}

impl Unread {
    /// How many there are.
    pub const fn all(self) -> u64 {
        self.encrypted + self.binary
    }

    /// Counts one.
    pub fn count(&mut self, reason: Skipped) {
        match reason {
            Skipped::Encrypted => self.encrypted += 1,
            _ => self.binary += 1,
        }
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.encrypted += other.encrypted;
        self.binary += other.binary;
    }
}

impl Tally {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.matched += other.matched;
        self.skipped += other.skipped;
        self.bytes += other.bytes;
        self.matches += other.matches;
        self.rejected += other.rejected;
        self.unread.add(&other.unread);
    }
}
