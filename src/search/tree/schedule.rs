//! Schedules all searches: in one thread, in parallel, or in parallel and in order.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::WalkState;

use crate::ordered::{Consumer, Item, OrderedOptions, run_ordered};
use crate::search::searcher::{SearchSettings, Searcher, Splitting};
use crate::search::state::MemoryLane;
use crate::search::tree::affordable_threads::affordable_threads;
use crate::search::tree::walk::{CompiledWalk, TreeWalk};
use crate::search::tree::walk_entry::{WalkEntry, visits};
use crate::search::{
    CancelToken, Flow, Flush, Input, InputSink, MemoryBudget, Order, Problem, Root, SearchResult,
    Sinks, Stats, Visit,
};
use crate::threads::lock;
use crate::threads::{Threads, run_alone};

/// Limit on the bytes of results that wait for their turn, over all inputs.
const MAX_WAITING_BYTES: usize = 24 << 20;
/// Files per helper that are searched ahead of the output.
const FILES_AHEAD: usize = 32;
/// Documents per helper that are audited ahead. Auditing takes longer where many anchors are
/// needed, and produces little output.
const DOCUMENTS_AHEAD: usize = 256;
/// A larger file is searched when its turn comes.
const MAX_AHEAD_FILE_BYTES: u64 = 8 << 20;

pub(crate) struct Schedule<'s, S: Sinks> {
    settings: &'s SearchSettings,
    sinks: &'s S,
    budget: MemoryBudget,
    stats: Mutex<Stats>,
    is_stopped: AtomicBool,
}

struct Worker<'s, S: Sinks> {
    searcher: Searcher<'s>,
    thread: S::Thread,
}

/// A visit that was processed ahead of its turn.
enum SearchedAhead<P> {
    Searched(SearchResult, P),
    /// It must be searched when its turn comes: it is large, or has much output.
    Later(Input),
    Skip(Input),
    Problem(Problem),
}

impl<'s, S: Sinks> Schedule<'s, S> {
    pub fn new(settings: &'s SearchSettings, sinks: &'s S) -> Self {
        Self {
            settings,
            sinks,
            budget: MemoryBudget::new(MAX_WAITING_BYTES),
            stats: Mutex::default(),
            is_stopped: AtomicBool::new(false),
        }
    }

    pub fn run(self, roots: &[Root], rules: &CompiledWalk, order: Order) -> Stats {
        if let Some(progress) = &self.settings.progress {
            progress.start(roots);
        }
        let stdin = stdin_visits(roots);
        let order = rules.order(order);
        let threads = self.settings.threads.count;
        match visits_without_walk(roots) {
            // A single input needs no walk. If it is large, its chunks use all threads.
            Some(visits) => self.sequential(visits.into_iter()),
            None => {
                let walk = rules.walk(roots, order, threads);
                match (threads, order) {
                    (1, _) => self.sequential(stdin.chain(walk.visits())),
                    (_, Order::Path) if !self.sinks.can_defer() => {
                        self.sequential(stdin.chain(walk.visits()));
                    }
                    (_, Order::Path) => self.in_order(stdin.chain(walk.visits())),
                    // In any order, inputs are searched in the threads of ignore's walk, which
                    // cannot be handed to another pool. To walk in one thread and search in others
                    // would leave a large machine waiting for the walk.
                    (_, Order::Any) => match affordable_threads(threads) {
                        0 | 1 => self.sequential(stdin.chain(walk.visits())),
                        threads => self.parallel(stdin, walk, threads),
                    },
                }
            }
        }
        self.stats.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn worker(&self, splitting: Splitting, lane: MemoryLane) -> Worker<'s, S> {
        Worker {
            searcher: Searcher::new(self.settings, splitting, lane),
            thread: self.sinks.thread(),
        }
    }

    fn sequential(&self, visits: impl Iterator<Item = Visit>) {
        let mut worker = self.worker(Splitting::Large, MemoryLane::Heavy);
        for visit in visits {
            self.visit(&mut worker, visit, Flush::Eager);
            if self.is_stopped() {
                return;
            }
        }
    }

    /// Searches in the threads of the walk, and writes results as they are found.
    fn parallel(&self, stdin: impl Iterator<Item = Visit>, mut walk: TreeWalk, threads: usize) {
        self.sequential(stdin);
        if self.is_stopped() {
            return;
        }
        let hides_dot = walk.hides_dot;
        walk.builder.threads(threads).build_parallel().run(|| {
            let mut worker = self.worker(Splitting::Never, MemoryLane::Light);
            Box::new(move |entry| {
                for visit in visits(entry, hides_dot) {
                    if self.is_stopped() {
                        return WalkState::Quit;
                    }
                    self.visit(&mut worker, visit, Flush::Blocks);
                }
                if self.is_stopped() { WalkState::Quit } else { WalkState::Continue }
            })
        });
        if !self.is_stopped() {
            let refused = TreeWalk::refused(&walk.filter, &walk.compiled, hides_dot);
            self.sequential(refused.into_iter().map(|found| found.visit(hides_dot)));
        }
    }

