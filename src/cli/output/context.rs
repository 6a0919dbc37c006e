//! `-A`, `-B`, `-C` and `--passthru`: the lines of matches, and those around them, as ripgrep prints them.
//!
//! The engine gives matches, not lines. Those of a file are read from it once more when it was searched; standard
//! input is kept as it is read, and dropped as it is printed.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use encoding_rs::Encoding;
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
    /// UTF-16, by the mark that the input starts with.
    wide: Option<&'static Encoding>,
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
            wide: None,
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
        let spans = self.spans.remove(&self.line).map(|spans| self.in_line(&spans, start, line));
        let decoded = self.wide.map(|wide| wide.decode_with_bom_removal(line).0);
        let line = decoded.as_deref().map_or(line, str::as_bytes);
        let (before, after) = match self.options.lines {
            ContextLines::All => (0, usize::MAX),
            ContextLines::Around { before, after } => (before, after),
        };
        if let Some(spans) = spans {
            for (number, line) in std::mem::take(&mut self.held) {
                self.print(input, (number, &line), None, out);
            }
            self.print(input, (self.line, line), Some(&spans), out);
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

    /// The spans of matches in a line as it is printed, of those in an input in which the line starts at `start`.
    fn in_line(&self, spans: &[[u64; 2]], start: u64, line: &[u8]) -> Vec<[usize; 2]> {
        let offset = |offset: u64| {
            let offset = usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX);
            let before = line.get(..offset).unwrap_or(line);
            self.wide.map_or(before.len(), |wide| wide.decode_with_bom_removal(before).0.len())
        };
        spans.iter().map(|span| span.map(offset)).collect()
    }

    fn print(
        &mut self,
        input: &Input,
        (line_number, line): (u64, &[u8]),
        matched: Option<&[[usize; 2]]>,
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
        let mut at = 0;
        for span in matched.unwrap_or_default() {
            let [from, to] = span.map(|end| end.min(text.len()));
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
        if self.at == 0 {
            self.wide = wide(&kept);
        }
        let count = usize::try_from(until.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let mut near = kept.get(..count).unwrap_or(&kept);
        let mut whole = 0;
        while let Some(length) = line_length(near, self.wide) {
            let (line, rest) = near.split_at(length);
            self.take_line(input, line, out);
            (near, whole) = (rest, whole + length);
        }
        if until == u64::MAX && !near.is_empty() {
            self.take_line(input, near, out);
            whole = kept.len();
        }
        kept.drain(..whole);
        let mut since = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        since.splice(..0, kept);
    }

    fn take_file(&mut self, input: &Input, out: &mut Vec<u8>) {
        let Some(file) = input.path().and_then(|path| File::open(path).ok()) else {
            return;
        };
        let (mut reader, mut line) = (BufReader::new(file), Vec::new());
        self.wide = reader.fill_buf().ok().and_then(wide);
        loop {
            line.clear();
            if !matches!(read_line(&mut reader, self.wide, &mut line), Ok(1..)) {
                return;
            }
            self.take_line(input, &line, out);
            let ends = self.spans.is_empty() && self.due == 0;
            if ends && self.options.lines != ContextLines::All {
                return;
            }
        }
    }
}

/// The kind of UTF-16, if a text that starts so is in UTF-16.
fn wide(start: &[u8]) -> Option<&'static Encoding> {
    let (encoding, _) = Encoding::for_bom(start)?;
    [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE].into_iter().find(|wide| *wide == encoding)
}

/// The length of the first line, with its end, which a line feed is where a unit of UTF-16 starts.
fn line_length(text: &[u8], wide: Option<&'static Encoding>) -> Option<usize> {
    let Some(wide) = wide else {
        return memchr::memchr(b'\n', text).map(|at| at + 1);
    };
    let feed = if wide == encoding_rs::UTF_16LE { *b"\n\0" } else { *b"\0\n" };
    memchr::memchr_iter(b'\n', text)
        .map(|at| at & !1)
        .find(|&at| text.get(at..at + 2) == Some(&feed[..]))
        .map(|at| at + 2)
}

/// Appends the next line; the number of its bytes.
fn read_line(
    reader: &mut impl BufRead,
    wide: Option<&'static Encoding>,
    line: &mut Vec<u8>,
) -> std::io::Result<usize> {
    loop {
        let count = reader.read_until(b'\n', line)?;
        if count == 0 || wide.is_none() {
            return Ok(line.len());
        }
        // the line feed may be the first byte of its unit
        if line.len() % 2 == 1 {
            reader.take(1).read_to_end(line)?;
        }
        let unit = line.len().checked_sub(2).and_then(|at| line.get(at..));
        if unit.is_some_and(|unit| line_length(unit, wide).is_some()) {
            return Ok(line.len());
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
        self.wide = None;
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
