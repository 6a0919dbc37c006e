//! The reports of an audit that only the command has: text for people, and statistics. The library
//! has the others.

mod causes;
mod excerpt;
mod statistics;
mod text;

pub use causes::CausesReport;
pub use statistics::{StatisticsForm, StatisticsReport};
pub use text::TextReport;

use urigrep::audit::AuditedDocument;
use urigrep::audit::report::{AuditReport, AuditSummary};
use urigrep::internal::output::report::Report;

/// A fault to show. Its other places come between head and tail.
#[derive(Debug)]
pub struct ReportedFault {
    /// A key that all places of the same fault share.
    pub key: String,
    /// `PATH:LINE:COLUMN`.
    pub place: String,
    pub head: Vec<u8>,
    /// The text before the list of other places.
    pub aside: Vec<u8>,
    pub tail: Vec<u8>,
}

/// The report of a run.
pub enum RunReport {
    /// For people: a fault with many places is shown once.
    Faults(TextReport),
    /// A record per document.
    Documents(Box<dyn AuditReport>),
}

impl RunReport {
    pub fn as_report(&self) -> &dyn AuditReport {
        match self {
            Self::Faults(report) => report,
            Self::Documents(report) => &**report,
        }
    }

    /// True if faults are shown once.
    pub fn groups(&self) -> bool {
        matches!(self, Self::Faults(_))
    }
}

/// Prints nothing: the exit status is the result.
pub struct QuietReport;

impl Report<AuditSummary> for QuietReport {}

impl AuditReport for QuietReport {
    fn document(&self, _: &AuditedDocument, _: &mut Vec<u8>) {}
}
