//! Searches a large file with all threads, and reports the same findings as one thread.
//!
//! A search is a chain: a finding depends on where the one before it ended. Each chunk of the file
//! is read and searched as if nothing extended into it. Then the chain is followed through the
//! chunks. If it enters a chunk in the assumed state, the findings of the chunk are valid.
//!
//! Otherwise the chain searches on by itself, until its state after some finding equals the state
//! of the chunk's search after the same finding. From there on both are the same, because that
//! state is all that the search knows.
//!
//! The thread that follows the chain passes the findings to the sink, and those that it finds
//! itself at once. If the sink has [recorders](ParallelSink::recorder), the searching threads also
//! make the records, and the sink only takes them.

use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use crate::finder::{DetachedFinding, PrefilteredFindings, Progress, Rest, Resume, Window};
use crate::ordered::{Item, run_ordered};
use crate::search::parallel::chunks::{ChunkStart, ChunkStarts};
use crate::search::parallel::{ChunkHelpers, SplitInput};
use crate::search::query::{CountsAs, Query};
use crate::search::source::positioned::PositionedFile;
use crate::search::source::text_source::RawText;
use crate::search::state::{SearchState, WindowFinding, go_on};
use crate::search::{End, Hit, Input, ParallelSink, Recorder, panics};
use crate::slice::SliceExt;
use crate::threads::lock;
use crate::{Finder, Finding};

/// Bytes that a thread searches at a time. Several chunks fit into the cache of a core.
const CHUNK_SIZE: usize = 128 << 10;
/// Limit on the findings of a chunk that wait for their turn. The text after them is searched when
/// the turn comes.
const FINDINGS_MAX: usize = 4096;
/// Limit on the record bytes of a chunk that wait for their turn. Records of later findings are
/// made when the turn comes.
const RECORDS_MAX: usize = 2 << 20;
/// Bytes after a chunk that are read with it. With them, a chunk rarely ends inside a finding that
/// is still uncertain.
const BEHIND: usize = Finder::LOOKAHEAD + (1 << 10);
/// The end of a chunk in its text.
const UNTIL: usize = Finder::LOOKBEHIND + CHUNK_SIZE;
/// Bytes of the first read that continues the search where chunks do not.
const BRIDGE_SIZE: usize = 64 << 10;

/// A finding of a chunk, and the progress of the search after it.
struct ChunkFinding {
    start: usize,
    after: Progress,
    counts: CountsAs,
    given: ChunkHit,
}

/// The form in which the sink gets a finding.
enum ChunkHit {
    /// The finding is not wanted.
    Nothing,
    Finding(DetachedFinding),
    /// Its record. The number is the end of that record in those of the chunk.
    Record(usize),
}

/// The buffers that a chunk reuses.
#[derive(Default)]
struct ChunkBuffers {
    text: Vec<u8>,
    records: Vec<u8>,
}

struct Chunk {
    /// The start of its text in the file. It is far enough before the chunk for the rules to look
    /// back.
    base: u64,
    buffers: ChunkBuffers,
    /// Length of its text.
    length: usize,
    /// The state in which the search is assumed to enter the chunk.
    enter: Progress,
    findings: Vec<ChunkFinding>,
    leave: Progress,
    /// The way the file ends, if it ends here.
    last: Option<io::Result<()>>,
}

/// The text of a chunk; offsets count from its start.
#[derive(Clone, Copy)]
struct ChunkText<'w> {
    bytes: &'w [u8],
    /// The start of the next chunk.
    until: usize,
    rest: Rest,
}

struct ChunkReader<'s> {
    query: &'s Query,
    input: &'s Input,
    source: &'s PositionedFile,
    /// One recorder per helper, if the sink has recorders.
    recorders: Mutex<Vec<Box<dyn Recorder>>>,
}

/// Continues from the state to the end of the file.
pub(crate) fn search(
    state: &mut SearchState<'_>,
    SplitInput { threads, file: source }: SplitInput<'_>,
    sink: &mut dyn ParallelSink,
) -> End {
    let bytes = source.len().saturating_sub(state.base);
    let helpers = ChunkHelpers::new(threads, bytes, CHUNK_SIZE);
    let recorders = state.recorders(helpers.count, sink);
    // Only records need lines ahead of their turn. A finding gets its line when it is passed on.
    let lines = state.lines.clone().filter(|_| !recorders.is_empty());
    let starts = ChunkStarts::new(ChunkStart { base: state.base, lines }, CHUNK_SIZE, source);
    let reader = ChunkReader {
        query: state.query,
        input: state.input,
        source,
        recorders: Mutex::new(recorders),
    };
    let mut chain = Chain { state, reader: &reader, buffer: Vec::new() };
    let searched = run_ordered(
        helpers.options(),
        starts,
        |buffers, start| reader.search(buffers, start),
        |item| match item {
            Item::Done(chunk) => chain.take(chunk, sink).map(Some),
            Item::NotStarted(start) => chain.search(start.base, sink).map(|()| None),
        },
    );
    searched.err().unwrap_or(End::Complete)
}

