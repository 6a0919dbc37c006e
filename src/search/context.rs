//! Lines of matches, and the lines around them, for
//! [`Sink::context`](crate::search::Sink::context).
//!
//! The search sees each byte of an input once, in windows. Lines are cut from the same windows, so
//! that context works for pipes and in archives. A line is reported once no later match can start
//! in it.

use std::collections::VecDeque;
use std::ops::Range;

use crate::search::{Flow, Input, ParallelSink, Problem, ProblemKind};
use crate::slice::SliceExt;

/// Which lines a sink needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContextLines {
    /// No lines.
    #[default]
    Ignored,
    /// Lines with a match, and a number of lines before and after them.
    Around {
        /// Lines before each line with a match.
        before: usize,
        /// Lines after each line with a match.
        after: usize,
    },
    /// All lines.
    All,
}

/// A line of an input. Its text is decoded to UTF-8 if the input is UTF-16, UTF-32, or of a chosen
/// charset.
#[derive(Clone, Copy, Debug)]
pub struct ContextLine<'a> {
    input: &'a Input,
    number: u64,
    text: &'a [u8],
    matches: &'a [Range<usize>],
}

impl<'a> ContextLine<'a> {
    /// The input that contains it.
    pub fn input(&self) -> &'a Input {
        self.input
    }

    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Its text without the line end.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The ranges of the matches that start in its text, in order; empty for a line around a match.
    pub fn matches(&self) -> &'a [Range<usize>] {
        self.matches
    }
}

/// A longer line is reported in pieces, so that a file without line ends takes bounded memory.
const MAX_LINE_BYTES: usize = 1 << 20;
/// Limit on the bytes of lines that are held for a later match, including the overhead of each
/// line. Every thread may hold this many, and the promise is 8 MiB per thread.
const MAX_HELD_BYTES: usize = 4 << 20;
const FEWER_LINES: &str =
    "fewer lines before a match than asked for: at most 4 MiB of them are held";
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Lines that are held for a later match. Their texts are together, because a file may have
/// millions of empty lines.
#[derive(Default)]
struct HeldLines {
    text: VecDeque<u8>,
    /// The number of each line, and the length of its text.
    lines: VecDeque<(u64, usize)>,
    /// True if lines were dropped that a match would need.
    is_short: bool,
}

impl HeldLines {
    /// Holds a line, and drops those too far before a match in the next one.
    fn push(&mut self, number: u64, text: &[u8], most: usize) {
        self.text.extend(text);
        self.lines.push_back((number, text.len()));
        while self.lines.len() > most {
            self.drop_first();
            // The dropped line is too far away to be needed.
            self.is_short = false;
        }
        while self.text.len() + self.lines.len() * size_of::<(u64, usize)>() > MAX_HELD_BYTES {
            self.drop_first();
            self.is_short = true;
        }
    }

    fn drop_first(&mut self) {
        if let Some((_, length)) = self.lines.pop_front() {
            drop(self.text.drain(..length.min(self.text.len())));
        }
    }
}

/// Cuts an input into lines. All offsets count from the start of its decoded text.
pub(crate) struct ContextTracker {
    lines: ContextLines,
    /// The spans of matches whose lines are not reported yet.
    matches: VecDeque<Range<u64>>,
    /// The number of the current line, and where it starts.
    number: u64,
    start: u64,
    /// The start of the current line, whose bytes have left the window.
    partial: Vec<u8>,
    /// Offset up to which line ends were searched for.
    scanned: u64,
    held: HeldLines,
    /// Number of lines after the last match that are still to be reported.
    due: usize,
}

/// The sink, and the input whose lines it gets.
pub(crate) struct LineSink<'s> {
    pub input: &'s Input,
    pub sink: &'s mut dyn ParallelSink,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceEnd {
    Reached,
    /// The line continues: it is too long for one piece.
    Cut,
}

/// A window of the text, and its offset.
#[derive(Clone, Copy)]
pub(crate) struct LineWindow<'w> {
    pub bytes: &'w [u8],
    pub base: u64,
}

impl ContextTracker {
    /// Returns `None` if no lines are needed.
    pub fn new(lines: ContextLines) -> Option<Self> {
        if lines == ContextLines::Ignored {
            return None;
        }
        Some(Self {
            lines,
            matches: VecDeque::new(),
            number: 1,
            start: 0,
            partial: Vec::new(),
            scanned: 0,
            held: HeldLines::default(),
            due: 0,
        })
    }

    /// Adds the span of a match.
    pub fn add_match(&mut self, span: Range<u64>) {
        self.matches.push_back(span);
    }

    /// Skips the byte order mark of decoded text, which belongs to no line.
    pub fn skip_byte_order_mark(&mut self, window: LineWindow<'_>) {
        if self.scanned == 0 && window.base == 0 && window.bytes.starts_with(BYTE_ORDER_MARK) {
            self.start = BYTE_ORDER_MARK.len() as u64;
            self.scanned = self.start;
        }
    }

