//! `-A`, `-B`, `-C` and `--passthru`: the lines of matches, and those around them, as ripgrep prints them.
//!
//! The engine gives matches, not lines. Those of a file are read from it once more when it was searched; standard
//! input is kept as it is read, and dropped as it is printed.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use urigrep::search::{Flow, Hit, Input, Level, Positions};

use super::path::{LINE, MATCH};
use super::{ExitMatch, Layout, Levels, LineField, PathPlace, PathStyle, Printer, Text, number};

/// What was read of standard input and not printed yet.
pub type KeptInput = Arc<Mutex<Vec<u8>>>;

/// Reads standard input, and keeps it.
pub struct KeepingReader<R> {
    pub inner: R,
    pub kept: KeptInput,
}

impl<R: Read> Read for KeepingReader<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(out)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(out.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Which lines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextLines {
    All,
    Around { before: usize, after: usize },
}

#[derive(Clone, Debug)]
pub struct ContextOptions {
    pub lines: ContextLines,
    pub layouts: Levels<Layout>,
    pub style: PathStyle,
    pub null: bool,
}

#[derive(Clone, Debug)]
pub struct Context {
    options: ContextOptions,
    /// Prints the matches of what can't be read again by line.
    text: Text,
    stdin: KeptInput,
    // The state of one file:
    /// The spans of matches by the number of their line, until that is printed.
    spans: BTreeMap<u64, Vec<[u64; 2]>>,
    held: VecDeque<(u64, Vec<u8>)>,
    /// The last line that was read, and where it ends; the last that was printed.
    line: u64,
    at: u64,
    printed: u64,
    /// So many lines behind a match are still to be printed.
    due: usize,
    has_heading: bool,
}

impl Context {
    pub fn new(options: ContextOptions, text: Text) -> Self {
        Self {
            options,
            text,
            stdin: KeptInput::default(),
            spans: BTreeMap::new(),
            held: VecDeque::new(),
            line: 0,
            at: 0,
            printed: 0,
            due: 0,
            has_heading: false,
        }
    }

    /// What is to be read in place of standard input, so that its lines are known.
    pub fn stdin(&self) -> &KeptInput {
        &self.stdin
    }

    /// Takes the next line of the input, with its end.
    fn take_line(&mut self, input: &Input, line: &[u8], out: &mut Vec<u8>) {
        self.line += 1;
        let start = self.at;
        self.at += line.len() as u64;
        let spans = self.spans.remove(&self.line);
        let (before, after) = match self.options.lines {
            ContextLines::All => (0, usize::MAX),
            ContextLines::Around { before, after } => (before, after),
        };
        if let Some(spans) = spans {
            for (number, line) in std::mem::take(&mut self.held) {
                self.print(input, (number, &line), None, out);
            }
            self.print(input, (self.line, line), Some((start, &spans)), out);
            self.due = after;
        } else if self.due > 0 || self.options.lines == ContextLines::All {
            self.due = self.due.saturating_sub(1);
            self.print(input, (self.line, line), None, out);
        } else if before > 0 {
            if self.held.len() == before {
                self.held.pop_front();
            }
            self.held.push_back((self.line, line.to_vec()));
        }
    }

    fn print(
        &mut self,
        input: &Input,
        (line_number, line): (u64, &[u8]),
        matched: Option<(u64, &[[u64; 2]])>,
        out: &mut Vec<u8>,
    ) {
        let ContextOptions { layouts, style, null, lines } = &self.options;
        let Layout { place, fields } = layouts.of(input.level());
        if *place == PathPlace::Heading && !std::mem::replace(&mut self.has_heading, true) {
            style.linked_path(input, out);
            out.push(if *null { 0 } else { b'\n' });
        }
        let has_gap = self.printed > 0 && self.printed + 1 < line_number;
        let separates =
            matches!(lines, ContextLines::Around { before, after } if before + after > 0);
        if has_gap && separates {
            out.extend_from_slice(b"--\n");
        }
        self.printed = line_number;
        let sign = if matched.is_some() { b':' } else { b'-' };
        if *place == PathPlace::EachLine {
            style.path(input, out);
            out.push(if *null { 0 } else { sign });
        }
        if fields.contains(&LineField::Line) {
            style.colors.paint(LINE, out, |out| number(line_number, out));
            out.push(sign);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let (start, spans) = matched.unwrap_or_default();
        let mut at = 0;
        for &[from, to] in spans {
            let offset =
                |offset: u64| usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX);
            let [from, to] = [from, to].map(|end| offset(end).min(text.len()));
            style.escaping.push(text.get(at..from).unwrap_or_default(), out);
            let inside = text.get(from.max(at)..to).unwrap_or_default();
            style.colors.paint(MATCH, out, |out| style.escaping.push(inside, out));
            at = at.max(to);
        }
        style.escaping.push(text.get(at..).unwrap_or_default(), out);
        out.push(b'\n');
    }

    /// Takes all lines of a reader, or of what was kept up to the byte `until`.
    fn take_kept(&mut self, input: &Input, until: u64, out: &mut Vec<u8>) {
        let mut kept = {
            let mut kept = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *kept)
        };
        let count = usize::try_from(until.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let near = kept.get(..count.min(kept.len())).unwrap_or_default();
        let whole = match until {
            u64::MAX => near.len(),
            _ => memchr::memrchr(b'\n', near).map_or(0, |end| end + 1),
        };
        let rest = kept.split_off(whole);
        for line in kept.split_inclusive(|&byte| byte == b'\n') {
            self.take_line(input, line, out);
        }
        let mut kept = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        kept.splice(..0, rest);
    }

    fn take_file(&mut self, input: &Input, out: &mut Vec<u8>) {
        let Some(file) = input.path().and_then(|path| File::open(path).ok()) else {
            return;
        };
        let (mut reader, mut line) = (BufReader::new(file), Vec::new());
        loop {
            line.clear();
            match reader.read_until(b'\n', &mut line) {
                Ok(1..) => self.take_line(input, &line, out),
                _ => return,
            }
            let ends = self.spans.is_empty() && self.due == 0;
            if ends && self.options.lines != ContextLines::All {
                return;
            }
        }
    }
}

/// Inside compressed files and archives there are no lines to be read again.
fn has_lines(input: &Input) -> bool {
    input.level() == Level::File && input.stream().is_none()
}

impl Printer for Context {
    fn positions(&self, _: Level) -> Positions {
        Positions::Bytes
    }

    fn begin(&mut self) {
        self.text.begin();
        self.spans.clear();
        self.held.clear();
        (self.line, self.at, self.printed, self.due) = (0, 0, 0, 0);
        self.has_heading = false;
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        if !has_lines(hit.input()) {
            return self.text.hit(hit, out);
        }
        let line = hit.position().map_or(1, |position| position.line);
        self.spans.entry(line).or_default().push(hit.bytes());
        Flow::Continue
    }

    fn settled(&mut self, input: &Input, at: u64, out: &mut Vec<u8>) {
        if has_lines(input) && input.path().is_none() {
            self.take_kept(input, at, out);
        }
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        let is_wanted = hits > 0 || self.options.lines == ContextLines::All;
        if has_lines(input) && is_wanted {
            match input.path() {
                Some(_) => self.take_file(input, out),
                None => self.take_kept(input, u64::MAX, out),
            }
        }
        ExitMatch::of(hits)
    }
}
