//! `-A`, `-B`, `-C` and `--passthru`: prints the lines of matches, and lines around them, as
//! ripgrep does.

use urigrep::document::Format;
use urigrep::search::{ContextLine, ContextLines, Flow, Hit, Input, Level, Needs};

use super::Summary;
use super::path::{LINE, MATCH};
use super::{
    ExitMatch, Layout, Levels, LineField, PathPlace, PathStyle, Printer, Text, few_needs, number,
};
use urigrep::internal::output::report::Report;

#[derive(Clone, Debug)]
pub struct ContextOptions {
    pub lines: ContextLines,
    pub layouts: Levels<Layout>,
    pub style: PathStyle,
    pub null: bool,
    /// Prints the hits in documents that have no lines.
    pub text: Text,
}

#[derive(Clone, Debug)]
pub struct Context {
    options: ContextOptions,
    // State of one input:
    /// The number of the last line that was printed; 0 before the first one.
    last: u64,
    has_heading: bool,
}

impl Context {
    pub fn new(options: ContextOptions) -> Self {
        Self { options, last: 0, has_heading: false }
    }

    /// Appends `--` if lines were skipped since the last printed one.
    fn separate(&self, number: u64, out: &mut Vec<u8>) {
        let separates = matches!(
            self.options.lines,
            ContextLines::Around { before, after } if before > 0 || after > 0
        );
        // ripgrep and grep print no `--` before the first group, nor between groups that touch.
        if separates && self.last > 0 && self.last + 1 < number {
            out.extend_from_slice(b"--\n");
        }
    }

    /// Appends the path and the line number, followed by `:` on a line with a match and by `-`
    /// otherwise.
    fn prefix(&mut self, line: &ContextLine<'_>, out: &mut Vec<u8>) {
        let ContextOptions { layouts, style, null, .. } = &self.options;
        let Layout { place, fields } = layouts.at(line.input().level());
        if *place == PathPlace::Heading && !std::mem::replace(&mut self.has_heading, true) {
            style.linked_path(line.input(), out);
            out.push(if *null { 0 } else { b'\n' });
        }
        self.separate(line.number(), out);
        let sign = if line.matches().is_empty() { b'-' } else { b':' };
        if *place == PathPlace::EachLine {
            style.path(line.input(), out);
            out.push(if *null { 0 } else { sign });
        }
        if fields.contains(&LineField::Line) {
            style.colors.paint(LINE, out, |out| number(line.number(), out));
            out.push(sign);
        }
    }
}

/// False for a hit in a document without lines, such as a page of a PDF.
pub fn has_line(hit: &Hit<'_>) -> bool {
    !hit.format().is_some_and(Format::is_binary)
}

impl Report<Summary> for Context {}

impl Printer for Context {
    fn needs(&self, _: Level) -> Needs {
        few_needs().context(self.options.lines)
    }

    fn begin(&mut self) {
        self.last = 0;
        self.has_heading = false;
        self.options.text.begin();
    }

    /// Prints a hit that is in no line. Otherwise, its line follows.
    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        if has_line(hit) { Flow::Continue } else { self.options.text.hit(hit, out) }
    }

    fn line(&mut self, line: &ContextLine<'_>, out: &mut Vec<u8>) {
        self.prefix(line, out);
        self.last = line.number();
        let PathStyle { escaping, colors, .. } = &self.options.style;
        let text = line.text();
        let mut at = 0;
        for span in line.matches() {
            escaping.push(text.get(at..span.start).unwrap_or_default(), out);
            // Matches may overlap, such as a URI inside the query of another. No byte is printed
            // twice.
            let inside = text.get(span.start.max(at)..span.end).unwrap_or_default();
            colors.paint(MATCH, out, |out| escaping.push(inside, out));
            at = at.max(span.end);
        }
        escaping.push(text.get(at..).unwrap_or_default(), out);
        out.push(b'\n');
    }

    fn finish(&mut self, _input: &Input, hits: u64, _out: &mut Vec<u8>) -> ExitMatch {
        ExitMatch::from_hits(hits)
    }
}
