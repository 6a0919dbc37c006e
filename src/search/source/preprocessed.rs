//! Replaces a file by the output of another program.

use std::io::{Error, Read, Result};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::search::describe;

/// Longest error message of the program that is kept.
const MAX_MESSAGE_LENGTH: u64 = 8 << 10;

/// A program that takes the path of a file and prints the text to search in its place.
///
/// ```
/// use urigrep::search::Preprocessor;
/// assert!(Preprocessor::new("pdftotext").globs(["*.pdf"]).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Preprocessor {
    command: PathBuf,
    globs: Option<GlobSet>,
}

impl Preprocessor {
    /// Uses this program for all files.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self { command: command.into(), globs: None }
    }

    /// Restricts it to files whose path or name matches one of these globs. An empty list means all
    /// files.
    ///
    /// # Errors
    /// If a glob is invalid; the message says which.
    pub fn globs<S: AsRef<str>>(
        self,
        globs: impl IntoIterator<Item = S>,
    ) -> std::result::Result<Self, String> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            set.add(Glob::new(glob.as_ref()).map_err(|error| error.to_string())?);
        }
        let set = set.build().map_err(|error| error.to_string())?;
        Ok(Self { globs: (!set.is_empty()).then_some(set), ..self })
    }

    pub(crate) fn takes(&self, path: &Path) -> bool {
        let name = path.file_name().map(Path::new);
        self.globs.as_ref().is_none_or(|globs| {
            globs.is_match(path) || name.is_some_and(|name| globs.is_match(name))
        })
    }

    /// Starts the program.
    pub(crate) fn open(&self, path: &Path) -> Result<Preprocessed> {
        let mut command = Command::new(&self.command);
        command.arg(path).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.failed(&describe(&error)))?;
        let (Some(out), Some(messages)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(self.failed("it has no output"));
        };
        // The child blocks if its stderr pipe is not drained. This is a thread and not a job of the
        // pool, because it waits as long as the child runs. If every thread of a pool waited for a
        // child, none would be left to drain the other pipes.
        let first_line = move || {
            let mut messages = messages;
            let mut text = Vec::new();
            drop(messages.by_ref().take(MAX_MESSAGE_LENGTH).read_to_end(&mut text));
            // Only the start of the message is kept, but the pipe must be drained to its end.
            drop(std::io::copy(&mut messages, &mut std::io::sink()));
            String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned()
        };
        let messages = thread::Builder::new().spawn(first_line).inspect_err(|_| {
            drop(child.kill());
            drop(child.wait());
        })?;
        let by = self.clone();
        Ok(Preprocessed { by, child, out, messages: Some(messages), failure: None })
    }

    fn failed(&self, message: &str) -> Error {
        Error::other(format!("{}: {message}", self.command.display()))
    }
}

/// The output of a program. Reading fails at its end if the program failed.
pub(crate) struct Preprocessed {
    by: Preprocessor,
    child: Child,
    out: ChildStdout,
    messages: Option<JoinHandle<String>>,
    /// The failure, which every later read returns.
    failure: Option<String>,
}

impl Read for Preprocessed {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.out.read(out)?;
        if count > 0 || out.is_empty() {
            return Ok(count);
        }
        // The output ended. Only the exit status tells whether it is complete.
        let status = self.child.wait()?;
        if let Some(messages) = self.messages.take() {
            let message = messages.join().unwrap_or_default();
            self.failure = match status.success() {
                true => None,
                false if message.is_empty() => Some(status.to_string()),
                false => Some(message),
            };
        }
        match &self.failure {
            None => Ok(0),
            Some(message) => Err(self.by.failed(message)),
        }
    }
}

impl Drop for Preprocessed {
    /// The search may stop before the end of the output.
    fn drop(&mut self) {
        if self.messages.is_some() {
            // Without a kill, the child would wait forever to write to a pipe that is not read.
            // Without a wait, it would stay a zombie.
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}
