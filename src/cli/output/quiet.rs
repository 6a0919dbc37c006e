//! `--quiet`: nothing, and no more than one match.

use super::Printer;
use crate::cli::sink::{Flow, Hit};
use crate::cli::subject::Subject;

/// Prints nothing.
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl Printer for Quiet {
    fn hit(&mut self, _subject: &Subject, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopAll
    }
}
