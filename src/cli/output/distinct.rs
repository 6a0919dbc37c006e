//! How many different URIs there are, counted beside another printer.
//!
//! What is held of each is a hash of 64 bits: memory grows with the number of different URIs, by 8
//! bytes and the room of a table. Among a million URIs two have the same hash once in 37 million
//! runs, and the count is then one too low.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, Input, Level, PartNumbers, Positions, Problem};

use super::{ExitMatch, Printer, Summary};

/// The URIs that all threads have seen.
#[derive(Clone, Debug, Default)]
pub struct Distinct {
    normalizer: Normalizer,
    hasher: RandomState,
    seen: Arc<Mutex<HashSet<u64>>>,
}

impl Distinct {
    /// URIs are different when what this makes of them is.
    pub fn new(normalizer: Normalizer) -> Self {
        Self { normalizer, ..Self::default() }
    }

    /// How many there were, of the files that are finished.
    pub fn len(&self) -> u64 {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// A printer for one thread that counts what `inner` prints.
    pub fn printer(&self, inner: Box<dyn Printer>) -> Counting {
        Counting { inner, distinct: self.clone(), here: HashSet::new() }
    }
}

/// Prints as another does, and counts.
pub struct Counting {
    inner: Box<dyn Printer>,
    distinct: Distinct,
    /// Those of this file; all threads are told when it ends.
    here: HashSet<u64>,
}

impl Printer for Counting {
    fn positions(&self, level: Level) -> Positions {
        self.inner.positions(level)
    }

    fn part_numbers(&self) -> PartNumbers {
        self.inner.part_numbers()
    }

    fn separator(&self) -> &'static [u8] {
        self.inner.separator()
    }

    fn open(&mut self, out: &mut Vec<u8>) {
        self.inner.open(out);
    }

    fn begin(&mut self) {
        self.here.clear();
        self.inner.begin();
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        if let Some(normal) = hit.normalized(&self.distinct.normalizer) {
            self.here.insert(self.distinct.hasher.hash_one(&*normal));
            self.inner.hit(&hit.with_normalized(&normal), out)
        } else {
            self.inner.hit(hit, out)
        }
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        self.distinct.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(self.here.drain());
        self.inner.finish(input, hits, out)
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        self.inner.problem(problem, out);
    }

    fn summary(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        self.inner.summary(summary, out);
    }
}
