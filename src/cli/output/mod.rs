//! What is printed: one format a file.
//!
//! A printer makes records in memory; it never reads files and never writes to one.

mod count;
mod csv;
mod distinct;
pub mod fields;
mod json;
mod path;
mod paths;
mod quiet;
mod redacting;
pub mod sarif;
mod stats;
pub mod template;
mod text;
mod top;
mod unique;

use std::time::Duration;

pub use count::{Count, Zeros};
pub use csv::{Csv, TableFormat};
pub use distinct::Distinct;
pub use json::Json;
pub use path::{Colors, LinkStyle, PathStyle};
pub use paths::{Paths, Which};
pub use quiet::Quiet;
pub use sarif::Sarif;
pub use stats::stats;
pub use template::{Template, Templated};
pub use text::{Grouping, Layout, LineField, PathPlace, Terminator, Text, UriForm, UriSpelling};
pub use top::Top;
pub use unique::Register;

use redacting::Redacting;
use urigrep::search::{Flow, Hit, Input, Level, PartNumbers, Positions, Problem, Stats};

/// Appends a number.
fn number(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Whether a file counts as matched for the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitMatch {
    /// It does.
    Match,
    /// It does not.
    NoMatch,
}

impl ExitMatch {
    fn of(hits: u64) -> Self {
        if hits > 0 { Self::Match } else { Self::NoMatch }
    }
}

/// Something for each level of inputs.
#[derive(Clone, Debug)]
pub struct Levels<T> {
    /// For files.
    pub file: T,
    /// For members of archives.
    pub member: T,
}

impl<T> Levels<T> {
    /// What there is for this level.
    pub fn of(&self, level: Level) -> &T {
        match level {
            Level::File => &self.file,
            Level::Member => &self.member,
        }
    }
}

/// Numbers of the whole run.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The counts of all files.
    pub stats: Stats,
    /// Different URIs among the matches, in modes that count them.
    pub unique: Option<u64>,
    /// Errors that were reported.
    pub errors: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Makes records of findings, one file after the other.
pub trait Printer: Send {
    /// Whether lines and columns are needed.
    fn positions(&self, _level: Level) -> Positions {
        Positions::Ignored
    }

    /// Whether the numbers of the parts of messages are needed.
    fn part_numbers(&self) -> PartNumbers {
        PartNumbers::Ignored
    }

    /// What stands between two records.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Appends what stands before all records.
    fn open(&mut self, _out: &mut Vec<u8>) {}

    /// Called before each file.
    fn begin(&mut self) {}

    /// Appends the record of a finding.
    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow;

    /// Called after the last of so many findings of a file.
    fn finish(&mut self, _input: &Input, hits: u64, _out: &mut Vec<u8>) -> ExitMatch {
        ExitMatch::of(hits)
    }

    /// Appends the record of an error, in formats that have one.
    fn problem(&mut self, _problem: &Problem, _out: &mut Vec<u8>) {}

    /// Appends the record of the whole run, in formats that have one.
    fn summary(&mut self, _summary: &Summary, _out: &mut Vec<u8>) {}
}

/// What is printed, and how.
#[derive(Clone, Debug)]
pub enum Mode {
    /// A line a match.
    Text(Text),
    /// JSON Lines.
    Json(Json),
    /// A table.
    Csv(Csv),
    /// A line a match, by a template.
    Template(Templated),
    /// A SARIF log.
    Sarif(Sarif),
    /// A number a file.
    Count(Count),
    /// A path a file.
    Paths(Paths),
    /// The most frequent URIs.
    Top(Top),
    /// Of the matches of another mode, each URI once.
    Unique(Box<Mode>, Register),
    /// Another mode, and how many different URIs there are.
    Counting(Box<Mode>, Distinct),
    /// Another mode, without secrets.
    Redacted(Box<Mode>),
    /// Nothing.
    Quiet,
}

impl Mode {
    /// A printer for one thread.
    pub fn printer(&self) -> Box<dyn Printer> {
        match self {
            Self::Text(text) => Box::new(text.clone()),
            Self::Json(json) => Box::new(json.clone()),
            Self::Csv(csv) => Box::new(csv.clone()),
            Self::Template(templated) => Box::new(templated.clone()),
            Self::Sarif(sarif) => Box::new(sarif.clone()),
            Self::Count(count) => Box::new(count.clone()),
            Self::Paths(paths) => Box::new(paths.clone()),
            Self::Top(top) => Box::new(top.clone()),
            Self::Unique(mode, register) => Box::new(register.printer(mode.printer())),
            Self::Counting(mode, distinct) => Box::new(distinct.printer(mode.printer())),
            Self::Redacted(mode) => Box::new(Redacting::new(mode.printer())),
            Self::Quiet => Box::new(Quiet),
        }
    }

    /// How many different URIs were printed, in modes that count them.
    pub fn unique(&self) -> Option<u64> {
        match self {
            Self::Top(top) => Some(top.len()),
            Self::Unique(_, register) => Some(register.len()),
            Self::Counting(_, distinct) => Some(distinct.len()),
            Self::Redacted(mode) => mode.unique(),
            Self::Text(_)
            | Self::Json(_)
            | Self::Csv(_)
            | Self::Template(_)
            | Self::Sarif(_)
            | Self::Count(_)
            | Self::Paths(_)
            | Self::Quiet => None,
        }
    }

    /// True when the numbers of the run are part of the format.
    pub fn has_numbers(&self) -> bool {
        match self {
            Self::Json(_) | Self::Sarif(_) => true,
            Self::Unique(mode, _) | Self::Counting(mode, _) | Self::Redacted(mode) => {
                mode.has_numbers()
            }
            _ => false,
        }
    }
}
