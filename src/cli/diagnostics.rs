//! Errors as lines on standard error, one each: `urigrep: path: message`.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use urigrep::redact_text;
use urigrep::search::{Problem, ProblemKind, RedactedNames};

use super::escape;
use super::progress::SearchProgress;

/// Whether lines about files are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Messages {
    #[default]
    Shown,
    Hidden,
}

#[derive(Debug, Default)]
pub struct Diagnostics {
    messages: Messages,
    errors: AtomicU64,
    progress: Option<Arc<SearchProgress>>,
}

impl Diagnostics {
    /// Where the line of `progress` may be.
    pub fn new(messages: Messages, progress: Option<Arc<SearchProgress>>) -> Self {
        Self { messages, errors: AtomicU64::new(0), progress }
    }

    pub fn report(&self, problem: &Problem) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.note(problem.path(), problem.message());
    }

    pub fn note(&self, path: &[u8], message: &str) {
        if self.messages == Messages::Hidden {
            return;
        }
        match &self.progress {
            Some(progress) => progress.aside(|| print(path, message)),
            None => print(path, message),
        }
    }

    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }
}

/// With `--redact`, and of which names; every message goes through it, those about wrong flags too.
static REDACTION: OnceLock<RedactedNames> = OnceLock::new();

/// Has messages redacted from now on, when one of the arguments asks for it. What the first ones said, those of the command line,
/// stays.
pub fn redact_if_asked(mut arguments: impl Iterator<Item = OsString>) {
    let asked = arguments.find_map(|argument| match argument.to_str()? {
        "--redact" | "--redact=uris" => Some(RedactedNames::Members),
        "--redact=all" => Some(RedactedNames::All),
        _ => None,
    });
    if let Some(names) = asked {
        let _ = REDACTION.set(names);
    }
}

/// The line as it is printed.
pub fn shown(line: &str) -> Cow<'_, str> {
    match REDACTION.get() {
        Some(_) => redact_text(line),
        None => Cow::Borrowed(line),
    }
}

/// A problem without secrets; those of the names of files stay, unless these count.
pub fn redacted(problem: &Problem, names: RedactedNames) -> Problem {
    let path = problem.path();
    let members = match names {
        RedactedNames::All => 0,
        _ => memchr::memmem::find(path, b"!/").unwrap_or(path.len()),
    };
    let (file, members) = path.split_at(members);
    let shown = match std::str::from_utf8(members) {
        Ok(members) => redact_text(members),
        Err(_) => redact_text(&String::from_utf8_lossy(members)).into_owned().into(),
    };
    let path = match shown {
        Cow::Borrowed(_) => path.to_vec(),
        Cow::Owned(shown) => [file, shown.as_bytes()].concat(),
    };
    Problem::new(problem.kind(), path, redact_text(problem.message()))
}

pub fn print(path: &[u8], message: &str) {
    match REDACTION.get() {
        Some(&names) => {
            let problem = redacted(&Problem::new(ProblemKind::Read, path, message), names);
            print_line(problem.path(), problem.message());
        }
        None => print_line(path, message),
    }
}

fn print_line(path: &[u8], message: &str) {
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

pub fn complain(message: &str) {
    print(b"", message);
}
