//! Errors as lines on standard error, one each: `urigrep: path: message`.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use urigrep::search::Problem;

use super::escape;
use super::progress::SearchProgress;

/// Reports errors, and counts them.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: AtomicU64,
    progress: Option<Arc<SearchProgress>>,
}

impl Diagnostics {
    /// Where the line of `progress` may stand.
    pub fn new(progress: Option<Arc<SearchProgress>>) -> Self {
        Self { errors: AtomicU64::new(0), progress }
    }

    /// Prints a problem, and counts it.
    pub fn report(&self, problem: &Problem) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.note(problem.path(), problem.message());
    }

    /// Prints a line about an input that is no error.
    pub fn note(&self, path: &[u8], message: &str) {
        match &self.progress {
            Some(progress) => progress.aside(|| print(path, message)),
            None => print(path, message),
        }
    }

    /// How many errors there were.
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }
}

/// Prints one line about an input, or about nothing in particular.
pub fn print(path: &[u8], message: &str) {
    let mut text = path.to_vec();
    if !text.is_empty() {
        text.extend_from_slice(b": ");
    }
    text.extend_from_slice(message.as_bytes());
    let mut line = b"urigrep: ".to_vec();
    if stderr().is_terminal() {
        escape::visible(&text, &mut line);
    } else {
        escape::one_line(&text, &mut line);
    }
    line.push(b'\n');
    // Nobody is left to tell when standard error fails.
    drop(stderr().lock().write_all(&line));
}

/// Prints what is wrong with the command as a whole.
pub fn complain(message: &str) {
    print(b"", message);
}
