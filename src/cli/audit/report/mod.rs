//! Reports of an audit: one format per file.
//!
//! A report makes records in memory, and the records of a document while its text is there. It
//! reads no files and writes to none.

mod causes;
mod checkout;
mod checkstyle;
mod csv;
mod evidence;
mod excerpt;
mod fingerprint;
mod github;
mod gitlab;
mod html;
mod json;
mod junit;
mod markdown;
mod sarif;
mod statistics;
mod text;

pub use causes::CausesReport;
pub use checkstyle::CheckstyleReport;
pub use csv::CsvReport;
pub use github::GithubReport;
pub use gitlab::GitlabReport;
pub use html::HtmlReport;
pub use json::JsonReport;
pub use junit::JunitReport;
pub use markdown::MarkdownReport;
pub use sarif::SarifReport;
pub use statistics::{StatisticsForm, StatisticsReport};
pub use text::TextReport;

use urigrep::audit::AuditedDocument;
use urigrep::search::Position;

use super::summary::AuditSummary;
use crate::cli::escape::visible;
use crate::cli::report::Report;

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

/// Reports the findings of an audit.
pub trait AuditReport: Report<AuditSummary> + Sync {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>);

    /// True for reports that show a fault with many places once. They use [`faults`](Self::faults)
    /// in place of [`document`](Self::document).
    fn groups(&self) -> bool {
        false
    }

    /// The faults of a document. Each is shown unless an earlier one is the same.
    fn faults(&self, _document: &AuditedDocument) -> Vec<ReportedFault> {
        Vec::new()
    }
}

fn character(position: Position) -> u64 {
    position.character.unwrap_or(position.column)
}

/// Converts bytes to characters that can be printed anywhere: invisible characters and invalid
/// UTF-8 are spelled out.
fn printable(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    visible(bytes, &mut out);
    // `visible` has spelled out all invalid UTF-8.
    String::from_utf8_lossy(&out).into_owned()
}

/// Prints nothing: the exit status suffices.
pub struct QuietReport;

impl Report<AuditSummary> for QuietReport {}

impl AuditReport for QuietReport {
    fn document(&self, _: &AuditedDocument, _: &mut Vec<u8>) {}
}
