//! Formats of reports, and audits that write one: [`ReportFormat`], [`Auditor::report`].

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use super::checkstyle::CheckstyleReport;
use super::csv::CsvReport;
use super::github::GithubReport;
use super::gitlab::GitlabReport;
use super::html::HtmlReport;
use super::json::JsonReport;
use super::junit::JunitReport;
use super::markdown::MarkdownReport;
use super::sarif::SarifReport;
use super::summary::{AuditSummary, found};
use crate::audit::{AuditOutcome, AuditedDocument, Auditor, Check, Filter};
use crate::named::named_enum;
use crate::output::escape::Escaping;
use crate::output::report::Report;
use crate::search::{Problem, Root, WalkError};

named_enum! {
    "urigrep::audit::report::ReportFormat", "report formats";
    /// A format of reports.
    pub enum ReportFormat {
        /// JSON Lines: an object per finding, and a summary last.
        Json = "json",
        /// SARIF 2.1.0, for code scanning.
        Sarif = "sarif",
        /// Workflow commands of GitHub Actions.
        Github = "github",
        /// The code quality report of GitLab.
        Gitlab = "gitlab",
        /// The XML of JUnit: a failed case per finding.
        Junit = "junit",
        /// The XML of Checkstyle.
        Checkstyle = "checkstyle",
        /// A table with a heading, and a row per finding.
        Csv = "csv",
        /// A table in Markdown, for pull requests.
        Markdown = "markdown",
        /// A page to sort and filter, which needs no network.
        Html = "html",
    }
}

impl ReportFormat {
    /// Starts a report for the findings of these checks that `filter` accepts.
    ///
    /// ```
    /// use urigrep::audit::{CHECKS, Filter, report::ReportFormat};
    /// let report = ReportFormat::Gitlab.start(CHECKS.iter().copied(), &Filter::default());
    /// let mut text = Vec::new();
    /// report.open(&mut text);
    /// report.close(&Default::default(), &mut text);
    /// assert_eq!(text, b"[\n\n]\n");
    /// ```
    pub fn start(
        self,
        checks: impl Iterator<Item = &'static Check>,
        filter: &Filter,
    ) -> Box<dyn AuditReport> {
        match self {
            Self::Json => Box::new(JsonReport),
            Self::Sarif => Box::new(SarifReport::new(checks, filter)),
            Self::Github => Box::<GithubReport>::default(),
            Self::Gitlab => Box::<GitlabReport>::default(),
            Self::Junit => Box::<JunitReport>::default(),
            Self::Checkstyle => Box::<CheckstyleReport>::default(),
            Self::Csv => Box::new(CsvReport::new(Escaping::None)),
            Self::Markdown => Box::<MarkdownReport>::default(),
            Self::Html => Box::new(HtmlReport),
        }
    }

    /// Starts a report for a terminal, on which control characters of documents must have no
    /// effect.
    #[doc(hidden)]
    pub fn start_escaped(
        self,
        checks: impl Iterator<Item = &'static Check>,
        filter: &Filter,
        escaping: Escaping,
    ) -> Box<dyn AuditReport> {
        match self {
            Self::Csv => Box::new(CsvReport::new(escaping)),
            other => other.start(checks, filter),
        }
    }
}

/// A report in progress: an opening, a record per document with findings with the
/// [separator](Report::separator) between them, records of problems, and an end.
///
/// It produces text in memory, and does not access files.
pub trait AuditReport: Report<AuditSummary> + Sync {
    /// Appends the findings of a document. Without findings, it must not be called.
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>);

    /// Takes note of a document without findings. Few reports say anything of these.
    fn passed(&self, _document: &AuditedDocument) {}
}

/// A failure of [`Auditor::report`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ReportError {
    /// A glob or file type of the walk is invalid.
    Walk(WalkError),
    /// The report could not be written.
    Write(io::Error),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Walk(error) => error.fmt(f),
            Self::Write(error) => write!(f, "the report could not be written: {error}"),
        }
    }
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Walk(error) => Some(error),
            Self::Write(error) => Some(error),
        }
    }
}

impl Auditor {
    /// Audits like [`run`](Self::run) and writes a report. This needs the feature `reports`.
    ///
    /// Whether the audit failed is in the counts of the summary:
    /// [`AuditCounts::has_faults`](crate::audit::AuditCounts::has_faults). Documents that could not
    /// be read are counted there, too, and are in the report if its format lists problems.
    ///
    /// # Errors
    /// If a glob or file type of the walk is invalid, or `out` can't be written.
    pub fn report<R: Into<Root>>(
        &self,
        roots: impl IntoIterator<Item = R>,
        format: ReportFormat,
        mut out: impl Write,
    ) -> Result<AuditSummary, ReportError> {
        let started = Instant::now();
        let report = &*format.start(self.checks(), self.filter());
        let mut bytes = Vec::new();
        report.open(&mut bytes);
        let mut writing = ReportOutput {
            report,
            out: &mut out,
            summary: AuditSummary::default(),
            has_begun: false,
        };
        let mut written = writing.write(&bytes);
        // All threads create records. Only work that depends on the order remains for this one.
        let work = |outcome: AuditOutcome| {
            let mut record = Vec::new();
            match &outcome {
                AuditOutcome::Audited(document) if !document.findings().is_empty() => {
                    report.document(document, &mut record);
                }
                AuditOutcome::Audited(document) => report.passed(document),
                _ => {}
            }
            (outcome, record)
        };
        self.run(roots, work, |(outcome, record)| {
            match &mut written {
                Ok(()) => written = writing.outcome(&outcome, &record),
                // The report can't be completed, so nothing more is audited.
                Err(_) => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        })
        .map_err(ReportError::Walk)?;
        written.map_err(ReportError::Write)?;
        writing.summary.elapsed = started.elapsed();
        writing.close().map_err(ReportError::Write)
    }
}

/// A report on its way to `out`.
struct ReportOutput<'w> {
    report: &'w dyn AuditReport,
    out: &'w mut dyn Write,
    summary: AuditSummary,
    has_begun: bool,
}

impl ReportOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn outcome(&mut self, outcome: &AuditOutcome, record: &[u8]) -> io::Result<()> {
        match outcome {
            AuditOutcome::Audited(document) => self.summary.add(document),
            AuditOutcome::LeftOut | AuditOutcome::Vendored(_) => {
                self.summary.counts += outcome.counts()
            }
            AuditOutcome::Failed(problem) => return self.problem(problem),
        }
        if record.is_empty() {
            return Ok(());
        }
        if self.has_begun {
            self.write(self.report.separator())?;
        }
        self.has_begun = true;
        self.write(record)
    }

    fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        self.summary.errors += 1;
        let mut bytes = Vec::new();
        self.report.problem(problem, &mut bytes);
        self.write(&bytes)
    }

    fn close(mut self) -> io::Result<AuditSummary> {
        self.summary.sentence = found(&self.summary.counts, None);
        let mut bytes = Vec::new();
        self.report.close(&self.summary, &mut bytes);
        self.write(&bytes)?;
        self.out.flush()?;
        Ok(self.summary)
    }
}
