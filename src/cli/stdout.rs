//! Standard output, and the way from the output of a file to it.
//!
//! Invariants: only whole records are written, and the records of one file are contiguous,
//! whichever thread searched it.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urigrep::search::{MemoryBudget, Problem, ProblemKind, describe};

use super::diagnostics;
use super::progress::SearchProgress;
#[cfg(unix)]
use super::signals::shielded;
use super::status::Status;

pub struct Stdout {
    writer: Mutex<StdoutWriter>,
    separator: &'static [u8],
    is_closed: AtomicBool,
    /// Progress drawn on the same terminal.
    progress: Option<Arc<SearchProgress>>,
}

struct StdoutWriter {
    out: Box<dyn Write + Send>,
    failure: Option<io::Error>,
    /// True once something was written, so that the next file needs a separator.
    has_output: bool,
}

impl Stdout {
    /// Writes to `out`, with `separator` between the output of two files.
    pub fn new(out: Box<dyn Write + Send>, separator: &'static [u8]) -> Self {
        let writer = StdoutWriter { out, failure: None, has_output: false };
        Self {
            writer: Mutex::new(writer),
            separator,
            is_closed: AtomicBool::new(false),
            progress: None,
        }
    }

    /// Adds the progress that is drawn on the same terminal.
    pub fn beside(self, progress: Option<Arc<SearchProgress>>) -> Self {
        Self { progress, ..self }
    }

    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    pub fn write(&self, bytes: &[u8]) {
        self.write_locked(&mut self.lock(), bytes);
    }

    pub fn take_failure(&self) -> Option<io::Error> {
        self.lock().failure.take()
    }

    fn lock(&self) -> MutexGuard<'_, StdoutWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_locked(&self, writer: &mut StdoutWriter, bytes: &[u8]) {
        // After the first failure nothing is written: a later record would follow an incomplete
        // one.
        if writer.failure.is_some() || self.is_closed() {
            return;
        }
        let out = &mut writer.out;
        // One `write_all` holds whole records. The shield delays a first signal until they are
        // written, so that Ctrl-C does not cut a record in half.
        let mut write = || shielded(|| out.write_all(bytes).and_then(|()| out.flush()));
        let written = match &self.progress {
            Some(progress) => progress.aside(write),
            None => write(),
        };
        if let Err(error) = written {
            writer.failure = Some(error);
            self.close();
        }
    }
}

/// No handlers exist on other systems, so nothing needs a shield.
#[cfg(not(unix))]
fn shielded<T>(write: impl FnOnce() -> T) -> T {
    write()
}

pub fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}

enum WriteTarget<'g> {
    /// Written to standard output once `threshold` bytes have collected, and from then on under its
    /// lock.
    Stdout { stdout: &'g Stdout, lock: Option<MutexGuard<'g, StdoutWriter>>, threshold: usize },
    /// Held in memory, within a budget.
    Deferred { budget: &'g MemoryBudget, taken: usize, is_full: bool },
}

pub struct FileOutput<'g> {
    /// Records are appended here, each as a whole.
    pub records: Vec<u8>,
    /// Length of the whole records in it.
    committed: usize,
    destination: WriteTarget<'g>,
}

pub struct DeferredOutput {
    records: Vec<u8>,
    taken: usize,
}

/// Bytes taken from the budget at a time.
// All threads share the budget. A step saves most accesses to it.
const BUDGET_STEP: usize = 64 << 10;
const DEFERRED_MAX: usize = 1 << 20;

impl<'g> FileOutput<'g> {
    /// Creates output that is written after `threshold` bytes; `records` is reused.
    pub fn to(stdout: &'g Stdout, threshold: usize, mut records: Vec<u8>) -> Self {
        records.clear();
        Self {
            records,
            committed: 0,
            destination: WriteTarget::Stdout { stdout, lock: None, threshold },
        }
    }

    pub fn deferred(budget: &'g MemoryBudget) -> Self {
        Self {
            records: Vec::new(),
            committed: 0,
            destination: WriteTarget::Deferred { budget, taken: 0, is_full: false },
        }
    }

    /// Called after each record. Writes if enough has collected; returns false if no more output is
    /// accepted.
    pub fn commit(&mut self) -> bool {
        self.committed = self.records.len();
        match &mut self.destination {
            WriteTarget::Stdout { stdout, threshold, .. } => {
                if self.records.len() < *threshold {
                    return true;
                }
                let stdout = *stdout;
                self.flush();
                !stdout.is_closed()
            }
            WriteTarget::Deferred { budget, taken, is_full } => {
                while *taken < self.records.len() && !*is_full {
                    // One budget covers the waiting output of all files. A file that exceeds its
                    // share is searched again at its turn, which costs time but bounds memory.
                    if *taken < DEFERRED_MAX && budget.take(BUDGET_STEP) {
                        *taken += BUDGET_STEP;
                    } else {
                        *is_full = true;
                    }
                }
                !*is_full
            }
        }
    }

    pub fn uncommitted(&self) -> &[u8] {
        self.records.get(self.committed..).unwrap_or_default()
    }

    pub fn rollback(&mut self) {
        self.records.truncate(self.committed);
    }

