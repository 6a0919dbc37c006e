//! The state of searching one input, from window to window.

use crate::finder::{Certainty, Progress, Rest, Resume, Window};
use crate::search::hit::DocumentContext;
use crate::search::query::{CountsAs, Query};
use crate::search::source::text_source::SourceOffsets;
use crate::search::{
    End, Flow, Forget, Hit, Input, InputKind, LineCounter, Outcome, Position, Positions, Recorder,
    Sink, SkippedParts, Stats,
};
use crate::{Finder, Finding};

/// Whether a thread may do what needs much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryLane {
    /// It leaves that to the heavy lane where it can.
    Light,
    /// It may: it is the only thread, or the one for this.
    Heavy,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StateOptions {
    pub kind: InputKind,
    pub lane: MemoryLane,
    /// How many findings the sink wants.
    pub max_count: Option<u64>,
}

pub(crate) struct SearchState<'s> {
    pub query: &'s Query,
    pub input: &'s Input,
    options: StateOptions,
    /// Where the window starts in the text.
    pub base: u64,
    /// How far the window was searched.
    pub progress: Progress,
    pub matches: u64,
    pub rejected: u64,
    /// How many findings the sink was given.
    given: u64,
    pub skipped_parts: SkippedParts,
    /// What has to be certain of a match before the sink is given it.
    certainty: Certainty,
    /// Counts lines, when the sink wants positions.
    pub lines: Option<LineCounter>,
    /// The limits that were reached, each once.
    pub limits_reached: Vec<String>,
    /// What the sink wanted last.
    flow: Flow,
    is_postponed: bool,
}

/// What searching one input has come to, for the engine.
pub(crate) struct Searched {
    pub outcome: Outcome,
    pub limits_reached: Vec<String>,
    pub flow: Flow,
    /// The input needs much memory, and is to be searched again from its start in the heavy lane.
    pub is_postponed: bool,
}

/// A finding and the text it is in.
#[derive(Clone, Copy)]
pub(crate) struct Found<'f> {
    /// Its offsets count from the byte `from` of the window.
    pub finding: &'f Finding<'f>,
    pub window: &'f [u8],
    pub from: usize,
    pub offsets: &'f dyn SourceOffsets,
}

impl<'s> SearchState<'s> {
    pub fn new(query: &'s Query, input: &'s Input, options: StateOptions, sink: &dyn Sink) -> Self {
        Self {
            query,
            input,
            options,
            base: 0,
            progress: Progress { consumed: 0, resume: Resume::default() },
            matches: 0,
            rejected: 0,
            given: 0,
            skipped_parts: SkippedParts::default(),
            certainty: sink.certainty(),
            lines: match sink.positions(input.level()) {
                Positions::Ignored => None,
                Positions::Bytes => Some(LineCounter::default()),
                Positions::Characters => Some(LineCounter::with_characters()),
            },
            limits_reached: Vec::new(),
            flow: Flow::Continue,
            is_postponed: false,
        }
    }

    pub fn message_too_large(&mut self) {
        let most = self.query.limits.message;
        self.limit_reached(&format!("a message of more than {most} bytes was searched as text"));
    }

    /// Notes that a limit was reached, once for the input.
    pub fn limit_reached(&mut self, limit: &str) {
        if !self.limits_reached.iter().any(|known| known == limit) {
            self.limits_reached.push(limit.to_owned());
        }
    }

    /// Postpones the input to the heavy lane, where that is possible.
    pub fn enter_heavy_lane(&mut self, sink: &mut dyn Sink) -> Flow {
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
        sink: &mut dyn Sink,
    ) -> Flow {
        self.search_until((window, usize::MAX), rest, offsets, sink)
    }

