//! Results of an audit: documents with their findings, and counts.

use std::fmt;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use crate::LineIndex;
use crate::audit::{AuditFinding, Profile, Severity};
use crate::change::Edit;
use crate::document::Place;
use crate::search::{Input, Position, Problem};

/// Outcome of auditing one input.
#[derive(Clone, Debug)]
pub enum AuditOutcome {
    /// Audited, perhaps without findings.
    Audited(Box<AuditedDocument>),
    /// Not a document, or excluded by its path.
    LeftOut,
    /// In a directory of this name, whose documents belong to another project or are test data
    /// ([`Vendored`](crate::audit::Vendored)).
    Vendored(&'static str),
    /// Could not be read.
    Failed(Problem),
}

impl AuditOutcome {
    /// Returns the counts of the input.
    ///
    /// ```
    /// use urigrep::audit::AuditOutcome;
    /// assert_eq!(AuditOutcome::LeftOut.counts().left_out, 1);
    /// ```
    pub fn counts(&self) -> AuditCounts {
        match self {
            Self::Audited(document) => document.counts,
            Self::LeftOut => AuditCounts { left_out: 1, ..AuditCounts::default() },
            Self::Vendored(_) => AuditCounts { vendored: 1, ..AuditCounts::default() },
            Self::Failed(_) => AuditCounts::default(),
        }
    }
}

/// An audited document with its reported findings.
#[derive(Clone, Debug)]
pub struct AuditedDocument {
    input: Input,
    text: Vec<u8>,
    findings: Vec<LocatedFinding>,
    counts: AuditCounts,
    profile: Option<Profile>,
    read: Vec<PathBuf>,
    anchors: Option<u64>,
    site_names: Option<u64>,
}

impl AuditedDocument {
    pub(super) fn new(
        input: Input,
        text: Vec<u8>,
        findings: Vec<LocatedFinding>,
        counts: AuditCounts,
    ) -> Self {
        Self {
            input,
            text,
            findings,
            counts,
            profile: None,
            read: Vec::new(),
            anchors: None,
            site_names: None,
        }
    }

    pub(super) fn with_profile(self, profile: Option<Profile>) -> Self {
        Self { profile, ..self }
    }

    pub(super) fn with_live(self, live: LiveFacts) -> Self {
        Self { read: live.read, anchors: live.anchors, site_names: live.site_names, ..self }
    }

    /// Returns the other files whose text the findings depend on, if the auditor has an
    /// [`Overlay`](super::Overlay). After a change of one, this document must be audited again.
    pub fn depends_on(&self) -> &[PathBuf] {
        &self.read
    }

    /// Returns a number that changes with the anchors of the document, if the auditor has an
    /// [`Overlay`](super::Overlay). While it stays, no other document needs another audit.
    pub fn anchors_fingerprint(&self) -> Option<u64> {
        self.anchors
    }

    /// Returns a number that changes with those names in the document that the whole site knows,
    /// such as labels of Sphinx; `None` without such names, and unless an
    /// [`Overlay`](super::Overlay) replaces the document. When it changes, a new auditor must be
    /// built.
    pub fn site_names_fingerprint(&self) -> Option<u64> {
        self.site_names
    }

    /// Returns the kind of site that the document was audited as a page of.
    pub fn profile(&self) -> Option<Profile> {
        self.profile
    }

    /// Returns the origin of the document.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// Returns the path of the document; `None` for standard input.
    pub fn path(&self) -> Option<&Path> {
        self.input.path()
    }

    /// Returns the text that the spans of the findings refer to; secrets are masked if requested.
    /// Empty if there are no findings.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the lines of the text.
    pub fn lines(&self) -> LineIndex<'_> {
        LineIndex::new(&self.text)
    }

    /// Returns the reported findings, by offset.
    pub fn findings(&self) -> &[LocatedFinding] {
        &self.findings
    }

    /// Returns the counts, which include findings that are not reported.
    pub fn counts(&self) -> AuditCounts {
        self.counts
    }
}

/// Writes one line per finding: `PATH:LINE:COLUMN: SEVERITY[CHECK]: MESSAGE`.
impl fmt::Display for AuditedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = String::from_utf8_lossy(self.input.display_path());
        for located in &self.findings {
            writeln!(f, "{path}:{located}")?;
        }
        Ok(())
    }
}

/// The facts of an open document, whose text may change, that other audits need.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveFacts {
    /// The other files whose text the findings depend on.
    pub read: Vec<PathBuf>,
    /// Changes with the anchors.
    pub anchors: Option<u64>,
    /// Changes with the names that the whole site knows.
    pub site_names: Option<u64>,
}

/// A reported finding with its place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LocatedFinding {
    /// The finding.
    pub finding: AuditFinding,
    /// Severity after the [`Filter`](super::Filter).
    pub severity: Severity,
    /// Position of its start.
    pub start: Position,
    /// Position of its end (exclusive).
    pub end: Position,
    /// Byte offsets of its start and end (exclusive) in the input.
    pub bytes: [u64; 2],
    /// The place in a document without lines, such as a page. Lines and offsets say nothing then.
    pub place: Option<Place<'static>>,
    /// The edits of its fix, with secrets, for [`change::apply`](crate::change::apply).
    pub edits: Vec<Edit>,
}

impl LocatedFinding {
    /// Returns a finding in a document that has no lines.
    pub(super) fn at_place(
        finding: AuditFinding,
        severity: Severity,
        place: Option<Place<'static>>,
    ) -> Self {
        let (start, end) = (Position::START, Position::START);
        Self { finding, severity, start, end, bytes: [0, 0], place, edits: Vec::new() }
    }

