//! One sink for all threads, locked from the first hit of an input until it is finished.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::finder::Certainty;
use crate::search::{
    Flow, Forget, Hit, Input, InputKind, InputSink, Level, MemoryBudget, Outcome, Pace,
    PartNumbers, Positions, Problem, Sink, Sinks, SkippedPart,
};

pub(crate) struct LockedSinks<'s, S> {
    sink: Mutex<&'s mut S>,
    positions: [Positions; 2],
    part_numbers: PartNumbers,
    certainty: Certainty,
}

impl<'s, S: Sink> LockedSinks<'s, S> {
    pub fn new(sink: &'s mut S) -> Self {
        Self {
            positions: [Level::File, Level::Member].map(|level| sink.positions(level)),
            part_numbers: sink.part_numbers(),
            certainty: sink.certainty(),
            sink: Mutex::new(sink),
        }
    }

    fn lock(&self) -> MutexGuard<'_, &'s mut S> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'s, S: Sink + Send> Sinks for LockedSinks<'s, S> {
    type Thread = ();
    type Sink<'a>
        = LockedSink<'a, 's, S>
    where
        Self: 'a;
    /// Nothing is held: a borrowed hit can't wait for its turn.
    type Page = ();

    fn thread(&self) {}

    fn can_hold(&self) -> bool {
        false
    }

    fn sink<'a>(&'a self, _: &'a mut (), _: Pace<'a>) -> LockedSink<'a, 's, S> {
        LockedSink { sinks: self, guard: None, begun: None }
    }

    fn write_page(&self, (): (), _: &MemoryBudget) {}

    fn problem(&self, problem: &Problem) {
        self.lock().problem(problem);
    }
}

/// The sink of one input.
pub(crate) struct LockedSink<'a, 's, S> {
    sinks: &'a LockedSinks<'s, S>,
    guard: Option<MutexGuard<'a, &'s mut S>>,
    /// An input that the sink has not begun yet.
    begun: Option<Input>,
}

impl<S: Sink> LockedSink<'_, '_, S> {
    fn locked(&mut self) -> &mut S {
        let sink = self.guard.get_or_insert_with(|| self.sinks.lock());
        if let Some(input) = self.begun.take() {
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
        self.begun = Some(input.clone());
    }

    fn problem(&mut self, problem: &Problem) {
        self.locked().problem(problem);
    }

    fn skipped_part(&mut self, input: &Input, part: &SkippedPart<'_>) {
        self.locked().skipped_part(input, part);
    }

    fn settled(&mut self, at: u64) {
        if let Some(sink) = self.guard.as_deref_mut() {
            sink.settled(at);
        }
    }

    fn idle(&mut self, kind: InputKind) -> Flow {
        let sink = self.guard.as_deref_mut();
        sink.map_or(Flow::Continue, |sink| sink.idle(kind))
    }

    fn finish(&mut self, input: &Input, outcome: &Outcome) {
        self.locked().finish(input, outcome);
    }

    fn positions(&self, level: Level) -> Positions {
        self.sinks.positions[usize::from(level == Level::Member)]
    }

    fn part_numbers(&self) -> PartNumbers {
        self.sinks.part_numbers
    }

    fn certainty(&self) -> Certainty {
        self.sinks.certainty
    }

    fn forget(&mut self) -> Forget {
        match &mut self.guard {
            None => Forget::Done,
            Some(sink) => sink.forget(),
        }
    }
}

impl<S: Sink> InputSink for LockedSink<'_, '_, S> {
    type Page = ();

    fn close(self) {}

    fn discard(self) {}

    fn into_page(self) -> Option<()> {
        None
    }
}
