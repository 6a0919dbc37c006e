//! The code quality report of GitLab: a JSON array with an object per finding.

use crate::audit::{AuditedDocument, Severity};
use serde::Serialize;

use super::checkout::CheckoutPaths;
use super::fingerprint::Fingerprints;
use super::summary::AuditSummary;
use super::{AuditReport, printable};
use crate::output::json::append;
use crate::output::report::Report;

#[derive(Debug, Default)]
pub struct GitlabReport {
    paths: CheckoutPaths,
}

#[derive(Serialize)]
struct QualityRecord<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u64,
    end: u64,
}

impl Report<AuditSummary> for GitlabReport {
    fn open(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"[\n");
    }

    fn separator(&self) -> &'static [u8] {
        b",\n"
    }

    fn close(&self, _: &AuditSummary, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n]\n");
    }
}

impl AuditReport for GitlabReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        let path = self.paths.path_of(document);
        let mut fingerprints = Fingerprints::new(&path);
        let printable = printable(&path);
        // GitLab matches paths with those of the repository, which have no `./`.
        let shown = printable.strip_prefix("./").unwrap_or(&printable);
        for (index, located) in document.findings().iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(self.separator());
            }
            let finding = &located.finding;
            let hint = finding.hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
            let record = QualityRecord {
                description: format!("{}{hint}", finding.message),
                check_name: finding.check.id,
                fingerprint: fingerprints.next(located),
                severity: match located.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    _ => "info",
                },
                location: Location {
                    path: shown.to_owned(),
                    lines: Lines { begin: located.start.line, end: located.end.line },
                },
            };
            append(&record, out);
        }
    }
}
