//! The result of searching one input.

use std::io;

use crate::search::{Flow, Stats};

/// The result of searching one input: a file, standard input, or a member of an archive.
#[derive(Debug)]
#[non_exhaustive]
pub struct SearchResult {
    /// The counts.
    pub stats: Stats,
    /// Number of hits and rejected candidates sent to the sink.
    pub hits_sent: u64,
    /// The way it ended.
    pub end: End,
    /// The last answer of the sink.
    pub flow: Flow,
    /// The limits that were reached, each listed once.
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

impl End {
    /// True if the input was recognized by its first bytes, and not searched.
    pub const fn is_left_out(&self) -> bool {
        matches!(self, Self::Binary | Self::Packed | Self::Unread(_))
    }
}

/// The way the search of one input ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// All of it was searched.
    Complete,
    /// The sink stopped it.
    Stopped,
    /// It is binary, and was not searched.
    Binary,
    /// It is an archive or a compressed file, and was not searched, because archives of a tree are
    /// not unpacked without [`Compressed::Unpacked`](crate::search::Compressed::Unpacked).
    Packed,
    /// It is a document or an archive in a format without a reader. The message says which, and
    /// what to do.
    Unread(String),
    /// Reading failed; everything read before the error was searched.
    Failed(io::Error),
}
