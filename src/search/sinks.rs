//! Sinks for a search in several threads: one for each input, made in the thread that searches it.

use crate::search::{Input, MemoryBudget, ParallelSink, Problem};

/// When a sink writes its output.
#[derive(Clone, Copy, Debug)]
pub enum Flush<'b> {
    /// In blocks, and before each wait for more of a stream. No other thread writes.
    Eager,
    /// In large blocks, because other threads write, too.
    Blocks,
    /// Only when its turn comes. The memory of the output counts against the budget.
    Deferred(&'b MemoryBudget),
}

/// Makes sinks for the threads of a search.
pub trait Sinks: Sync {
    /// State that a thread keeps from one input to the next.
    type Thread: Send;
    /// The sink of one input: a file, or an archive with all its members.
    type Sink<'a>: InputSink<Deferred = Self::Deferred>
    where
        Self: 'a;
    /// The output of an input that waits for its turn.
    type Deferred: Send;

    /// Called once in each thread.
    fn thread(&self) -> Self::Thread;

    /// Makes a sink for the next input of a thread.
    fn sink<'a>(&'a self, thread: &'a mut Self::Thread, flush: Flush<'a>) -> Self::Sink<'a>;

    /// Writes the output of an input whose turn has come, and returns its memory to the budget.
    fn write_deferred(&self, output: Self::Deferred, budget: &MemoryBudget);

    /// Takes a problem that belongs to no input, such as an unreadable directory.
    fn problem(&self, problem: &Problem);

    /// Takes a special file, such as a socket, which is not searched.
    fn skipped(&self, _input: &Input) {}

    /// False if sinks can't defer output. Then ordered inputs are searched one by one.
    fn can_defer(&self) -> bool {
        true
    }

    /// True once no more output is wanted.
    fn is_closed(&self) -> bool {
        false
    }
}

/// The sink of one input.
pub trait InputSink: ParallelSink + Sized {
    /// The deferred output.
    type Deferred;

    /// Writes the remaining output.
    fn close(self);

    /// Drops all output, because the input is searched again from its start.
    fn discard(self);

    /// Returns the output of a sink with [`Flush::Deferred`]. Returns `None` if it is too large;
    /// the input must then be searched again when its turn comes.
    fn into_deferred(self) -> Option<Self::Deferred>;
}
