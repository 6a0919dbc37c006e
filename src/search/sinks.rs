//! Sinks for a search in several threads: one for each input, made in the thread that searches it.

use crate::search::{MemoryBudget, Problem, Sink};

/// When a sink is to write what it makes.
#[derive(Clone, Copy, Debug)]
pub enum Pace<'b> {
    /// In blocks, and before each wait for more of a stream: this is the only thread that writes.
    Prompt,
    /// In large blocks: other threads write, too.
    Shared,
    /// Not before its turn comes: it makes a page, whose memory counts in the budget.
    Held(&'b MemoryBudget),
}

/// Makes sinks for the threads of a search.
pub trait Sinks: Sync {
    /// What a thread keeps from one input to the next.
    type Thread: Send;
    /// The sink of one input: a file, or an archive with all its members.
    type Sink<'a>: InputSink<Page = Self::Page>
    where
        Self: 'a;
    /// What a sink that was held has made of its input.
    type Page: Send;

    /// Called once in each thread.
    fn thread(&self) -> Self::Thread;

    /// A sink for the next input of a thread.
    fn sink<'a>(&'a self, thread: &'a mut Self::Thread, pace: Pace<'a>) -> Self::Sink<'a>;

    /// Writes a page, whose turn has come, and gives its memory back.
    fn write_page(&self, page: Self::Page, budget: &MemoryBudget);

    /// Takes a problem of no input, such as a directory that can't be read.
    fn problem(&self, problem: &Problem);

    /// True when a sink can be held until its turn comes; else inputs are searched one by one where they are in order.
    fn can_hold(&self) -> bool {
        true
    }

    /// True when nothing more is wanted.
    fn is_closed(&self) -> bool {
        false
    }
}

/// The sink of one input.
pub trait InputSink: Sink + Sized {
    /// What it has made of the input when it was held.
    type Page;

    /// Writes the rest.
    fn close(self);

    /// Drops all that it was given, since the input is searched again from its start.
    fn discard(self);

    /// What a sink with [`Pace::Held`] has made; `None` when that is too much, so that the input is to be searched
    /// again when its turn comes.
    fn into_page(self) -> Option<Self::Page>;
}
