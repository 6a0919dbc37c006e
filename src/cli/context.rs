//! What all threads of a run share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::config::Config;
use super::diagnostics::{Diagnostics, Fault};
use super::output::Ending;
use super::progress::Progress;
use super::sink::Flow;
use super::spool::Gate;
use super::tally::Tally;
use super::worker::Run;

/// What all threads of a run share.
pub struct Context {
    /// Every decision.
    pub config: Config,
    /// Standard output.
    pub gate: Gate,
    /// Standard error.
    pub diagnostics: Diagnostics,
    /// How far the run is, when that is shown.
    pub progress: Option<Arc<Progress>>,
    tally: Mutex<Tally>,
    matched: AtomicBool,
    stopped: AtomicBool,
    /// Held by who does what needs much memory.
    heavy: Mutex<()>,
    pool: OnceLock<Option<ThreadPool>>,
}

impl Context {
    /// The context of a run that has not begun.
    pub fn new(config: Config, gate: Gate, progress: Option<Arc<Progress>>) -> Self {
        Self {
            config,
            gate,
            diagnostics: Diagnostics::new(progress.clone()),
            progress,
            tally: Mutex::default(),
            matched: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            heavy: Mutex::default(),
            pool: OnceLock::new(),
        }
    }

    /// Adds what a run came to, and reports what went wrong.
    pub fn add(&self, run: &Run) {
        self.count(&run.tally);
        if let Some(progress) = &self.progress {
            progress.file();
        }
        if run.ending == Ending::Match {
            self.matched.store(true, Ordering::Relaxed);
        }
        for fault in &run.faults {
            self.diagnostics.report(fault);
        }
        if run.flow == Flow::StopAll {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Counts a file that is not searched.
    pub fn skip(&self) {
        self.count(&Tally {
            skipped: 1,
            ..Tally::default()
        });
    }

    /// Reports an error that belongs to no file that is searched.
    pub fn fault(&self, fault: &Fault) {
        let mut record = Vec::new();
        self.config.mode.printer().fault(fault, &mut record);
        if !record.is_empty() {
            self.gate.write(&record);
        }
        self.diagnostics.report(fault);
    }

    /// A pool of threads; `None` when one thread is to do everything, or the system gives no more.
    pub fn pool(&self) -> Option<&ThreadPool> {
        let threads = self.config.threads;
        let build = || ThreadPoolBuilder::new().num_threads(threads).build().ok();
        self.pool
            .get_or_init(|| (threads > 1).then(build).flatten())
            .as_ref()
    }

    /// Does what needs much memory, when nobody else does, in a thread of its own: what a thread has freed
    /// stays with it, so that many would hold many times as much.
    pub fn alone(&self, act: impl Fn() + Sync) {
        let _turn = self.heavy.lock().unwrap_or_else(PoisonError::into_inner);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, &act);
            if thread.is_err() {
                act();
            }
        });
    }

    /// True when nothing more is to be searched.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.gate.is_shut()
    }

    /// True when there was a match.
    pub fn matched(&self) -> bool {
        self.matched.load(Ordering::Relaxed)
    }

    /// The counts so far.
    pub fn tally(&self) -> Tally {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, tally: &Tally) {
        self.tally
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(tally);
    }
}