impl ChunkReader<'_> {
    /// Returns the text of a chunk, which is shorter than its buffer at the end of the file.
    fn text<'w>(&self, bytes: &'w [u8]) -> ChunkText<'w> {
        ChunkText {
            bytes,
            until: UNTIL,
            rest: if bytes.len() < UNTIL + BEHIND { Rest::End } else { Rest::More },
        }
    }

    fn recorders(&self) -> MutexGuard<'_, Vec<Box<dyn Recorder>>> {
        lock(&self.recorders)
    }

    /// Reads a chunk and its surroundings, and searches it.
    fn search(&self, mut buffers: ChunkBuffers, start: ChunkStart) -> Chunk {
        let ChunkStart { base, mut lines } = start;
        let ChunkBuffers { text: buffer, records } = &mut buffers;
        buffer.resize(UNTIL + BEHIND, 0);
        records.clear();
        let (length, result) = self.source.read_at(buffer, base);
        let text = self.text(buffer.part(..length));
        let mut recorder = self.recorders().pop();
        panics::panic_for_test(text.bytes);
        // The chunk proper starts after the bytes that the rules may look back at.
        let mut search = text.findings(self.query, 0, Resume::at(Finder::LOOKBEHIND));
        let enter = search.progress();
        let mut findings: Vec<ChunkFinding> = Vec::new();
        let mut leave = None;
        while let Some(finding) = search.next() {
            let after = search.progress();
            // A URI inside a match may be reported after it. Both must stay in the same chunk.
            let before = findings.last().map_or(enter, |last| last.after);
            if findings.len() >= FINDINGS_MAX && before != after {
                leave = Some(before);
                break;
            }
            let judgement = self.query.judge(&finding);
            let start = finding.span().start();
            let given = match &mut recorder {
                _ if !judgement.is_wanted => ChunkHit::Nothing,
                Some(recorder) if records.len() < RECORDS_MAX => {
                    let offsets = &RawText(());
                    let position = lines
                        .as_mut()
                        .map(|lines| lines.position(text.bytes, base, start, offsets));
                    let hit = Hit::new(self.input, &finding, base, position, offsets);
                    recorder.record(&hit, records);
                    ChunkHit::Record(records.len())
                }
                // There is no recorder, or there are too many record bytes. The record is made when
                // the turn of the chunk comes.
                _ => ChunkHit::Finding(finding.detach()),
            };
            findings.push(ChunkFinding { start, after, counts: judgement.counts, given });
        }
        self.recorders().extend(recorder);
        let leave = leave.unwrap_or_else(|| search.progress());
        Chunk {
            base,
            length,
            enter,
            findings,
            leave,
            // No text follows the chunk: the file ends here, or could not be read any further.
            last: (length <= UNTIL).then_some(result),
            buffers,
        }
    }
}

/// The search of the whole file, followed through its chunks.
struct Chain<'c, 's> {
    state: &'c mut SearchState<'s>,
    reader: &'c ChunkReader<'c>,
    buffer: Vec<u8>,
}

impl Chain<'_, '_> {
    /// Searches a chunk that no helper has searched.
    fn search(&mut self, base: u64, sink: &mut dyn ParallelSink) -> Result<(), End> {
        self.bridge(base + UNTIL as u64, UNTIL + BEHIND, sink)?;
        go_on(self.state.idle(sink))
    }

    /// Follows the chain up to a chunk and through it, and returns its buffers.
    fn take(&mut self, mut chunk: Chunk, sink: &mut dyn ParallelSink) -> Result<ChunkBuffers, End> {
        self.bridge(chunk.base + Finder::LOOKBEHIND as u64, BRIDGE_SIZE, sink)?;
        // A finding before the chunk may extend over all of it.
        let next = chunk.base + CHUNK_SIZE as u64;
        if (chunk.base..next).contains(&self.state.base) {
            self.follow(&mut chunk, sink)?;
        }
        if let Some(result) = chunk.last {
            let end = chunk.base + chunk.length as u64;
            self.bridge(end, BRIDGE_SIZE, sink)?;
            return Err(self.ended(end, result));
        }
        go_on(self.state.idle(sink)).map(|()| chunk.buffers)
    }

