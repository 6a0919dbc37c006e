//! Errors as lines on standard error, one each: `urigrep: path: message`.
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use urigrep::internal::output::escape;
use urigrep::redact_text;
use urigrep::search::{Problem, ProblemKind, RedactedNames};

use super::progress::SearchProgress;

/// Selects whether messages about files are printed.
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
    /// Creates the printer of messages. They replace the line of `progress`, if it is shown.
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

/// The names that `--redact` covers, if it is set. Every message is redacted, including those about
/// invalid flags.
static REDACTION: OnceLock<RedactedNames> = OnceLock::new();

/// Redacts all later messages if one of the arguments is `--redact`. The first such argument
/// decides, as the real parser has not run yet.
pub fn redact_if_asked(mut arguments: impl Iterator<Item = OsString>) {
    let asked = arguments.find_map(|argument| match argument.to_str()? {
        "--redact" | "--redact=uris" => Some(RedactedNames::Members),
        "--redact=all" => Some(RedactedNames::All),
        _ => None,
    });
    if let Some(names) = asked {
        // The command line is read first, so a configuration file does not weaken what was typed.
        let _ = REDACTION.set(names);
    }
}

/// Returns the line in its printed form.
pub fn shown(line: &str) -> Cow<'_, str> {
    match REDACTION.get() {
        Some(_) => redact_text(line),
        None => Cow::Borrowed(line),
    }
}

/// Removes the secrets from a problem. Those in file names stay unless `names` includes files.
pub fn redacted(problem: &Problem, names: RedactedNames) -> Problem {
    let path = problem.path();
    let members = match names {
        RedactedNames::All => 0,
        // No file has such a name; a URI was given in place of one.
        _ if memchr::memmem::find(path, b"://").is_some() => 0,
        _ => memchr::memmem::find(path, b"!/").unwrap_or(path.len()),
    };
    let (file, members) = path.split_at(members);
    let shown = match std::str::from_utf8(members) {
        Ok(members) => redact_text(members),
        // A secret must be removed even beside bytes that are not UTF-8.
        Err(_) => redact_text(&String::from_utf8_lossy(members)).into_owned().into(),
    };
    let path = match shown {
        Cow::Borrowed(_) => path.to_vec(),
        Cow::Owned(shown) => [file, shown.as_bytes()].concat(),
    };
    Problem::new(problem.kind(), path, redact_text(problem.message()))
}

/// Removes the secrets from a problem if `--redact` is set.
pub fn redacted_if_asked(problem: &Problem) -> Option<Problem> {
    REDACTION.get().map(|&names| redacted(problem, names))
}

pub fn print(path: &[u8], message: &str) {
    match redacted_if_asked(&Problem::new(ProblemKind::Read, path, message)) {
        Some(problem) => print_line(problem.path(), problem.message()),
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
        // A log keeps the bytes of a path, so that it can be found, but each message must stay one
        // line.
        escape::one_line(&text, &mut line);
    }
    line.push(b'\n');
    // If standard error fails, there is no other place for the message.
    drop(stderr().lock().write_all(&line));
}

pub fn complain(message: &str) {
    print(b"", message);
}
