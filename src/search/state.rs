//! The state of searching one input, from window to window.

use crate::document::Format;
use crate::document::format::FormatKind;
use crate::finder::{Certainty, Progress, Rest, Resume, Window};
use crate::search::context::{ContextTracker, LineSink, LineWindow};
use crate::search::query::{CountsAs, Query};
use crate::search::source::text_source::SourceOffsets;
use crate::search::{
    End, Flow, Hit, Input, InputKind, LineCounter, ParallelSink, Positions, Problem, ProblemKind,
    Recorder, SearchResult, SkippedParts, Stats,
};
use crate::slice::SliceExt as _;
use crate::{Finder, Finding, Span};

/// Says whether a thread may do work that needs much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryLane {
    /// No: it leaves such work to the heavy lane if possible.
    Light,
    /// Yes: it is the only thread, or the one for such work.
    Heavy,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StateOptions {
    pub kind: InputKind,
    pub lane: MemoryLane,
    /// The number of findings that the sink wants.
    pub max_count: Option<u64>,
}

pub(crate) struct SearchState<'s> {
    pub query: &'s Query,
    pub input: &'s Input,
    options: StateOptions,
    /// Offset of the window in the text.
    pub base: u64,
    /// Progress of the search in the window.
    pub progress: Progress,
    pub matches: u64,
    pub rejected: u64,
    /// Number of hits and rejected candidates sent to the sink.
    hits_sent: u64,
    pub skipped_parts: SkippedParts,
    /// True if the input is read as a document, and if that is mail.
    is_document: bool,
    is_mail: bool,
    /// The parts of a match that must be certain before the sink gets it.
    certainty: Certainty,
    /// The positions that the sink needs.
    pub positions: Positions,
    /// Counts lines, if the sink needs positions.
    pub lines: Option<LineCounter>,
    /// The lines for the sink, if it needs lines.
    context: Option<Box<ContextTracker>>,
    /// The limits that were reached, each listed once.
    pub limits_reached: Vec<String>,
    /// Number of attached files that were not read.
    unread_files: u64,
    /// The last answer of the sink.
    flow: Flow,
    is_postponed: bool,
    /// True if the text ends because the rest could not be read.
    is_cut: bool,
}

/// True if nothing but punctuation is between a span and the end of the text.
fn reaches_end(span: Span, window: &[u8]) -> bool {
    !window.clamped(span.end()..).iter().any(u8::is_ascii_whitespace)
}

/// Unread attachments that are reported one by one. A mailbox may have thousands of one kind.
const UNREAD_REPORTED: u64 = 100;

/// A finding and the text that contains it.
#[derive(Clone, Copy)]
pub(crate) struct WindowFinding<'f> {
    /// Its offsets count from the byte `from` of the window.
    pub finding: &'f Finding<'f>,
    pub window: &'f [u8],
    pub from: usize,
    pub offsets: &'f dyn SourceOffsets,
}

impl<'s> SearchState<'s> {
    pub fn new(
        query: &'s Query,
        input: &'s Input,
        options: StateOptions,
        sink: &dyn ParallelSink,
    ) -> Self {
        let needs = sink.needs(input.level());
        let positions = match needs.positions {
            // The filter compares line numbers, even for a sink that shows none.
            Positions::Ignored if query.lines.is_some() => Positions::Bytes,
            positions => positions,
        };
        Self {
            query,
            input,
            options,
            base: 0,
            progress: Progress { consumed: 0, resume: Resume::default() },
            matches: 0,
            rejected: 0,
            hits_sent: 0,
            skipped_parts: SkippedParts::default(),
            is_document: false,
            is_mail: false,
            certainty: needs.certainty,
            lines: LineCounter::for_positions(positions),
            positions,
            context: ContextTracker::new(needs.context).map(Box::new),
            limits_reached: Vec::new(),
            unread_files: 0,
            flow: Flow::Continue,
            is_postponed: false,
            is_cut: false,
        }
    }

    /// Notes that the input is read in this format, not as plain text.
    pub fn read_as(&mut self, format: Format) {
        self.is_document = true;
        self.is_mail = format.is_message();
    }

