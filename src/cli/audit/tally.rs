//! Counts the work of an audit, for the progress line.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use urigrep::audit::AuditCounts;

use crate::cli::output::grouped;

/// The counts of the documents that were audited so far.
#[derive(Debug, Default)]
pub struct AuditTally(Mutex<AuditCounts>);

impl AuditTally {
    pub fn add(&self, counts: AuditCounts) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += counts;
    }

    /// Formats the line, such as `1,200 documents  34,000 links  12 findings  600/s`. The number of
    /// documents of a tree is not known before all of it was read, so there is no percentage.
    pub fn line(&self, elapsed: Duration) -> String {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = counts.documents as f64 / elapsed.as_secs_f64().max(0.001);
        let count = |number: u64, noun: &str| {
            format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
        };
        let parts = [
            count(counts.documents, "document"),
            count(counts.links, "link"),
            count(counts.severities.sum(), "finding"),
            format!("{rate:.0}/s"),
        ];
        parts.join("  ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_audited() {
        let tally = AuditTally::default();
        let mut counts = AuditCounts::default();
        (counts.documents, counts.links) = (1200, 1);
        tally.add(counts);
        let line = tally.line(Duration::from_secs(2));
        assert_eq!(line, "1,200 documents  1 link  0 findings  600/s");
    }
}