    pub fn clear(&mut self) {
        self.records.clear();
        self.committed = 0;
    }

    /// Writes all records. Standard output stays locked by this file until it is finished.
    pub fn flush(&mut self) {
        let WriteTarget::Stdout { stdout, lock, .. } = &mut self.destination else {
            return;
        };
        if self.records.is_empty() {
            return;
        }
        let stdout: &'g Stdout = stdout;
        let writer = match lock {
            Some(writer) => writer,
            None => {
                // Take the lock at the first write of a file and keep it until the file is
                // finished. Otherwise the records of two files would alternate.
                let mut writer = stdout.lock();
                // Only here is it known whether any file wrote before this one.
                if writer.has_output && !stdout.separator.is_empty() {
                    stdout.write_locked(&mut writer, stdout.separator);
                }
                writer.has_output = true;
                lock.insert(writer)
            }
        };
        stdout.write_locked(writer, &self.records);
        self.records.clear();
        self.committed = 0;
    }

    /// True if nothing of this file was written, so that all of it can be discarded.
    pub fn is_unwritten(&self) -> bool {
        match &self.destination {
            // The lock is taken by the first write.
            WriteTarget::Stdout { lock, .. } => lock.is_none(),
            WriteTarget::Deferred { .. } => true,
        }
    }

    /// Drops everything, and returns the buffer.
    pub fn discard(mut self) -> Vec<u8> {
        if let WriteTarget::Deferred { budget, taken, .. } = self.destination {
            budget.give_back(taken);
        }
        self.records.clear();
        self.records
    }

    /// True if the deferred output is full.
    pub fn is_full(&self) -> bool {
        matches!(self.destination, WriteTarget::Deferred { is_full: true, .. })
    }

    /// Writes the rest, and returns the buffer.
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        self.records
    }

    /// Returns the output that waits for its turn, or `None` if it was too large.
    pub fn into_deferred(self) -> Option<DeferredOutput> {
        match self.destination {
            WriteTarget::Deferred { taken, is_full: false, .. } => {
                Some(DeferredOutput { records: self.records, taken })
            }
            // The output was too large. Return its share of the budget at once, because the file is
            // searched again only when its turn comes.
            WriteTarget::Deferred { budget, taken, .. } => {
                budget.give_back(taken);
                None
            }
            WriteTarget::Stdout { .. } => None,
        }
    }
}

impl DeferredOutput {
    /// Replaces the records.
    pub fn replace(&mut self, replacement: impl FnOnce(&[u8]) -> Vec<u8>) {
        self.records = replacement(&self.records);
    }

    pub fn write(self, stdout: &Stdout, budget: &MemoryBudget) {
        let mut output = FileOutput::to(stdout, usize::MAX, Vec::new());
        output.records = self.records;
        output.finish();
        budget.give_back(self.taken);
    }
}

pub fn failed_output(error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Read, b"<stdout>", describe(error))
}

/// Returns standard output without a buffer of its own.
#[cfg(unix)]
pub fn target() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;
    // `io::Stdout` splits writes at the last line feed. Records are already collected in blocks, so
    // a second buffer would only add a copy and break them up.
    Ok(Box::new(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
pub fn target() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}

/// The result of writing a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    All,
    /// The reader closed the pipe.
    Closed,
    /// Failed; already reported.
    Failed,
}

/// Writes a text that is not a result of a search.
pub fn write(text: &[u8]) -> Written {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Ok(()) => Written::All,
        Err(error) if is_broken_pipe(&error) => Written::Closed,
        Err(error) => {
            diagnostics::print(b"<stdout>", &describe(&error));
            Written::Failed
        }
    }
}

/// Prints a text that is not a result of a search.
pub fn print(text: &[u8]) -> Status {
    match write(text) {
        Written::All | Written::Closed => Status::Match,
        Written::Failed => Status::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct SharedPage(Arc<Mutex<Vec<u8>>>);

    impl Write for SharedPage {
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
        let page = SharedPage::default();
        let stdout = Stdout::new(Box::new(page.clone()), b"--\n");
        let budget = MemoryBudget::new(DEFERRED_MAX * 4);
        let mut small = FileOutput::deferred(&budget);
        small.records.extend_from_slice(b"small\n");
        assert!(small.commit());
        let mut large = FileOutput::to(&stdout, 4, Vec::new());
        for record in [b"one\n", b"two\n"] {
            large.records.extend_from_slice(record);
            assert!(large.commit());
        }
        large.finish();
        small.into_deferred().unwrap().write(&stdout, &budget);
        FileOutput::to(&stdout, 4, Vec::new()).finish();
        assert_eq!(*page.0.lock().unwrap(), b"one\ntwo\n--\nsmall\n");
        assert_eq!(budget.left(), DEFERRED_MAX * 4);
    }

    #[test]
    fn too_much_is_given_back() {
        let budget = MemoryBudget::new(DEFERRED_MAX * 4);
        let mut output = FileOutput::deferred(&budget);
        output.records.resize(DEFERRED_MAX + 1, b'x');
        assert!(!output.commit());
        assert!(output.into_deferred().is_none());
        assert_eq!(budget.left(), DEFERRED_MAX * 4);
    }
}
