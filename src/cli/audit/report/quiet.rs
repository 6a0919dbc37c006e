//! Nothing: the exit status says it all.

use super::Report;
use crate::cli::audit::finding::Audited;

/// Reports nothing.
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl Report for Quiet {
    fn document(&self, _audited: &Audited<'_>, _out: &mut Vec<u8>) {}
}
