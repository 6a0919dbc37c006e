//! Work on all cores, with results in order: over the inputs of a tree, and over the chunks of one large file.

pub(crate) mod chunks;
pub(crate) mod mailbox;
pub(crate) mod message_events;
pub(crate) mod text;

use crate::ordered_pool::{PoolSize, Taker};

/// Chunks for each helper that are searched or wait for their turn.
const CHUNKS_AHEAD: usize = 3;
/// Chunks for which it is worth it to start a thread.
const CHUNKS_PER_THREAD: u64 = 8;

/// The pool for so many bytes of one input in chunks, with `threads` at most.
fn pool_for_chunks(threads: usize, bytes: u64, chunk: usize) -> PoolSize {
    let worth = usize::try_from(bytes / chunk as u64 / CHUNKS_PER_THREAD);
    PoolSize {
        helpers: threads.saturating_sub(1).min(worth.unwrap_or(usize::MAX)),
        ahead: CHUNKS_AHEAD,
        at_once: 1,
        taker: Taker::Shares,
    }
}
