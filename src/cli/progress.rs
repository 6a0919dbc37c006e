//! `--progress`: how far a long search is, on one line of standard error.
//!
//! The line appears after a second and is cleared before anything else is printed on the terminal. A
//! thread of its own draws it; who searches only adds what was read, and nothing at all where it is
//! off. Indicatif would bring four more crates for this one line.

use std::io::{self, IsTerminal, Read, Write, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// So long nothing is drawn, and so long a drawing stays.
const PATIENCE: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(200);

/// How the line is replaced by the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Where it stands.
    Terminal,
    /// Below it: nothing can be taken back. Then there is one a second.
    File,
}

/// What has been done, and the line that says so.
#[derive(Debug)]
pub struct Progress {
    started: Instant,
    bytes: AtomicU64,
    files: AtomicU64,
    /// How many bytes there are, if that is known.
    total: Option<u64>,
    place: Place,
    line: Mutex<Line>,
    ended: Condvar,
}

/// How many bytes there are to be read, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total(pub Option<u64>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Line {
    /// There is none.
    #[default]
    Clear,
    /// It stands there.
    Drawn,
    /// There won't be any more.
    Over,
}

impl Progress {
    /// Begins to draw, if the system gives a thread for it; it ends when what is returned is dropped.
    pub fn start(total: Total) -> Drawing {
        let place = match stderr().is_terminal() {
            true => Place::Terminal,
            false => Place::File,
        };
        let progress = Arc::new(Self {
            started: Instant::now(),
            bytes: AtomicU64::new(0),
            files: AtomicU64::new(0),
            total: total.0,
            place,
            line: Mutex::default(),
            ended: Condvar::new(),
        });
        let shared = Arc::clone(&progress);
        let thread = std::thread::Builder::new().spawn(move || shared.run());
        Drawing {
            progress,
            thread: thread.ok(),
        }
    }

    /// So many bytes were read.
    pub fn read(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// A file was searched.
    pub fn file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    /// Prints something else, in a place without the line.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        let _line = self.cleared();
        print()
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cleared(&self) -> MutexGuard<'_, Line> {
        let mut line = self.lock();
        if *line == Line::Drawn {
            if self.place == Place::Terminal {
                put(b"\r\x1b[K");
            }
            *line = Line::Clear;
        }
        line
    }

    fn run(&self) {
        let mut line = self.lock();
        let mut wait = PATIENCE;
        while *line != Line::Over {
            let waited = self.ended.wait_timeout(line, wait);
            let timed_out;
            (line, timed_out) = waited.unwrap_or_else(PoisonError::into_inner);
            if *line == Line::Over || !timed_out.timed_out() {
                continue;
            }
            let text = self.text(self.started.elapsed());
            match self.place {
                Place::Terminal => {
                    wait = PERIOD;
                    put(format!("\r{text}\x1b[K").as_bytes());
                }
                Place::File => put(format!("{text}\n").as_bytes()),
            }
            *line = Line::Drawn;
        }
    }

    /// `12 files  1.2 GiB of 3.4 GiB  850.0 MiB/s  2:05 left`, at most 70 columns.
    fn text(&self, elapsed: Duration) -> String {
        let bytes = self.bytes.load(Ordering::Relaxed);
        let files = self.files.load(Ordering::Relaxed);
        let rate = bytes as f64 / elapsed.as_secs_f64().max(0.001);
        let mut text = match files {
            1 => "1 file  ".to_owned(),
            files => format!("{files} files  "),
        };
        text.push_str(&size(bytes as f64));
        let total = self.total.filter(|total| *total >= bytes);
        if let Some(total) = total {
            text.push_str(" of ");
            text.push_str(&size(total as f64));
        }
        text.push_str(&format!("  {}/s", size(rate)));
        if let Some(total) = total.filter(|_| bytes > 0) {
            let left = ((total - bytes) as f64 / rate).ceil() as u64;
            text.push_str(&format!("  {}:{:02} left", left / 60, left % 60));
        }
        text
    }
}

/// A number of bytes, with a unit.
fn size(bytes: f64) -> String {
    let mut value = bytes;
    let mut units = ["B", "KiB", "MiB", "GiB", "TiB"].iter();
    let mut unit = units.next();
    while value >= 1024.0 && let Some(larger) = units.next() {
        (value, unit) = (value / 1024.0, Some(larger));
    }
    let digits = if bytes < 1024.0 { 0 } else { 1 };
    format!("{value:.digits$} {}", unit.copied().unwrap_or_default())
}

/// Nobody is left to tell when standard error fails.
fn put(bytes: &[u8]) {
    drop(stderr().lock().write_all(bytes));
}

/// The thread that draws, until this is dropped.
#[derive(Debug)]
pub struct Drawing {
    progress: Arc<Progress>,
    thread: Option<JoinHandle<()>>,
}

impl Drawing {
    /// What is drawn.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        *self.progress.cleared() = Line::Over;
        self.progress.ended.notify_all();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Counts what is read.
pub struct Counted<R> {
    inner: R,
    progress: Arc<Progress>,
}

impl<R> Counted<R> {
    /// Reads from `inner`.
    pub fn new(inner: R, progress: Arc<Progress>) -> Self {
        Self { inner, progress }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(out)?;
        self.progress.read(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_far_it_is() {
        let progress = |total, bytes| Progress {
            started: Instant::now(),
            bytes: AtomicU64::new(bytes),
            files: AtomicU64::new(3),
            total,
            place: Place::File,
            line: Mutex::default(),
            ended: Condvar::new(),
        };
        let two = Duration::from_secs(2);
        assert_eq!(
            progress(Some(5 << 30), 1 << 30).text(two),
            "3 files  1.0 GiB of 5.0 GiB  512.0 MiB/s  0:08 left"
        );
        assert_eq!(progress(None, 1000).text(two), "3 files  1000 B  500 B/s");
        // a file that grows
        assert_eq!(progress(Some(1), 4096).text(two), "3 files  4.0 KiB  2.0 KiB/s");
    }
}
