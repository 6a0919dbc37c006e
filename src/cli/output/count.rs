//! `--count`: prints the number of matches per file, or with `--unique` of different URIs.
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;

use urigrep::internal::output::json::push;
use urigrep::internal::output::report::Report;
use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, Input};

use super::Summary;
use super::tally::{CountRecord, Counted, TallyFormat};
use super::{ExitMatch, Levels, PathPlace, PathStyle, Printer};

#[derive(Clone, Debug)]
pub struct CountOptions {
    pub places: Levels<PathPlace>,
    pub style: PathStyle,
    pub terminator: u8,
    /// True if files without a match are printed, too.
    pub include_zero: bool,
    pub counted: Counted,
    pub normalizer: Normalizer,
    pub format: TallyFormat,
}

#[derive(Clone, Debug)]
pub struct Count {
    options: CountOptions,
    hasher: RandomState,
    /// The hashes of the URIs of this file, if each counts once.
    uris: HashSet<u64>,
}

impl Count {
    /// True if nothing but counts is printed.
    pub fn is_for_programs(&self) -> bool {
        self.options.format != TallyFormat::Text
    }

    pub fn new(options: CountOptions) -> Self {
        Self { options, hasher: RandomState::new(), uris: HashSet::new() }
    }
}

impl Report<Summary> for Count {
    fn open(&self, out: &mut Vec<u8>) {
        if let TallyFormat::Table(table) = self.options.format {
            table.row(self.options.style.escaping, [&b"count"[..], b"file"], out);
        }
    }
}

impl Printer for Count {
    fn begin(&mut self) {
        self.uris.clear();
    }

    fn fork(&self) -> Option<Box<dyn Printer>> {
        // Two printers that each see half of a file would count a URI twice if both halves have it.
        let is_independent = self.options.counted == Counted::Matches;
        is_independent.then(|| Box::new(self.clone()) as Box<dyn Printer>)
    }

    fn hit(&mut self, hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        if self.options.counted == Counted::DistinctUris
            && let Some(identity) = hit.identity(&self.options.normalizer)
        {
            // A hash of 64 bits per URI instead of its text, because a file may have millions.
            // Among a million, two share a hash once in 37 million runs.
            self.uris.insert(self.hasher.hash_one(&*hit.unique_key(&identity)));
        }
        Flow::Continue
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        let CountOptions { places, style, terminator, include_zero, counted, format, .. } =
            &self.options;
        let count = match counted {
            Counted::Matches => hits,
            Counted::DistinctUris => self.uris.len() as u64,
        };
        if count == 0 && !include_zero {
            // `--include-zero` decides what is printed, not what the status says.
            return ExitMatch::from_hits(hits);
        }
        match format {
            TallyFormat::Text => {
                if *places.at(input.level()) != PathPlace::Nowhere {
                    style.linked_path(input, out);
                    out.push(*terminator);
                }
                // Writing to a vector does not fail.
                drop(writeln!(out, "{count}"));
            }
            TallyFormat::Table(table) => {
                let number = count.to_string();
                table.row(style.escaping, [number.as_bytes(), input.display_path()], out);
            }
            TallyFormat::Json => push(&CountRecord::new("file", input.display_path(), count), out),
        }
        ExitMatch::from_hits(hits)
    }
}
