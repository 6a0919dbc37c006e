//! `--files-with-matches` and `--files-without-match`: a path a file.

use urigrep::search::{Flow, Hit, Input};

use super::{ExitMatch, PathStyle, Printer};

#[derive(Clone, Debug)]
pub struct Paths {
    /// Those of files with a match, else those of files without one.
    pub with_match: bool,
    pub style: PathStyle,
    pub terminator: u8,
}

impl Printer for Paths {
    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopInput
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        if (hits > 0) != self.with_match {
            return ExitMatch::NoMatch;
        }
        self.style.linked_path(input, out);
        out.push(self.terminator);
        ExitMatch::Match
    }
}