    /// Notes that the text ends because the rest can't be read: what touches its end may be cut.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Reports an attached file that was not read. The first hundred are reported one by one.
    pub fn unread_file(&mut self, file: &str, message: &str, sink: &mut dyn ParallelSink) {
        self.unread_files += 1;
        if self.unread_files <= UNREAD_REPORTED {
            let path = self.input.display_path_of(file);
            sink.problem(&Problem::new(ProblemKind::Unread, path, message));
        }
    }

    pub fn message_too_large(&mut self) {
        let most = self.query.limits.message;
        self.limit_reached(&format!("a message larger than {most} bytes was searched as text"));
    }

    /// Notes that a document is too large for its format, unless a search of its text finds the
    /// same.
    pub fn searched_as_text(&mut self, format: Format) {
        match format.kind() {
            FormatKind::Message => self.message_too_large(),
            // Relative links are lost, and characters that the format escapes.
            FormatKind::Page | FormatKind::Source => {
                let title = format.title();
                self.limit_reached(&format!(
                    "it is too large to be read as {title}, and was searched as text"
                ));
            }
            FormatKind::Style | FormatKind::Data | FormatKind::Code => {}
        }
    }

    /// Notes that a limit was reached, once for the input.
    pub fn limit_reached(&mut self, limit: &str) {
        if !self.limits_reached.iter().any(|known| known == limit) {
            self.limits_reached.push(limit.to_owned());
        }
    }

    /// Postpones the input to the heavy lane, if possible.
    pub fn enter_heavy_lane(&mut self, sink: &mut dyn ParallelSink) -> Flow {
        if must_postpone(self.options.lane, self.input, sink) {
            self.is_postponed = true;
            return self.remember(Flow::StopInput);
        }
        self.flow
    }

    pub fn search_window(
        &mut self,
        window: &[u8],
        rest: Rest,
        offsets: &dyn SourceOffsets,
        sink: &mut dyn ParallelSink,
    ) -> Flow {
        self.search_until((window, usize::MAX), rest, offsets, sink)
    }

