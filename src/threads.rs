//! Threads of searches: from one rayon pool per process, or from the caller's pool.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::memory;

/// Address space that glibc requests when a thread allocates for the first time: a heap of 64 MiB,
/// and as much again to align it. If a limit (`ulimit -v`) forbids that, glibc tries again with
/// each allocation, and holds 64 MiB for a moment each time. If an allocation of another thread
/// fails in that moment, the process ends.
const PER_THREAD: usize = 128 << 20;

/// Locks a mutex, whatever a panic left in it: the thread that panicked reports it, and no value is
/// half changed where code that may panic runs.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Number of threads of a search, and their source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    /// Including the calling thread.
    pub count: usize,
    /// The caller's pool, instead of that of the process.
    pub pool: Option<Arc<ThreadPool>>,
}

impl Threads {
    /// Returns the pool whose threads help the calling one. `None` if the search has one thread, or
    /// if the system allows no more.
    pub fn helpers(&self) -> Option<Arc<ThreadPool>> {
        match (self.count, &self.pool) {
            (0 | 1, _) => None,
            (_, Some(pool)) => Some(Arc::clone(pool)),
            // The calling thread works, too.
            (count, None) => shared_pool(count - 1),
        }
    }
}

/// A pool of the process.
#[derive(Default)]
struct ProcessPool {
    pool: Option<Arc<ThreadPool>>,
    /// Number of requested threads; the system may have allowed fewer.
    asked: usize,
    process: u32,
}

static SHARED: Mutex<ProcessPool> = Mutex::new(ProcessPool { pool: None, asked: 0, process: 0 });
static HEAVY: Mutex<ProcessPool> = Mutex::new(ProcessPool { pool: None, asked: 0, process: 0 });

/// Returns the pool of this process, with at least `threads` threads if the system allows them.
///
/// The first search creates it. A search that needs more threads replaces it; the threads of the
/// old pool end with its last search.
///
/// ```
/// let pool = urigrep::search::shared_pool(2).unwrap();
/// assert_eq!(pool.install(|| 6 * 7), 42);
/// ```
pub fn shared_pool(threads: usize) -> Option<Arc<ThreadPool>> {
    process_pool(&SHARED, threads)
}

/// Runs a memory-intensive job on the one thread of the process for such jobs, and waits for it.
///
/// An allocator keeps memory that a thread has freed for that thread, so many threads would hold a
/// multiple of it.
pub(crate) fn run_alone(act: impl Fn() + Sync) {
    match process_pool(&HEAVY, 1) {
        // The caller waits in `install`, so at most one such job runs at a time.
        Some(pool) => pool.install(&act),
        None => act(),
    }
}

/// True if the system allows `threads` more threads. A walk of `ignore` panics if it cannot start
/// one.
pub(crate) fn can_start(threads: usize) -> bool {
    // The scoped pool joins its threads, so they no longer count when the walk starts its own.
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    has_addresses_for(threads) && builder.build_scoped(|thread| thread.run(), |_| ()).is_ok()
}

fn process_pool(shared: &Mutex<ProcessPool>, threads: usize) -> Option<Arc<ThreadPool>> {
    let mut shared: MutexGuard<'_, ProcessPool> = lock(shared);
    let process = std::process::id();
    if shared.process != process {
        // After a fork, as by Python's `multiprocessing` and Spark's daemon, the child has only the
        // forking thread. A job for the parent's pool would wait forever. Dropping that pool here
        // would take its locks, which may be in any state, so it is leaked.
        std::mem::forget(shared.pool.take());
        *shared = ProcessPool { process, ..ProcessPool::default() };
    }
    // Ask the system again only if more threads are needed than before. After a failure, the old
    // pool stays.
    if threads > shared.asked {
        shared.asked = threads;
        shared.pool = build(threads).map(Arc::new).or(shared.pool.take());
    }
    shared.pool.clone()
}

/// True if the system's limit of addresses, if it has one, has room for the heaps of `threads` more
/// threads.
fn has_addresses_for(threads: usize) -> bool {
    memory::is_available(threads.saturating_mul(PER_THREAD))
}

/// Creates a pool of this many threads, or as many as the system allows (`ulimit -u`, `ulimit -v`).
fn build(mut threads: usize) -> Option<ThreadPool> {
    while threads > 0 {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        let builder = builder.thread_name(|number| format!("urigrep-{number}"));
        if has_addresses_for(threads)
            && let Ok(pool) = builder.build()
        {
            return Some(pool);
        }
        // The limit of the system is unknown. Halving finds a pool that fits in a few attempts.
        threads /= 2;
    }
    None
}
