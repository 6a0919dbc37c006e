//! The command: flags, search, output. It uses only the public API of the library.

pub mod audit;
mod complete;
pub mod config;
mod defaults;
mod diagnostics;
mod diff;
pub mod error;
pub mod flags;
mod format;
mod generate;
mod git;
mod help;
mod hyperlink;
mod layout;
pub mod limits;
#[cfg(feature = "lsp")]
mod lsp;
mod needed_input;
mod output;
mod page;
mod patch;
#[cfg(feature = "pick")]
mod pick;
mod printing;
mod progress;
mod replace;
mod roots;
pub mod selection;
mod settings_file;
#[cfg(unix)]
mod signals;
mod status;
mod stdout;
mod toml_string;
mod tree_files;
mod verbs;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::Instant;

use clap::Parser;
use urigrep::internal::{catch_panic, silence_panics};
use urigrep::search::{Problem, ProblemKind, Root, Sinks, Visit, describe};

use config::Config;
use diagnostics::complain;
use error::CliError;
use flags::{Cli, SearchFlags};
use output::{PathList, Summary};
use printing::Printing;
use progress::Drawing;
pub use status::Status;
use stdout::{Stdout, failed_output, is_broken_pipe, print, target};

/// Runs the command line; the first argument is the name of the command.
pub fn main(arguments: &[OsString]) -> Status {
    // Handlers come first: a signal between the creation of a temporary file and its removal would
    // leave the file behind.
    #[cfg(unix)]
    signals::catch();
    silence_panics();
    // A shell asks for completions in the middle of a command line, which the parser would refuse
    // as incomplete.
    if let Some(status) = complete::answer(arguments) {
        return status;
    }
    // Before anything can fail: an error of the parser quotes the argument, which may be a URI with
    // a password.
    diagnostics::redact_if_asked(arguments.iter().cloned());
    catch_panic(|| match flags::lists::expanded(arguments) {
        Ok(arguments) => chosen(&help::with_help_flag(arguments)),
        Err(error) => {
            complain(&error.to_string());
            Status::Error
        }
    })
    .unwrap_or_else(|message| {
        complain(&message);
        Status::Error
    })
}

fn chosen(arguments: &[OsString]) -> Status {
    let started = Instant::now();
    let mut restriction = None;
    let flags = match Cli::try_parse_from(arguments) {
        Ok(Cli { verb: Some(verb), .. }) => return verb.run(),
        Ok(Cli { generate: Some(artifact), .. }) => return print(&generate::generate(artifact)),
        Ok(Cli { no_config: true, search, .. }) => search,
        // With --untrusted, the project's file may come from the same stranger as the files to be
        // searched.
        Ok(Cli { search, .. }) if search.walk.untrusted => search,
        Ok(cli) => match with_defaults(cli.search, arguments) {
            Ok((search, note)) => {
                restriction = note;
                search
            }
            Err(status) => return status,
        },
        Err(error) => return help::usage(&error),
    };
    if flags.walk.type_list {
        return config::print_types(&flags.walk);
    }
    #[cfg(feature = "pick")]
    if flags.modes.pick {
        return pick::run(&flags).unwrap_or_else(|error| {
            complain(&error.to_string());
            Status::Error
        });
    }
    match Config::new(&flags).and_then(|config| run(config, started)) {
        Ok(Status::NoMatch) => {
            // With a match, the settings of the project did not hide everything. `-q` prints
            // nothing at all.
            if let Some(note) = restriction.filter(|_| !flags.modes.quiet) {
                complain(&note);
            }
            Status::NoMatch
        }
        Ok(status) => status,
        Err(error) => {
            complain(&error.to_string());
            Status::Error
        }
    }
}

/// Parses the flags of configuration files, followed by those of the command line. Also returns the
/// note about settings of the project for a search that finds nothing.
fn with_defaults(
    search: SearchFlags,
    arguments: &[OsString],
) -> Result<(SearchFlags, Option<String>), Status> {
    let defaults = defaults::flags(&search.paths).map_err(|error| {
        complain(&error.to_string());
        Status::Error
    })?;
    if defaults.is_empty() {
        return Ok((search, None));
    }
    let default_arguments = || defaults.iter().map(|flag| flag.argument.clone());
    // `--redact` in a file must also cover the message of a failed parse, which may quote a URI.
    diagnostics::redact_if_asked(default_arguments());
    let mut own = arguments.iter().cloned();
    // Defaults come first, because the last of repeated flags wins. The parser runs again on the
    // whole list, so that a conflict between both is found as if all had been typed.
    let all = own.next().into_iter().chain(default_arguments()).chain(own);
    match Cli::try_parse_from(all) {
        Ok(cli) => Ok((cli.search, defaults::restriction(&defaults))),
        Err(error) => match defaults::conflict(&defaults, arguments) {
            Some(error) => {
                complain(&error.to_string());
                Err(Status::Error)
            }
            None => Err(help::usage(&error)),
        },
    }
}

