//! The way of a file's output to standard output.
//!
//! Invariants: what is written is whole records, and the records of one file follow
//! each other, whichever thread searched it.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::progress::Progress;

#[cfg(unix)]
use super::signals::shielded;

/// Standard output, which one file at a time writes to.
pub struct Gate {
    target: Mutex<Target>,
    separator: &'static [u8],
    shut: AtomicBool,
    /// What draws on the same terminal.
    progress: Option<Arc<Progress>>,
}

struct Target {
    out: Box<dyn Write + Send>,
    failure: Option<io::Error>,
    /// Something was written, so that the next file is set off from it.
    begun: bool,
}

impl Gate {
    /// A gate to `out`, which puts `separator` between the output of two files.
    pub fn new(out: Box<dyn Write + Send>, separator: &'static [u8]) -> Self {
        let target = Target {
            out,
            failure: None,
            begun: false,
        };
        Self {
            target: Mutex::new(target),
            separator,
            shut: AtomicBool::new(false),
            progress: None,
        }
    }

    /// The same gate to a terminal on which `progress` draws.
    pub fn beside(self, progress: Option<Arc<Progress>>) -> Self {
        Self { progress, ..self }
    }

    /// True when nothing more is wanted or can be written.
    pub fn is_shut(&self) -> bool {
        self.shut.load(Ordering::Relaxed)
    }

    /// Lets nothing more through.
    pub fn shut(&self) {
        self.shut.store(true, Ordering::Relaxed);
    }

    /// Writes what belongs to no file, without a separator.
    pub fn write(&self, bytes: &[u8]) {
        self.put(&mut self.lock(), bytes);
    }

    /// The first error of writing.
    pub fn take_failure(&self) -> Option<io::Error> {
        self.lock().failure.take()
    }

    fn lock(&self) -> MutexGuard<'_, Target> {
        self.target.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, target: &mut Target, bytes: &[u8]) {
        if target.failure.is_some() || self.is_shut() {
            return;
        }
        let out = &mut target.out;
        let mut write = || shielded(|| out.write_all(bytes).and_then(|()| out.flush()));
        let written = match &self.progress {
            Some(progress) => progress.aside(write),
            None => write(),
        };
        if let Err(error) = written {
            target.failure = Some(error);
            self.shut();
        }
    }
}

/// Elsewhere nothing has to be done.
#[cfg(not(unix))]
fn shielded<T>(write: impl FnOnce() -> T) -> T {
    write()
}

/// True when the reader of our output went away.
pub fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}

/// Bytes that output may wait in, over all files.
#[derive(Debug)]
pub struct Budget {
    left: AtomicUsize,
}

impl Budget {
    /// A budget of so many bytes.
    pub fn new(bytes: usize) -> Self {
        Self {
            left: AtomicUsize::new(bytes),
        }
    }

    fn take(&self, bytes: usize) -> bool {
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(bytes)
            });
        taken.is_ok()
    }

    fn give(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Where a spool's records go.
enum Way<'g> {
    /// To the gate, once there are `threshold` bytes, and from then on with the gate held.
    Gate {
        gate: &'g Gate,
        held: Option<MutexGuard<'g, Target>>,
        threshold: usize,
    },
    /// Nowhere yet, within a budget.
    Kept {
        budget: &'g Budget,
        taken: usize,
        overflowed: bool,
    },
}

/// The output of one file.
pub struct Spool<'g> {
    /// Records are appended here, each in one piece.
    pub records: Vec<u8>,
    /// How much of that is whole records.
    whole: usize,
    way: Way<'g>,
}

/// The output of one file that waits for its turn.
pub struct Kept<'g> {
    records: Vec<u8>,
    budget: &'g Budget,
    taken: usize,
}

/// What became of a kept spool.
pub enum Keeping<'g> {
    /// All of it is here.
    Whole(Kept<'g>),
    /// It was too much, and is gone.
    Overflowed,
}

const SHARE: usize = 64 << 10;
const KEPT_MAX: usize = 1 << 20;

impl<'g> Spool<'g> {
    /// A spool that writes through `gate` after `threshold` bytes; `records` is reused.
    pub fn through(gate: &'g Gate, threshold: usize, mut records: Vec<u8>) -> Self {
        records.clear();
        Self {
            records,
            whole: 0,
            way: Way::Gate {
                gate,
                held: None,
                threshold,
            },
        }
    }

    /// A spool that keeps its records.
    pub fn kept(budget: &'g Budget) -> Self {
        Self {
            records: Vec::new(),
            whole: 0,
            way: Way::Kept {
                budget,
                taken: 0,
                overflowed: false,
            },
        }
    }

