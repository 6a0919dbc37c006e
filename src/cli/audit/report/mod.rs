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

pub use checkstyle::Checkstyle;
pub use csv::Csv;
pub use github::Github;
pub use json::Json;
pub use quiet::Quiet;
pub use sarif::Sarif;
pub use text::Text;

use super::finding::Audited;
use super::tally::Summary;
use crate::cli::escape::visible;
use urigrep::search::Problem;

/// Makes records, one document after the other.
pub trait Report: Send + Sync {
    /// What comes first.
    fn begin(&self, _out: &mut Vec<u8>) {}

    /// Appends the findings of a document.
    fn document(&self, audited: &Audited<'_>, out: &mut Vec<u8>);

    /// What stands between the records of two documents.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Appends the record of an error, in formats that have one among the findings.
    fn problem(&self, _problem: &Problem, _out: &mut Vec<u8>) {}

    /// What comes last.
    fn end(&self, _summary: &Summary, _out: &mut Vec<u8>) {}
}

/// Bytes as characters that can be printed anywhere: what is invisible or no UTF-8 is spelled out.
fn printable(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    visible(bytes, &mut out);
    // Everything that is no UTF-8 was spelled out.
    String::from_utf8_lossy(&out).into_owned()
}