/// Returns a hint for a path that does not exist and looks like a pattern or a URI.
fn no_pattern(path: &str) -> &'static str {
    // `https?://` is a pattern.
    let is_address = path.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if is_address {
        "files are searched, not the web: `curl -s URL | urigrep` searches a page, `urigrep parse URI` reads a URI"
    } else {
        "urigrep takes no pattern; to select URIs, use -e RE"
    }
}

/// Runs the search, and prints the output before and after the matches.
fn run(config: Config, started: Instant) -> Result<Status, CliError> {
    roots::refuse_unknown_verb(&config.roots)?;
    let start = |total| Drawing::start(total, config.bytes_read.clone());
    let drawing = config.progress.map(start);
    let progress = drawing.as_ref().map(Drawing::progress);
    let writer = target().map_err(|error| CliError::general(describe(&error)))?;
    let stdout = Stdout::new(writer, config.separator)
        .beside(progress.clone().filter(|_| io::stdout().is_terminal()));
    let mut records = Vec::new();
    // `--files` prints its own heading.
    if config.lists_files.is_none() {
        config.mode.printer().open(&mut records);
    }
    if !records.is_empty() {
        stdout.write(&records);
        records.clear();
    }
    let printing = Printing::new(&config, stdout, progress);
    let (roots, problems) = roots::existing(&config.roots, no_pattern);
    for problem in &problems {
        printing.problem(problem);
    }
    for note in &config.notes {
        printing.diagnostics.note(b"", &format!("note: {note}"));
    }
    if let Some(list) = &config.lists_files {
        return list_files(roots, &printing, list);
    }
    let searched = config.search.run_parallel(roots, &printing);
    // Remove the progress line before the summary is printed.
    drop(drawing);
    // The output so far is right, but a script must not take it for all.
    if config.mode.is_incomplete() {
        let message = "out of memory for distinct URIs; the search was stopped";
        printing.problem(&Problem::new(ProblemKind::Limit, b"", message));
    }
    let summary = Summary {
        stats: searched.map_err(|error| config::walk_error(&error))?,
        unique: config.mode.unique(),
        errors: printing.diagnostics.errors(),
        elapsed: started.elapsed(),
    };
    // As for any search that finds nothing, `-q` prints nothing.
    let needed = config.needed.filter(|_| !config.mode.is_quiet());
    if let Some(note) = needed.and_then(|needed| needed.note(&summary.stats, &config.roots)) {
        printing.diagnostics.note(b"", &format!("note: {note}"));
    }
    config.mode.printer().close(&summary, &mut records);
    if let Some(page) = &config.page {
        page.write(&summary)?;
    }
    // Formats for programs have the counts in a record of their own; more lines would break them.
    if config.stats && !config.mode.has_numbers() {
        output::stats(&summary, &mut records);
    }
    if !records.is_empty() {
        printing.stdout.write(&records);
    }
    Ok(status(&printing))
}

/// `--files`: prints the paths of the files that a search would read.
fn list_files(
    roots: Vec<Root>,
    printing: &Printing<'_>,
    list: &PathList,
) -> Result<Status, CliError> {
    let mut has_file = false;
    let is_quiet = printing.config.mode.is_quiet();
    let mut heading = Vec::new();
    list.open(&mut heading);
    if !is_quiet {
        printing.stdout.write(&heading);
    }
    let take = |visit| {
        match visit {
            Visit::Search(input) => {
                has_file = true;
                if is_quiet {
                    return ControlFlow::Break(());
                }
                let mut record = Vec::new();
                list.path(&input, &mut record);
                printing.stdout.write(&record);
            }
            Visit::Problem(problem) => printing.problem(&problem),
            Visit::Skip(_) => {}
        }
        if printing.stdout.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let listed = printing.config.search.inputs(roots, take);
    listed.map_err(|error| config::walk_error(&error))?;
    // Nothing is searched here, so the status that a match gives is that of a listed file.
    match (status(printing), has_file) {
        (Status::NoMatch, true) => Ok(Status::Match),
        (status, _) => Ok(status),
    }
}

fn status(printing: &Printing<'_>) -> Status {
    let has_match = printing.has_match();
    match printing.stdout.take_failure() {
        // A closed pipe is the normal end of `urigrep … | head`, not an error.
        Some(error) if is_broken_pipe(&error) && has_match => return Status::Match,
        Some(error) if is_broken_pipe(&error) => {}
        Some(error) => printing.diagnostics.report(&failed_output(&error)),
        // As in grep, `-q` with a match succeeds even if an error occurred.
        None if printing.config.mode.is_quiet() && has_match => {
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
