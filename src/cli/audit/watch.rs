//! Polls while an audit waits for the web: checks for ^C and updates the progress line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use urigrep::audit::remote::{RemoteAnswers, RemoteProgress};

use crate::cli::output::grouped;
#[cfg(unix)]
use crate::cli::signals;

/// Time after which a signal is noticed.
const PERIOD: Duration = Duration::from_millis(50);

/// Handles ^C during an audit, until dropped. The first ^C ends the requests, so that the audit
/// reports what is known; the second one kills the process.
#[derive(Debug)]
pub struct OnlineWatch {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl OnlineWatch {
    pub fn start(answers: &Arc<RemoteAnswers>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let thread = watch(answers, &is_over);
        Self { is_over, thread }
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

/// Formats the line, such as `120 of 1,200 URLs (10 %)  34 hosts  41/s  0:27 left`.
pub fn line(progress: RemoteProgress, elapsed: Duration) -> String {
    let RemoteProgress { asked, answered, hosts, .. } = progress;
    let rate = answered as f64 / elapsed.as_secs_f64().max(0.001);
    let plural = if hosts == 1 { "" } else { "s" };
    let percent = answered * 100 / asked.max(1);
    let (done, all) = (grouped(answered), grouped(asked));
    let text = format!("{done} of {all} URLs ({percent} %)  {hosts} host{plural}  {rate:.0}/s");
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
        assert_eq!(text, "120 of 1,200 URLs (10 %)  34 hosts  40/s  0:27 left");
    }
}
