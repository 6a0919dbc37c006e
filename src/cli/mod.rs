//! The command line: flags, walk, search, output. It uses the public API of the library only.

mod audit;
mod buffer;
mod config;
mod context;
mod desk;
mod diagnostics;
mod documents;
mod drive;
mod escape;
mod flags;
mod format;
mod generate;
mod guard;
mod hyperlink;
mod json;
mod labelled;
mod large;
mod letters;
mod limits;
mod lines;
mod mailbox;
mod mapped;
mod memory;
mod messages;
mod offsets;
mod operands;
mod output;
mod pass;
mod pieces;
mod proc;
mod progress;
mod query;
mod record;
mod search;
mod select;
#[cfg(unix)]
mod signals;
mod sink;
mod spool;
mod streams;
mod subject;
mod tally;
mod verbs;
mod walk;
mod worker;

use std::io::{self, IsTerminal, Write, stdout};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

use config::{Config, Stats};
use context::Context;
use diagnostics::{Fault, describe};
use flags::Cli;
use output::{Mode, Summary};
use progress::Drawing;
use spool::{Gate, is_broken_pipe};

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There was a match.
    Match,
    /// There was none.
    NoMatch,
    /// There was an error.
    Error,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Match => 0,
            Status::NoMatch => 1,
            Status::Error => 2,
        })
    }
}

/// Runs the command.
pub fn main() -> Status {
    #[cfg(unix)]
    signals::catch();
    guard::silence();
    guard::guarded(chosen).unwrap_or_else(|message| {
        complain(&message);
        Status::Error
    })
}

/// Does what the command line says.
fn chosen() -> Status {
    let started = Instant::now();
    let flags = match Cli::try_parse() {
        Ok(Cli {
            verb: Some(verb), ..
        }) => return verb.run(),
        Ok(Cli {
            generate: Some(artifact),
            ..
        }) => return print(&generate::generate(artifact)),
        Ok(cli) => cli.search,
        Err(error) => return usage(&error),
    };
    if flags.walk.type_list {
        return print(&walk::type_list());
    }
    match Config::new(&flags).and_then(|config| run(config, started)) {
        Ok(status) => status,
        Err(message) => {
            complain(&message);
            Status::Error
        }
    }
}

/// Searches, and prints what belongs after the matches.
fn run(config: Config, started: Instant) -> Result<Status, String> {
    let drawing = config.progress.map(Drawing::start);
    let progress = drawing.as_ref().map(Drawing::progress);
    let gate = Gate::new(
        target().map_err(|error| failed_output(&error).message)?,
        config.separator,
    )
    .beside(progress.clone().filter(|_| stdout().is_terminal()));
    let mut opening = Vec::new();
    config.mode.printer().open(&mut opening);
    if !opening.is_empty() {
        gate.write(&opening);
    }
    let context = Context::new(config, gate, progress);
    let driven = drive::drive(&context);
    drop(drawing);
    driven?;
    let summary = Summary {
        tally: context.tally(),
        unique: context.config.mode.unique(),
        errors: context.diagnostics.errors(),
        elapsed: started.elapsed(),
    };
    let mut records = Vec::new();
    context
        .config
        .mode
        .printer()
        .summary(&summary, &mut records);
    if context.config.stats == Stats::Printed && !context.config.mode.has_numbers() {
        output::stats(&summary, &mut records);
    }
    if !records.is_empty() {
        context.gate.write(&records);
    }
    Ok(status(&context))
}

fn status(context: &Context) -> Status {
    let found = if context.matched() {
        Status::Match
    } else {
        Status::NoMatch
    };
    match context.gate.take_failure() {
        Some(error) if is_broken_pipe(&error) && context.matched() => return Status::Match,
        Some(error) if is_broken_pipe(&error) => {}
        Some(error) => {
            context.diagnostics.report(&failed_output(&error));
        }
        None if matches!(context.config.mode, Mode::Quiet) && context.matched() => {
            return Status::Match;
        }
        None => {}
    }
    if context.diagnostics.errors() > 0 {
        Status::Error
    } else {
        found
    }
}

fn failed_output(error: &io::Error) -> Fault {
    Fault {
        path: b"<stdout>".to_vec(),
        message: describe(error),
    }
}

/// Standard output without a buffer of its own.
#[cfg(unix)]
fn target() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;
    Ok(Box::new(std::fs::File::from(
        stdout().as_fd().try_clone_to_owned()?,
    )))
}

#[cfg(not(unix))]
fn target() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(stdout()))
}

/// Prints what clap has to say: help, the version, or what is wrong with the flags.
fn usage(error: &clap::Error) -> Status {
    if !error.use_stderr() {
        let text = error.render();
        let text = if stdout().is_terminal() {
            text.ansi().to_string()
        } else {
            text.to_string()
        };
        return print(text.as_bytes());
    }
    let mut shown = Vec::new();
    for line in error.render().to_string().lines() {
        escape::visible(line.as_bytes(), &mut shown);
        shown.push(b'\n');
    }
    // Nobody is left to tell when standard error fails.
    drop(io::stderr().lock().write_all(&shown));
    Status::Error
}

/// Says on standard error what is wrong.
fn complain(message: &str) {
    diagnostics::print(&Fault {
        path: Vec::new(),
        message: message.to_owned(),
    });
}

/// Prints a text that is no result of a search.
fn print(text: &[u8]) -> Status {
    let mut out = stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if !is_broken_pipe(&error) => {
            diagnostics::print(&failed_output(&error));
            Status::Error
        }
        _ => Status::Match,
    }
}