    /// Returns the place for people: `LINE:COLUMN`, `page 3`.
    pub fn shown_place(&self) -> String {
        match &self.place {
            Some(place) => place.to_string(),
            None => format!("{}:{}", self.start.line, self.start.column),
        }
    }
}

/// Writes `PLACE: SEVERITY[CHECK]: MESSAGE`, where the place is `LINE:COLUMN` or a page.
impl fmt::Display for LocatedFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, finding) = (self.shown_place(), &self.finding);
        let (id, message) = (finding.check.id, &finding.message);
        write!(f, "{place}: {}[{id}]: {message}", self.severity)
    }
}

/// Number of reported findings per severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SeverityCounts {
    /// Errors.
    pub error: u64,
    /// Warnings.
    pub warning: u64,
    /// Notes.
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

    /// Returns the number of findings of one severity.
    pub fn count(self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.note,
        }
    }

    /// Returns the number of all findings.
    pub fn sum(self) -> u64 {
        self.error + self.warning + self.note
    }
}

impl AddAssign for SeverityCounts {
    fn add_assign(&mut self, other: Self) {
        self.error += other.error;
        self.warning += other.warning;
        self.note += other.note;
    }
}

/// Number of findings that are not reported, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SuppressedCounts {
    /// Below the minimum severity.
    pub severity: u64,
    /// Excluded or not included by the filter.
    pub excluded: u64,
    /// Disabled by a comment of the document.
    pub comment: u64,
    /// Known from a baseline.
    pub baseline: u64,
    /// Of a check that the settings turn off.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub off: u64,
}

#[cfg(feature = "serde")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Counts of one or more documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuditCounts {
    /// Audited documents.
    pub documents: u64,
    /// Documents with a reported finding.
    pub faulty: u64,
    /// Files that are not documents or are excluded.
    pub left_out: u64,
    /// Files in directories of other projects or of test data, which are not audited.
    pub vendored: u64,
    /// Bytes of the documents.
    pub bytes: u64,
    /// Links and other references in the documents.
    pub links: u64,
    /// References that start with `/` and were not checked, because the root is unknown.
    pub unrooted: u64,
    /// References that could not be checked ([`unchecked-target`](super::CHECKS)).
    pub unchecked: u64,
    /// Those of them whose document has no directory: a member of an archive, or an attachment.
    pub enclosed: u64,
    /// Reported findings.
    pub severities: SeverityCounts,
    /// Reported findings about answers of the web that are not a reason to fail.
    pub advisory: SeverityCounts,
    /// Findings that are not reported.
    pub suppressed: SuppressedCounts,
    /// Findings with a fix that are not reported, because of their severity.
    pub unreported_fixes: u64,
    /// Findings beyond the limit per document, which are counted but not listed.
    pub unlisted: u64,
    /// Findings whose severity the settings lower, reported or not.
    pub lowered: u64,
    /// Baseline entries that the audited documents no longer have.
    pub stale: u64,
}

impl AuditCounts {
    /// Returns the number of links that were checked.
    ///
    /// ```
    /// let mut counts = urigrep::audit::AuditCounts::default();
    /// (counts.links, counts.unchecked) = (10, 3);
    /// assert_eq!((counts.judged(), counts.coverage()), (7, 70.0));
    /// ```
    pub fn judged(&self) -> u64 {
        self.links.saturating_sub(self.unchecked)
    }

    /// True if a reported finding is a reason to fail by default: of what the web answers, only a
    /// proof is.
    pub fn has_faults(&self) -> bool {
        self.unlisted > 0 || self.severities.sum() > self.advisory.sum()
    }

    /// True if a finding of at least this severity was reported, also one that is not proof.
    ///
    /// ```
    /// use urigrep::audit::{AuditCounts, Severity};
    /// let mut counts = AuditCounts::default();
    /// counts.severities.warning = 1;
    /// assert!(counts.has_faults() && !counts.has_faults_at(Severity::Error));
    /// ```
    pub fn has_faults_at(&self, least: Severity) -> bool {
        let all = [Severity::Note, Severity::Warning, Severity::Error];
        let mut wanted = all.into_iter().filter(|severity| *severity >= least);
        self.unlisted > 0 || wanted.any(|it| self.severities.count(it) > 0)
    }

    /// Returns the percentage of links that were checked; 100 if there are no links.
    pub fn coverage(&self) -> f64 {
        if self.links == 0 { 100.0 } else { self.judged() as f64 * 100.0 / self.links as f64 }
    }
}

impl AddAssign for AuditCounts {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.faulty += other.faulty;
        self.left_out += other.left_out;
        self.vendored += other.vendored;
        self.bytes += other.bytes;
        self.links += other.links;
        self.unrooted += other.unrooted;
        self.enclosed += other.enclosed;
        self.unreported_fixes += other.unreported_fixes;
        self.unchecked += other.unchecked;
        self.severities += other.severities;
        self.advisory += other.advisory;
        self.suppressed.severity += other.suppressed.severity;
        self.suppressed.excluded += other.suppressed.excluded;
        self.suppressed.comment += other.suppressed.comment;
        self.suppressed.baseline += other.suppressed.baseline;
        self.suppressed.off += other.suppressed.off;
        self.unlisted += other.unlisted;
        self.lowered += other.lowered;
        self.stale += other.stale;
    }
}
