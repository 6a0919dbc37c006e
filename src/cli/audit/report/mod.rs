//! Reports of an audit: one format a file.
//!
//! A report makes records in memory, the one of a document while its text is there; it reads no
//! file and writes to none.

mod checkstyle;
mod csv;
mod excerpt;
mod github;
mod json;
mod quiet;
mod sarif;
mod text;

pub use checkstyle::CheckstyleReport;
pub use csv::CsvReport;
pub use github::GithubReport;
pub use json::JsonReport;
pub use quiet::QuietReport;
pub use sarif::SarifReport;
pub use text::TextReport;

use urigrep::audit::AuditedDocument;
use urigrep::search::{Position, Problem};

use super::summary::AuditSummary;
use crate::cli::escape::visible;

/// Makes records, one document after the other.
pub trait AuditReport: Send + Sync {
    /// What comes first.
    fn begin(&self, _out: &mut Vec<u8>) {}

    /// Appends the findings of a document.
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>);

    /// What comes between the records of two documents.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Appends the record of an error, in formats that have one among the findings.
    fn problem(&self, _problem: &Problem, _out: &mut Vec<u8>) {}

    /// What comes last.
    fn end(&self, _summary: &AuditSummary, _out: &mut Vec<u8>) {}
}

/// The column in characters.
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
