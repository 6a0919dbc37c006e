//! The result of searching one input.

use std::io;

use crate::search::{Flow, Stats};

/// The result of searching one input: a file, standard input, or a member of an archive.
#[derive(Debug)]
#[non_exhaustive]
pub struct SearchResult {
    /// The counts.
    pub stats: Stats,
    /// How many hits and rejected candidates the sink got.
    pub hits_sent: u64,
    /// How it ended.
    pub end: End,
    /// What the sink answered last.
    pub flow: Flow,
    /// The limits that were reached, each once.
    pub(crate) limits_reached: Vec<String>,
    /// The input needs much memory. It must be searched again from its start in the heavy lane.
    pub(crate) is_postponed: bool,
}

impl Default for SearchResult {
    /// The result of searching an empty input.
    fn default() -> Self {
        Self {
            stats: Stats::default(),
            hits_sent: 0,
            end: End::Complete,
            flow: Flow::Continue,
            limits_reached: Vec::new(),
            is_postponed: false,
        }
    }
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
    /// It could not be read to its end; what was read before the error was searched.
    Failed(io::Error),
}
