//! What an audit gives: documents with their findings, and counts.

use std::fmt;
use std::ops::AddAssign;

use crate::LineIndex;
use crate::audit::{AuditFinding, Profile, Severity};
use crate::search::{Input, Position, Problem};

/// What the audit of an input came to.
#[derive(Clone, Debug)]
pub enum AuditOutcome {
    /// It was audited; it may have no findings.
    Audited(Box<AuditedDocument>),
    /// It is no document, or its path is excluded.
    LeftOut,
    /// It could not be read.
    Failed(Problem),
}

impl AuditOutcome {
    /// The counts of the input.
    ///
    /// ```
    /// use urigrep::audit::AuditOutcome;
    /// assert_eq!(AuditOutcome::LeftOut.counts().left_out, 1);
    /// ```
    pub fn counts(&self) -> AuditCounts {
        match self {
            Self::Audited(document) => document.counts,
            Self::LeftOut => AuditCounts { left_out: 1, ..AuditCounts::default() },
            Self::Failed(_) => AuditCounts::default(),
        }
    }
}

/// A document that was audited, with the findings that are reported of it.
#[derive(Clone, Debug)]
pub struct AuditedDocument {
    input: Input,
    text: Vec<u8>,
    findings: Vec<LocatedFinding>,
    counts: AuditCounts,
    profile: Option<Profile>,
}

impl AuditedDocument {
    pub(super) fn new(
        input: Input,
        text: Vec<u8>,
        findings: Vec<LocatedFinding>,
        counts: AuditCounts,
    ) -> Self {
        Self { input, text, findings, counts, profile: None }
    }

    pub(super) fn with_profile(self, profile: Option<Profile>) -> Self {
        Self { profile, ..self }
    }

    /// As the page of what site it was read.
    pub fn profile(&self) -> Option<Profile> {
        self.profile
    }

    /// Where it came from.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// Its text, to which the spans of the findings refer; without secrets, if those are redacted. It is empty when there
    /// are no findings.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The lines of the text.
    pub fn lines(&self) -> LineIndex<'_> {
        LineIndex::new(&self.text)
    }

    /// The findings that are reported, by offset.
    pub fn findings(&self) -> &[LocatedFinding] {
        &self.findings
    }

    /// How many findings there are, also of those that are not reported.
    pub fn counts(&self) -> AuditCounts {
        self.counts
    }
}

/// A line for each finding: `PATH:LINE:COLUMN: SEVERITY[CHECK]: MESSAGE`.
impl fmt::Display for AuditedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = String::from_utf8_lossy(self.input.display_path());
        for located in &self.findings {
            writeln!(f, "{path}:{located}")?;
        }
        Ok(())
    }
}

/// A finding that is reported.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LocatedFinding {
    /// What was found.
    pub finding: AuditFinding,
    /// How bad it is, by the [`Filter`](super::Filter).
    pub severity: Severity,
    /// Where it starts.
    pub start: Position,
    /// What follows it.
    pub end: Position,
    /// The offset in the input of its first byte, and of the one that follows it.
    pub bytes: [u64; 2],
}

/// `LINE:COLUMN: SEVERITY[CHECK]: MESSAGE`.
impl fmt::Display for LocatedFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.start.line, self.start.column);
        let finding = &self.finding;
        let (id, message) = (finding.check.id, &finding.message);
        write!(f, "{line}:{column}: {}[{id}]: {message}", self.severity)
    }
}

/// How many findings of each severity are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SeverityCounts {
    /// What is wrong.
    pub error: u64,
    /// What is likely wrong.
    pub warning: u64,
    /// What is worth knowing.
    pub note: u64,
}

impl SeverityCounts {
    pub(super) fn add(&mut self, severity: Severity) {
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

/// How many findings are not reported, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SuppressedCounts {
    /// They are not bad enough.
    pub severity: u64,
    /// The filter excludes or does not include them.
    pub excluded: u64,
    /// A comment of the document turns the check off.
    pub comment: u64,
    /// They are known.
    pub baseline: u64,
}

/// The counts of a document, or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditCounts {
    /// Documents that were audited.
    pub documents: u64,
    /// Those with a finding.
    pub faulty: u64,
    /// Files that are no documents, or are excluded.
    pub left_out: u64,
    /// Bytes that were read of documents.
    pub bytes: u64,
    /// Links and other references in them.
    pub links: u64,
    /// References that start with `/`, where nothing shows what that means; they were not checked.
    pub unrooted: u64,
    /// References of which nobody can say whether they lead somewhere ([`unchecked-target`](super::CHECKS)).
    pub unchecked: u64,
    /// Findings that are reported.
    pub severities: SeverityCounts,
    /// Findings that are not.
    pub suppressed: SuppressedCounts,
    /// Findings that are counted only, because a document has so many.
    pub unlisted: u64,
    /// Known findings that the audited documents no longer have.
    pub stale: u64,
}

impl AuditCounts {
    /// How many links were judged.
    ///
    /// ```
    /// let mut counts = urigrep::audit::AuditCounts::default();
    /// (counts.links, counts.unchecked) = (10, 3);
    /// assert_eq!((counts.judged(), counts.coverage()), (7, 70.0));
    /// ```
    pub fn judged(&self) -> u64 {
        self.links.saturating_sub(self.unchecked)
    }

    /// How many percent of the links were judged; all of none.
    pub fn coverage(&self) -> f64 {
        if self.links == 0 { 100.0 } else { self.judged() as f64 * 100.0 / self.links as f64 }
    }
}

impl AddAssign for AuditCounts {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.faulty += other.faulty;
        self.left_out += other.left_out;
        self.bytes += other.bytes;
        self.links += other.links;
        self.unrooted += other.unrooted;
        self.unchecked += other.unchecked;
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
