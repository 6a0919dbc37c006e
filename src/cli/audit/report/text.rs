//! For people, as rustc prints: what is wrong, where, the line with the span underlined, what to do.

use std::collections::HashSet;

use anstyle::{AnsiColor, Style};
use urigrep::audit::{AuditedDocument, LocatedFinding, Severity};
use urigrep::{LineIndex, Span};

use super::excerpt::excerpt;
use super::{AuditReport, ReportedFault, printable};
use crate::cli::audit::summary::AuditSummary;
use crate::cli::output::PathStyle;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const STRONG: Style = Style::new().bold();

/// Of a span of more lines, the first ones and the last are shown.
const LINES: usize = 3;

#[derive(Clone, Debug)]
pub struct TextReport {
    style: PathStyle,
}

impl TextReport {
    /// Reports in this style. What could trick a terminal is escaped everywhere: whole lines of
    /// documents are shown, in logs too.
    pub fn new(style: PathStyle) -> Self {
        Self { style }
    }
}

struct DocumentText<'a> {
    style: &'a PathStyle,
    document: &'a AuditedDocument,
    lines: LineIndex<'a>,
    /// What links to the document start with, if there are links.
    target: Option<Vec<u8>>,
}

impl DocumentText<'_> {
    fn paint(&self, style: Style, text: &str, out: &mut Vec<u8>) {
        self.style.colors.text(style, text, out);
    }

    fn fault(&self, located: &LocatedFinding, shown: &mut HashSet<String>) -> ReportedFault {
        let finding = &located.finding;
        let is_of_target =
            ["missing-target", "missing-anchor", "target-case", "unregistered-scheme"]
                .contains(&finding.check.id);
        // What is missing is the same wherever it is asked for.
        let about = finding.uri.as_deref().filter(|_| !is_of_target).unwrap_or_default();
        let path = printable(self.document.input().display_path());
        let (line, column) = (located.start.line, located.start.column);
        let mut fault = ReportedFault {
            key: format!("{}\0{}\0{about}", finding.check.id, finding.message),
            place: format!("{path}:{line}:{column}"),
            head: Vec::new(),
            aside: Vec::new(),
            tail: Vec::new(),
        };
        // No earlier document is known here, but an earlier place of this one shows it.
        if shown.insert(fault.key.clone()) {
            let gutter = located.end.line.max(line).to_string().len();
            self.finding(located, &mut fault.head);
            self.paint(FRAME, &format!("{:gutter$} = ", ""), &mut fault.aside);
            self.hint(located, gutter, &mut fault.tail);
        }
        fault
    }

    fn finding(&self, located: &LocatedFinding, out: &mut Vec<u8>) {
        let finding = &located.finding;
        let severity = style(located.severity);
        let heading = format!("{}[{}]", located.severity, finding.check.id);
        self.paint(severity, &heading, out);
        let message = format!(": {}", printable(finding.message.as_bytes()));
        self.paint(STRONG, &message, out);
        out.push(b'\n');

        let last = located.end.line.max(located.start.line);
        let gutter = last.to_string().len();
        self.paint(FRAME, &format!("{:gutter$}--> ", ""), out);
        let (line, column) = (located.start.line, located.start.column);
        let target = self.target.as_deref();
        self.style.linked(target, (line, column), out, |out| {
            let path = printable(self.document.input().display_path());
            out.extend_from_slice(format!("{path}:{line}:{column}").as_bytes());
        });
        out.push(b'\n');
        self.source(finding.span, gutter, severity, out);
    }

    fn hint(&self, located: &LocatedFinding, gutter: usize, out: &mut Vec<u8>) {
        if let Some(hint) = &located.finding.hint {
            self.paint(FRAME, &format!("{:gutter$} = ", ""), out);
            self.paint(STRONG, "help", out);
            let hint = format!(": {}\n", printable(hint.as_bytes()));
            out.extend_from_slice(hint.as_bytes());
        }
        out.push(b'\n');
    }

    /// The lines that the span is on, each with its part underlined.
    fn source(&self, span: Span, gutter: usize, severity: Style, out: &mut Vec<u8>) {
        let (start, end) = (span.start(), span.end());
        let first = self.lines.line(start);
        // The line of the last byte: a span may end with a line.
        let last = self.lines.line(end.saturating_sub(1).max(start));
        self.paint(FRAME, &format!("{:gutter$} |", ""), out);
        out.push(b'\n');
        for number in first..=last {
            if number >= first + LINES - 1 && number < last {
                if number == first + LINES - 1 {
                    self.paint(FRAME, "...", out);
                    out.push(b'\n');
                }
                continue;
            }
            let line = self.lines.text(number).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let from = self.lines.range(number).map_or(start, |range| range.start);
            let begin = match number == first {
                true => start - from,
                false => line.len() - line.trim_ascii_start().len(),
            };
            let part = excerpt(line, begin, end.saturating_sub(from));
            self.paint(FRAME, &format!("{number:>gutter$} |"), out);
            if !part.text.is_empty() {
                out.push(b' ');
                out.extend_from_slice(part.text.as_bytes());
            }
            out.push(b'\n');
            self.paint(FRAME, &format!("{:gutter$} |", ""), out);
            out.extend_from_slice(" ".repeat(part.indent + 1).as_bytes());
            self.paint(severity, &"^".repeat(part.width), out);
            out.push(b'\n');
        }
    }
}

impl AuditReport for TextReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        let text = DocumentText {
            style: &self.style,
            document,
            lines: document.lines(),
            target: self.style.target(document.input()),
        };
        for located in document.findings() {
            text.finding(located, out);
            text.hint(located, located.end.line.max(located.start.line).to_string().len(), out);
        }
    }

    fn groups(&self) -> bool {
        true
    }

    fn faults(&self, document: &AuditedDocument) -> Vec<ReportedFault> {
        let text = DocumentText {
            style: &self.style,
            document,
            lines: document.lines(),
            target: self.style.target(document.input()),
        };
        let mut shown = HashSet::new();
        document.findings().iter().map(|located| text.fault(located, &mut shown)).collect()
    }

    fn end(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let severities = summary.counts.severities;
        let severity = Severity::ALL.iter().rev().find(|severity| severities.of(**severity) > 0);
        let style = severity.map_or(STRONG, |severity| style(*severity));
        self.style.colors.text(style, "urigrep", out);
        out.extend_from_slice(format!(": {}\n", summary.sentence()).as_bytes());
    }
}

const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        _ => NOTE,
    }
}