    /// True while lines after the last match, or all lines, are still to be reported.
    pub fn is_unfinished(&self) -> bool {
        self.lines == ContextLines::All || self.due > 0 || !self.matches.is_empty()
    }

    /// Reports the lines that end before `until`, where no later match starts.
    pub fn report_lines(
        &mut self,
        window: LineWindow<'_>,
        until: u64,
        mut sink: LineSink<'_>,
    ) -> Flow {
        // Matches of documents are reported by part, and parts may be out of order.
        self.matches.make_contiguous().sort_by_key(|span| span.start);
        while self.scanned < until {
            let from = offset_in(window, self.scanned);
            let unseen = window.bytes.part(from..offset_in(window, until));
            let longest = (self.start + MAX_LINE_BYTES as u64).saturating_sub(self.scanned);
            // At least one byte, so that each round makes progress.
            let longest = usize::try_from(longest).unwrap_or(usize::MAX).max(1);
            let (end, line_end) =
                match memchr::memchr(b'\n', unseen.part(..unseen.len().min(longest))) {
                    Some(at) => (self.scanned + at as u64 + 1, PieceEnd::Reached),
                    None if unseen.len() >= longest => {
                        (self.scanned + char_boundary(unseen, longest) as u64, PieceEnd::Cut)
                    }
                    None => {
                        // The line may continue after `until`. Remember how far it was scanned, so
                        // that no byte is scanned twice.
                        self.scanned = until;
                        return Flow::Continue;
                    }
                };
            let flow = self.report_up_to(window, end, line_end, &mut sink);
            if flow != Flow::Continue {
                return flow;
            }
        }
        Flow::Continue
    }

    /// Keeps the start of the current line, as the first `count` bytes of the window are dropped.
    pub fn keep_partial_line(&mut self, window: LineWindow<'_>, count: usize) {
        let from = offset_in(window, self.start + self.partial.len() as u64);
        if let Some(bytes) = window.bytes.get(from..count) {
            self.partial.extend_from_slice(bytes);
        }
    }

    /// Reports the last line, which has no line end.
    pub fn report_rest(&mut self, window: LineWindow<'_>, mut sink: LineSink<'_>) -> Flow {
        let end = window.base + window.bytes.len() as u64;
        if self.start >= end {
            return Flow::Continue;
        }
        self.report_up_to(window, end, PieceEnd::Reached, &mut sink)
    }

    fn report_up_to(
        &mut self,
        window: LineWindow<'_>,
        end: u64,
        line_end: PieceEnd,
        sink: &mut LineSink<'_>,
    ) -> Flow {
        let mut text = std::mem::take(&mut self.partial);
        let from = offset_in(window, self.start + text.len() as u64);
        let rest = window.bytes.part(from..offset_in(window, end));
        let bytes = if text.is_empty() {
            rest
        } else {
            text.extend_from_slice(rest);
            &text
        };
        let matches = self.take_matches(end, line_end);
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        // The line ends of Windows: `\r` would move the cursor of a terminal to the start of the
        // line.
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let flow = self.report_line(bytes, &matches, sink);
        self.start = end;
        self.scanned = end;
        self.number += u64::from(line_end == PieceEnd::Reached);
        // Keep the allocation for the next line that spans two windows.
        text.clear();
        self.partial = text;
        flow
    }

    /// Takes the matches that start before `end`, relative to the current line. If the end of a
    /// piece cuts a match, its rest stays for the next piece.
    fn take_matches(&mut self, end: u64, line_end: PieceEnd) -> Vec<Range<usize>> {
        let start = self.start;
        let relative = |at: u64| usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX);
        let (mut taken, mut cut) = (Vec::new(), Vec::new());
        while let Some(span) = self.matches.front().filter(|span| span.start < end).cloned() {
            self.matches.pop_front();
            taken.push(relative(span.start)..relative(span.end.min(end)));
            if line_end == PieceEnd::Cut && span.end > end {
                cut.push(end..span.end);
            }
        }
        // Back to the front and in order, because the next piece starts with these.
        for rest in cut.into_iter().rev() {
            self.matches.push_front(rest);
        }
        taken
    }

    fn report_line(
        &mut self,
        text: &[u8],
        matches: &[Range<usize>],
        LineSink { input, sink }: &mut LineSink<'_>,
    ) -> Flow {
        let (before, after) = match self.lines {
            ContextLines::Around { before, after } => (before, after),
            // All lines are reported, so none is held.
            _ => (0, usize::MAX),
        };
        let number = self.number;
        if !matches.is_empty() {
            let mut held = std::mem::take(&mut self.held);
            if held.is_short {
                let path = input.display_path();
                sink.problem(&Problem::new(ProblemKind::Limit, path, FEWER_LINES));
            }
            let mut rest = &*held.text.make_contiguous();
            for &(number, length) in &held.lines {
                let (text, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
                let flow = sink.context(&ContextLine { input, number, text, matches: &[] });
                if flow != Flow::Continue {
                    return flow;
                }
                rest = after;
            }
            self.due = after;
        } else if self.due == 0 && self.lines != ContextLines::All {
            self.hold_line(text, before);
            return Flow::Continue;
        } else {
            self.due = self.due.saturating_sub(1);
        }
        let last = text.len();
        let matches: Vec<_> =
            matches.iter().map(|span| span.start.min(last)..span.end.min(last)).collect();
        sink.context(&ContextLine { input, number, text, matches: &matches })
    }

    /// Holds a line for a match that may follow.
    fn hold_line(&mut self, text: &[u8], before: usize) {
        if before > 0 {
            self.held.push(self.number, text, before);
        }
    }
}