    /// Searches a window for what starts before its byte `until`.
    pub fn search_until(
        &mut self,
        (window, until): (&[u8], usize),
        rest: Rest,
        offsets: &dyn SourceOffsets,
        sink: &mut dyn Sink,
    ) -> Flow {
        let resumed = Window::resumed(window, self.progress.resume).until(until);
        let resumed = resumed.certainty(self.certainty);
        let mut findings = self.query.findings(resumed, rest);
        for finding in findings.by_ref() {
            let found = Found { finding: &finding, window, from: 0, offsets };
            let flow = self.judge_and_give(found, sink);
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.progress = findings.progress();
        Flow::Continue
    }

    /// Counts a finding, and gives it to the sink if it is wanted.
    #[inline(always)]
    pub fn judge_and_give(&mut self, found: Found<'_>, sink: &mut dyn Sink) -> Flow {
        let judgement = self.query.judge(found.finding);
        self.count(judgement.counts);
        match judgement.is_wanted {
            true => self.give(found, sink),
            false => Flow::Continue,
        }
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
    pub fn give(&mut self, found: Found<'_>, sink: &mut dyn Sink) -> Flow {
        let Found { finding, window, from, offsets } = found;
        let base = self.base;
        let at = from + finding.span().start();
        let position = self.lines.as_mut().map(|lines| lines.position(window, base, at, offsets));
        let base = base + from as u64;
        self.give_hit(Hit::new(self.input, finding, base, position, offsets), sink)
    }

    pub fn give_from_document(
        &mut self,
        finding: &Finding<'_>,
        position: Option<Position>,
        offsets: &dyn SourceOffsets,
        (document, target): (&DocumentContext<'_>, Option<&str>),
        sink: &mut dyn Sink,
    ) -> Flow {
        let hit = Hit::new(self.input, finding, 0, position, offsets);
        self.give_hit(Hit { document: Some(document), target, ..hit }, sink)
    }

    #[inline(always)]
    fn give_hit(&mut self, hit: Hit<'_>, sink: &mut dyn Sink) -> Flow {
        self.given += 1;
        let flow = match hit.finding {
            Finding::Rejected(_) => sink.rejected(&hit),
            _ => sink.hit(&hit),
        };
        match flow {
            Flow::Continue if self.options.max_count == Some(self.given) => {
                self.remember(Flow::StopInput)
            }
            flow => self.remember(flow),
        }
    }

    /// So many recorders of the sink, for threads that search ahead; none when it has none, or wants no more than some
    /// hits.
    pub fn recorders(&self, count: usize, sink: &dyn Sink) -> Vec<Box<dyn Recorder>> {
        let wants_all = self.options.max_count.is_none();
        (0..count).map_while(|_| sink.recorder().filter(|_| wants_all)).collect()
    }

    /// Gives the sink what its recorders made of so many findings.
    pub fn give_records(&mut self, records: &[u8], hits: u64, sink: &mut dyn Sink) -> Flow {
        self.given += hits;
        let flow = sink.records(records, hits);
        self.remember(flow)
    }

    /// The offset in the text before which no later hit starts, behind the search of a window of this length.
    pub fn settled(&self, length: usize) -> u64 {
        /// How near the end of a window the search stops, where nothing is open in it.
        const NEAR: usize = 16;
        let at = self.progress.consumed + self.progress.resume.offset();
        let open = at.saturating_sub(Finder::LOOKBEHIND);
        self.base + (if at + NEAR >= length { length } else { open }) as u64
    }

    /// Asks the sink whether to wait for more input.
    pub fn idle(&mut self, sink: &mut dyn Sink) -> Flow {
        let flow = sink.idle(self.options.kind);
        self.remember(flow)
    }

    #[inline(always)]
    fn remember(&mut self, flow: Flow) -> Flow {
        self.flow = flow;
        flow
    }

    /// Leaves what was searched behind: so many bytes of the window.
    pub fn advance(&mut self, window: &[u8], offsets: &dyn SourceOffsets) -> usize {
        let consumed = std::mem::take(&mut self.progress.consumed);
        if let Some(lines) = &mut self.lines {
            lines.count_to(window, self.base, consumed, offsets);
        }
        self.base += consumed as u64;
        consumed
    }

    /// What the search has come to, after so many bytes were read.
    pub fn finish(self, bytes: u64, end: End) -> Searched {
        let stats = match end {
            // Its first bytes were looked at, not searched.
            End::Binary => Stats::of_skipped_file(),
            _ => Stats {
                files: match end {
                    End::Failed(_) => u64::from(bytes > 0),
                    _ => 1,
                },
                matched: u64::from(self.given > 0),
                bytes,
                matches: self.matches,
                rejected: self.rejected,
                skipped_parts: self.skipped_parts,
                ..Stats::default()
            },
        };
        Searched {
            outcome: Outcome { stats, given: self.given, end },
            limits_reached: self.limits_reached,
            flow: self.flow,
            is_postponed: self.is_postponed,
        }
    }
}

/// True when an input that needs much memory is to be searched again in the heavy lane. What can't be read again,
/// and what the sink can't forget, is searched here and now.
pub(crate) fn must_postpone(lane: MemoryLane, input: &Input, sink: &mut dyn Sink) -> bool {
    lane == MemoryLane::Light && input.is_regular_file() && sink.forget() == Forget::Done
}

/// Whether to go on after the sink was given something; if not, how the search ended.
pub(crate) fn go_on(flow: Flow) -> Result<(), End> {
    match flow {
        Flow::Continue => Ok(()),
        Flow::StopInput | Flow::StopAll => Err(End::Stopped),
    }
}
