//! What is counted: findings, and whatever is not among them.

use std::ops::AddAssign;
use std::time::Duration;

use serde::Serialize;
use urigrep::audit::Severity;

/// Findings that are reported, by how bad they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Severities {
    /// What is wrong.
    pub error: u64,
    /// What is likely wrong.
    pub warning: u64,
    /// What is worth knowing.
    pub note: u64,
}

impl Severities {
    /// Counts one.
    pub fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.error += 1,
            Severity::Warning => self.warning += 1,
            Severity::Note => self.note += 1,
        }
    }

    /// Those of one severity.
    pub fn of(self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.note,
        }
    }

    /// All of them.
    pub fn sum(self) -> u64 {
        self.error + self.warning + self.note
    }
}

/// Findings that are not reported, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Suppressed {
    /// They are not bad enough.
    pub severity: u64,
    /// The configuration excludes or does not include them.
    pub excluded: u64,
    /// A comment of the document turns the check off.
    pub comment: u64,
    /// They are in the baseline.
    pub baseline: u64,
}

/// The counts of a document, or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Documents that were audited.
    pub documents: u64,
    /// Those with a finding.
    pub faulty: u64,
    /// Files that are no documents, or are excluded.
    pub others: u64,
    /// Bytes that were read of documents.
    pub bytes: u64,
    /// Findings that are reported.
    pub severities: Severities,
    /// Findings that are not.
    pub suppressed: Suppressed,
    /// Findings that are counted only, because a document has so many.
    pub unlisted: u64,
    /// Findings of the baseline that the audited documents no longer have.
    pub stale: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.faulty += other.faulty;
        self.others += other.others;
        self.bytes += other.bytes;
        self.severities.error += other.severities.error;
        self.severities.warning += other.severities.warning;
        self.severities.note += other.severities.note;
        self.suppressed.severity += other.suppressed.severity;
        self.suppressed.excluded += other.suppressed.excluded;
        self.suppressed.comment += other.suppressed.comment;
        self.suppressed.baseline += other.suppressed.baseline;
        self.unlisted += other.unlisted;
        self.stale += other.stale;
    }
}

/// The numbers of the whole run.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The counts of all documents.
    pub tally: Tally,
    /// Errors that were reported on standard error.
    pub errors: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl Summary {
    /// The counts in a sentence or two, for people.
    pub fn sentence(&self) -> String {
        let tally = &self.tally;
        let Severities {
            error,
            warning,
            note,
        } = tally.severities;
        let found = [(error, "error"), (warning, "warning"), (note, "note")];
        let found: Vec<_> = found
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(count, noun))
            .collect();
        let documents = counted(tally.documents, "document");
        let mut text = match found.as_slice() {
            [] => format!("nothing found in {documents}"),
            found => format!("{} in {} of {documents}", found.join(", "), tally.faulty),
        };
        let Suppressed {
            severity,
            excluded,
            comment,
            baseline,
        } = tally.suppressed;
        let asides = [
            (tally.unlisted, "not listed"),
            (severity, "less severe (--severity)"),
            (excluded, "excluded"),
            (comment, "disabled by comments"),
            (baseline, "in the baseline"),
        ];
        let asides: Vec<_> = asides
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} {why}"))
            .collect();
        if !asides.is_empty() {
            text += &format!("; not shown: {}", asides.join(", "));
        }
        if tally.others > 0 {
            text += &format!("; {} left out", counted(tally.others, "other file"));
        }
        if tally.stale > 0 {
            text += &format!(
                "; {} of the baseline no longer there (--write-baseline)",
                counted(tally.stale, "finding")
            );
        }
        if self.errors > 0 {
            text += &format!("; {}", counted(self.errors, "failure"));
        }
        text
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
        let mut summary = Summary {
            tally: Tally {
                documents: 1,
                ..Tally::default()
            },
            errors: 0,
            elapsed: Duration::ZERO,
        };
        assert_eq!(summary.sentence(), "nothing found in 1 document");
        summary.tally += Tally {
            documents: 149,
            faulty: 2,
            others: 1,
            severities: Severities {
                error: 1,
                warning: 2,
                note: 0,
            },
            suppressed: Suppressed {
                severity: 4,
                baseline: 1,
                ..Suppressed::default()
            },
            ..Tally::default()
        };
        assert_eq!(
            summary.sentence(),
            "1 error, 2 warnings in 2 of 150 documents; not shown: 4 less severe (--severity), \
             1 in the baseline; 1 other file left out"
        );
    }
}
