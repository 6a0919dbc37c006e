//! `--progress`: shows the progress of a long search on one line of standard error.
//!
//! The line appears after a second and is removed before anything else is printed on the terminal.
//! A separate thread draws it. Searching threads only add up the bytes read, and do nothing if
//! progress is off. indicatif would add four crates for this one line.

use std::fmt;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use urigrep::search::ByteCounter;

use super::flags::values::ProgressMode;

/// Delay before the first drawing, and the time between two of them.
const PATIENCE: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(200);

/// The total number of bytes to read, if known.
pub type Total = Option<u64>;

/// True if progress is shown. By default, it is shown only to people at a terminal.
pub fn is_shown(when: ProgressMode) -> bool {
    match when {
        ProgressMode::Always => true,
        ProgressMode::Never => false,
        ProgressMode::Auto => stderr().is_terminal() && !stdout_is_piped(),
    }
}

#[cfg(unix)]
fn stdout_is_piped() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let kind = || {
        let file = std::fs::File::from(stdout().as_fd().try_clone_to_owned().ok()?);
        Some(file.metadata().ok()?.file_type())
    };
    // A line that comes and goes is for a person who waits. It is left out if the output continues
    // into a pipe, even if standard error is a terminal.
    kind().is_none_or(|kind| kind.is_fifo() || kind.is_socket())
}

#[cfg(not(unix))]
fn stdout_is_piped() -> bool {
    !stdout().is_terminal()
}

#[derive(Debug)]
pub struct SearchProgress {
    started: Instant,
    /// The text of other work than a search.
    other: Option<OtherWork>,
    bytes: ByteCounter,
    files: AtomicU64,
    total: Total,
    line: Mutex<ProgressLine>,
    ended: Condvar,
}

struct OtherWork(Box<dyn Fn(Duration) -> String + Send + Sync>);

impl fmt::Debug for OtherWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OtherWork").finish_non_exhaustive()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProgressLine {
    Clear,
    Drawn,
    Over,
}

impl SearchProgress {
    /// Creates the progress of reading `total` bytes; `bytes` counts those already read.
    pub fn new(total: Total, bytes: ByteCounter) -> Self {
        Self {
            started: Instant::now(),
            other: None,
            bytes,
            files: AtomicU64::new(0),
            total,
            line: Mutex::new(ProgressLine::Clear),
            ended: Condvar::new(),
        }
    }

    /// Creates the progress of other work than a search; `text` returns the line.
    fn other(text: impl Fn(Duration) -> String + Send + Sync + 'static) -> Self {
        let other = Some(OtherWork(Box::new(text)));
        Self { other, ..Self::new(None, ByteCounter::default()) }
    }

    pub fn file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    /// Prints something else while the progress line is removed.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        let _line = self.cleared();
        print()
    }

    fn cleared(&self) -> MutexGuard<'_, ProgressLine> {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if *line == ProgressLine::Drawn {
            put("\r\x1b[K");
            *line = ProgressLine::Clear;
        }
        line
    }

    fn draw(&self) {
        let mut line = self.cleared();
        let mut wait = PATIENCE;
        // A log has no line that can be drawn again; it gets one per second.
        let is_terminal = stderr().is_terminal();
        while *line != ProgressLine::Over {
            // A condition variable instead of a sleep: the end of the search wakes this thread, so
            // that a short search does not wait for a full period.
            let waited = self.ended.wait_timeout(line, wait);
            let timeout;
            (line, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if !timeout.timed_out() || *line == ProgressLine::Over {
                continue;
            }
            let text = self.text(self.started.elapsed());
            if is_terminal {
                put(&format!("\r{text}\x1b[K"));
                (*line, wait) = (ProgressLine::Drawn, PERIOD);
            } else {
                put(&format!("{text}\n"));
            }
        }
    }

    /// Formats the line, such as `12 files  1.2 GiB of 3.4 GiB (35 %)  850.0 MiB/s  2:05 left`, of
    /// at most about 60 columns.
    pub fn text(&self, elapsed: Duration) -> String {
        if let Some(OtherWork(text)) = &self.other {
            return text(elapsed);
        }
        let (bytes, files) = (self.bytes.get(), self.files.load(Ordering::Relaxed));
        self.text_of(bytes, files, elapsed)
    }

    fn text_of(&self, bytes: u64, files: u64, elapsed: Duration) -> String {
        // A search may end within the resolution of the clock.
        let rate = bytes as f64 / elapsed.as_secs_f64().max(0.001);
        let done =
            format!("{files} file{}  {}", if files == 1 { "" } else { "s" }, size(bytes as f64));
        // A file may grow during the search, so `bytes` may exceed the total.
        match self.total.filter(|total| *total >= bytes && bytes > 0) {
            None => format!("{done}  {}/s", size(rate)),
            Some(total) => {
                let left = ((total - bytes) as f64 / rate).ceil() as u64;
                let percent = 100.0 * bytes as f64 / total as f64;
                let (total, rate) = (size(total as f64), size(rate));
                let left = format!("{}:{:02} left", left / 60, left % 60);
                format!("{done} of {total} ({percent:.0} %)  {rate}/s  {left}")
            }
        }
    }
}

pub fn size(bytes: f64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"].into_iter().zip(1..);
    let fits = |(_, power): &(&str, i32)| bytes >= 1024_f64.powi(*power);
    match units.take_while(fits).last() {
        None => format!("{bytes:.0} B"),
        Some((unit, power)) => format!("{:.1} {unit}", bytes / 1024_f64.powi(power)),
    }
}

/// Errors are ignored: if standard error fails, there is no place to report it.
fn put(text: &str) {
    drop(stderr().lock().write_all(text.as_bytes()));
}

/// The thread that draws, until this is dropped.
#[derive(Debug)]
pub struct Drawing {
    progress: Arc<SearchProgress>,
    thread: Option<JoinHandle<()>>,
}

impl Drawing {
    pub fn start(total: Total, bytes: ByteCounter) -> Self {
        Self::new(SearchProgress::new(total, bytes))
    }

    /// Starts to draw the progress of other work than a search, if progress is shown.
    pub fn if_shown(
        when: ProgressMode,
        text: impl Fn(Duration) -> String + Send + Sync + 'static,
    ) -> Option<Self> {
        is_shown(when).then(|| Self::new(SearchProgress::other(text)))
    }

    fn new(progress: SearchProgress) -> Self {
        let progress = Arc::new(progress);
        let shared = Arc::clone(&progress);
        let thread = std::thread::Builder::new().spawn(move || shared.draw());
        Self { progress, thread: thread.ok() }
    }

    pub fn progress(&self) -> Arc<SearchProgress> {
        Arc::clone(&self.progress)
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        *self.progress.cleared() = ProgressLine::Over;
        self.progress.ended.notify_all();
        if let Some(thread) = self.thread.take() {
            // Otherwise it could draw over what is printed next.
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_far_it_is() {
        let text = |total, bytes| {
            let progress = SearchProgress::new(total, ByteCounter::default());
            progress.text_of(bytes, 0, Duration::from_secs(2))
        };
        assert_eq!(
            text(Some(5 << 30), 1 << 30),
            "0 files  1.0 GiB of 5.0 GiB (20 %)  512.0 MiB/s  0:08 left"
        );
        assert_eq!(text(None, 1000), "0 files  1000 B  500 B/s");
        assert_eq!(text(Some(1), 4096), "0 files  4.0 KiB  2.0 KiB/s");
    }
}
