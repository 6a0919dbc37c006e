//! `--format csv` and `--format tsv`: a table with a heading and a row per finding.
//!
//! CSV follows RFC 4180, but rows end with `\n`, which every reader accepts and `cut` needs. TSV
//! follows IANA's text/tab-separated-values, whose fields hold no tab: tab, line feed, carriage
//! return and backslash are escaped.

use std::io::Write;

use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, HitFields, Level, Needs, PartNumbers};

use super::Printer;
use super::Summary;
use super::fields::COLUMNS;
use crate::cli::escape::Escaping;
use crate::cli::report::Report;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    Csv,
    Tsv,
}

#[derive(Clone, Debug)]
pub struct Csv {
    table: TableFormat,
    normalizer: Normalizer,
    escaping: Escaping,
}

impl Csv {
    /// Creates the printer of a table. `normalizer` makes the values of the column `normalized`.
    pub fn new(table: TableFormat, normalizer: Normalizer, escaping: Escaping) -> Self {
        Self { table, normalizer, escaping }
    }
}

impl TableFormat {
    pub fn row<'c>(
        self,
        escaping: Escaping,
        cells: impl IntoIterator<Item = &'c [u8]>,
        out: &mut Vec<u8>,
    ) {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                out.push(self.separator());
            }
            self.cell(escaping, cell, out);
        }
        out.push(b'\n');
    }

    fn cell(self, escaping: Escaping, bytes: &[u8], out: &mut Vec<u8>) {
        let mut cell = Vec::with_capacity(bytes.len());
        // A spreadsheet would run a cell that starts like this as a formula. The text comes from
        // strangers, so it is marked as text by an apostrophe.
        if matches!(bytes.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r')) {
            cell.push(b'\'');
        }
        self.text(bytes, &mut cell);
        let cell = match escaping {
            Escaping::None => cell,
            Escaping::Terminal => {
                let mut visible = Vec::new();
                escaping.push(&cell, &mut visible);
                visible
            }
        };
        match self {
            // RFC 4180 §2.6, §2.7.
            Self::Csv if cell.iter().any(|byte| b",\"\r\n".contains(byte)) => {
                out.push(b'"');
                for &byte in &cell {
                    if byte == b'"' {
                        out.push(b'"');
                    }
                    out.push(byte);
                }
                out.push(b'"');
            }
            _ => out.extend_from_slice(&cell),
        }
    }

    fn separator(self) -> u8 {
        match self {
            Self::Csv => b',',
            Self::Tsv => b'\t',
        }
    }

    /// Appends the text of a cell, which is UTF-8 without NUL, and without tabs in TSV.
    fn text(self, bytes: &[u8], out: &mut Vec<u8>) {
        for chunk in bytes.utf8_chunks() {
            for &byte in chunk.valid().as_bytes() {
                match (self, byte) {
                    (_, 0) => out.extend_from_slice(b"\\x00"),
                    (Self::Tsv, b'\t') => out.extend_from_slice(b"\\t"),
                    (Self::Tsv, b'\n') => out.extend_from_slice(b"\\n"),
                    (Self::Tsv, b'\r') => out.extend_from_slice(b"\\r"),
                    (Self::Tsv, b'\\') => out.extend_from_slice(b"\\\\"),
                    _ => out.push(byte),
                }
            }
            for byte in chunk.invalid() {
                // Writing to a vector does not fail.
                drop(write!(out, "\\x{byte:02x}"));
            }
        }
    }
}

impl Report<Summary> for Csv {
    fn open(&self, out: &mut Vec<u8>) {
        let cells = COLUMNS.iter().map(|column| column.name().as_bytes());
        self.table.row(self.escaping, cells, out);
    }
}

impl Printer for Csv {
    fn needs(&self, _: Level) -> Needs {
        Needs::new().part_numbers(PartNumbers::Listed)
    }

    fn fork(&self) -> Option<Box<dyn Printer>> {
        Some(Box::new(self.clone()))
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let fields = HitFields::from(hit);
        let cells = COLUMNS
            .map(|column| fields.value(column, &self.normalizer).into_text().unwrap_or_default());
        let cells = cells.iter().map(AsRef::as_ref);
        self.table.row(self.escaping, cells, out);
        Flow::Continue
    }
}
