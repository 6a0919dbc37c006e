//! A table with a heading, a row a finding, as the search makes one of matches.

use super::Report;
use crate::cli::audit::finding::Audited;
use crate::cli::escape::Escaping;
use crate::cli::output::Table;

/// Reports as comma-separated values.
#[derive(Clone, Copy, Debug)]
pub struct Csv {
    escaping: Escaping,
}

impl Csv {
    /// Reports with what a terminal would obey escaped, or not.
    pub fn new(escaping: Escaping) -> Self {
        Self { escaping }
    }
}

/// The columns, in order; new ones come last.
const COLUMNS: [&str; 10] = [
    "path", "line", "column", "start", "end", "severity", "check", "uri", "message", "hint",
];

impl Report for Csv {
    fn begin(&self, out: &mut Vec<u8>) {
        let cells = COLUMNS.iter().map(|name| name.as_bytes());
        Table::Commas.row(self.escaping, cells, out);
    }

    fn document(&self, audited: &Audited<'_>, out: &mut Vec<u8>) {
        for finding in audited.findings {
            let fault = &finding.fault;
            let [start, end] = finding.bytes;
            let place = finding.start;
            let numbers = [place.line, place.column, start, end].map(|number| number.to_string());
            let [line, column, start, end] = &numbers;
            let cells: [&[u8]; COLUMNS.len()] = [
                audited.input.display_path(),
                line.as_bytes(),
                column.as_bytes(),
                start.as_bytes(),
                end.as_bytes(),
                finding.severity.name().as_bytes(),
                fault.check.id.as_bytes(),
                fault.uri.as_deref().unwrap_or_default().as_bytes(),
                fault.message.as_bytes(),
                fault.hint.as_deref().unwrap_or_default().as_bytes(),
            ];
            Table::Commas.row(self.escaping, cells, out);
        }
    }
}
