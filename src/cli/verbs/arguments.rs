//! The arguments of a verb; `-` stands for the lines of standard input, as they arrive.

use std::ffi::OsString;
use std::io::{BufRead, stdin};

use urigrep::search::{describe, stdin_is_readable};

use super::answers::AnswerFlow;
use crate::cli::diagnostics::complain;
use crate::cli::status::Status;

/// Passes each text to `take`. Without arguments, and for `-`, these are the lines of standard
/// input except empty ones.
///
/// Returns [`Status::Error`] if there is nothing to read.
pub fn each(
    arguments: &[OsString],
    what: &str,
    mut take: impl FnMut(&[u8]) -> AnswerFlow,
) -> Status {
    if arguments.is_empty() {
        // At a terminal, the command would wait and print nothing.
        if !stdin_is_readable() {
            complain(&format!(
                "no {what} given; pass one, or `-` to read lines from standard input"
            ));
            return Status::Error;
        }
        let mut is_empty = true;
        let read = lines(&mut |line: &[u8]| {
            is_empty = false;
            take(line)
        });
        if is_empty {
            complain(&format!("no {what} given, and standard input is empty"));
            return Status::Error;
        }
        return read;
    }
    for argument in arguments {
        let read = if argument == "-" {
            lines(&mut take)
        } else {
            match take(argument.as_encoded_bytes()) {
                AnswerFlow::Continue => continue,
                AnswerFlow::Stop => return Status::Match,
            }
        };
        if read == Status::Error {
            return read;
        }
    }
    Status::Match
}

fn lines(take: &mut impl FnMut(&[u8]) -> AnswerFlow) -> Status {
    let mut reader = stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => return Status::Match,
            Ok(_) => {}
            Err(error) => {
                complain(&format!("<stdin>: {}", describe(&error)));
                return Status::Error;
            }
        }
        // No URI begins or ends with white space, and a line may end with CRLF.
        let text = line.trim_ascii();
        if !text.is_empty() && take(text) == AnswerFlow::Stop {
            return Status::Match;
        }
    }
}