    /// Searches a window for findings that start before its byte `until`.
    pub fn search_until(
        &mut self,
        (window, until): (&[u8], usize),
        rest: Rest,
        offsets: &dyn SourceOffsets,
        sink: &mut dyn ParallelSink,
    ) -> Flow {
        let resumed = Window::resumed(window, self.progress.resume).until(until);
        let resumed = resumed.certainty(self.certainty);
        let mut findings = self.query.findings(resumed, rest);
        loop {
            // A `for` loop would copy each finding right after its fields were written. The wide
            // loads of that copy stall on the narrow stores
            // (docs/measurements/2026-11-29-lists.md).
            let mut next = findings.next();
            let Some(finding) = next.as_mut() else { break };
            if self.is_cut && reaches_end(finding.span(), window) {
                finding.mark_cut();
            }
            let found = WindowFinding { finding, window, from: 0, offsets };
            let flow = self.judge_and_give(found, sink);
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.progress = findings.progress();
        Flow::Continue
    }

    /// Counts a finding, and passes it to the sink if it is wanted.
    #[inline(always)]
    pub fn judge_and_give(
        &mut self,
        found: WindowFinding<'_>,
        sink: &mut dyn ParallelSink,
    ) -> Flow {
        let judgement = self.query.judge(found.finding);
        self.count(judgement.counts);
        if judgement.is_wanted { self.give(found, sink) } else { Flow::Continue }
    }

    #[inline]
    pub fn count(&mut self, counts: CountsAs) {
        match counts {
            CountsAs::Match => self.matches += 1,
            CountsAs::Rejected => self.rejected += 1,
            CountsAs::Nothing => {}
        }
    }

    #[inline(always)]
    pub fn give(&mut self, found: WindowFinding<'_>, sink: &mut dyn ParallelSink) -> Flow {
        let WindowFinding { finding, window, from, offsets } = found;
        let base = self.base;
        let at = from + finding.span().start();
        let position = self.lines.as_mut().map(|lines| lines.position(window, base, at, offsets));
        let hit = Hit::new(self.input, finding, base + from as u64, position, offsets);
        if !self.takes_line(&hit) {
            return Flow::Continue;
        }
        if let Some(context) = &mut self.context {
            let end = from + finding.span().end();
            context.add_match(base + at as u64..base + end as u64);
        }
        self.give_hit(&hit, sink)
    }

    /// True if the line of a hit is searched. Otherwise the hit no longer counts: its line was not
    /// known when it was counted.
    #[inline(always)]
    pub fn takes_line(&mut self, hit: &Hit<'_>) -> bool {
        let Some(lines) = &self.query.lines else { return true };
        let takes = lines.takes_hit(hit);
        if !takes {
            match hit.finding {
                Finding::Rejected(_) => self.rejected -= 1,
                _ => self.matches -= 1,
            }
        }
        takes
    }

    /// Passes a hit to the sink.
    #[inline(always)]
    pub fn give_hit(&mut self, hit: &Hit<'_>, sink: &mut dyn ParallelSink) -> Flow {
        self.hits_sent += 1;
        let flow = match hit.finding {
            Finding::Rejected(_) => sink.rejected(hit),
            _ => sink.hit(hit),
        };
        match flow {
            // The limit counts what the sink got, not what was found: a rejected candidate counts
            // if it was requested.
            Flow::Continue if self.options.max_count == Some(self.hits_sent) => {
                self.remember(Flow::StopInput)
            }
            flow => self.remember(flow),
        }
    }

    /// Up to `count` recorders for helper threads; empty if the sink has none, or if there is a
    /// limit of hits.
    pub fn recorders(&self, count: usize, sink: &dyn ParallelSink) -> Vec<Box<dyn Recorder>> {
        // With a limit of hits, records made ahead might never be wanted, and the sink must count
        // one by one.
        let wants_all = self.options.max_count.is_none();
        (0..count).map_while(|_| sink.recorder().filter(|_| wants_all)).collect()
    }

    /// Passes the records of `hits` findings to the sink.
    pub fn give_records(&mut self, records: &[u8], hits: u64, sink: &mut dyn ParallelSink) -> Flow {
        self.hits_sent += hits;
        let flow = sink.records(records, hits);
        self.remember(flow)
    }

    /// Returns the offset in the text before which no later hit starts, after a window of this
    /// length was searched.
    fn no_hit_before(&self, length: usize) -> u64 {
        /// Bytes at the end of a window within which the search stops, if no finding is open.
        const NEAR: usize = 16;
        let at = self.progress.consumed + self.progress.resume.offset();
        let open = at.saturating_sub(Finder::LOOKBEHIND);
        self.base + (if at + NEAR >= length { length } else { open }) as u64
    }

    /// Reports no lines of an input that has none.
    pub fn ignore_lines(&mut self) {
        self.context = None;
    }

    /// True if the sink wants lines of context.
    pub fn reports_lines(&self) -> bool {
        self.context.is_some()
    }

    /// Adds the span of a hit in the text, for the line that contains it.
    pub fn add_line_match(&mut self, span: Span) {
        if let Some(context) = &mut self.context {
            let [start, end] = [span.start(), span.end()].map(|at| self.base + at as u64);
            context.add_match(start..end);
        }
    }

    /// Reports the lines of a window in which no later hit starts.
    pub fn report_settled_lines(
        &mut self,
        window: &[u8],
        offsets: &dyn SourceOffsets,
        sink: &mut dyn ParallelSink,
    ) {
        // No later hit starts in the bytes that are dropped. If nothing is open at the end of the
        // window, no later hit starts in the rest of it either.
        let consumed = self.base + self.progress.consumed as u64;
        let until = consumed.max(self.no_hit_before(window.len()));
        self.report_lines(window, until, offsets, sink);
    }

    /// Reports the lines in the searched bytes of a window, for messages that are searched as a
    /// whole.
    pub fn report_searched_lines(
        &mut self,
        window: &[u8],
        offsets: &dyn SourceOffsets,
        sink: &mut dyn ParallelSink,
    ) {
        let until = self.base + self.progress.consumed as u64;
        self.report_lines(window, until, offsets, sink);
    }

    /// Reports the lines of a window that end before the offset `until` of the text.
    fn report_lines(
        &mut self,
        window: &[u8],
        until: u64,
        offsets: &dyn SourceOffsets,
        sink: &mut dyn ParallelSink,
    ) {
        let Some(context) = &mut self.context else { return };
        let window = LineWindow { bytes: window, base: self.base };
        // In decoded text, the byte order mark is a character of its own. Raw bytes are reported
        // unchanged, a mark included.
        if !offsets.is_verbatim(0, 1) {
            context.skip_byte_order_mark(window);
        }
        let flow = context.report_lines(window, until, LineSink { input: self.input, sink });
        if flow == Flow::StopAll {
            self.flow = flow;
        }
    }

    /// Reports the lines at the end of the text, whose last bytes are in `window`.
    pub fn report_last_lines(
        &mut self,
        window: &[u8],
        offsets: &dyn SourceOffsets,
        sink: &mut dyn ParallelSink,
    ) {
        self.report_lines(window, self.base + window.len() as u64, offsets, sink);
        if let Some(context) = &mut self.context {
            let window = LineWindow { bytes: window, base: self.base };
            context.report_rest(window, LineSink { input: self.input, sink });
        }
    }

    /// Reports the lines of a window after the last hit that the sink wants, and drops the window.
    /// Returns true while more such lines follow.
    pub fn report_lines_after_stop(
        &mut self,
        window: &[u8],
        offsets: &dyn SourceOffsets,
        sink: &mut dyn ParallelSink,
    ) -> bool {
        if self.flow == Flow::StopAll {
            return false;
        }
        self.report_lines(window, self.base + window.len() as u64, offsets, sink);
        self.progress.consumed = window.len();
        self.advance(window, offsets);
        let is_unfinished = self.context.as_ref().is_some_and(|context| context.is_unfinished());
        is_unfinished && self.flow != Flow::StopAll
    }

    /// Asks the sink whether to wait for more input.
    pub fn idle(&mut self, sink: &mut dyn ParallelSink) -> Flow {
        let flow = sink.idle(self.options.kind);
        self.remember(flow)
    }

    #[inline(always)]
    fn remember(&mut self, flow: Flow) -> Flow {
        self.flow = flow;
        flow
    }

    /// Moves past the searched bytes of the window, and returns their number.
    pub fn advance(&mut self, window: &[u8], offsets: &dyn SourceOffsets) -> usize {
        // The remaining progress counts from the new start of the window.
        let consumed = std::mem::take(&mut self.progress.consumed);
        if let Some(context) = &mut self.context {
            context.keep_partial_line(LineWindow { bytes: window, base: self.base }, consumed);
        }
        if let Some(lines) = &mut self.lines {
            // The dropped bytes can't be counted later.
            lines.count_to(window, self.base, consumed, offsets);
        }
        self.base += consumed as u64;
        consumed
    }

    /// Returns the result of the search after `bytes` bytes were read.
    pub fn finish(mut self, bytes: u64, end: End) -> SearchResult {
        if let Some(more @ 1..) = self.unread_files.checked_sub(UNREAD_REPORTED) {
            self.limit_reached(&format!("{more} more attached files were not read"));
        }
        let stats = match end {
            // The first bytes were only examined, not searched.
            End::Binary | End::Packed => Stats::of_skipped_file(),
            End::Unread(_) => Stats { unread: 1, ..Stats::of_skipped_file() },
            _ => Stats {
                files: match end {
                    // A file that could not be opened was not searched. One that failed midway was,
                    // in part.
                    End::Failed(_) => u64::from(bytes > 0),
                    _ => 1,
                },
                matched: u64::from(self.hits_sent > 0),
                documents: u64::from(self.is_document),
                mail: u64::from(self.is_mail),
                bytes,
                matches: self.matches,
                rejected: self.rejected,
                skipped_parts: self.skipped_parts,
                ..Stats::default()
            },
        };
        SearchResult {
            stats,
            hits_sent: self.hits_sent,
            end,
            limits_reached: self.limits_reached,
            flow: self.flow,
            is_postponed: self.is_postponed,
        }
    }
}

/// True if an input that needs much memory must be searched again in the heavy lane. An input that
/// can't be read again, or whose output is already written, is searched at once.
pub(crate) fn must_postpone(lane: MemoryLane, input: &Input, sink: &mut dyn ParallelSink) -> bool {
    lane == MemoryLane::Light && input.is_regular_file() && sink.discard_pending()
}

/// Converts the answer of the sink to the way that the search ends, unless it continues.
pub(crate) fn go_on(flow: Flow) -> Result<(), End> {
    match flow {
        Flow::Continue => Ok(()),
        Flow::StopInput | Flow::StopAll => Err(End::Stopped),
    }
}