    /// Follows the chain through a chunk that it enters.
    fn follow(&mut self, chunk: &mut Chunk, sink: &mut dyn ParallelSink) -> Result<(), End> {
        let state = &mut *self.state;
        let text = self.reader.text(chunk.buffers.text.part(..chunk.length));
        let entered_at = usize::try_from(state.base - chunk.base).unwrap_or(usize::MAX);
        state.base = chunk.base;
        let mut known = std::mem::take(&mut chunk.findings).into_iter().peekable();
        let mut records = ChunkRecords::default();
        // Three cases follow. The chain enters as the helper assumed: all of the chunk's findings
        // hold. It enters in another state: search here until one finding and the state after it
        // equal a known pair. From there on both searches are the same, because that state is all
        // that a search knows.
        let mut joined = entered_at == 0 && state.progress == chunk.enter;
        if !joined {
            let mut search = text.findings(state.query, entered_at, state.progress.resume);
            while let Some(finding) = search.next() {
                go_on(state.judge_and_give(text.found(&finding, entered_at), sink))?;
                let at = entered_at + finding.span().start();
                let after = moved(search.progress(), entered_at);
                while let Some(known) = known.next_if(|known| known.start < at) {
                    records.skip(&known.given);
                }
                let is_same = |known: &ChunkFinding| known.start == at && known.after == after;
                if let Some(known) = known.next_if(is_same) {
                    records.skip(&known.given);
                    joined = true;
                    break;
                }
            }
            state.progress = moved(search.progress(), entered_at);
        }
        if joined {
            // The rest of the chunk was found ahead of its turn. Consecutive records are passed on
            // in one piece, but in order with findings that have none.
            for known in known {
                state.count(known.counts);
                match known.given {
                    ChunkHit::Nothing => {}
                    ChunkHit::Record(end) => records.add(end),
                    ChunkHit::Finding(finding) => {
                        records.give(&chunk.buffers.records, state, sink)?;
                        let finding = finding.attach(text.bytes);
                        go_on(state.give(text.found(&finding, 0), sink))?;
                    }
                }
            }
            records.give(&chunk.buffers.records, state, sink)?;
            state.progress = chunk.leave;
        }
        state.advance(text.bytes, &RawText(()));
        Ok(())
    }

    /// Searches up to `end`, `size` bytes at a time. This covers chunks left to this thread, and
    /// text after a finding that is too long, or findings that are too many, for a chunk.
    fn bridge(
        &mut self,
        end: u64,
        mut size: usize,
        sink: &mut dyn ParallelSink,
    ) -> Result<(), End> {
        let state = &mut *self.state;
        let first = size;
        while state.base + (Finder::LOOKBEHIND as u64) < end {
            if self.buffer.len() < size {
                self.buffer.resize(size, 0);
            }
            let room = self.buffer.get_mut(..size).unwrap_or_default();
            let (length, result) = self.reader.source.read_at(room, state.base);
            let bytes = self.buffer.part(..length);
            let until = usize::try_from(end - state.base).unwrap_or(usize::MAX);
            let rest = if length < size { Rest::End } else { Rest::More };
            go_on(state.search_until((bytes, until), rest, &RawText(()), sink))?;
            let ended = rest == Rest::End && length <= until;
            let from = state.base;
            let consumed = state.advance(bytes, &RawText(()));
            if ended {
                return Err(self.ended(from + length as u64, result));
            }
            // A window without progress holds a finding that is too long for it. Doubling keeps the
            // total work linear in the length of that finding.
            size = if consumed == 0 { 2 * size } else { first };
        }
        Ok(())
    }

    fn ended(&mut self, at: u64, result: io::Result<()>) -> End {
        self.state.base = at;
        match result {
            Ok(()) => End::Complete,
            Err(error) => End::Failed(error),
        }
    }
}

/// Consecutive records of a chunk that are passed on at once.
#[derive(Default)]
struct ChunkRecords {
    bytes: Range<usize>,
    hits: u64,
}

impl ChunkRecords {
    /// Skips a finding that the sink got without its record.
    fn skip(&mut self, hit: &ChunkHit) {
        if let ChunkHit::Record(end) = *hit {
            self.bytes = end..end;
        }
    }

    /// Adds the next record, which ends at `end`.
    fn add(&mut self, end: usize) {
        self.bytes.end = end;
        self.hits += 1;
    }

    fn give(
        &mut self,
        records: &[u8],
        state: &mut SearchState<'_>,
        sink: &mut dyn ParallelSink,
    ) -> Result<(), End> {
        let bytes = self.bytes.clone();
        self.bytes.start = bytes.end;
        match std::mem::take(&mut self.hits) {
            0 => Ok(()),
            hits => go_on(state.give_records(records.part(bytes), hits, sink)),
        }
    }
}

impl<'w> ChunkText<'w> {
    /// Wraps a finding whose offsets count from the byte `from`.
    fn found<'f>(&'f self, finding: &'f Finding<'f>, from: usize) -> WindowFinding<'f> {
        WindowFinding { finding, window: self.bytes, from, offsets: &RawText(()) }
    }

    fn findings<'q>(
        self,
        query: &'q Query,
        start: usize,
        from: Resume,
    ) -> PrefilteredFindings<'q, 'w> {
        let rest = self.bytes.part(start..);
        let window = Window::resumed(rest, from).until(self.until.saturating_sub(start));
        query.findings(window, self.rest)
    }
}

/// Shifts the progress to a text that starts `by` bytes before the window.
fn moved(progress: Progress, by: usize) -> Progress {
    Progress { consumed: progress.consumed + by, ..progress }
}
