//! The common interface of all output formats, for a search and for an audit.

use crate::search::Problem;

/// An output format of a run with the summary `S`.
///
/// A report makes records in memory; it neither reads files nor writes to them.
pub trait Report<S>: Send {
    /// Appends the text before all records.
    fn open(&self, _out: &mut Vec<u8>) {}

    /// The separator of two records.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Appends the record of an error, in formats that have one.
    fn problem(&self, _problem: &Problem, _out: &mut Vec<u8>) {}

    /// Appends the record of the whole run, in formats that have one.
    fn close(&self, _summary: &S, _out: &mut Vec<u8>) {}
}
