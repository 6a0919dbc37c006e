//! A table with a heading and a row per finding, like the CSV of a search.

use super::summary::AuditSummary;
use super::{AuditReport, printable};
use crate::audit::AuditedDocument;
use crate::output::escape::Escaping;
use crate::output::report::Report;
use crate::output::table::TableFormat;

#[derive(Clone, Copy, Debug)]
pub struct CsvReport {
    escaping: Escaping,
}

impl CsvReport {
    pub fn new(escaping: Escaping) -> Self {
        Self { escaping }
    }
}

/// The columns in order; append new ones.
const COLUMNS: [&str; 10] =
    ["path", "line", "column", "start", "end", "severity", "check", "uri", "message", "hint"];

impl Report<AuditSummary> for CsvReport {
    fn open(&self, out: &mut Vec<u8>) {
        let cells = COLUMNS.iter().map(|name| name.as_bytes());
        TableFormat::Csv.row(self.escaping, cells, out);
    }
}

impl AuditReport for CsvReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        for located in document.findings() {
            let finding = &located.finding;
            let [start, end] = located.bytes;
            let numbers = [located.start.line, located.start.column, start, end];
            let numbers = numbers.map(|number| number.to_string());
            let [line, column, start, end] = &numbers;
            // A path and a URI are data. What people read quotes them, and must not act on a
            // terminal.
            let message = printable(finding.message.as_bytes());
            let hint = printable(finding.hint.as_deref().unwrap_or_default().as_bytes());
            let cells: [&[u8]; COLUMNS.len()] = [
                document.input().display_path(),
                line.as_bytes(),
                column.as_bytes(),
                start.as_bytes(),
                end.as_bytes(),
                located.severity.name().as_bytes(),
                finding.check.id.as_bytes(),
                finding.uri.as_deref().unwrap_or_default().as_bytes(),
                message.as_bytes(),
                hint.as_bytes(),
            ];
            TableFormat::Csv.row(self.escaping, cells, out);
        }
    }
}
