//! One input through all its layers: opened, unpacked, searched, and its outcome reported to the sink.

use std::io::{Error, Read};

use crate::search::archive::{ArchiveSearch, detect};
use crate::search::input::OpenInput;
use crate::search::query::Query;
use crate::search::source::counted::CountedReader;
use crate::search::source::positioned::PositionedFile;
use crate::search::state::{MemoryLane, Searched};
use crate::search::stream::{StreamOptions, StreamSearcher};
use crate::search::{
    Binary, ByteCounter, Compressed, End, Flow, Input, InputKind, Origin, Outcome, Preprocessor,
    Problem, ProblemKind, Sink, Stats, catch_panic, memory,
};

pub(crate) type InputReader<'r> = Box<dyn Read + 'r>;

#[derive(Clone, Debug, Default)]
pub(crate) struct SearchSettings {
    pub query: Query,
    pub binary: Binary,
    pub compressed: Compressed,
    pub threads: usize,
    pub max_count: Option<u64>,
    pub byte_counter: Option<ByteCounter>,
    pub preprocessor: Option<Preprocessor>,
}

/// Whether a large input is split over several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// No: every thread searches inputs of its own.
    Never,
    Large,
}

pub(crate) struct Searcher<'q> {
    settings: &'q SearchSettings,
    streams: StreamSearcher<'q>,
    splitting: Splitting,
    lane: MemoryLane,
}

#[derive(Debug)]
pub(crate) struct InputOutcome {
    pub stats: Stats,
    pub flow: Flow,
    /// It is to be searched again from its start in the heavy lane.
    pub is_postponed: bool,
}

impl Default for InputOutcome {
    fn default() -> Self {
        Self { stats: Stats::default(), flow: Flow::Continue, is_postponed: false }
    }
}

impl<'q> Searcher<'q> {
    pub fn new(settings: &'q SearchSettings, splitting: Splitting, lane: MemoryLane) -> Self {
        Self { settings, streams: StreamSearcher::new(&settings.query), splitting, lane }
    }

    /// Searches `input`. Whatever happens there, the others can be searched.
    pub fn search(&mut self, input: &Input, sink: &mut dyn Sink) -> InputOutcome {
        self.catch_panics(input, sink, |searcher, sink| {
            let opened = match memory::is_available(memory::PER_FILE) {
                true => searcher.open(input),
                false => Err(Error::other(memory::TOO_LITTLE)),
            };
            match opened {
                Err(error) => report_unread(End::Failed(error), input, sink),
                Ok(opened) => searcher.search_opened(opened, input, sink),
            }
        })
    }

    fn open(&self, input: &Input) -> std::io::Result<OpenInput> {
        let preprocessor = self.settings.preprocessor.as_ref();
        match (preprocessor, input.path()) {
            (Some(program), Some(path)) if program.takes(path) => {
                let reader = Box::new(program.open(path)?);
                Ok(OpenInput { reader, kind: InputKind::Stream, large: None })
            }
            _ => input.open(),
        }
    }

    pub fn search_reader<'r>(
        &mut self,
        reader: impl Read + 'r,
        input: &Input,
        sink: &mut dyn Sink,
    ) -> InputOutcome {
        let reader = Box::new(reader);
        self.catch_panics(input, sink, |searcher, sink| {
            searcher.search_layers(reader, InputKind::Stream, None, input, sink)
        })
    }

    fn catch_panics(
        &mut self,
        input: &Input,
        sink: &mut dyn Sink,
        search: impl FnOnce(&mut Self, &mut dyn Sink) -> InputOutcome,
    ) -> InputOutcome {
        catch_panic(|| search(self, sink)).unwrap_or_else(|message| {
            // The buffers may be in any state.
            *self = Self::new(self.settings, self.splitting, self.lane);
            sink.problem(&Problem::new(ProblemKind::Panic, input.display_path(), message));
            InputOutcome::default()
        })
    }

    fn search_opened(
        &mut self,
        opened: OpenInput,
        input: &Input,
        sink: &mut dyn Sink,
    ) -> InputOutcome {
        let OpenInput { reader, kind, large } = opened;
        let counter = &self.settings.byte_counter;
        let file = match (large, kind) {
            (Some((file, at)), InputKind::File(size)) if self.splitting == Splitting::Large => {
                Some(PositionedFile::new(file, at..at + size, counter.clone()))
            }
            _ => None,
        };
        let reader: InputReader<'_> = match counter {
            Some(counter) => Box::new(CountedReader::new(reader, counter.clone())),
            None => reader,
        };
        self.search_layers(reader, kind, file.as_ref(), input, sink)
    }

    /// Searches an input as what it is: an archive or something compressed, or a stream of its own.
    fn search_layers(
        &mut self,
        mut reader: InputReader<'_>,
        kind: InputKind,
        file: Option<&PositionedFile>,
        input: &Input,
        sink: &mut dyn Sink,
    ) -> InputOutcome {
        let settings = self.settings;
        if settings.max_count == Some(0) {
            return report_unread(End::Complete, input, sink);
        }
        let binary = match input.origin() {
            Origin::Named => Binary::Search,
            Origin::Tree => settings.binary,
        };
        let helpers = file.filter(|_| settings.threads > 1).map(|file| (settings.threads, file));
        if input.origin() == Origin::Named || settings.compressed == Compressed::Unpacked {
            let format;
            (reader, format) = detect(reader, kind, input.name());
            if format.is_some() {
                let search = ArchiveSearch {
                    settings,
                    archive: input,
                    searcher: &mut self.streams,
                    sink,
                    binary,
                    lane: self.lane,
                    kind,
                    helpers,
                    streams: 0,
                    total: InputOutcome::default(),
                };
                return search.search(reader);
            }
        }
        let options =
            StreamOptions { kind, binary, helpers, lane: self.lane, max_count: settings.max_count };
        sink.begin(input);
        let searched = self.streams.search(&mut reader, input, options, sink);
        match searched.is_postponed {
            true => InputOutcome { is_postponed: true, ..InputOutcome::default() },
            false => report_input(searched, input, sink),
        }
    }
}

/// Reports to the sink what the search of an input has come to, and the limits that were reached.
pub(crate) fn report(searched: Searched, input: &Input, sink: &mut dyn Sink) -> Outcome {
    sink.finish(input, &searched.outcome);
    for limit in searched.limits_reached {
        let path = input.display_path();
        sink.problem(&Problem::new(ProblemKind::Limit, path, limit));
    }
    searched.outcome
}

/// The outcome of an input of its own, whose failure is reported here.
fn report_input(searched: Searched, input: &Input, sink: &mut dyn Sink) -> InputOutcome {
    let flow = searched.flow;
    let outcome = report(searched, input, sink);
    if let End::Failed(error) = &outcome.end {
        sink.problem(&Problem::read(input.display_path(), error));
    }
    InputOutcome { stats: outcome.stats, flow, is_postponed: false }
}

/// The outcome of an input that was not read.
fn report_unread(end: End, input: &Input, sink: &mut dyn Sink) -> InputOutcome {
    sink.begin(input);
    let searched = Searched {
        outcome: Outcome {
            stats: Stats { files: u64::from(matches!(end, End::Complete)), ..Stats::default() },
            given: 0,
            end,
        },
        limits_reached: Vec::new(),
        flow: Flow::Continue,
        is_postponed: false,
    };
    report_input(searched, input, sink)
}
