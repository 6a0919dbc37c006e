//! The threads of searches: those of one rayon pool per process, or of the caller's.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// How many threads a search has, and where they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    /// With the calling thread.
    pub count: usize,
    /// The caller's pool, in place of that of the process.
    pub pool: Option<Arc<ThreadPool>>,
}

impl Threads {
    /// The pool whose threads help the calling one. `None` if the search has one thread, or the system gives no more.
    pub fn helpers(&self) -> Option<Arc<ThreadPool>> {
        match (self.count, &self.pool) {
            (0 | 1, _) => None,
            (_, Some(pool)) => Some(Arc::clone(pool)),
            (count, None) => shared_pool(count - 1),
        }
    }
}

/// A pool of the process.
#[derive(Default)]
struct ProcessPool {
    pool: Option<Arc<ThreadPool>>,
    /// How many threads were asked for; the system may have given fewer.
    asked: usize,
    process: u32,
}

static SHARED: Mutex<ProcessPool> = Mutex::new(ProcessPool { pool: None, asked: 0, process: 0 });
static HEAVY: Mutex<ProcessPool> = Mutex::new(ProcessPool { pool: None, asked: 0, process: 0 });

/// The pool of this process, with at least `threads` threads if the system gives them.
///
/// The first search makes it; one that asks for more threads replaces it, and the threads of the old one end when its
/// last search does.
///
/// ```
/// let pool = urigrep::search::shared_pool(2).unwrap();
/// assert_eq!(pool.install(|| 6 * 7), 42);
/// ```
pub fn shared_pool(threads: usize) -> Option<Arc<ThreadPool>> {
    process_pool(&SHARED, threads)
}

/// Runs what needs much memory in the one thread of the process for that, and waits for it.
///
/// An allocator keeps what a thread has freed for that thread, so many threads would hold many times as much.
pub(crate) fn run_alone(act: impl Fn() + Sync) {
    match process_pool(&HEAVY, 1) {
        Some(pool) => pool.install(&act),
        None => act(),
    }
}

/// True if the system gives so many threads more. A walk of `ignore` panics when it can't start one.
pub(crate) fn can_start(threads: usize) -> bool {
    // The scoped pool joins its threads, so that they count no more when the walk starts its own.
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build_scoped(|thread| thread.run(), |_| ()).is_ok()
}

fn process_pool(shared: &Mutex<ProcessPool>, threads: usize) -> Option<Arc<ThreadPool>> {
    let mut shared: MutexGuard<'_, ProcessPool> =
        shared.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if shared.process != process {
        // After a fork, as by Python's `multiprocessing` and Spark's daemon, the child has no thread but its own. A
        // job for the parent's pool would wait for ever; to drop that pool here would take its locks in any state.
        std::mem::forget(shared.pool.take());
        *shared = ProcessPool { process, ..ProcessPool::default() };
    }
    if threads > shared.asked {
        shared.asked = threads;
        shared.pool = build(threads).map(Arc::new).or(shared.pool.take());
    }
    shared.pool.clone()
}

/// A pool of so many threads, or of as many as the system gives (`ulimit -u`).
fn build(mut threads: usize) -> Option<ThreadPool> {
    while threads > 0 {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        if let Ok(pool) = builder.thread_name(|number| format!("urigrep-{number}")).build() {
            return Some(pool);
        }
        threads /= 2;
    }
    None
}