    fn visit(&self, worker: &mut Worker<'s, S>, visit: Visit, flush: Flush<'_>) {
        match visit {
            Visit::Skip(input) => self.skip(&input),
            Visit::Problem(problem) => self.sinks.problem(&problem),
            Visit::Search(input) => self.search(worker, &input, flush),
        }
    }

    /// Searches an input, in the heavy lane if necessary.
    fn search(&self, worker: &mut Worker<'s, S>, input: &Input, flush: Flush<'_>) {
        let mut sink = self.sinks.sink(&mut worker.thread, flush);
        let result = worker.searcher.search(input, &mut sink);
        if !result.is_postponed {
            sink.close();
            return self.add(&result);
        }
        sink.discard();
        // One thread at a time reads documents that need much memory. An allocator keeps what a
        // thread has freed for that thread, so otherwise every thread would end up holding that
        // much.
        run_alone(|| {
            let mut worker = self.worker(Splitting::Never, MemoryLane::Heavy);
            self.search(&mut worker, input, flush);
        });
    }

    /// Searches in parallel and writes in order, with bounded memory.
    fn in_order(&self, visits: impl Iterator<Item = Visit>) {
        let pool = self.settings.threads.helpers();
        let options = OrderedOptions {
            pool: pool.as_deref(),
            // The calling thread consumes the results, and works while it waits.
            helpers: self.settings.threads.count - 1,
            // The bound on files ahead of the output also bounds the waiting results, together with
            // the budget.
            ahead: FILES_AHEAD,
            consumer: Consumer::Works,
        };
        let idle_workers = Mutex::new(Vec::new());
        let idle = || lock(&idle_workers);
        let mut consumer = self.worker(Splitting::Large, MemoryLane::Light);
        let searched = run_ordered(
            options,
            visits,
            |(), visit| {
                let worker = idle().pop();
                let mut worker =
                    worker.unwrap_or_else(|| self.worker(Splitting::Never, MemoryLane::Light));
                let searched = self.search_ahead(&mut worker, visit);
                idle().push(worker);
                searched
            },
            |item| {
                match item {
                    Item::NotStarted(visit) => self.visit(&mut consumer, visit, Flush::Eager),
                    Item::Done(searched) => self.consume(&mut consumer, searched),
                }
                if self.is_stopped() { Err(()) } else { Ok(Some(())) }
            },
        );
        // The only error means that the sinks want no more.
        let _ = searched;
    }

    fn search_ahead(&self, worker: &mut Worker<'s, S>, visit: Visit) -> SearchedAhead<S::Deferred> {
        let input = match visit {
            Visit::Search(input) => input,
            Visit::Skip(input) => return SearchedAhead::Skip(input),
            Visit::Problem(problem) => return SearchedAhead::Problem(problem),
        };
        if self.is_stopped() || !can_be_searched_ahead(&input) {
            return SearchedAhead::Later(input);
        }
        let flush = Flush::Deferred(&self.budget);
        let mut sink = self.sinks.sink(&mut worker.thread, flush);
        let result = worker.searcher.search(&input, &mut sink);
        if result.is_postponed {
            sink.discard();
            return SearchedAhead::Later(input);
        }
        match sink.into_deferred() {
            Some(output) => SearchedAhead::Searched(result, output),
            None => SearchedAhead::Later(input),
        }
    }

    fn consume(&self, worker: &mut Worker<'s, S>, searched: SearchedAhead<S::Deferred>) {
        match searched {
            SearchedAhead::Skip(input) => self.skip(&input),
            SearchedAhead::Problem(problem) => self.sinks.problem(&problem),
            SearchedAhead::Searched(result, output) => {
                self.sinks.write_deferred(output, &self.budget);
                self.add(&result);
            }
            SearchedAhead::Later(input) => self.search(worker, &input, Flush::Eager),
        }
    }

