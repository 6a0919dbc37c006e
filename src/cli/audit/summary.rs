//! The summary of an audit.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use urigrep::audit::{AuditCounts, SeverityCounts, SuppressedCounts};

#[derive(Clone, Debug)]
pub struct AuditSummary {
    pub counts: AuditCounts,
    /// How many different faults there are, where those that are the same are shown once.
    pub different: Option<u64>,
    /// How many documents were read as pages of which sites.
    pub sites: BTreeMap<&'static str, u64>,
    pub errors: u64,
    pub elapsed: Duration,
}

impl AuditSummary {
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
            [] if counts.links == 0 => format!("0 links in {documents}"),
            [] => format!("nothing found in {documents}"),
            found => {
                let different = match self.different {
                    Some(different) if different < severities.sum() => {
                        format!(" ({different} different)")
                    }
                    _ => String::new(),
                };
                format!("{}{different} in {} of {documents}", found.join(", "), counts.faulty)
            }
        };
        if counts.documents > 0 {
            text += &self.sites();
        }
        if counts.unrooted > 0 {
            text += &format!(
                "; {} with `/` at the start not checked (--root DIR or --site PROFILE)",
                counted(counts.unrooted, "reference")
            );
        }
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

    /// `, read as mdbook`, `, read as mdbook (10) and github (2)`.
    fn sites(&self) -> String {
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        match sites.as_slice() {
            [] => String::new(),
            [(site, _)] => format!(", read as {site}"),
            sites => {
                let sites: Vec<_> =
                    sites.iter().map(|(site, count)| format!("{site} ({count})")).collect();
                format!(", read as {}", sites.join(", "))
            }
        }
    }
}

/// The counts in JSON and SARIF. The order of the fields is that of the formats.
#[derive(Serialize)]
pub struct AuditCountsRecord {
    files: u64,
    skipped: u64,
    bytes: u64,
    links: u64,
    unrooted: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sites: BTreeMap<&'static str, u64>,
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
            links: counts.links,
            unrooted: counts.unrooted,
            sites: summary.sites.clone(),
            findings: None,
            severities: counts.severities,
            suppressed: counts.suppressed,
            unlisted: counts.unlisted,
            stale: None,
            errors: summary.errors,
        }
    }
}

pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
