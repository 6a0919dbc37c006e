//! Rows of CSV and TSV: [`TableFormat`].
//!
//! CSV follows RFC 4180, but rows end with `\n`, which every reader accepts and `cut` needs. TSV
//! follows IANA's text/tab-separated-values, whose fields hold no tab: tab, line feed, carriage
//! return and backslash are escaped.

use std::io::Write;

use super::escape::Escaping;
use super::printable::printable_run;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    Csv,
    Tsv,
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

    /// Appends a cell. Printable text without a special character needs no second look.
    pub fn cell(self, escaping: Escaping, bytes: &[u8], out: &mut Vec<u8>) {
        // The characters are those that OWASP names under "CSV Injection".
        let starts_formula =
            matches!(bytes.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r'));
        if !starts_formula && printable_run(bytes, self.special()) == bytes.len() {
            out.extend_from_slice(bytes);
            return;
        }
        let mut cell = Vec::with_capacity(bytes.len());
        // A spreadsheet would run a cell that starts like this as a formula. The text comes from
        // strangers, so it is marked as text by an apostrophe.
        if starts_formula {
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

    /// The printable characters that a cell spells in another way.
    fn special(self) -> [u8; 2] {
        match self {
            Self::Csv => *b"\",",
            // TSV has one, but `printable_run` compares with two. Tabs and line ends are not
            // printable, so both formats stop at them anyway.
            Self::Tsv => [b'\\'; 2],
        }
    }

    pub fn separator(self) -> u8 {
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
