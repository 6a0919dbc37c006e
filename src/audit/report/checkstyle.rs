//! The XML of Checkstyle, which many build servers read: a `file` with its `error`s.

use super::checkout::CheckoutPaths;
use super::summary::AuditSummary;
use super::{AuditReport, character, printable};
use crate::audit::AuditedDocument;
use crate::audit::Severity;
use crate::output::report::Report;

#[derive(Debug, Default)]
pub struct CheckstyleReport {
    paths: CheckoutPaths,
}

impl Report<AuditSummary> for CheckstyleReport {
    fn open(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n",
        );
    }

    fn close(&self, _summary: &AuditSummary, out: &mut Vec<u8>) {
        out.extend_from_slice(b"</checkstyle>\n");
    }
}

impl AuditReport for CheckstyleReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        let name = attribute(&self.paths.path_of(document));
        let mut text = format!("  <file name=\"{name}\">\n");
        for located in document.findings() {
            let mut message = located.finding.message.clone();
            if let Some(hint) = &located.finding.hint {
                message += " (";
                message += hint;
                message += ")";
            }
            text += &format!(
                "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"urigrep.{}\"/>\n",
                located.start.line,
                character(located.start),
                severity(located.severity),
                attribute(message.as_bytes()),
                located.finding.check.id,
            );
        }
        text += "  </file>\n";
        out.extend_from_slice(text.as_bytes());
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "info",
    }
}

/// Escapes the value of an attribute; characters that XML 1.0 (§2.2) forbids are spelled out.
pub fn attribute(bytes: &[u8]) -> String {
    let mut out = String::new();
    for c in printable(bytes).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // These noncharacters are the only forbidden characters left after `visible`.
            '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(
            attribute("<a href=\"x\">&\u{1b}\n\u{ffff}".as_bytes()),
            "&lt;a href=&quot;x&quot;&gt;&amp;\\x1b\\n\u{fffd}"
        );
        assert_eq!(attribute(b"a\xff'b"), "a\\xff'b");
    }
}
