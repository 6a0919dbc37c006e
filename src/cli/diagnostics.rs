//! Errors as lines on standard error, one each: `urigrep: path: message`.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::escape;
use super::progress::Progress;

/// An error that is to be reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The path it is about, as it is printed; empty when it is about none.
    pub path: Vec<u8>,
    /// What went wrong.
    pub message: String,
}

/// Reports errors, and counts them.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: AtomicU64,
    progress: Option<Arc<Progress>>,
}

impl Diagnostics {
    /// Where the line of `progress` may stand.
    pub fn new(progress: Option<Arc<Progress>>) -> Self {
        Self {
            errors: AtomicU64::new(0),
            progress,
        }
    }

    /// Prints one line.
    pub fn report(&self, fault: &Fault) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.note(fault);
    }

    /// Prints one line about what is no error.
    pub fn note(&self, note: &Fault) {
        match &self.progress {
            Some(progress) => progress.aside(|| print(note)),
            None => print(note),
        }
    }

    /// How many errors there were.
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }
}

/// Prints one line without counting it.
pub fn print(fault: &Fault) {
    let mut text = fault.path.clone();
    if !text.is_empty() {
        text.extend_from_slice(b": ");
    }
    text.extend_from_slice(fault.message.as_bytes());
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

/// The message of an I/O error, without the number of the system.
pub fn describe(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(at) if error.raw_os_error().is_some() => text[..at].to_owned(),
        _ => text,
    }
}
