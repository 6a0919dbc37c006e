//! Reports of an audit for programs and services: SARIF, JSON, and others.
//!
//! [`Auditor::report`](crate::audit::Auditor::report) audits a tree and writes the report while
//! documents are read. Programs that look at each document themselves use [`ReportFormat::start`].
//!
//! ```
//! use urigrep::audit::Auditor;
//! use urigrep::audit::report::ReportFormat;
//! # let directory = std::env::temp_dir().join(format!("urigrep-report-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory).unwrap();
//! # std::fs::write(directory.join("a.md"), "See [the manual](manual.md).").unwrap();
//! let auditor = Auditor::builder().build();
//! let mut log = Vec::new();
//! let summary = auditor.report([&directory], ReportFormat::Sarif, &mut log)?;
//! assert_eq!(summary.sentence, "1 error in 1 of 1 document");
//! assert!(String::from_utf8_lossy(&log).contains("\"ruleId\":\"missing-target\""));
//! # std::fs::remove_dir_all(&directory).unwrap();
//! # Ok::<(), urigrep::audit::report::ReportError>(())
//! ```

mod checkout;
mod checkstyle;
mod csv;
mod evidence;
mod fingerprint;
mod github;
mod gitlab;
mod html;
mod json;
mod junit;
mod kept;
pub(crate) mod markdown;
mod run;
mod sarif;
pub(crate) mod summary;

pub use run::{AuditReport, ReportError, ReportFormat};
pub use summary::{AuditSummary, WebCounts};

use crate::output::escape::printable;
use crate::search::Position;

fn character(position: Position) -> u64 {
    position.character.unwrap_or(position.column)
}
