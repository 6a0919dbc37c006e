//! `--count`: the number of matches of each file.

use std::io::Write;

use urigrep::search::{Flow, Hit, Input};

use super::{ExitMatch, Levels, PathPlace, PathStyle, Printer};

/// Whether files without a match are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// They are.
    Shown,
    /// They are not.
    Hidden,
}

/// Prints numbers.
#[derive(Clone, Debug)]
pub struct Count {
    /// Where paths are printed.
    pub places: Levels<PathPlace>,
    /// How they look.
    pub style: PathStyle,
    /// What ends each.
    pub terminator: u8,
    /// Whether zeros are printed.
    pub zeros: Zeros,
}

impl Printer for Count {
    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::Continue
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        if hits > 0 || self.zeros == Zeros::Shown {
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