/// Converts an offset in the text to an offset in the window.
fn offset_in(window: LineWindow<'_>, at: u64) -> usize {
    let at = usize::try_from(at.saturating_sub(window.base)).unwrap_or(usize::MAX);
    at.min(window.bytes.len())
}

/// Returns the last character boundary in the first `length` bytes, or `length` if the text is not
/// UTF-8.
fn char_boundary(text: &[u8], length: usize) -> usize {
    let is_inside = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    // A character of UTF-8 has at most three bytes after its first one (RFC 3629 §3).
    (length.saturating_sub(3)..=length).rev().find(|at| *at > 0 && !is_inside(at)).unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Hit, Sink};

    #[derive(Default)]
    struct SeenLines(Vec<String>);

    impl Sink for SeenLines {
        fn hit(&mut self, _: &Hit<'_>) -> Flow {
            Flow::Continue
        }

        fn context(&mut self, line: &ContextLine<'_>) -> Flow {
            let text = String::from_utf8_lossy(line.text());
            let shown = match text.len() {
                ..100 => text.into_owned(),
                length => length.to_string(),
            };
            self.0.push(format!("{} {shown} {:?}", line.number(), line.matches()));
            Flow::Continue
        }
    }

    impl ParallelSink for SeenLines {}

    #[test]
    fn lines_that_are_held_are_few() {
        let mut held = HeldLines::default();
        for number in 0..1_000_000 {
            held.push(number, b"", usize::MAX);
        }
        assert!(held.is_short && held.lines.len() < 300_000, "{}", held.lines.len());
        held.push(1_000_000, &vec![b'x'; MAX_LINE_BYTES], 3);
        assert!(!held.is_short, "three lines are held, as asked for");
        assert_eq!(held.lines.len(), 3);
        for number in 0..8 {
            held.push(number, &vec![b'x'; MAX_LINE_BYTES], 6);
        }
        assert!(held.is_short && held.text.len() < MAX_HELD_BYTES);
        held.push(9, b"", 1);
        assert_eq!((held.is_short, held.lines.len(), held.text.len()), (false, 1, 0));
    }

    /// The lines of a text that is seen in windows of this size, with these matches.
    fn lines(text: &[u8], lines: ContextLines, matches: &[[u64; 2]], size: usize) -> Vec<String> {
        let mut tracker = ContextTracker::new(lines).unwrap();
        let (mut sink, input) = (SeenLines::default(), Input::named("a"));
        let mut base = 0;
        loop {
            let end = text.len().min(base + size);
            for &[from, to] in matches {
                if (base as u64..end as u64).contains(&from) {
                    tracker.add_match(from..to);
                }
            }
            let window = LineWindow { bytes: &text[base..end], base: base as u64 };
            tracker.report_lines(window, end as u64, LineSink { input: &input, sink: &mut sink });
            if end == text.len() {
                tracker.report_rest(window, LineSink { input: &input, sink: &mut sink });
                return sink.0;
            }
            tracker.keep_partial_line(window, end - base);
            base = end;
        }
    }

    #[test]
    fn lines_do_not_depend_on_windows() {
        let text = b"a\nbb\r\nccc\ndddd\ne\n\nlast";
        let around = ContextLines::Around { before: 1, after: 1 };
        for size in 1..=text.len() {
            assert_eq!(
                lines(text, around, &[[7, 9]], size),
                ["2 bb []", "3 ccc [1..3]", "4 dddd []"],
                "{size}"
            );
            let all = lines(text, ContextLines::All, &[], size);
            assert_eq!(all.len(), 7, "{size}: {all:?}");
            assert_eq!(all[6], "7 last []");
        }
    }

    #[test]
    fn a_long_line_comes_in_pieces() {
        let mut text = vec![b'x'; 2 * MAX_LINE_BYTES + 10];
        text.extend_from_slice(b"\nnext\n");
        let cut = MAX_LINE_BYTES as u64;
        let around = ContextLines::Around { before: 0, after: 1 };
        for size in [1 << 16, text.len()] {
            assert_eq!(
                lines(&text, around, &[[cut - 2, cut + 2]], size),
                [
                    format!("1 {cut} [{}..{cut}]", cut - 2),
                    format!("1 {cut} [0..2]"),
                    "1 xxxxxxxxxx []".to_owned(),
                ],
                "{size}"
            );
        }
    }
}