    fn add(&self, result: &SearchResult) {
        self.count(result.stats);
        if result.flow == Flow::StopAll {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    fn skip(&self, input: &Input) {
        self.sinks.skipped(input);
        self.count(Stats::of_skipped_file());
    }

    fn count(&self, stats: Stats) {
        if let Some(progress) = &self.settings.progress {
            progress.add_files(stats.files);
        }
        *lock(&self.stats) += stats;
    }

    fn is_stopped(&self) -> bool {
        let cancel = self.settings.cancel.as_ref();
        self.is_stopped.load(Ordering::Relaxed)
            || self.sinks.is_closed()
            || cancel.is_some_and(CancelToken::is_cancelled)
    }
}

fn stdin_visits(roots: &[Root]) -> impl Iterator<Item = Visit> {
    roots.iter().filter(|root| **root == Root::Stdin).map(|_| Visit::Search(Input::stdin()))
}

/// Passes all visits of a walk to `take`, in order, until `cancel` is cancelled.
pub(crate) fn in_order(
    roots: &[Root],
    rules: &CompiledWalk,
    threads: usize,
    cancel: Option<&CancelToken>,
    mut take: impl FnMut(Visit) -> ControlFlow<()>,
) {
    let (first, found, hides_dot) = all_visits(roots, rules, threads, cancel);
    let take = |visit| {
        if cancel.is_some_and(CancelToken::is_cancelled) {
            ControlFlow::Break(())
        } else {
            take(visit)
        }
    };
    // The only break means that no more is wanted.
    let _ = first.chain(found.into_iter().map(|found| found.visit(hides_dot))).try_for_each(take);
}

/// Applies `work` to all visits of a walk in parallel, and passes the results to `take` in order.
pub(crate) fn map_in_order<T: Send>(
    roots: &[Root],
    rules: &CompiledWalk,
    threads: &Threads,
    cancel: Option<&CancelToken>,
    work: impl Fn(Visit) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) {
    // Walk with half of the threads. On two cores, one thread finds 10,000 files as fast as two: an
    // idle walker of `ignore` sleeps for a millisecond, even when no directory is left.
    let walkers = (threads.count / 2).max(1);
    let (mut first, found, hides_dot) = all_visits(roots, rules, walkers, cancel);
    if first.try_for_each(|visit| take(work(visit))).is_break() {
        return;
    }
    if found.is_empty() || cancel.is_some_and(CancelToken::is_cancelled) {
        return;
    }
    // All paths are found first, in any order, and then sorted. A walk in order looks for five
    // ignore files per directory, and holds the pool meanwhile. With rows of inputs per thread,
    // this takes 0.85 of the CPU time in a tree of 2,642 files. The price is about 100 bytes of
    // memory per path.
    let row = in_a_row(found.len(), threads.count);
    let visit = |row: &[WalkEntry]| -> Vec<T> {
        row.iter().map(|found| work(found.visit_by_copy(hides_dot))).collect()
    };
    let pool = threads.helpers();
    let options = OrderedOptions {
        pool: pool.as_deref(),
        helpers: threads.count - 1,
        ahead: DOCUMENTS_AHEAD / row,
        consumer: Consumer::Works,
    };
    // The only error means that no more is wanted.
    let _ = run_ordered(
        options,
        found.chunks(row),
        |(), row| visit(row),
        |item| {
            let results = match item {
                Item::Done(results) => results,
                Item::NotStarted(row) => visit(row),
            };
            match results.into_iter().try_for_each(&mut take) {
                ControlFlow::Continue(()) => Ok(Some(())),
                ControlFlow::Break(()) => Err(()),
            }
        },
    );
}

/// Returns the visits that need no walk, those of a walk with `threads` threads, and the form in
/// which the latter are displayed.
fn all_visits(
    roots: &[Root],
    rules: &CompiledWalk,
    threads: usize,
    cancel: Option<&CancelToken>,
) -> (impl Iterator<Item = Visit>, Vec<WalkEntry>, bool) {
    if let Some(visits) = visits_without_walk(roots) {
        return (visits.into_iter(), Vec::new(), false);
    }
    let walk = rules.walk(roots, Order::Path, threads);
    let hides_dot = walk.hides_dot;
    let stdin: Vec<_> = stdin_visits(roots).collect();
    (stdin.into_iter(), walk.all(threads, cancel), hides_dot)
}

/// Returns the visits for a single file, or for standard input alone. A walk would read the ignore
/// files first.
fn visits_without_walk(roots: &[Root]) -> Option<Vec<Visit>> {
    match roots {
        [Root::Path(path)] if !path.is_dir() => Some(vec![Visit::Search(Input::file(path))]),
        roots if roots.iter().all(|root| *root == Root::Stdin) => {
            Some(stdin_visits(roots).collect())
        }
        _ => None,
    }
}

/// Returns the number of inputs that a thread takes in a row. Neighbours are mostly in one
/// directory, and two threads would look up the same things at the same time. With few inputs the
/// number is small, so that no thread waits long for another at the end.
fn in_a_row(inputs: usize, threads: usize) -> usize {
    const ROWS: usize = 32;
    const MAX_LENGTH: usize = 16;
    (inputs / (threads * ROWS)).clamp(1, MAX_LENGTH)
}

/// True if the file is small, and can be read a second time.
fn can_be_searched_ahead(input: &Input) -> bool {
    let metadata = input.path().and_then(|path| std::fs::metadata(path).ok());
    metadata.is_some_and(|metadata| metadata.is_file() && metadata.len() <= MAX_AHEAD_FILE_BYTES)
}
