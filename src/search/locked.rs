//! Shares one sink between all threads. An input locks it from its first hit until it is finished.

use std::sync::{Mutex, MutexGuard};

use crate::search::{
    ContextLine, Flow, Flush, Hit, Input, InputKind, InputSink, Level, MemoryBudget, Needs,
    ParallelSink, Problem, SearchResult, Sink, Sinks,
};
use crate::threads::lock;

pub(crate) struct LockedSinks<'s, S> {
    sink: Mutex<&'s mut S>,
    /// The needs for files, and for archive members.
    needs: [Needs; 2],
}

impl<'s, S: Sink> LockedSinks<'s, S> {
    pub fn new(sink: &'s mut S) -> Self {
        Self {
            needs: [Level::File, Level::Member].map(|level| sink.needs(level)),
            sink: Mutex::new(sink),
        }
    }

    fn lock(&self) -> MutexGuard<'_, &'s mut S> {
        lock(&self.sink)
    }
}

impl<'s, S: Sink + Send> Sinks for LockedSinks<'s, S> {
    type Thread = ();
    type Sink<'a>
        = LockedSink<'a, 's, S>
    where
        Self: 'a;
    /// A borrowed hit can't wait for its turn, so nothing is deferred.
    type Deferred = ();

    fn thread(&self) {}

    fn can_defer(&self) -> bool {
        false
    }

    fn sink<'a>(&'a self, _: &'a mut (), _: Flush<'a>) -> LockedSink<'a, 's, S> {
        LockedSink { sinks: self, guard: None, pending_begin: None }
    }

    fn write_deferred(&self, (): (), _: &MemoryBudget) {}

    fn problem(&self, problem: &Problem) {
        self.lock().problem(problem);
    }
}

/// The sink of one input.
pub(crate) struct LockedSink<'a, 's, S> {
    sinks: &'a LockedSinks<'s, S>,
    guard: Option<MutexGuard<'a, &'s mut S>>,
    /// An input whose `begin` the sink has not received yet.
    pending_begin: Option<Input>,
}

impl<S: Sink> LockedSink<'_, '_, S> {
    fn locked(&mut self) -> &mut S {
        // The lock is taken at the first result and kept until the input is finished, so that the
        // results of two inputs never mix. Until then, other threads search without waiting.
        let sink = self.guard.get_or_insert_with(|| self.sinks.lock());
        if let Some(input) = self.pending_begin.take() {
            sink.begin(&input);
        }
        sink
    }
}

impl<S: Sink> Sink for LockedSink<'_, '_, S> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.locked().hit(hit)
    }

    fn rejected(&mut self, hit: &Hit<'_>) -> Flow {
        self.locked().rejected(hit)
    }

    fn begin(&mut self, input: &Input) {
        // Calling `begin` here would take the lock before there is any result, and so for every
        // input without one.
        self.pending_begin = Some(input.clone());
    }

    fn problem(&mut self, problem: &Problem) {
        self.locked().problem(problem);
    }

    fn context(&mut self, line: &ContextLine<'_>) -> Flow {
        self.locked().context(line)
    }

    fn idle(&mut self, kind: InputKind) -> Flow {
        let sink = self.guard.as_deref_mut();
        // Without a result, the lock is not taken: waiting for it here would stop a search that may
        // have no results at all.
        sink.map_or(Flow::Continue, |sink| sink.idle(kind))
    }

    fn finish(&mut self, input: &Input, result: &SearchResult) {
        self.locked().finish(input, result);
    }

    fn needs(&self, level: Level) -> Needs {
        match level {
            Level::File => self.sinks.needs[0],
            Level::Member => self.sinks.needs[1],
        }
    }
}

impl<S: Sink> ParallelSink for LockedSink<'_, '_, S> {
    fn discard_pending(&mut self) -> bool {
        // Without the lock, the sink has seen nothing of this input.
        self.guard.is_none()
    }
}

impl<S: Sink> InputSink for LockedSink<'_, '_, S> {
    type Deferred = ();

    fn close(self) {}

    fn discard(self) {}

    fn into_deferred(self) -> Option<()> {
        None
    }
}
