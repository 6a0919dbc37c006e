//! JSON Lines: one object a line, `type` first, the summary last.

use serde::Serialize;
use urigrep::Finder;
use urigrep::search::{Flow, Hit, HitRecord, Level, PartNumbers, Positions, Problem};

use super::{Printer, Summary};
use crate::cli::json::{ProblemRecord, SummaryRecord, push};

/// Prints JSON Lines.
#[derive(Clone, Debug)]
pub struct Json {
    explaining: Option<Finder>,
}

impl Json {
    /// Prints with each finding the rules behind it, if there is a finder to ask.
    pub fn new(explaining: Option<Finder>) -> Self {
        Self { explaining }
    }
}

/// The numbers of a run.
#[derive(Serialize)]
pub struct SearchCounts {
    files: u64,
    skipped: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped_parts: Option<u64>,
    bytes: u64,
    matches: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<u64>,
    rejected: u64,
    errors: u64,
}

impl SearchCounts {
    /// The counts of a summary.
    pub fn new(summary: &Summary) -> Self {
        let stats = &summary.stats;
        Self {
            files: stats.files,
            skipped: stats.skipped,
            skipped_parts: Some(stats.skipped_parts.total()).filter(|parts| *parts > 0),
            bytes: stats.bytes,
            matches: stats.matches,
            unique: summary.unique,
            rejected: stats.rejected,
            errors: summary.errors,
        }
    }
}

impl Printer for Json {
    fn positions(&self, _: Level) -> Positions {
        Positions::Bytes
    }

    fn part_numbers(&self) -> PartNumbers {
        PartNumbers::Listed
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let record = HitRecord::new(hit);
        match &self.explaining {
            Some(finder) => push(&record.explained(hit, finder), out),
            None => push(&record, out),
        }
        Flow::Continue
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        push(&ProblemRecord::from(problem), out);
    }

    fn summary(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let counts = SearchCounts::new(summary);
        push(&SummaryRecord::new(counts, summary.elapsed), out);
    }
}
