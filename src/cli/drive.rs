//! Runs the search over everything: in one thread, in parallel, or in parallel and in order.

use std::iter;

use ignore::{WalkBuilder, WalkState};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::context::Context;
use super::diagnostics::Fault;
use super::flags::values::Sort;
use super::operands::Operand;
use super::sink::Flow;
use super::spool::{Budget, Keeping, Kept, Spool};
use super::subject::Subject;
use super::walk::{self, Visit};
use super::worker::{Pace, Run, Splitting, Worker};

/// Output that is written at once: a block of a single thread, a file's share of many.
const BLOCK: usize = 64 << 10;
const SHARE: usize = 1 << 20;
/// Output that may wait for its turn, over all files.
const WAITING: usize = 24 << 20;
/// Files a thread that are searched ahead of the output.
const AHEAD: usize = 32;
/// A larger file is searched when its turn comes.
const LARGE: u64 = 8 << 20;

/// What users of grep are told.
const NO_PATTERN: &str = "urigrep takes no pattern: to select URIs, use -e RE";

/// Searches everything the configuration names.
///
/// # Errors
/// When a flag of the walk is wrong.
pub fn drive(context: &Context) -> Result<(), String> {
    let config = &context.config;
    let (operands, faults) = walk::present(&config.operands, NO_PATTERN);
    let builder = match operands.as_slice() {
        // a walk would read the ignore files first
        [] | [Operand::Stdin | Operand::File(_)] => {
            walk::check(&config.walk)?;
            None
        }
        operands => Some(walk::builder(
            &config.walk,
            (config.sort, config.threads),
            operands,
        )?),
    };
    for fault in &faults {
        context.fault(fault);
    }
    let stdin = operands
        .iter()
        .filter(|operand| **operand == Operand::Stdin)
        .map(|_| Visit::Search(Subject::Stdin));
    let pace = if config.operands.len() == 1 {
        Pace::Prompt
    } else {
        Pace::Blocks
    };
    let Some(builder) = builder else {
        let file = operands.iter().find_map(|operand| match operand {
            Operand::File(path) => Some(Visit::Search(Subject::named(path))),
            _ => None,
        });
        sequential(context, stdin.chain(file), pace);
        return Ok(());
    };
    let tree = || {
        builder
            .build()
            .flat_map(|entry| walk::visits(entry, config.prefix))
    };
    let ordered = config.sort == Sort::Path || config.walk.follow;
    match operands.as_slice() {
        operands if operands.iter().all(|operand| *operand == Operand::Stdin) => {
            sequential(context, stdin, pace)
        }
        _ if config.threads == 1 => sequential(context, stdin.chain(tree()), pace),
        _ if ordered => match context.pool() {
            Some(pool) => in_order(context, stdin.chain(tree()), pool),
            None => sequential(context, stdin.chain(tree()), pace),
        },
        _ => match affordable(config.threads) {
            1 => sequential(context, stdin.chain(tree()), pace),
            threads => parallel(context, stdin, builder, threads),
        },
    }
    Ok(())
}

