//! Searches one input through all its layers: opens it, unpacks it, searches it, and reports the
//! result to the sink.

use std::io::{Error, Read};

use crate::document::InputType;
use crate::memory;
use crate::search::archive::ArchiveSearch;
use crate::search::cancel::CancellableSink;
use crate::search::input::OpenInput;
use crate::search::opened::{InputReader, Opened};
use crate::search::parallel::SplitInput;
use crate::search::query::Query;
use crate::search::source::counted::CountedReader;
use crate::search::source::positioned::PositionedFile;
use crate::search::source::sticky::Sticky;
use crate::search::state::MemoryLane;
use crate::search::stream::{StreamOptions, StreamSearcher};
use crate::search::{
    Binary, ByteCounter, CancelToken, Compressed, ContextLines, End, Flow, Input, InputKind,
    Origin, ParallelSink, Preprocessor, Problem, ProblemKind, Progress, SearchResult, Stats,
    catch_panic,
};
use crate::threads::Threads;

#[derive(Clone, Debug, Default)]
pub(crate) struct SearchSettings {
    pub query: Query,
    pub binary: Binary,
    pub compressed: Compressed,
    pub threads: Threads,
    pub max_count: Option<u64>,
    pub byte_counter: Option<ByteCounter>,
    pub progress: Option<Progress>,
    pub cancel: Option<CancelToken>,
    pub preprocessor: Option<Preprocessor>,
}

/// Selects whether a large input is split over several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// Not split: every thread searches inputs of its own.
    Never,
    Large,
}

pub(crate) struct Searcher<'q> {
    settings: &'q SearchSettings,
    streams: StreamSearcher<'q>,
    splitting: Splitting,
    lane: MemoryLane,
}

impl<'q> Searcher<'q> {
    pub fn new(settings: &'q SearchSettings, splitting: Splitting, lane: MemoryLane) -> Self {
        Self { settings, streams: StreamSearcher::new(&settings.query), splitting, lane }
    }

    /// Searches `input`. A failure or panic does not affect other inputs.
    pub fn search(&mut self, input: &Input, sink: &mut dyn ParallelSink) -> SearchResult {
        if let Some(lines) = &self.settings.query.lines
            && !lines.takes_input(input)
        {
            return finish_unread(End::Complete, input, sink);
        }
        if self.is_cancelled() {
            return SearchResult { flow: Flow::StopAll, ..SearchResult::default() };
        }
        self.catch_panics(input, sink, |searcher, sink| {
            let opened = if memory::is_available(memory::PER_FILE) {
                searcher.open(input)
            } else {
                Err(Error::other(memory::TOO_LITTLE))
            };
            match opened {
                Err(error) => finish_unread(End::Failed(error), input, sink),
                Ok(opened) => searcher.search_opened(opened, input, sink),
            }
        })
    }

    /// True if the search was cancelled, so that no other input is opened.
    fn is_cancelled(&self) -> bool {
        self.settings.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
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
        sink: &mut dyn ParallelSink,
    ) -> SearchResult {
        let reader = Box::new(reader);
        self.catch_panics(input, sink, |searcher, sink| {
            searcher.search_layers(reader, InputKind::Stream, None, input, sink)
        })
    }

    fn catch_panics(
        &mut self,
        input: &Input,
        sink: &mut dyn ParallelSink,
        search: impl FnOnce(&mut Self, &mut dyn ParallelSink) -> SearchResult,
    ) -> SearchResult {
        let mut cancellable;
        let sink: &mut dyn ParallelSink = match &self.settings.cancel {
            Some(token) => {
                cancellable = CancellableSink { sink, token };
                &mut cancellable
            }
            None => sink,
        };
        catch_panic(|| search(self, sink)).unwrap_or_else(|message| {
            // After a panic the buffers may be in any state, so they are replaced.
            *self = Self::new(self.settings, self.splitting, self.lane);
            sink.problem(&Problem::new(ProblemKind::Panic, input.display_path(), message));
            SearchResult::default()
        })
    }

