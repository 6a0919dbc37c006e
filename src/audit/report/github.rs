//! Workflow commands, which GitHub Actions shows at the lines of a change.
//!
//! `::error file=…,line=…,endLine=…,col=…,endColumn=…,title=…::message`, one line per finding. A
//! command is one line, so line ends are escaped. In properties, `:` and `,` are escaped, too.

use std::io::Write;

use crate::audit::Severity;

use super::checkout::CheckoutPaths;
use super::summary::AuditSummary;
use super::{AuditReport, character, printable};
use crate::audit::AuditedDocument;
use crate::output::report::Report;

#[derive(Debug, Default)]
pub struct GithubReport {
    paths: CheckoutPaths,
}

impl Report<AuditSummary> for GithubReport {
    /// Lines that are not commands are shown in the log.
    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        // Writing to a vector does not fail.
        drop(writeln!(out, "urigrep: {}", summary.sentence));
    }
}

impl AuditReport for GithubReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        let path = property(&printable(&self.paths.path_of(document)));
        for located in document.findings() {
            let finding = &located.finding;
            let (start, end) = (located.start, located.end);
            let mut message = printable(finding.message.as_bytes());
            if let Some(hint) = &finding.hint {
                message += "\nhelp: ";
                message += &printable(hint.as_bytes());
            }
            let columns = if start.line == end.line {
                format!(",col={},endColumn={}", character(start), character(end))
            } else {
                String::new() // Columns are for one line only.
            };
            // Writing to a vector does not fail.
            drop(writeln!(
                out,
                "::{} file={path},line={},endLine={}{columns},title={}::{}",
                command(located.severity),
                start.line,
                end.line,
                property(finding.check.id),
                data(&message),
            ));
        }
    }
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "notice",
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(data("100%\r\n: ,"), "100%25%0D%0A: ,");
        assert_eq!(property("a:b,c%3A"), "a%3Ab%2Cc%253A");
    }
}
