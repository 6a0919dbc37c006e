//! Searches everything: in one thread, in parallel, or in parallel and in order.

use std::iter;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use ignore::WalkState;

use crate::ordered_pool::{PoolSize, Taker, Turn, run_ordered};
use crate::search::searcher::{InputOutcome, SearchSettings, Searcher, Splitting};
use crate::search::state::MemoryLane;
use crate::search::tree::walk::{CompiledWalk, Found, TreeWalk, visits};
use crate::search::{
    Flow, Input, InputSink, MemoryBudget, Order, Pace, Problem, Root, Sinks, Stats, Visit,
};

/// Bytes of results that may wait for their turn, over all inputs.
const WAITING_MAX: usize = 24 << 20;
/// So many entries are walked in a row.
const AT_ONCE: usize = 32;
/// Files for each helper that are searched ahead of the output.
const AHEAD: usize = 32;
/// The same of documents that are audited, which take longer where many anchors are asked for, and give little.
const DOCUMENTS_AHEAD: usize = 256;
/// A larger file is searched when its turn comes.
const AHEAD_FILE_MAX: u64 = 8 << 20;

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

/// A visit that is worked on ahead of its turn.
enum Ahead<P> {
    Searched(InputOutcome, P),
    /// It is to be searched when its turn comes: it is large, or has much output.
    Later(Input),
    Skip,
    Problem(Problem),
}

impl<'s, S: Sinks> Schedule<'s, S> {
    pub fn new(settings: &'s SearchSettings, sinks: &'s S) -> Self {
        Self {
            settings,
            sinks,
            budget: MemoryBudget::new(WAITING_MAX),
            stats: Mutex::default(),
            is_stopped: AtomicBool::new(false),
        }
    }

    pub fn run(self, roots: &[Root], rules: &CompiledWalk, order: Order) -> Stats {
        let stdin = stdin_visits(roots);
        let order = rules.order(order);
        let threads = self.settings.threads;
        match roots {
            // A walk would read the ignore files first.
            [Root::Path(path)] if !path.is_dir() => {
                self.sequential(iter::once(Visit::Search(Input::file(path))));
            }
            roots if roots.iter().all(|root| *root == Root::Stdin) => {
                self.sequential(stdin);
            }
            roots => {
                let walk = rules.walk(roots, order, threads);
                match (threads, order) {
                    (1, _) => self.sequential(stdin.chain(walk.visits())),
                    (_, Order::Path) if !self.sinks.can_hold() => {
                        self.sequential(stdin.chain(walk.visits()));
                    }
                    (_, Order::Path) => self.in_order(stdin.chain(walk.visits())),
                    (_, Order::Any) => match affordable_threads(threads) {
                        1 => self.sequential(stdin.chain(walk.visits())),
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
            self.visit(&mut worker, visit, Pace::Prompt);
            if self.is_stopped() {
                return;
            }
        }
    }

    /// Searches in the threads of the walk; results are written as they are found.
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
                    self.visit(&mut worker, visit, Pace::Shared);
                }
                match self.is_stopped() {
                    true => WalkState::Quit,
                    false => WalkState::Continue,
                }
            })
        });
    }

    fn visit(&self, worker: &mut Worker<'s, S>, visit: Visit, pace: Pace<'_>) {
        match visit {
            Visit::Skip => self.skip(),
            Visit::Problem(problem) => self.sinks.problem(&problem),
            Visit::Search(input) => self.search(worker, &input, pace),
        }
    }

    /// Searches an input, in the heavy lane where it needs that.
    fn search(&self, worker: &mut Worker<'s, S>, input: &Input, pace: Pace<'_>) {
        let mut sink = self.sinks.sink(&mut worker.thread, pace);
        let outcome = worker.searcher.search(input, &mut sink);
        if !outcome.is_postponed {
            sink.close();
            return self.add(&outcome);
        }
        sink.discard();
        self.budget.run_heavy(|| {
            let mut worker = self.worker(Splitting::Never, MemoryLane::Heavy);
            self.search(&mut worker, input, pace);
        });
    }

    /// Searches in parallel and writes in order, with bounded memory.
    fn in_order(&self, visits: impl Iterator<Item = Visit> + Send) {
        let size = PoolSize {
            helpers: self.settings.threads - 1,
            ahead: AHEAD,
            at_once: AT_ONCE,
            taker: Taker::Shares,
        };
        let idle_workers = Mutex::new(Vec::new());
        let idle = || idle_workers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taker = self.worker(Splitting::Large, MemoryLane::Light);
        let searched = run_ordered(
            size,
            visits,
            |(), visit| {
                let worker = idle().pop();
                let mut worker =
                    worker.unwrap_or_else(|| self.worker(Splitting::Never, MemoryLane::Light));
                let ahead = self.search_ahead(&mut worker, visit);
                idle().push(worker);
                ahead
            },
            |turn| {
                match turn {
                    Turn::Open(visit) => self.visit(&mut taker, visit, Pace::Prompt),
                    Turn::Done(ahead) => self.take(&mut taker, ahead),
                }
                match self.is_stopped() {
                    true => Err(()),
                    false => Ok(Some(())),
                }
            },
        );
        // The only error is that the sinks want no more.
        let _ = searched;
    }

    fn search_ahead(&self, worker: &mut Worker<'s, S>, visit: Visit) -> Ahead<S::Page> {
        let input = match visit {
            Visit::Search(input) => input,
            Visit::Skip => return Ahead::Skip,
            Visit::Problem(problem) => return Ahead::Problem(problem),
        };
        if self.is_stopped() || !can_be_searched_ahead(&input) {
            return Ahead::Later(input);
        }
        let pace = Pace::Held(&self.budget);
        let mut sink = self.sinks.sink(&mut worker.thread, pace);
        let outcome = worker.searcher.search(&input, &mut sink);
        if outcome.is_postponed {
            sink.discard();
            return Ahead::Later(input);
        }
        match sink.into_page() {
            Some(page) => Ahead::Searched(outcome, page),
            None => Ahead::Later(input),
        }
    }

    fn take(&self, worker: &mut Worker<'s, S>, ahead: Ahead<S::Page>) {
        match ahead {
            Ahead::Skip => self.skip(),
            Ahead::Problem(problem) => self.sinks.problem(&problem),
            Ahead::Searched(outcome, page) => {
                self.sinks.write_page(page, &self.budget);
                self.add(&outcome);
            }
            Ahead::Later(input) => self.search(worker, &input, Pace::Prompt),
        }
    }

    fn add(&self, outcome: &InputOutcome) {
        self.count(outcome.stats);
        if outcome.flow == Flow::StopAll {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    fn skip(&self) {
        self.count(Stats::of_skipped_file());
    }

    fn count(&self, stats: Stats) {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner) += stats;
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.sinks.is_closed()
    }
}

