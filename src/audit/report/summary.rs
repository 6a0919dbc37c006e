//! The summary of an audit: [`AuditSummary`].

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::audit::{AuditCounts, AuditedDocument, SeverityCounts, SuppressedCounts};

/// Totals of an audit over all its documents.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AuditSummary {
    /// The counts of all documents.
    pub counts: AuditCounts,
    /// The number of documents read as pages of each kind of site.
    pub sites: BTreeMap<&'static str, u64>,
    /// The number of tracked documents in hidden directories, which were not audited.
    pub hidden: u64,
    /// The number of tracked documents that a rule of `.ignore` names, which were not audited.
    pub ignored: u64,
    /// URLs by verdict, if links to the web were checked.
    pub web: Option<WebCounts>,
    /// The number of inputs that could not be read.
    pub errors: u64,
    /// The time that the audit took.
    pub elapsed: Duration,
    /// The summary as a sentence, without a full stop.
    pub sentence: String,
}

impl AuditSummary {
    /// Adds a document.
    pub fn add(&mut self, document: &AuditedDocument) {
        self.counts += document.counts();
        if let Some(profile) = document.profile() {
            *self.sites.entry(profile.name()).or_default() += 1;
        }
    }
}

/// Writes [`AuditSummary::sentence`].
impl fmt::Display for AuditSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.sentence)
    }
}

/// Numbers of distinct URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WebCounts {
    /// Alive.
    pub alive: u64,
    /// Dead.
    pub dead: u64,
    /// Not verified, by reason.
    pub unknown: BTreeMap<String, u64>,
}

impl WebCounts {
    /// Returns the counts for people:
    /// `120 URLs alive, 2 dead, 5 not verified (403: 3, timeout: 2)`.
    pub fn sentence(&self) -> String {
        let mut text = format!("{} alive", counted(self.alive, "URL"));
        if self.dead > 0 {
            text += &format!(", {} dead", self.dead);
        }
        let mut reasons: Vec<_> = self.unknown.iter().collect();
        reasons.sort_by_key(|(word, count)| (std::cmp::Reverse(**count), word.as_str()));
        if !reasons.is_empty() {
            let sum: u64 = self.unknown.values().sum();
            let reasons: Vec<_> =
                reasons.iter().map(|(word, count)| format!("{word}: {count}")).collect();
            text += &format!(", {sum} not verified ({})", reasons.join(", "));
        }
        text
    }
}

/// Returns the start of the summary for people: `2 errors, 1 warning in 3 of 10 documents`.
/// `different` is the number of different faults, if equal ones are shown once.
pub fn found(counts: &AuditCounts, different: Option<u64>) -> String {
    let severities = counts.severities;
    let found =
        [(severities.error, "error"), (severities.warning, "warning"), (severities.note, "note")];
    let found: Vec<_> = found
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
    let documents = counted(counts.documents, "document");
    match found.as_slice() {
        [] if counts.links == 0 => format!("0 links in {documents}"),
        [] => format!("nothing found in {documents}"),
        found => {
            let different = match different {
                Some(different) if different < severities.sum() => {
                    format!(" ({different} different)")
                }
                _ => String::new(),
            };
            format!("{}{different} in {} of {documents}", found.join(", "), counts.faulty)
        }
    }
}

/// The counts in JSON and SARIF. The order of the fields is that of the formats.
#[derive(Serialize)]
pub(super) struct AuditCountsRecord {
    files: u64,
    skipped: u64,
    vendored: u64,
    #[serde(skip_serializing_if = "is_zero")]
    hidden: u64,
    #[serde(skip_serializing_if = "is_zero")]
    ignored: u64,
    bytes: u64,
    links: u64,
    judged: u64,
    unrooted: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sites: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    web: Option<WebCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<u64>,
    severities: SeverityCounts,
    suppressed: SuppressedCounts,
    unlisted: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<u64>,
    errors: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
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
            vendored: counts.vendored,
            hidden: summary.hidden,
            ignored: summary.ignored,
            bytes: counts.bytes,
            links: counts.links,
            judged: counts.judged(),
            unrooted: counts.unrooted,
            sites: summary.sites.clone(),
            web: summary.web.clone(),
            findings: None,
            severities: counts.severities,
            suppressed: counts.suppressed,
            unlisted: counts.unlisted,
            stale: None,
            errors: summary.errors,
        }
    }
}

/// Returns a number and a noun: `2 links`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
