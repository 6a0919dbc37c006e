//! What searching one input has come to.

use std::io;

use crate::search::Stats;

/// What searching one input has come to.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The counts.
    pub stats: Stats,
    /// Hits and rejected candidates that the sink was given.
    pub given: u64,
    /// How it ended.
    pub end: End,
}

/// How the search of one input ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// All of it was searched.
    Complete,
    /// The sink wanted no more.
    Stopped,
    /// It is binary, and was not searched.
    Binary,
    /// It could not be read to its end; what had been read was searched.
    Failed(io::Error),
}
