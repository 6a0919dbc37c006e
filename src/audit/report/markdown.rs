//! Markdown for a comment on a pull request, or for `$GITHUB_STEP_SUMMARY`.

use crate::audit::{AuditedDocument, LocatedFinding, Severity};

use super::checkout::CheckoutPaths;
use super::kept::KeptLines;
use super::summary::AuditSummary;
use super::{AuditReport, printable};
use crate::output::report::Report;

/// Rows that are shown: a comment on GitHub has at most 65,536 characters, and a summary 1 MiB.
const MAX_ROWS: usize = 200;

/// First lines, without and with findings.
const HEADINGS: [&str; 2] = ["### ✅ Links", "### ❌ Links"];

/// True if a text starts as a report does.
pub fn is_markdown_report(text: &[u8]) -> bool {
    HEADINGS.iter().any(|heading| text.starts_with(heading.as_bytes()))
}

/// The rows are kept until the end: the numbers come before them.
#[derive(Debug)]
pub struct MarkdownReport {
    rows: KeptLines,
    paths: CheckoutPaths,
}

impl Default for MarkdownReport {
    fn default() -> Self {
        Self { rows: KeptLines::new(MAX_ROWS), paths: CheckoutPaths::default() }
    }
}

impl Report<AuditSummary> for MarkdownReport {
    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let rows = self.rows.take();
        let sum = summary.counts.severities.sum();
        let [good, bad] = HEADINGS;
        // A file that was not read may have any fault.
        let heading = if sum == 0 && summary.errors == 0 { good } else { bad };
        let mut text = format!("{heading}\n\n{}\n", capitalized(&summary.sentence));
        if !rows.is_empty() {
            text += "\n| place | problem | help |\n|---|---|---|\n";
            text += &rows.concat();
        }
        if sum > rows.len() as u64 {
            text += &format!("\n… and {} more.\n", sum - rows.len() as u64);
        }
        out.extend_from_slice(text.as_bytes());
    }
}

impl AuditReport for MarkdownReport {
    fn document(&self, document: &AuditedDocument, _: &mut Vec<u8>) {
        let path = printable(&self.paths.path_of(document));
        let row = |located: &LocatedFinding| {
            let finding = &located.finding;
            let sign = match located.severity {
                Severity::Error => "🔴",
                Severity::Warning => "🟡",
                _ => "🔵",
            };
            format!(
                "| {}:{} | {sign} {} ({}) | {} |\n",
                cell(&path),
                located.start.line,
                cell(&printable(finding.message.as_bytes())),
                finding.check.id,
                cell(&printable(finding.hint.as_deref().unwrap_or_default().as_bytes())),
            )
        };
        self.rows.add(&path, document.findings().iter().take(MAX_ROWS).map(row).collect());
    }
}

/// Escapes a text for a cell. Code spans stay: they hold what documents say, which must not be read
/// as Markdown or HTML.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let is_balanced = text.matches('`').count().is_multiple_of(2);
    let mut is_code = false;
    for c in text.chars() {
        match c {
            '`' if is_balanced => {
                is_code = !is_code;
                out.push(c);
            }
            '|' => out.push_str("\\|"),
            '\n' | '\r' => out.push(' '),
            _ if is_code => out.push(c),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '@' | '#' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str() + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        assert_eq!(cell("no `a_|<b>` *here* <i> @joe"), "no `a_\\|<b>` \\*here\\* &lt;i> \\@joe");
        assert_eq!(cell("one ` only_"), "one \\` only\\_");
        assert_eq!(capitalized("1 error"), "1 error.");
        assert_eq!(capitalized("nothing"), "Nothing.");
    }
}
