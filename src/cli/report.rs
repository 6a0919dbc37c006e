//! What all output formats have, for a search and for an audit.

use urigrep::search::Problem;

/// A format of the output of a run. `S` is the summary of a run.
///
/// A report makes records in memory; it neither reads files nor writes to them.
pub trait Report<S>: Send {
    /// Appends what comes before all records.
    fn open(&self, _out: &mut Vec<u8>) {}

    /// What stands between two records.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Appends the record of an error, in formats that have one.
    fn problem(&self, _problem: &Problem, _out: &mut Vec<u8>) {}

    /// Appends the record of the whole run, in formats that have one.
    fn close(&self, _summary: &S, _out: &mut Vec<u8>) {}
}
