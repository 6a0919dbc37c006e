//! The XML of JUnit: a test case per finding, so that build servers show it. The case counts as
//! failed, or as skipped if the finding never fails an audit.

use crate::audit::AuditedDocument;
use crate::audit::target::web::is_advisory;

use super::checkout::CheckoutPaths;
use super::checkstyle::attribute;
use super::kept::KeptLines;
use super::summary::AuditSummary;
use super::{AuditReport, printable};
use crate::output::report::Report;

/// The cases are kept until the end: their number comes before them.
#[derive(Debug)]
pub struct JunitReport {
    cases: KeptLines,
    paths: CheckoutPaths,
}

impl Default for JunitReport {
    fn default() -> Self {
        Self { cases: KeptLines::new(usize::MAX), paths: CheckoutPaths::default() }
    }
}

impl Report<AuditSummary> for JunitReport {
    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let mut cases = self.cases.take().concat();
        let findings = summary.counts.severities.sum();
        // Findings that never fail an audit must not fail a build that reads this.
        let skipped = summary.counts.advisory.sum();
        let failures = findings.saturating_sub(skipped);
        if summary.errors > 0 {
            cases.push_str(&format!(
                "    <testcase classname=\"urigrep\" name=\"inputs\">\n      \
                 <error message=\"{} not read; see standard error\"/>\n    </testcase>\n",
                summary.errors
            ));
        } else if findings == 0 {
            // Some servers consider a report without cases broken.
            cases.push_str("    <testcase classname=\"urigrep\" name=\"links\"/>\n");
        }
        let tests = findings + u64::from(findings == 0 || summary.errors > 0);
        let errors = u64::from(summary.errors > 0);
        let seconds = summary.elapsed.as_secs_f64();
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{tests}\" failures=\"{failures}\">\n  \
             <testsuite name=\"urigrep\" tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\" errors=\"{}\" time=\"{seconds:.3}\">\n\
             {cases}  </testsuite>\n</testsuites>\n",
            errors
        );
        out.extend_from_slice(text.as_bytes());
    }
}

impl AuditReport for JunitReport {
    fn document(&self, document: &AuditedDocument, _: &mut Vec<u8>) {
        let path = printable(&self.paths.path_of(document));
        let mut text = String::new();
        for located in document.findings() {
            let finding = &located.finding;
            let place = format!("{path}:{}:{}", located.start.line, located.start.column);
            // This line end is written as is: build servers would show an escape as text.
            let hint = finding
                .hint
                .as_deref()
                .map(|hint| format!("\nhelp: {}", attribute(hint.as_bytes())))
                .unwrap_or_default();
            let name = format!("{place}: {}", finding.uri.as_deref().unwrap_or(finding.check.id));
            let message = attribute(finding.message.as_bytes());
            let detail = attribute(format!("{place}: {}", finding.message).as_bytes()) + &hint;
            let result = if is_advisory(finding.check, located.severity) {
                format!("<skipped message=\"{message}\">{detail}</skipped>")
            } else {
                format!(
                    "<failure type=\"{}\" message=\"{message}\">{detail}</failure>",
                    located.severity
                )
            };
            text += &format!(
                "    <testcase classname=\"urigrep.{}\" name=\"{}\" file=\"{}\" line=\"{}\">\n      \
                 {result}\n    </testcase>\n",
                finding.check.id,
                attribute(name.as_bytes()),
                attribute(path.as_bytes()),
                located.start.line,
            );
        }
        self.cases.add(&path, vec![text]);
    }
}
