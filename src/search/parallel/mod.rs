//! Work on all cores with results in order: over the inputs of a tree, and over the chunks of one
//! large file.

pub(crate) mod chunks;
pub(crate) mod mailbox;
pub(crate) mod message_events;
pub(crate) mod text;

use std::sync::Arc;

use rayon::ThreadPool;

use crate::ordered::{Consumer, OrderedOptions};
use crate::search::source::positioned::PositionedFile;
use crate::threads::Threads;

/// Chunks per helper that are searched or wait for their turn.
const CHUNKS_AHEAD: usize = 3;
/// Minimum number of chunks per thread; waking a thread does not pay for fewer.
const CHUNKS_PER_THREAD: u64 = 8;

/// One large input that several threads may read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitInput<'p> {
    pub threads: &'p Threads,
    pub file: &'p PositionedFile,
}

/// The threads that help with the chunks of an input.
struct ChunkHelpers {
    pool: Option<Arc<ThreadPool>>,
    count: usize,
}

impl ChunkHelpers {
    /// Returns as many helpers as `bytes` bytes in chunks justify.
    fn new(threads: &Threads, bytes: u64, chunk: usize) -> Self {
        let worth = usize::try_from(bytes / chunk as u64 / CHUNKS_PER_THREAD);
        // The calling thread works, too, and needs no helper.
        let count = threads.count.saturating_sub(1).min(worth.unwrap_or(usize::MAX));
        let pool = if count > 0 { threads.helpers() } else { None };
        Self { count: if pool.is_some() { count } else { 0 }, pool }
    }

    fn options(&self) -> OrderedOptions<'_> {
        OrderedOptions {
            pool: self.pool.as_deref(),
            helpers: self.count,
            ahead: CHUNKS_AHEAD,
            consumer: Consumer::Works,
        }
    }
}
