//! Workflow commands, which GitHub Actions shows at the lines of a change.
//!
//! `::error file=…,line=…,endLine=…,col=…,endColumn=…,title=…::message`, a line a finding. A command
//! is one line, so line ends are escaped, and in properties what ends these.

use std::io::Write;

use urigrep::audit::Severity;

use super::{Report, printable};
use crate::cli::audit::finding::Audited;
use crate::cli::audit::tally::Summary;

/// Reports as workflow commands.
#[derive(Clone, Copy, Debug)]
pub struct Github;

impl Report for Github {
    fn document(&self, audited: &Audited<'_>, out: &mut Vec<u8>) {
        let path = property(&printable(audited.input.display_path()));
        for finding in audited.findings {
            let fault = &finding.fault;
            let (start, end) = (finding.start, finding.end);
            let mut message = printable(fault.message.as_bytes());
            if let Some(hint) = &fault.hint {
                message += "\nhelp: ";
                message += &printable(hint.as_bytes());
            }
            let columns = if start.line == end.line {
                format!(",col={},endColumn={}", start.character, end.character)
            } else {
                // columns are for one line only
                String::new()
            };
            // Writing to a vector does not fail.
            drop(writeln!(
                out,
                "::{} file={path},line={},endLine={}{columns},title={}::{}",
                command(finding.severity),
                start.line,
                end.line,
                property(fault.check.id),
                data(&message),
            ));
        }
    }

    /// What is not a command is shown in the log.
    fn end(&self, summary: &Summary, out: &mut Vec<u8>) {
        // Writing to a vector does not fail.
        drop(writeln!(out, "urigrep: {}", summary.sentence()));
    }
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

/// A message.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property.
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
