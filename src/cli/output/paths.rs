//! `--files-with-matches` and `--files-without-match`: a path a file.

use super::{Ending, PathStyle, Printer};
use crate::cli::sink::{Flow, Hit};
use crate::cli::subject::Subject;

/// Which paths are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those of files with a match.
    With,
    /// Those of files without one.
    Without,
}

/// Prints paths.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Which ones.
    pub which: Which,
    /// How they look.
    pub style: PathStyle,
    /// What ends each.
    pub terminator: u8,
}

impl Printer for Paths {
    fn hit(&mut self, _subject: &Subject, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopInput
    }

    fn end(&mut self, subject: &Subject, hits: u64, out: &mut Vec<u8>) -> Ending {
        if (hits > 0) != (self.which == Which::With) {
            return Ending::NoMatch;
        }
        self.style.linked_path(subject, out);
        out.push(self.terminator);
        Ending::Match
    }
}
