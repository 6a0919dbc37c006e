//! What happens while an audit waits for the web: a progress line, and a look for ^C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use urigrep::audit::remote::{RemoteAnswers, RemoteProgress};

use crate::cli::flags::values::ProgressMode;
use crate::cli::progress::{self, Drawing, SearchProgress};
#[cfg(unix)]
use crate::cli::signals;

/// Time after which a signal is noticed.
const PERIOD: Duration = Duration::from_millis(50);

/// Watches an audit until it is dropped. The first ^C ends the requests, so that the audit reports
/// what is known; the second one kills.
#[derive(Debug)]
pub struct OnlineWatch {
    drawing: Option<Drawing>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl OnlineWatch {
    pub fn start(answers: &Arc<RemoteAnswers>, mode: ProgressMode) -> Self {
        let own = Arc::clone(answers);
        let text = move |elapsed| line(own.progress(), elapsed);
        let drawing = progress::is_shown(mode).then(|| Drawing::of(SearchProgress::other(text)));
        let is_over = Arc::new(AtomicBool::new(false));
        let thread = watch(answers, &is_over);
        Self { drawing, is_over, thread }
    }

    /// Returns the progress line, which other output must not overwrite.
    pub fn progress(&self) -> Option<Arc<SearchProgress>> {
        self.drawing.as_ref().map(Drawing::progress)
    }
}

#[cfg(unix)]
fn watch(answers: &Arc<RemoteAnswers>, is_over: &Arc<AtomicBool>) -> Option<JoinHandle<()>> {
    signals::hold();
    let (answers, is_over) = (Arc::clone(answers), Arc::clone(is_over));
    let watch = move || {
        while !is_over.load(Ordering::Relaxed) {
            if signals::came() {
                answers.cancel();
                return;
            }
            thread::park_timeout(PERIOD);
        }
    };
    thread::Builder::new().spawn(watch).ok()
}

#[cfg(not(unix))]
fn watch(_: &Arc<RemoteAnswers>, _: &Arc<AtomicBool>) -> Option<JoinHandle<()>> {
    None
}

impl Drop for OnlineWatch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            drop(thread.join());
        }
    }
}

/// Formats the line, such as `120 of 1200 URLs  34 hosts  41/s  0:27 left`.
fn line(progress: RemoteProgress, elapsed: Duration) -> String {
    let RemoteProgress { asked, answered, hosts, .. } = progress;
    let rate = answered as f64 / elapsed.as_secs_f64().max(0.001);
    let plural = if hosts == 1 { "" } else { "s" };
    let text = format!("{answered} of {asked} URLs  {hosts} host{plural}  {rate:.0}/s");
    if rate < 0.1 || answered == asked {
        return text;
    }
    let left = ((asked - answered) as f64 / rate).ceil() as u64;
    format!("{text}  {}:{:02} left", left / 60, left % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_a_rate_and_an_estimate() {
        let mut progress = RemoteProgress::default();
        (progress.asked, progress.answered, progress.hosts) = (1200, 120, 34);
        let text = line(progress, Duration::from_secs(3));
        assert_eq!(text, "120 of 1200 URLs  34 hosts  40/s  0:27 left");
    }
}
