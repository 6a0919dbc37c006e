//! The command line: flags, walk, search, output. It uses the public API of the library only.

mod audit;
mod config;
mod diagnostics;
mod escape;
mod flags;
mod format;
mod generate;
mod hyperlink;
mod json;
mod limits;
mod output;
mod printing;
mod progress;
mod roots;
#[cfg(unix)]
mod signals;
mod status;
mod stdout;
mod verbs;

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use clap::Parser;
use urigrep::search::{Sinks, catch_panic, describe, silence_panics};

use config::{Config, ShowStats};
use diagnostics::complain;
use flags::Cli;
use flags::walk::type_list;
use output::{Mode, Summary};
use printing::Printing;
use progress::Drawing;
pub use status::Status;
use stdout::{Stdout, failed_output, is_broken_pipe, print, target};

/// Runs the command.
pub fn main() -> Status {
    #[cfg(unix)]
    signals::catch();
    silence_panics();
    catch_panic(chosen).unwrap_or_else(|message| {
        complain(&message);
        Status::Error
    })
}

/// Does what the command line says.
fn chosen() -> Status {
    let started = Instant::now();
    let flags = match Cli::try_parse() {
        Ok(Cli { verb: Some(verb), .. }) => return verb.run(),
        Ok(Cli { generate: Some(artifact), .. }) => return print(&generate::generate(artifact)),
        Ok(cli) => cli.search,
        Err(error) => return usage(&error),
    };
    if flags.walk.type_list {
        return print(&type_list());
    }
    match Config::new(&flags).and_then(|config| run(config, started)) {
        Ok(status) => status,
        Err(message) => {
            complain(&message);
            Status::Error
        }
    }
}

/// What users of grep are told.
const NO_PATTERN: &str = "urigrep takes no pattern: to select URIs, use -e RE";

/// Searches, and prints what belongs before and after the matches.
fn run(config: Config, started: Instant) -> Result<Status, String> {
    let start = |total| Drawing::start(total, config.bytes_read.clone());
    let drawing = config.progress.map(start);
    let progress = drawing.as_ref().map(Drawing::progress);
    let writer = target().map_err(|error| describe(&error))?;
    let stdout = Stdout::new(writer, config.separator)
        .beside(progress.clone().filter(|_| io::stdout().is_terminal()));
    let mut records = Vec::new();
    config.mode.printer().open(&mut records);
    if !records.is_empty() {
        stdout.write(&records);
        records.clear();
    }
    let printing = Printing::new(&config, stdout, progress);
    let (roots, problems) = roots::existing(&config.roots, NO_PATTERN);
    for problem in &problems {
        printing.problem(problem);
    }
    let searched = config.search.run_parallel(roots, &printing);
    drop(drawing);
    let summary = Summary {
        stats: searched.map_err(|error| config::walk_error(&error))?,
        unique: config.mode.unique(),
        errors: printing.diagnostics.errors(),
        elapsed: started.elapsed(),
    };
    config.mode.printer().summary(&summary, &mut records);
    if config.stats == ShowStats::Yes && !config.mode.has_numbers() {
        output::stats(&summary, &mut records);
    }
    if !records.is_empty() {
        printing.stdout.write(&records);
    }
    Ok(status(&printing))
}

fn status(printing: &Printing<'_>) -> Status {
    let has_match = printing.has_match();
    match printing.stdout.take_failure() {
        Some(error) if is_broken_pipe(&error) && has_match => return Status::Match,
        Some(error) if is_broken_pipe(&error) => {}
        Some(error) => printing.diagnostics.report(&failed_output(&error)),
        None if matches!(printing.config.mode, Mode::Quiet) && has_match => {
            return Status::Match;
        }
        None => {}
    }
    match (printing.diagnostics.errors(), has_match) {
        (1.., _) => Status::Error,
        (0, true) => Status::Match,
        (0, false) => Status::NoMatch,
    }
}

/// Prints what clap has to say: help, the version, or what is wrong with the flags.
fn usage(error: &clap::Error) -> Status {
    if !error.use_stderr() {
        let text = error.render();
        let text =
            if io::stdout().is_terminal() { text.ansi().to_string() } else { text.to_string() };
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
