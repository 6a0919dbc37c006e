//! Reports of an audit: one format a file.
//!
//! A report makes records in memory, the one of a document while its text is there; it reads no
//! file and writes to none.

mod checkstyle;
mod csv;
mod excerpt;
mod github;
mod json;
mod sarif;
mod text;

pub use checkstyle::CheckstyleReport;
pub use csv::CsvReport;
pub use github::GithubReport;
pub use json::JsonReport;
pub use sarif::SarifReport;
pub use text::TextReport;

use urigrep::audit::AuditedDocument;
use urigrep::search::Position;

use super::summary::AuditSummary;
use crate::cli::escape::visible;
use crate::cli::report::Report;

/// A fault as it is shown. Its other places come between head and tail.
#[derive(Debug)]
pub struct ReportedFault {
    /// What other places of the same fault share.
    pub key: String,
    /// `PATH:LINE:COLUMN`.
    pub place: String,
    pub head: Vec<u8>,
    /// What other places start with.
    pub aside: Vec<u8>,
    pub tail: Vec<u8>,
}

/// Reports the findings of an audit.
pub trait AuditReport: Report<AuditSummary> + Sync {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>);

    /// True for reports in which a fault with many places is shown once: [`faults`](Self::faults) takes the place of
    /// [`document`](Self::document).
    fn groups(&self) -> bool {
        false
    }

    /// The faults of a document, each to be shown if no earlier one is the same.
    fn faults(&self, _document: &AuditedDocument) -> Vec<ReportedFault> {
        Vec::new()
    }
}

fn character(position: Position) -> u64 {
    position.character.unwrap_or(position.column)
}

/// Bytes as characters that can be printed anywhere: what is invisible or no UTF-8 is spelled out.
fn printable(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    visible(bytes, &mut out);
    // Everything that is no UTF-8 was spelled out.
    String::from_utf8_lossy(&out).into_owned()
}

/// Nothing: the exit status says it all.
pub struct QuietReport;

impl Report<AuditSummary> for QuietReport {}

impl AuditReport for QuietReport {
    fn document(&self, _: &AuditedDocument, _: &mut Vec<u8>) {}
}
