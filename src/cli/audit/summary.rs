//! The summary of an audit.

use std::time::Duration;

use serde::Serialize;
use urigrep::audit::{AuditCounts, SeverityCounts, SuppressedCounts};

/// The numbers of the whole run.
#[derive(Clone, Copy, Debug)]
pub struct AuditSummary {
    /// The counts of all documents.
    pub counts: AuditCounts,
    /// Errors that were reported on standard error.
    pub errors: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl AuditSummary {
    /// The counts in a sentence or two, for people.
    pub fn sentence(&self) -> String {
        let counts = &self.counts;
        let severities = counts.severities;
        let found = [
            (severities.error, "error"),
            (severities.warning, "warning"),
            (severities.note, "note"),
        ];
        let found: Vec<_> = found
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(count, noun))
            .collect();
        let documents = counted(counts.documents, "document");
        let mut text = match found.as_slice() {
            [] => format!("nothing found in {documents}"),
            found => format!("{} in {} of {documents}", found.join(", "), counts.faulty),
        };
        let suppressed = counts.suppressed;
        let asides = [
            (counts.unlisted, "not listed"),
            (suppressed.severity, "less severe (--severity)"),
            (suppressed.excluded, "excluded"),
            (suppressed.comment, "disabled by comments"),
            (suppressed.baseline, "in the baseline"),
        ];
        let asides: Vec<_> = asides
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} {why}"))
            .collect();
        if !asides.is_empty() {
            text += &format!("; not shown: {}", asides.join(", "));
        }
        if counts.left_out > 0 {
            text += &format!("; {} left out", counted(counts.left_out, "other file"));
        }
        if counts.stale > 0 {
            text += &format!(
                "; {} of the baseline no longer there (--write-baseline)",
                counted(counts.stale, "finding")
            );
        }
        if self.errors > 0 {
            text += &format!("; {}", counted(self.errors, "failure"));
        }
        text
    }
}

/// The counts in JSON and SARIF. The order of the fields is that of the formats.
#[derive(Serialize)]
pub struct AuditCountsRecord {
    files: u64,
    skipped: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<u64>,
    severities: SeverityCounts,
    suppressed: SuppressedCounts,
    unlisted: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<u64>,
    errors: u64,
}

impl AuditCountsRecord {
    /// All counts.
    pub fn complete(summary: &AuditSummary) -> Self {
        Self {
            findings: Some(summary.counts.severities.sum()),
            stale: Some(summary.counts.stale),
            ..Self::new(summary)
        }
    }

    /// The counts that all formats have.
    pub fn new(summary: &AuditSummary) -> Self {
        let counts = &summary.counts;
        Self {
            files: counts.documents,
            skipped: counts.left_out,
            bytes: counts.bytes,
            findings: None,
            severities: counts.severities,
            suppressed: counts.suppressed,
            unlisted: counts.unlisted,
            stale: None,
            errors: summary.errors,
        }
    }
}

/// `1 error`, `2 errors`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let mut counts = AuditCounts::default();
        counts.documents = 1;
        let mut summary = AuditSummary { counts, errors: 0, elapsed: Duration::ZERO };
        assert_eq!(summary.sentence(), "nothing found in 1 document");
        summary.counts.documents = 150;
        summary.counts.faulty = 2;
        summary.counts.left_out = 1;
        summary.counts.severities.error = 1;
        summary.counts.severities.warning = 2;
        summary.counts.suppressed.severity = 4;
        summary.counts.suppressed.baseline = 1;
        assert_eq!(
            summary.sentence(),
            "1 error, 2 warnings in 2 of 150 documents; not shown: 4 less severe (--severity), \
             1 in the baseline; 1 other file left out"
        );
    }
}
