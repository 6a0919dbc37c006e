//! `--quiet`: nothing, and no more than one match.

use urigrep::search::{Flow, Hit};

use super::Printer;

/// Prints nothing.
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl Printer for Quiet {
    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopAll
    }
}
