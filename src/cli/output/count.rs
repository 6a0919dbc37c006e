//! `--count`: the number of matches of each file.

use std::io::Write;

use urigrep::search::{Flow, Hit, Input};

use super::{ExitMatch, Levels, PathPlace, PathStyle, Printer};

#[derive(Clone, Debug)]
pub struct Count {
    pub places: Levels<PathPlace>,
    pub style: PathStyle,
    pub terminator: u8,
    /// Files without a match are printed too.
    pub include_zero: bool,
}

impl Printer for Count {
    fn fork(&self) -> Option<Box<dyn Printer>> {
        Some(Box::new(self.clone()))
    }

    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::Continue
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        if hits > 0 || self.include_zero {
            if *self.places.of(input.level()) != PathPlace::Nowhere {
                self.style.linked_path(input, out);
                out.push(self.terminator);
            }
            // Writing to a vector does not fail.
            drop(writeln!(out, "{hits}"));
        }
        ExitMatch::of(hits)
    }
}