fn stdin_visits(roots: &[Root]) -> impl Iterator<Item = Visit> {
    roots.iter().filter(|root| **root == Root::Stdin).map(|_| Visit::Search(Input::stdin()))
}

/// Applies `work` to all that a walk finds, in parallel, and gives the results to `take` in order.
pub(crate) fn map_in_order<T: Send>(
    roots: &[Root],
    rules: &CompiledWalk,
    threads: usize,
    work: impl Fn(Visit) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) {
    // A walk would read the ignore files first.
    if let [Root::Path(path)] = roots
        && !path.is_dir()
    {
        let _ = take(work(Visit::Search(Input::file(path))));
        return;
    }
    let walk = rules.walk(roots, Order::Path, threads);
    let hides_dot = walk.hides_dot;
    for visit in stdin_visits(roots) {
        if take(work(visit)).is_break() {
            return;
        }
    }
    let found = walk.all(affordable_threads(threads));
    let row = in_a_row(found.len(), threads);
    let visit = |row: &[Found]| -> Vec<T> {
        row.iter().map(|found| work(found.visit_by_copy(hides_dot))).collect()
    };
    let size = PoolSize {
        helpers: threads - 1,
        ahead: DOCUMENTS_AHEAD / row,
        at_once: 1,
        taker: Taker::Shares,
    };
    // The only error is that no more is wanted.
    let _ = run_ordered(
        size,
        found.chunks(row),
        |(), row| visit(row),
        |turn| {
            let results = match turn {
                Turn::Done(results) => results,
                Turn::Open(row) => visit(row),
            };
            match results.into_iter().try_for_each(&mut take) {
                ControlFlow::Continue(()) => Ok(Some(())),
                ControlFlow::Break(()) => Err(()),
            }
        },
    );
}

/// How many of so many inputs a thread takes in a row: most are in one directory, of which two threads would ask for the
/// same at the same time. At the end of a few, no thread shall wait long for another.
fn in_a_row(inputs: usize, threads: usize) -> usize {
    const ROWS: usize = 32;
    const LONGEST: usize = 16;
    (inputs / (threads * ROWS)).clamp(1, LONGEST)
}

/// True when the file is small, and can be read a second time.
fn can_be_searched_ahead(input: &Input) -> bool {
    let metadata = input.path().and_then(|path| std::fs::metadata(path).ok());
    metadata.is_some_and(|metadata| metadata.is_file() && metadata.len() <= AHEAD_FILE_MAX)
}

/// How many threads the system gives; it may give fewer than are asked for, and the
/// walk can't go on without those it was promised.
fn affordable_threads(threads: usize) -> usize {
    let (hold, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let mut probes = Vec::new();
    for _ in 0..threads {
        let wait = Arc::clone(&wait);
        let probe = thread::Builder::new().spawn(move || {
            // Ends when the sender is gone.
            drop(wait.lock().map(|wait| wait.recv()));
        });
        match probe {
            Ok(probe) => probes.push(probe),
            Err(_) => break,
        }
    }
    drop(hold);
    let given = probes.len();
    for probe in probes {
        drop(probe.join());
    }
    if given < threads { given / 2 } else { given }.max(1)
}
