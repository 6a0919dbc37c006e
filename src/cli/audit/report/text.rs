//! The report for people, in the style of rustc: the problem, its place, the underlined source, and
//! help.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use memchr::memchr;
use urigrep::audit::{AuditedDocument, LocatedFinding, Severity};
use urigrep::{LineIndex, Span};

use super::ReportedFault;
use super::excerpt::{MAX_WIDTH, MIN_WIDTH, excerpt};
use crate::cli::output::PathStyle;
use urigrep::audit::report::{AuditReport, AuditSummary};
use urigrep::internal::output::escape::printable;
use urigrep::internal::output::report::Report;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const STRONG: Style = Style::new().bold();

/// Lines shown of a longer span: the first ones and the last.
const LINES: usize = 3;

/// Bytes after the start of a span in which the end of its line is searched without an index.
const NEAR: usize = 4096;

/// The text beside and under a line.
#[derive(Clone, Copy, Debug)]
struct SourceFrame {
    number: u64,
    gutter: usize,
    severity: Severity,
}

#[derive(Clone, Debug)]
pub struct TextReport {
    style: PathStyle,
    /// Columns of the terminal, if there is one.
    columns: Option<usize>,
}

impl TextReport {
    /// Creates a report in this style. All of it is escaped so that nothing can trick a terminal.
    /// Logs are escaped, too, because reports show whole lines of documents.
    pub fn new(style: PathStyle) -> Self {
        Self { style, columns: None }
    }

    /// Fits the source lines into a terminal with this number of columns.
    pub fn within(self, columns: Option<usize>) -> Self {
        Self { columns, ..self }
    }
}

struct DocumentText<'a> {
    style: &'a PathStyle,
    document: &'a AuditedDocument,
    /// Built for a span of several lines, or a span in a long line.
    lines: OnceCell<LineIndex<'a>>,
    columns: Option<usize>,
    /// The start of hyperlinks to the document, if hyperlinks are on.
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
        // A missing target is the same fault wherever the link is.
        let about = finding.uri.as_deref().filter(|_| !is_of_target).unwrap_or_default();
        let path = printable(self.document.input().display_path());
        let (line, shown_place) = (located.start.line, located.shown_place());
        let mut fault = ReportedFault {
            key: format!("{}\0{}\0{about}", finding.check.id, finding.message),
            place: format!("{path}:{}", printable(shown_place.as_bytes())),
            head: Vec::new(),
            aside: Vec::new(),
            tail: Vec::new(),
        };
        // This document is reported without the earlier ones, but an earlier place in it already
        // shows the fault.
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
            let place = printable(located.shown_place().as_bytes());
            out.extend_from_slice(format!("{path}:{place}").as_bytes());
        });
        out.push(b'\n');
        self.source(located, gutter, out);
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

    /// Appends the lines of the span, each with its part underlined.
    fn source(&self, located: &LocatedFinding, gutter: usize, out: &mut Vec<u8>) {
        let span = located.finding.span;
        self.paint(FRAME, &format!("{:gutter$} |", ""), out);
        out.push(b'\n');
        if let Some(line) = self.short_line(located) {
            let frame =
                SourceFrame { number: located.start.line, gutter, severity: located.severity };
            return self.line(line, span, frame, out);
        }
        let lines = self.lines.get_or_init(|| self.document.lines());
        let first = lines.line(span.start());
        // Take the line of the last byte, because a span may end with a line end.
        let last = lines.line(span.end().saturating_sub(1).max(span.start()));
        for number in first..=last {
            // Show the first lines and the last one, with an ellipsis between them.
            if number >= first + LINES - 1 && number < last {
                if number == first + LINES - 1 {
                    self.paint(FRAME, "...", out);
                    out.push(b'\n');
                }
                continue;
            }
            let line = lines.range(number).unwrap_or_default();
            let frame = SourceFrame { number: number as u64, gutter, severity: located.severity };
            self.line(line, span, frame, out);
        }
    }

    /// Returns the line of the span if it ends soon after it. This avoids an index of the whole
    /// document.
    fn short_line(&self, located: &LocatedFinding) -> Option<Range<usize>> {
        let (span, text) = (located.finding.span, self.document.text());
        // In decoded text, columns do not count its bytes.
        let start = span.start().checked_sub(usize::try_from(located.start.column - 1).ok()?)?;
        let is_start = start == 0 || text.get(start - 1) == Some(&b'\n');
        let ahead = text.len().min(span.start() + NEAR);
        let end = span.start() + memchr(b'\n', text.get(span.start()..ahead)?)?;
        (is_start && end >= span.end()).then_some(start..end)
    }

    /// Appends one line, with the part of the span in it underlined.
    fn line(&self, line: Range<usize>, span: Span, frame: SourceFrame, out: &mut Vec<u8>) {
        let SourceFrame { number, gutter, severity } = frame;
        let text = self.document.text().get(line.clone()).unwrap_or_default();
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let begin = match span.start().checked_sub(line.start) {
            Some(begin) => begin,
            None => text.len() - text.trim_ascii_start().len(),
        };
        // Before the text stand the number, a space, a bar, and a space.
        let width = self.columns.map_or(MAX_WIDTH, |columns| {
            columns.saturating_sub(gutter + 3).clamp(MIN_WIDTH, MAX_WIDTH)
        });
        let part = excerpt(text, begin, span.end().saturating_sub(line.start), width);
        self.paint(FRAME, &format!("{number:>gutter$} |"), out);
        if !part.text.is_empty() {
            out.push(b' ');
            out.extend_from_slice(part.text.as_bytes());
        }
        out.push(b'\n');
        self.paint(FRAME, &format!("{:gutter$} |", ""), out);
        out.extend_from_slice(" ".repeat(part.indent + 1).as_bytes());
        self.paint(style(severity), &"^".repeat(part.width), out);
        out.push(b'\n');
    }
}

impl Report<AuditSummary> for TextReport {
    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let severities = summary.counts.severities;
        let severity = Severity::ALL.iter().rev().find(|severity| severities.count(**severity) > 0);
        let style = severity.map_or(STRONG, |severity| style(*severity));
        self.style.colors.text(style, "urigrep", out);
        out.extend_from_slice(format!(": {}\n", summary.sentence).as_bytes());
        // As rustc names `--explain`, for a person who meets a check for the first time.
        if self.columns.is_some() && severity.is_some() {
            out.extend_from_slice(b"Try `urigrep rule NAME` for the reason behind a check.\n");
        }
    }
}

impl AuditReport for TextReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        let text = DocumentText {
            style: &self.style,
            document,
            lines: OnceCell::new(),
            columns: self.columns,
            target: self.style.target(document.input()),
        };
        for located in document.findings() {
            text.finding(located, out);
            text.hint(located, located.end.line.max(located.start.line).to_string().len(), out);
        }
    }
}

impl TextReport {
    /// Returns the faults of a document. Each is shown unless an earlier one is the same.
    pub fn faults(&self, document: &AuditedDocument) -> Vec<ReportedFault> {
        let text = DocumentText {
            style: &self.style,
            document,
            lines: OnceCell::new(),
            columns: self.columns,
            target: self.style.target(document.input()),
        };
        let mut shown = HashSet::new();
        document.findings().iter().map(|located| text.fault(located, &mut shown)).collect()
    }
}

const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        _ => NOTE,
    }
}
