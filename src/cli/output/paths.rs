//! `--files-with-matches` and `--files-without-match`: a path a file.

use urigrep::search::{Flow, Hit, Input};

use super::{ExitMatch, PathStyle, Printer};

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
    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopInput
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        if (hits > 0) != (self.which == Which::With) {
            return ExitMatch::NoMatch;
        }
        self.style.linked_path(input, out);
        out.push(self.terminator);
        ExitMatch::Match
    }
}
