//! The hits of a search as an iterator, over a bounded channel.

use std::fmt;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::vec;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use crate::search::{
    Flow, Flush, Hit, Input, InputKind, InputSink, Labels, Level, MemoryBudget, Needs, OwnedHit,
    ParallelSink, PartNumbers, Problem, Root, Search, Sink, Sinks, Stats,
};
use crate::threads::lock;

/// Hits per batch.
const BATCH: usize = 64;
/// Batches in the channel.
const BATCHES: usize = 16;
/// Limit on the hits that one input may hold until its turn.
const DEFERRED_MAX: usize = 4096;
/// Limit on the problems kept; later ones are dropped.
const PROBLEMS_MAX: usize = 1000;

/// The hits of a search, from [`Search::paths`]. Dropping it ends the search.
pub struct Hits {
    batch: vec::IntoIter<OwnedHit>,
    receiver: Option<Receiver<Vec<OwnedHit>>>,
    shared: Arc<SharedResults>,
    /// Sends the counts when the search has ended.
    finished: Option<Receiver<Stats>>,
    stats: Stats,
}

/// The result of [`Hits::next_within`].
#[derive(Clone, Debug)]
pub enum NextHit {
    /// The next hit.
    Hit(Box<OwnedHit>),
    /// No hit yet; the search continues.
    Pending,
    /// The search has ended.
    End,
}

#[derive(Debug, Default)]
struct SharedResults {
    is_closed: AtomicBool,
    problems: Mutex<Vec<Problem>>,
}

impl SharedResults {
    fn close(&self) {
        // No other data goes with the flag. A search that sees it late only finds hits that no one
        // takes.
        self.is_closed.store(true, Ordering::Relaxed);
    }

    fn push(&self, problem: &Problem) {
        let mut problems = lock(&self.problems);
        if problems.len() < PROBLEMS_MAX {
            problems.push(problem.clone());
        }
    }
}

impl Hits {
    pub(super) fn of_paths(search: Search, roots: Vec<Root>) -> Self {
        Self::start(move |sinks| search.run_parallel(roots, sinks).unwrap_or_default())
    }

    pub(super) fn of_reader(
        search: Search,
        reader: impl Read + Send + 'static,
        input: Input,
    ) -> Self {
        Self::start(move |sinks| {
            let mut sink = sinks.channel_sink(false);
            let stats = search.reader(reader, &input, &mut sink);
            sink.close();
            stats
        })
    }

    fn start(search: impl FnOnce(&ChannelSinks) -> Stats + Send + 'static) -> Self {
        // The channel is bounded: a caller that reads slowly stops the search, and memory stays
        // bounded.
        let (sender, receiver) = sync_channel(BATCHES);
        let shared = Arc::new(SharedResults::default());
        let sinks = ChannelSinks { sender, shared: Arc::clone(&shared) };
        let (finished, stats) = channel();
        // A pool of one thread, not a job of the shared pool. The search waits whenever its channel
        // is full. A caller that reads two iterators in turn would then wait for the one whose
        // search got no thread. A search that panics drops `finished`, and has no counts.
        let builder = ThreadPoolBuilder::new().num_threads(1).panic_handler(|_| ());
        let started = builder.build().map(|pool| {
            pool.spawn(move || {
                // Sending fails if the receiver was dropped, which is fine.
                let _ = finished.send(search(&sinks));
            });
        });
        Self {
            batch: Vec::new().into_iter(),
            receiver: Some(receiver),
            finished: started.map_err(|error| shared.push(&no_thread(error))).ok().map(|()| stats),
            shared,
            stats: Stats::default(),
        }
    }

    /// Returns the next hit if one arrives within `time`. This lets a caller check for other events
    /// meanwhile, such as signals.
    ///
    /// ```
    /// use std::time::Duration;
    /// use urigrep::search::{NextHit, Search};
    /// let mut hits = Search::default().paths(["Cargo.toml"]).unwrap();
    /// let mut count = 0;
    /// loop {
    ///     match hits.next_within(Duration::from_millis(100)) {
    ///         NextHit::Hit(_) => count += 1,
    ///         NextHit::Pending => {}
    ///         NextHit::End => break,
    ///     }
    /// }
    /// assert_eq!(hits.stats().matches, count);
    /// ```
    pub fn next_within(&mut self, time: Duration) -> NextHit {
        loop {
            if let Some(hit) = self.batch.next() {
                return NextHit::Hit(Box::new(hit));
            }
            let Some(receiver) = &self.receiver else {
                return NextHit::End;
            };
            match receiver.recv_timeout(time) {
                Ok(batch) => self.batch = batch.into_iter(),
                Err(RecvTimeoutError::Timeout) => return NextHit::Pending,
                // All senders are gone: the search has ended, or it panicked.
                Err(RecvTimeoutError::Disconnected) => self.end(),
            }
        }
    }

    /// The problems so far, at most 1,000. Everything that could be read was searched.
    pub fn problems(&self) -> Vec<Problem> {
        let problems = &self.shared.problems;
        lock(problems).clone()
    }

    /// The counts, once the iterator has ended.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    fn end(&mut self) {
        if let Some(Ok(stats)) = self.stop().map(|finished| finished.recv()) {
            self.stats = stats;
        }
    }

    /// Stops the search. Its figures follow once its thread has ended.
    fn stop(&mut self) -> Option<Receiver<Stats>> {
        self.shared.close();
        // A thread that is blocked in `send` gets an error and ends.
        self.receiver = None;
        self.finished.take()
    }
}

