//! Searches compressed files and archives: each of their streams is searched like a file.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;

use crate::archive::{ArchiveInput, ArchiveProblem, Member, MemberPath, Visitor, walk};
use crate::document::InputType;
use crate::memory;
use crate::search::opened::InputReader;
use crate::search::parallel::SplitInput;
use crate::search::searcher::{SearchSettings, finish_stream};
use crate::search::source::counted::CountedReader;
use crate::search::state::{MemoryLane, must_postpone};
use crate::search::stream::{StreamOptions, StreamSearcher};
use crate::search::{
    Binary, Flow, Input, InputKind, Level, ParallelSink, Problem, ProblemKind, SearchResult, Stats,
};

/// Treatment of compressed files and archives found in directories. Named ones are always unpacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compressed {
    /// Their bytes are searched, or skipped when they are binary.
    #[default]
    AsStored,
    /// Their contents are searched.
    Unpacked,
}

pub(crate) struct ArchiveSearch<'a, 'q> {
    pub settings: &'a SearchSettings,
    pub archive: &'a Input,
    pub searcher: &'a mut StreamSearcher<'q>,
    pub sink: &'a mut dyn ParallelSink,
    /// Treatment of a binary stream that is not a member of an archive.
    pub binary: Binary,
    pub lane: MemoryLane,
    /// The way the bytes of the archive arrive.
    pub kind: InputKind,
    /// Set for one large archive that several threads may read.
    pub split: Option<SplitInput<'a>>,
    pub streams: u64,
    pub total: SearchResult,
}

impl ArchiveSearch<'_, '_> {
    pub fn search(mut self, mut reader: InputReader<'_>) -> SearchResult {
        let name = self.archive.name();
        let limits = self.settings.query.limits.archive;
        // A pipe is read once; a file may be read at any offset.
        let file = match self.kind {
            InputKind::File(_) => self.archive.path().and_then(|path| File::open(path).ok()),
            InputKind::Stream => None,
        };
        if !self.has_memory(memory::PER_DECODER) {
            return self.total;
        }
        // Helpers need positioned reads, which only a split input provides.
        let shared = self.split.and_then(|split| Some((split.file, split.threads.helpers()?)));
        match (file, &self.settings.byte_counter) {
            (Some(_), _) if let Some((file, pool)) = &shared => {
                walk(ArchiveInput::Shared { file: *file, pool }, name, &limits, &mut self);
            }
            (Some(file), Some(counter)) => {
                let mut file = CountedReader::new(file, counter.clone());
                walk(ArchiveInput::File(&mut file), name, &limits, &mut self);
            }
            (Some(mut file), None) => {
                walk(ArchiveInput::File(&mut file), name, &limits, &mut self);
            }
            (None, _) => walk(ArchiveInput::Stream(&mut reader), name, &limits, &mut self),
        }
        self.total
    }

    fn has_memory(&mut self, bytes: usize) -> bool {
        let is_available = memory::is_available(bytes);
        if !is_available {
            let error = io::Error::other(memory::TOO_LITTLE);
            self.problem(&MemberPath::default(), ArchiveProblem::Unreadable(error));
        }
        is_available
    }

    fn postpone(&mut self) -> ControlFlow<()> {
        self.total.is_postponed = true;
        ControlFlow::Break(())
    }
}

impl Visitor for ArchiveSearch<'_, '_> {
    fn member(&mut self, mut member: Member<'_>) -> ControlFlow<()> {
        let input = self.archive.member(member.path, member.name, self.streams);
        self.streams += 1;
        let options = StreamOptions {
            kind: match self.kind {
                InputKind::File(_) => InputKind::File(member.size.unwrap_or(u64::MAX)),
                InputKind::Stream => InputKind::Stream,
            },
            // A named archive is unpacked in any case, but its members were not named: binary ones
            // are skipped as in a directory.
            binary: match input.level() {
                Level::File => self.binary,
                Level::Member => self.settings.binary,
            },
            // A member is a stream from a decoder, so no other thread can start in its middle.
            split: None,
            lane: self.lane,
            max_count: self.settings.max_count,
        };
        self.sink.begin(&input);
        let result = self.searcher.search(&mut member.reader, &input, options, self.sink);
        // A postponed archive is searched again from its start, so nothing of this member may be
        // counted or finished.
        if result.is_postponed {
            return self.postpone();
        }
        // Damage may make a stream look binary. A checksum reveals that only at the end of the
        // stream.
        if result.end.is_left_out() {
            drop(io::copy(&mut member.reader, &mut io::sink()));
        }
        // The walk reports what is wrong with a stream.
        finish_stream(&result, &input, self.sink);
        self.total.stats += result.stats;
        // An archive may have millions of members without a hit, and a search that was cancelled is
        // to end among them, too.
        if result.flow == Flow::StopAll || self.sink.idle(options.kind) == Flow::StopAll {
            self.total.flow = Flow::StopAll;
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn is_whole(&self, _: &MemberPath, name: &[u8], head: &[u8]) -> bool {
        // The parts of an Office file or an EPUB mean something only together, so its reader gets
        // all of it.
        let packages = self.settings.query.markup.packages();
        InputType::document(head, name, packages).is_some()
    }

    fn heavy(&mut self) -> ControlFlow<()> {
        if must_postpone(self.lane, self.archive, self.sink) {
            return self.postpone();
        }
        // Decoders grow their window by doubling, so the old and the new one exist at once.
        let window = self.settings.query.limits.archive.window as usize;
        if self.has_memory(2 * window) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn skipped(&mut self, _: &MemberPath) {
        self.total.stats += Stats::of_skipped_file();
    }

    fn problem(&mut self, place: &MemberPath, problem: ArchiveProblem) {
        let path = self.archive.display_path_in(place);
        let problem = match &problem {
            ArchiveProblem::Unreadable(error) => Problem::read(path, error),
            problem => Problem::new(ProblemKind::Archive, path, problem.to_string()),
        };
        self.sink.problem(&problem);
    }
}
