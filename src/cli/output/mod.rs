//! Output formats: one per file.
//!
//! A printer makes records in memory. It never reads files and never writes to one.

mod context;
mod count;
mod csv;
mod defanging;
mod distinct;
mod explain;
mod fields;
mod headroom;
mod json;
mod page;
mod path;
mod paths;
mod redacting;
mod sarif;
mod sketch;
mod stage;
mod stats;
mod tally;
pub mod template;
mod text;
mod unique;

use std::borrow::Cow;
use std::time::Duration;

pub use context::{Context, ContextOptions, has_line};
pub use count::{Count, CountOptions};
pub use csv::CsvOutput;
pub use distinct::Distinct;
#[cfg(feature = "lsp")]
pub use explain::shown as step_text;
pub use fields::{field_named, unknown_field};
pub use headroom::Headroom;
pub use json::{JsonEnding, JsonOutput};
pub use page::{PageReport, PrinterBehind};
pub use path::{Colors, LINE, LinkStyle, PATH, PathStyle};
pub use paths::{ListedFiles, PathList, Paths, UnreadFiles};
pub use sarif::Sarif;
pub use stats::{grouped, stats};
pub use tally::{Counted, Tally, TallyFormat, TallyOf, TallyOptions};
pub use template::{Template, Templated};
pub use text::{Layout, LineField, PathPlace, Text, TextOptions, UriForm, UriSpelling};
pub use unique::{Register, UriRecord};
pub use urigrep::internal::output::table::TableFormat;

use defanging::Defanging;
use redacting::Redacting;
use sketch::DistinctCount;
use stage::Staged;
use urigrep::finder::Certainty;
use urigrep::internal::output::report::Report;
use urigrep::reference::Normalizer;
use urigrep::search::{
    ContextLine, Flow, Hit, Input, Level, Needs, Positions, RedactedNames, Stats,
};

fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn number(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Says whether a file is written now or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Now,
    Later,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitMatch {
    Match,
    NoMatch,
}

impl ExitMatch {
    fn from_hits(hits: u64) -> Self {
        if hits > 0 { Self::Match } else { Self::NoMatch }
    }

    /// `Match` if either is.
    pub fn or(self, other: Self) -> Self {
        if self == Self::Match { self } else { other }
    }
}

#[derive(Clone, Debug)]
pub struct Levels<T> {
    pub file: T,
    pub member: T,
}

impl<T> Levels<T> {
    pub fn at(&self, level: Level) -> &T {
        match level {
            Level::File => &self.file,
            Level::Member => &self.member,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub stats: Stats,
    /// Number of different URIs among the matches, in modes that count them.
    pub unique: Option<DistinctCount>,
    pub errors: u64,
    pub elapsed: Duration,
}

/// Returns the needs of a printer that prints neither positions nor flags.
fn few_needs() -> Needs {
    Needs::new().positions(Positions::Ignored).certainty(Certainty::Span)
}

/// Prints the hits of a search.
pub trait Printer: Report<Summary> {
    /// By default, a printer needs no positions, and no flag that depends on the next line.
    fn needs(&self, _level: Level) -> Needs {
        few_needs()
    }

    /// Called before each file, whose records are written now or later.
    fn begin_file(&mut self, _turn: Turn) {}

    /// Returns the records of a file that is written later, if some of them may be dropped then.
    fn take_records(&mut self) -> Vec<UriRecord> {
        Vec::new()
    }

    fn begin(&mut self) {}

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow;

    /// Returns a printer that makes the same records of all further findings of this file. Returns
    /// `None` if records depend on more than the finding.
    fn fork(&self) -> Option<Box<dyn Printer>> {
        None
    }

    /// Appends a line, if lines are needed.
    fn line(&mut self, _line: &ContextLine<'_>, _out: &mut Vec<u8>) {}

    /// Called for a file that was not searched, and why.
    fn left_out(&mut self, _input: &Input, _reason: &str, _out: &mut Vec<u8>) -> ExitMatch {
        ExitMatch::NoMatch
    }

    /// Called after the last of `hits` findings of a file.
    fn finish(&mut self, _input: &Input, hits: u64, _out: &mut Vec<u8>) -> ExitMatch {
        ExitMatch::from_hits(hits)
    }
}

#[derive(Clone, Debug)]
pub enum Mode {
    Text(Text),
    Context(Context),
    Json(JsonOutput),
    Csv(CsvOutput),
    Template(Templated),
    Sarif(Sarif),
    Count(Count),
    Paths(Paths),
    Unread(UnreadFiles),
    Tally(Tally),
    /// Another mode that gets each URI once.
    Unique(Box<Mode>, Register),
    /// Another mode, with a count of different URIs.
    Counting(Box<Mode>, Distinct),
    /// Another mode, with a page beside it.
    Paged(Box<Mode>, PageReport),
    /// Another mode with unclickable texts.
    Defanged(Box<Mode>, Normalizer),
    /// Another mode without secrets.
    Redacted(Box<Mode>, RedactedNames),
    Quiet,
}

impl Mode {
    pub fn printer(&self) -> Box<dyn Printer> {
        match self {
            Self::Text(text) => Box::new(text.clone()),
            Self::Context(context) => Box::new(context.clone()),
            Self::Json(json) => Box::new(json.clone()),
            Self::Csv(csv) => Box::new(csv.clone()),
            Self::Template(templated) => Box::new(templated.clone()),
            Self::Sarif(sarif) => Box::new(sarif.clone()),
            Self::Count(count) => Box::new(count.clone()),
            Self::Paths(paths) => Box::new(paths.clone()),
            Self::Unread(files) => Box::new(files.clone()),
            Self::Tally(tally) => Box::new(tally.clone()),
            Self::Unique(mode, register) => {
                Box::new(Staged { stage: register.stage(), inner: mode.printer() })
            }
            Self::Counting(mode, distinct) => {
                Box::new(Staged { stage: distinct.stage(), inner: mode.printer() })
            }
            Self::Paged(mode, page) => {
                let behind = match **mode {
                    // These stop at the first hit, but the page beside them counts all hits.
                    Self::Quiet | Self::Paths(_) => PrinterBehind::StopsEarly,
                    _ => PrinterBehind::TakesAll,
                };
                Box::new(Staged { stage: page.stage(behind), inner: mode.printer() })
            }
            Self::Defanged(mode, normalizer) => {
                Box::new(Staged { stage: Defanging(*normalizer), inner: mode.printer() })
            }
            Self::Redacted(mode, names) => {
                Box::new(Staged { stage: Redacting(*names), inner: mode.printer() })
            }
            Self::Quiet => Box::new(Quiet),
        }
    }

    /// The number of different printed URIs, in modes that count them.
    pub fn unique(&self) -> Option<DistinctCount> {
        match self {
            Self::Tally(tally) => tally.unique().map(DistinctCount::Exact),
            Self::Unique(_, register) => Some(DistinctCount::Exact(register.len())),
            Self::Counting(_, distinct) => Some(distinct.count()),
            Self::Redacted(mode, _) | Self::Defanged(mode, _) | Self::Paged(mode, _) => {
                mode.unique()
            }
            _ => None,
        }
    }

    /// The printed URIs, if each is printed once, with the separator of two records.
    pub fn register(&self) -> Option<(&Register, &'static [u8])> {
        match self {
            Self::Unique(mode, register) => Some((register, mode.printer().separator())),
            Self::Redacted(mode, _) | Self::Defanged(mode, _) | Self::Paged(mode, _) => {
                mode.register()
            }
            _ => None,
        }
    }

    /// True if nothing is printed.
    pub fn is_quiet(&self) -> bool {
        match self {
            Self::Quiet => true,
            Self::Redacted(mode, _) | Self::Defanged(mode, _) | Self::Paged(mode, _) => {
                mode.is_quiet()
            }
            _ => false,
        }
    }

    /// True if there was not enough memory for the output that is printed at the end.
    pub fn is_incomplete(&self) -> bool {
        match self {
            Self::Tally(tally) => tally.is_incomplete(),
            Self::Unique(_, register) => register.is_incomplete(),
            Self::Redacted(mode, _) | Self::Defanged(mode, _) | Self::Paged(mode, _) => {
                mode.is_incomplete()
            }
            _ => false,
        }
    }

    /// True if the format includes the counts of the run.
    pub fn has_numbers(&self) -> bool {
        match self {
            Self::Json(_) | Self::Sarif(_) => true,
            Self::Tally(tally) => tally.has_numbers(),
            Self::Count(count) => count.is_for_programs(),
            Self::Paths(paths) => paths.list.format != TallyFormat::Text,
            Self::Unique(mode, _)
            | Self::Counting(mode, _)
            | Self::Paged(mode, _)
            | Self::Redacted(mode, _)
            | Self::Defanged(mode, _) => mode.has_numbers(),
            _ => false,
        }
    }
}

/// `--quiet`: prints nothing, and stops at the first match.
struct Quiet;

impl Report<Summary> for Quiet {}

impl Printer for Quiet {
    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopAll
    }
}