    fn search_opened(
        &mut self,
        opened: OpenInput,
        input: &Input,
        sink: &mut dyn ParallelSink,
    ) -> SearchResult {
        let OpenInput { reader, kind, large } = opened;
        let counter = &self.settings.byte_counter;
        let file = match (large, kind) {
            (Some((file, at)), InputKind::File(size)) if self.splitting == Splitting::Large => {
                Some(PositionedFile::new(file, at..at + size, counter.clone()))
            }
            _ => None,
        };
        let reader: InputReader<'_> = match counter {
            // Bytes are counted before decompression, so that progress compares with the size on
            // disk.
            Some(counter) => Box::new(CountedReader::new(reader, counter.clone())),
            None => reader,
        };
        self.search_layers(reader, kind, file.as_ref(), input, sink)
    }

    /// Searches an input in its format: as an archive or compressed file, or as a plain stream.
    fn search_layers(
        &mut self,
        mut reader: InputReader<'_>,
        kind: InputKind,
        file: Option<&PositionedFile>,
        input: &Input,
        sink: &mut dyn ParallelSink,
    ) -> SearchResult {
        reader = Box::new(Sticky::new(reader));
        let settings = self.settings;
        // Nothing can be found, so the input is not read. It still begins and finishes, as every
        // input does for a sink.
        if settings.max_count == Some(0) {
            return finish_unread(End::Complete, input, sink);
        }
        let binary = match input.origin() {
            // A user who names a file wants it searched. In a directory, a binary file is more
            // likely noise.
            Origin::Named => Binary::Search,
            Origin::Tree => settings.binary,
        };
        let threads = &settings.threads;
        let split = file.filter(|_| threads.count > 1).map(|file| SplitInput { threads, file });
        // Lines of context are cut in one thread, from windows in order, so the file is not split
        // for them. Nor is it if only some lines are searched, because threads that search ahead do
        // not count lines.
        let needs_lines = sink.needs(input.level()).context != ContextLines::Ignored
            || settings.query.lines.is_some();
        let split = split.filter(|_| !needs_lines);
        if input.origin() == Origin::Named || settings.compressed == Compressed::Unpacked {
            let packages = settings.query.markup.packages();
            let opened = Opened::read(reader, kind, input.name(), packages);
            reader = opened.reader;
            // The bytes are searched as stored, and the problem reports that their contents were
            // not.
            if let InputType::Unread(unread) = opened.input_type
                && input.origin() == Origin::Named
            {
                let path = input.display_path();
                sink.problem(&Problem::new(ProblemKind::Unread, path, unread.message()));
            }
            if let InputType::Archive(_) = opened.input_type {
                let search = ArchiveSearch {
                    settings,
                    archive: input,
                    searcher: &mut self.streams,
                    sink,
                    binary,
                    lane: self.lane,
                    kind,
                    split,
                    streams: 0,
                    total: SearchResult::default(),
                };
                return search.search(reader);
            }
        }
        let options =
            StreamOptions { kind, binary, split, lane: self.lane, max_count: settings.max_count };
        sink.begin(input);
        let result = self.streams.search(&mut reader, input, options, sink);
        if result.is_postponed {
            SearchResult { is_postponed: true, ..SearchResult::default() }
        } else {
            finish_input(result, input, sink)
        }
    }
}

/// Reports the result of an input to the sink, and the limits that were reached.
pub(crate) fn finish_stream(result: &SearchResult, input: &Input, sink: &mut dyn ParallelSink) {
    sink.finish(input, result);
    for limit in &result.limits_reached {
        let path = input.display_path();
        sink.problem(&Problem::new(ProblemKind::Limit, path, limit.as_str()));
    }
}

/// Finishes an input that is not an archive member, and reports its failure.
fn finish_input(result: SearchResult, input: &Input, sink: &mut dyn ParallelSink) -> SearchResult {
    finish_stream(&result, input, sink);
    if let End::Failed(error) = &result.end {
        sink.problem(&Problem::read(input.display_path(), error));
    }
    result
}

/// Returns the result of an input that was not read.
fn finish_unread(end: End, input: &Input, sink: &mut dyn ParallelSink) -> SearchResult {
    sink.begin(input);
    let files = u64::from(matches!(end, End::Complete));
    let stats = Stats { files, ..Stats::default() };
    finish_input(SearchResult { stats, end, ..SearchResult::default() }, input, sink)
}