/// How many threads the system gives; it may give fewer than are asked for, and the
/// walk can't go on without those it was promised.
fn affordable(threads: usize) -> usize {
    if threads <= 1 {
        return 1;
    }
    let (hold, wait) = std::sync::mpsc::channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let mut probes = Vec::new();
    for _ in 0..threads {
        let wait = wait.clone();
        let probe = std::thread::Builder::new().spawn(move || {
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

/// Searches one after the other.
fn sequential(context: &Context, visits: impl Iterator<Item = Visit>, pace: Pace) {
    let mut worker = Worker::new(context, Splitting::Large).heavy();
    for visit in visits {
        stream(context, &mut worker, visit, BLOCK, pace);
        if context.is_stopped() {
            return;
        }
    }
}

/// Searches in the threads of the walk; what is in them is printed as it is found.
fn parallel(
    context: &Context,
    stdin: impl Iterator<Item = Visit>,
    mut builder: WalkBuilder,
    threads: usize,
) {
    sequential(context, stdin, Pace::Blocks);
    if context.is_stopped() {
        return;
    }
    builder.threads(threads).build_parallel().run(|| {
        let mut worker = Worker::new(context, Splitting::Never);
        Box::new(move |entry| {
            for visit in walk::visits(entry, context.config.prefix) {
                if context.is_stopped() {
                    return WalkState::Quit;
                }
                stream(context, &mut worker, visit, SHARE, Pace::Blocks);
            }
            if context.is_stopped() {
                WalkState::Quit
            } else {
                WalkState::Continue
            }
        })
    });
}

/// Searches, and writes as soon as there is so much to write.
fn stream(context: &Context, worker: &mut Worker<'_>, visit: Visit, threshold: usize, pace: Pace) {
    match visit {
        Visit::Skip => context.skip(),
        Visit::Fault(fault) => context.fault(&fault),
        Visit::Search(subject) => {
            let mut spool = Spool::through(
                &context.gate,
                threshold,
                std::mem::take(&mut worker.records),
            );
            let run = worker.run(&subject, &mut spool, pace);
            if run.flow == Flow::Later {
                worker.records = spool.discard();
                return context.alone(|| {
                    let mut worker = Worker::new(context, Splitting::Never).heavy();
                    let visit = Visit::Search(subject.clone());
                    stream(context, &mut worker, visit, threshold, pace);
                });
            }
            worker.records = spool.finish();
            context.add(&run);
        }
    }
}

/// A visit whose turn to be printed has not come.
enum Waiting<'b> {
    /// It was searched.
    Done(Run, Kept<'b>),
    /// It is to be searched when its turn comes: it is large, or has much output.
    Later(Subject),
    /// There is nothing to search.
    Skip,
    /// Something is wrong.
    Fault(Fault),
}

/// Searches in parallel and prints in order, with bounded memory: while one batch is
/// printed, the next is searched.
fn in_order(context: &Context, mut visits: impl Iterator<Item = Visit>, pool: &ThreadPool) {
    let budget = Budget::new(WAITING);
    let workers = std::sync::Mutex::new(Vec::new());
    let ahead = AHEAD * pool.current_num_threads();
    let mut ready = Vec::new();
    loop {
        let batch: Vec<Visit> = visits.by_ref().take(ahead).collect();
        let search = || {
            let visits = batch.into_par_iter().with_max_len(1);
            visits
                .map(|visit| search_ahead(context, &budget, &workers, visit))
                .collect::<Vec<_>>()
        };
        let print = || {
            ready
                .into_iter()
                .for_each(|waiting| print(context, &workers, waiting))
        };
        (ready, ()) = pool.join(search, print);
        if ready.is_empty() || context.is_stopped() {
            return;
        }
    }
}

type Workers<'c> = std::sync::Mutex<Vec<Worker<'c>>>;

/// Lends a worker that has nothing to do, or a new one.
fn with_worker<'c, T>(
    context: &'c Context,
    workers: &Workers<'c>,
    act: impl FnOnce(&mut Worker<'c>) -> T,
) -> T {
    let idle = || {
        workers
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    };
    let worker = idle().pop();
    let mut worker = worker.unwrap_or_else(|| Worker::new(context, Splitting::Large));
    let result = act(&mut worker);
    idle().push(worker);
    result
}

fn search_ahead<'b, 'c>(
    context: &'c Context,
    budget: &'b Budget,
    workers: &Workers<'c>,
    visit: Visit,
) -> Waiting<'b> {
    let subject = match visit {
        Visit::Search(subject) => subject,
        Visit::Skip => return Waiting::Skip,
        Visit::Fault(fault) => return Waiting::Fault(fault),
    };
    if context.is_stopped() || !can_wait(&subject) {
        return Waiting::Later(subject);
    }
    let mut spool = Spool::kept(budget);
    let run = with_worker(context, workers, |worker| {
        worker.run(&subject, &mut spool, Pace::Blocks)
    });
    if run.flow == Flow::Later {
        spool.discard();
        return Waiting::Later(subject);
    }
    match spool.keep() {
        Keeping::Whole(kept) => Waiting::Done(run, kept),
        Keeping::Overflowed => Waiting::Later(subject),
    }
}

/// True when the file is small and can be read a second time.
fn can_wait(subject: &Subject) -> bool {
    let metadata = subject.path().and_then(|path| std::fs::metadata(path).ok());
    metadata.is_some_and(|metadata| metadata.is_file() && metadata.len() <= LARGE)
}

fn print<'c>(context: &'c Context, workers: &Workers<'c>, waiting: Waiting<'_>) {
    if context.is_stopped() {
        return;
    }
    match waiting {
        Waiting::Skip => context.skip(),
        Waiting::Fault(fault) => context.fault(&fault),
        Waiting::Done(run, kept) => {
            kept.release(&context.gate);
            context.add(&run);
        }
        Waiting::Later(subject) => with_worker(context, workers, |worker| {
            let visits = iter::once(Visit::Search(subject));
            visits.for_each(|visit| stream(context, worker, visit, BLOCK, Pace::Blocks));
        }),
    }
}