fn no_thread(error: ThreadPoolBuildError) -> Problem {
    Problem::read(*b"", &io::Error::other(error))
}

impl Iterator for Hits {
    type Item = OwnedHit;

    fn next(&mut self) -> Option<OwnedHit> {
        loop {
            if let Some(hit) = self.batch.next() {
                return Some(hit);
            }
            match self.receiver.as_ref()?.recv() {
                Ok(batch) => self.batch = batch.into_iter(),
                Err(_) => {
                    self.end();
                    return None;
                }
            }
        }
    }
}

impl Drop for Hits {
    fn drop(&mut self) {
        // A thread that reads a pipe ends only when something is written to it, which may never
        // happen.
        const MAX_LENGTH: Duration = Duration::from_secs(1);
        if let Some(finished) = self.stop() {
            let _ = finished.recv_timeout(MAX_LENGTH);
        }
    }
}

impl fmt::Debug for Hits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hits").finish_non_exhaustive()
    }
}

struct ChannelSinks {
    sender: SyncSender<Vec<OwnedHit>>,
    shared: Arc<SharedResults>,
}

impl ChannelSinks {
    fn channel_sink(&self, is_deferred: bool) -> ChannelSink<'_> {
        ChannelSink {
            sinks: self,
            input: None,
            hits: Vec::new(),
            problems: Vec::new(),
            has_sent: false,
            is_full: false,
            is_deferred,
        }
    }

    fn send(&self, hits: Vec<OwnedHit>) -> Flow {
        if hits.is_empty() {
            return Flow::Continue;
        }
        match self.sender.send(hits) {
            Ok(()) => Flow::Continue,
            Err(_) => {
                self.shared.close();
                Flow::StopAll
            }
        }
    }
}

impl Sinks for ChannelSinks {
    type Thread = ();
    type Sink<'a> = ChannelSink<'a>;
    type Deferred = DeferredHits;

    fn thread(&self) {}

    fn sink<'a>(&'a self, _: &'a mut (), flush: Flush<'a>) -> ChannelSink<'a> {
        self.channel_sink(matches!(flush, Flush::Deferred(_)))
    }

    fn write_deferred(&self, output: DeferredHits, _: &MemoryBudget) {
        for problem in &output.problems {
            self.shared.push(problem);
        }
        self.send(output.hits);
    }

    fn problem(&self, problem: &Problem) {
        self.shared.push(problem);
    }

    fn is_closed(&self) -> bool {
        self.shared.is_closed.load(Ordering::Relaxed)
    }
}

struct ChannelSink<'a> {
    sinks: &'a ChannelSinks,
    input: Option<Arc<Input>>,
    hits: Vec<OwnedHit>,
    problems: Vec<Problem>,
    has_sent: bool,
    is_full: bool,
    is_deferred: bool,
}

impl ChannelSink<'_> {
    fn send(&mut self) -> Flow {
        self.has_sent |= !self.hits.is_empty();
        self.sinks.send(std::mem::take(&mut self.hits))
    }
}

impl Sink for ChannelSink<'_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        // The hits of most inputs share one; those in the texts of a package have inputs of their
        // own.
        let kept = self.input.take().filter(|kept| kept.stream() == hit.input().stream());
        let input = kept.unwrap_or_else(|| Arc::new(hit.input().clone()));
        self.hits.extend(OwnedHit::new(hit, Arc::clone(&input)));
        self.input = Some(input);
        match self.hits.len() {
            // A deferred input holds its hits in memory until its turn. With too many, it is given
            // up here and searched again at its turn.
            DEFERRED_MAX.. if self.is_deferred => {
                self.is_full = true;
                Flow::StopInput
            }
            BATCH.. if !self.is_deferred => self.send(),
            _ => Flow::Continue,
        }
    }

    fn begin(&mut self, _: &Input) {
        self.input = None;
    }

    fn problem(&mut self, problem: &Problem) {
        self.problems.push(problem.clone());
    }

    fn idle(&mut self, kind: InputKind) -> Flow {
        // A stream without hits may continue forever after its iterator was dropped.
        if self.sinks.is_closed() {
            return Flow::StopAll;
        }
        match kind {
            InputKind::Stream if !self.is_deferred => self.send(),
            _ => Flow::Continue,
        }
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().part_numbers(PartNumbers::Listed).labels(Labels::All)
    }
}

impl ParallelSink for ChannelSink<'_> {
    fn discard_pending(&mut self) -> bool {
        // Hits that were sent may already be at the caller, so they cannot be taken back.
        if self.has_sent {
            return false;
        }
        self.hits.clear();
        self.problems.clear();
        true
    }
}

/// The hits and problems of an input that waits for its turn.
struct DeferredHits {
    hits: Vec<OwnedHit>,
    problems: Vec<Problem>,
}

impl InputSink for ChannelSink<'_> {
    type Deferred = DeferredHits;

    fn close(mut self) {
        self.send();
        for problem in &self.problems {
            self.sinks.shared.push(problem);
        }
    }

    fn discard(self) {}

    fn into_deferred(self) -> Option<DeferredHits> {
        (!self.is_full).then_some(DeferredHits { hits: self.hits, problems: self.problems })
    }
}
