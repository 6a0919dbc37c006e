//! JSON Lines: one object per line, `type` first, with an optional summary last.
use serde::Serialize;
use urigrep::Finder;
use urigrep::internal::output::json::{ProblemRecord, SummaryRecord, push, push_hit};
use urigrep::internal::output::report::Report;
use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, HitRecord, Labels, Level, Needs, PartNumbers, Problem};

use super::sketch::DistinctCount;
use super::{Printer, Summary};

#[derive(Clone, Debug)]
pub struct JsonOutput {
    normalizer: Normalizer,
    explaining: Option<Finder>,
    ending: JsonEnding,
}

/// The form of the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonEnding {
    /// A record like the others, so that a program need not handle another type.
    Record,
    /// The counts of the run.
    Summary,
}

impl JsonOutput {
    /// Creates the printer. With a finder, each finding includes its rules.
    pub fn new(normalizer: Normalizer, explaining: Option<Finder>, ending: JsonEnding) -> Self {
        Self { normalizer, explaining, ending }
    }
}

#[derive(Serialize)]
pub struct SearchCounts {
    files: u64,
    skipped: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped_parts: Option<u64>,
    bytes: u64,
    matches: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<u64>,
    /// True if that number is an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_is_about: Option<bool>,
    rejected: u64,
    errors: u64,
}

impl SearchCounts {
    pub fn new(summary: &Summary) -> Self {
        let stats = &summary.stats;
        Self {
            files: stats.files,
            skipped: stats.skipped,
            // Absent and not 0, like all members that most runs do not need.
            unread: Some(stats.unread).filter(|files| *files > 0),
            skipped_parts: Some(stats.skipped_parts.total()).filter(|parts| *parts > 0),
            bytes: stats.bytes,
            matches: stats.matches,
            unique: summary.unique.map(DistinctCount::number),
            unique_is_about: matches!(summary.unique, Some(DistinctCount::Estimated(_)))
                .then_some(true),
            rejected: stats.rejected,
            errors: summary.errors,
        }
    }
}

impl Report<Summary> for JsonOutput {
    fn problem(&self, problem: &Problem, out: &mut Vec<u8>) {
        push(&ProblemRecord::from(problem), out);
    }

    fn close(&self, summary: &Summary, out: &mut Vec<u8>) {
        if self.ending == JsonEnding::Summary {
            let counts = SearchCounts::new(summary);
            push(&SummaryRecord::new(counts, summary.elapsed), out);
        }
    }
}

impl Printer for JsonOutput {
    fn needs(&self, _: Level) -> Needs {
        Needs::new().part_numbers(PartNumbers::Listed).labels(Labels::All)
    }

    fn fork(&self) -> Option<Box<dyn Printer>> {
        Some(Box::new(self.clone()))
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let Some(finder) = &self.explaining else {
            push_hit(hit, &self.normalizer, out);
            // The steps need serde; without them, the faster writer is used.
            return Flow::Continue;
        };
        let normalized = hit.normalized(&self.normalizer);
        let known = normalized.as_deref().map(|normalized| hit.with_normalized(normalized));
        let hit = known.as_ref().unwrap_or(hit);
        push(&HitRecord::new(hit).explained(hit, finder), out);
        Flow::Continue
    }
}
