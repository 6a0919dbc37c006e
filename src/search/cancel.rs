//! Cancels a search from another thread: [`CancelToken`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::search::{
    ContextLine, Flow, Hit, Input, InputKind, Level, Needs, ParallelSink, Problem, Recorder,
    SearchResult, Sink, SkippedPart,
};

/// Cancels the searches that were built with it, from any thread. Clones cancel together.
///
/// A cancelled search ends at its next read, even within a file. After that, its sink only receives
/// the end of the input.
///
/// ```
/// use urigrep::search::{CancelToken, Search};
/// let token = CancelToken::new();
/// let search = Search::builder().cancel(token.clone()).build()?;
/// token.cancel();
/// assert_eq!(search.paths(["."])?.count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels all searches with this token, also those that start later.
    pub fn cancel(&self) {
        // No other data goes with the flag, so its order among other memory accesses does not
        // matter.
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Stops a search between two reads, and hides errors that the stop causes.
pub(crate) struct CancellableSink<'s> {
    pub sink: &'s mut dyn ParallelSink,
    pub token: &'s CancelToken,
}

impl CancellableSink<'_> {
    fn unless_cancelled(&mut self, go_on: impl FnOnce(&mut dyn ParallelSink) -> Flow) -> Flow {
        if self.token.is_cancelled() { Flow::StopAll } else { go_on(self.sink) }
    }
}

impl Sink for CancellableSink<'_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.unless_cancelled(|sink| sink.hit(hit))
    }

    fn rejected(&mut self, hit: &Hit<'_>) -> Flow {
        self.unless_cancelled(|sink| sink.rejected(hit))
    }

    fn context(&mut self, line: &ContextLine<'_>) -> Flow {
        self.unless_cancelled(|sink| sink.context(line))
    }

    fn begin(&mut self, input: &Input) {
        self.sink.begin(input);
    }

    fn problem(&mut self, problem: &Problem) {
        // An archive that is not read to its end looks damaged.
        if !self.token.is_cancelled() {
            self.sink.problem(problem);
        }
    }

    fn idle(&mut self, kind: InputKind) -> Flow {
        self.unless_cancelled(|sink| sink.idle(kind))
    }

    fn finish(&mut self, input: &Input, result: &SearchResult) {
        // An input that was begun is finished even when cancelled: sinks write and count what they
        // have at its end.
        self.sink.finish(input, result);
    }

    fn needs(&self, level: Level) -> Needs {
        self.sink.needs(level)
    }
}

impl ParallelSink for CancellableSink<'_> {
    fn recorder(&self) -> Option<Box<dyn Recorder>> {
        self.sink.recorder()
    }

    fn records(&mut self, records: &[u8], hits: u64) -> Flow {
        self.unless_cancelled(|sink| sink.records(records, hits))
    }

    fn discard_pending(&mut self) -> bool {
        self.sink.discard_pending()
    }

    fn skipped_part(&mut self, input: &Input, part: &SkippedPart<'_>) {
        self.sink.skipped_part(input, part);
    }
}
