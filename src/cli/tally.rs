//! What was done, in numbers: `--stats` and the summary of JSON.

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
    }
}