    /// Called after each record: writes when there is much; false when no more can be taken.
    pub fn settle(&mut self) -> bool {
        self.whole = self.records.len();
        match &mut self.way {
            Way::Gate {
                gate, threshold, ..
            } => {
                if self.records.len() < *threshold {
                    return true;
                }
                let gate = *gate;
                self.flush();
                !gate.is_shut()
            }
            Way::Kept {
                budget,
                taken,
                overflowed,
            } => {
                while *taken < self.records.len() && !*overflowed {
                    if *taken < KEPT_MAX && budget.take(SHARE) {
                        *taken += SHARE;
                    } else {
                        *overflowed = true;
                    }
                }
                !*overflowed
            }
        }
    }

    /// What was begun of a record.
    pub fn begun(&self) -> &[u8] {
        self.records.get(self.whole..).unwrap_or_default()
    }

    /// Drops what was begun of a record.
    pub fn unsettle(&mut self) {
        self.records.truncate(self.whole);
    }

    /// Writes what there is; the gate stays with this file until it is finished.
    pub fn flush(&mut self) {
        let Way::Gate { gate, held, .. } = &mut self.way else {
            return;
        };
        if self.records.is_empty() {
            return;
        }
        let gate: &'g Gate = gate;
        let target = match held {
            Some(target) => target,
            None => {
                let mut target = gate.lock();
                if target.begun && !gate.separator.is_empty() {
                    gate.put(&mut target, gate.separator);
                }
                target.begun = true;
                held.insert(target)
            }
        };
        gate.put(target, &self.records);
        self.records.clear();
        self.whole = 0;
    }

    /// True when nothing of this file was written, so that it may as well be searched from its start again.
    pub fn is_fresh(&self) -> bool {
        match &self.way {
            Way::Gate { held, .. } => held.is_none(),
            Way::Kept { .. } => true,
        }
    }

    /// Drops everything, and gives the buffer back.
    pub fn discard(mut self) -> Vec<u8> {
        if let Way::Kept { budget, taken, .. } = self.way {
            budget.give(taken);
        }
        self.records.clear();
        self.records
    }

    /// True when the gate lets nothing more through.
    pub fn is_shut(&self) -> bool {
        match &self.way {
            Way::Gate { gate, .. } => gate.is_shut(),
            Way::Kept { overflowed, .. } => *overflowed,
        }
    }

    /// Writes the rest, and gives the buffer back.
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        self.records
    }

    /// Ends a spool made by [`Spool::kept`].
    pub fn keep(self) -> Keeping<'g> {
        match self.way {
            Way::Kept {
                budget,
                taken,
                overflowed: false,
            } => Keeping::Whole(Kept {
                records: self.records,
                budget,
                taken,
            }),
            Way::Kept {
                budget,
                taken,
                overflowed: true,
            } => {
                budget.give(taken);
                Keeping::Overflowed
            }
            Way::Gate { .. } => Keeping::Overflowed,
        }
    }
}

impl Kept<'_> {
    /// Writes it all through `gate`.
    pub fn release(self, gate: &Gate) {
        Spool::through(gate, usize::MAX, Vec::new()).finish_with(self.records);
        self.budget.give(self.taken);
    }
}

impl Spool<'_> {
    fn finish_with(mut self, records: Vec<u8>) {
        self.records = records;
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn files_stay_together() {
        let page = Page::default();
        let gate = Gate::new(Box::new(page.clone()), b"--\n");
        let budget = Budget::new(KEPT_MAX * 4);
        let mut small = Spool::kept(&budget);
        small.records.extend_from_slice(b"small\n");
        assert!(small.settle());
        let mut large = Spool::through(&gate, 4, Vec::new());
        for record in [b"one\n", b"two\n"] {
            large.records.extend_from_slice(record);
            assert!(large.settle());
        }
        large.finish();
        let Keeping::Whole(small) = small.keep() else {
            panic!("it is small")
        };
        small.release(&gate);
        Spool::through(&gate, 4, Vec::new()).finish();
        assert_eq!(*page.0.lock().unwrap(), b"one\ntwo\n--\nsmall\n");
        assert_eq!(budget.left.into_inner(), KEPT_MAX * 4);
    }

    #[test]
    fn too_much_is_given_back() {
        let budget = Budget::new(KEPT_MAX * 4);
        let mut spool = Spool::kept(&budget);
        spool.records.resize(KEPT_MAX + 1, b'x');
        assert!(!spool.settle());
        assert!(matches!(spool.keep(), Keeping::Overflowed));
        assert_eq!(budget.left.into_inner(), KEPT_MAX * 4);
    }
}
