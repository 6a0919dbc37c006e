//! For people, as rustc prints: what is wrong, where, the line with the span underlined, what to do.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use urigrep::audit::Severity;

use super::excerpt::excerpt;
use super::{Report, printable};
use crate::cli::audit::finding::{Audited, Finding};
use crate::cli::audit::tally::Summary;
use crate::cli::output::{Colors, PathStyle};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const STRONG: Style = Style::new().bold();

/// Of a span of more lines, the first ones and the last are shown.
const LINES: usize = 3;

/// Reports as text.
#[derive(Clone, Debug)]
pub struct Text {
    style: PathStyle,
}

impl Text {
    /// Reports in this style. What could trick a terminal is escaped everywhere: whole lines of
    /// documents are shown, in logs too.
    pub fn new(style: PathStyle) -> Self {
        Self { style }
    }

    fn paint(&self, style: Style, text: &str, out: &mut Vec<u8>) {
        let colors: Colors = self.style.colors;
        colors.paint(style, out, |out| out.extend_from_slice(text.as_bytes()));
    }

    fn finding(
        &self,
        audited: &Audited<'_>,
        target: Option<&[u8]>,
        finding: &Finding,
        out: &mut Vec<u8>,
    ) {
        let fault = &finding.fault;
        let severity = style(finding.severity);
        let heading = format!("{}[{}]", finding.severity, fault.check.id);
        self.paint(severity, &heading, out);
        let message = format!(": {}", printable(fault.message.as_bytes()));
        self.paint(STRONG, &message, out);
        out.push(b'\n');

        let last = finding.end.line.max(finding.start.line);
        let gutter = last.to_string().len();
        self.paint(FRAME, &format!("{:gutter$}--> ", ""), out);
        let (line, column) = (finding.start.line, finding.start.column);
        self.style.linked(target, (line, column), out, |out| {
            out.extend_from_slice(printable(audited.input.display_path()).as_bytes());
            // Writing to a vector does not fail.
            drop(write!(out, ":{line}:{column}"));
        });
        out.push(b'\n');
        self.source(audited, finding, gutter, severity, out);
        if let Some(hint) = &fault.hint {
            self.paint(FRAME, &format!("{:gutter$} = ", ""), out);
            self.paint(STRONG, "help", out);
            // Writing to a vector does not fail.
            drop(writeln!(out, ": {}", printable(hint.as_bytes())));
        }
        out.push(b'\n');
    }

    /// The lines that the span is on, each with its part underlined.
    fn source(
        &self,
        audited: &Audited<'_>,
        finding: &Finding,
        gutter: usize,
        severity: Style,
        out: &mut Vec<u8>,
    ) {
        let (text, lines) = (audited.text.bytes(), audited.lines);
        let (start, end) = (finding.fault.span.start(), finding.fault.span.end());
        let first = lines.number(start);
        // the line of the last byte: a span may end with a line
        let last = lines.number(end.saturating_sub(1).max(start));
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
            let line = lines.line(text, number);
            let from = lines.start(number);
            let indent = line.len() - line.trim_ascii_start().len();
            let begin = if number == first {
                start - from
            } else {
                indent
            };
            let part = excerpt(line, begin, end.saturating_sub(from));
            self.paint(FRAME, &format!("{:>gutter$} |", number + 1), out);
            if !part.text.is_empty() {
                // Writing to a vector does not fail.
                drop(write!(out, " {}", part.text));
            }
            out.push(b'\n');
            self.paint(FRAME, &format!("{:gutter$} |", ""), out);
            let blank = " ".repeat(part.indent + 1);
            out.extend_from_slice(blank.as_bytes());
            self.paint(severity, &"^".repeat(part.width), out);
            out.push(b'\n');
        }
    }
}

impl Report for Text {
    fn document(&self, audited: &Audited<'_>, out: &mut Vec<u8>) {
        let target = self.style.target(audited.input);
        for finding in audited.findings {
            self.finding(audited, target.as_deref(), finding, out);
        }
    }

    fn end(&self, summary: &Summary, out: &mut Vec<u8>) {
        let severities = summary.tally.severities;
        let severity = Severity::ALL
            .into_iter()
            .rev()
            .find(|severity| severities.of(*severity) > 0);
        self.paint(severity.map_or(STRONG, style), "urigrep", out);
        // Writing to a vector does not fail.
        drop(writeln!(out, ": {}", summary.sentence()));
    }
}

const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Note => NOTE,
    }
}
