//! `--unique`: each URI once over the run, where it stands first.
//!
//! Which match of a URI is the first is known when all is searched, so its record waits until then.
//! Memory grows with the number of different URIs: each has its normal form and its record.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, Input, Level, PartNumbers, Positions, Problem};

use super::{ExitMatch, Printer, Summary};

/// Where a match stands, in the order of `--sort path`: standard input, then paths, then the streams of an
/// archive, then offsets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    path: Option<Arc<Path>>,
    stream: u64,
    offset: u64,
}

/// The first match of a URI that was seen.
#[derive(Debug)]
struct First {
    at: At,
    record: Vec<u8>,
}

/// By their normal forms, the first match of each URI.
type Firsts = HashMap<String, First>;

/// What all threads have seen.
#[derive(Clone, Debug, Default)]
pub struct Register {
    normalizer: Normalizer,
    firsts: Arc<Mutex<Firsts>>,
}

impl Register {
    /// URIs are the same when what this makes of them is.
    pub fn new(normalizer: Normalizer) -> Self {
        Self { normalizer, ..Self::default() }
    }

    /// How many different URIs there were, of the files that are finished.
    pub fn len(&self) -> u64 {
        self.lock().len() as u64
    }

    /// A printer for one thread, whose records are those of `inner`.
    pub fn printer(&self, inner: Box<dyn Printer>) -> Unique {
        Unique { inner, register: self.clone(), path: None, here: Firsts::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Firsts> {
        self.firsts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prints nothing before the end.
pub struct Unique {
    inner: Box<dyn Printer>,
    register: Register,
    path: Option<Arc<Path>>,
    /// Those of this file; all threads are told when it ends.
    here: Firsts,
}

impl Printer for Unique {
    fn positions(&self, level: Level) -> Positions {
        self.inner.positions(level)
    }

    fn part_numbers(&self) -> PartNumbers {
        self.inner.part_numbers()
    }

    fn open(&mut self, out: &mut Vec<u8>) {
        self.inner.open(out);
    }

    fn begin(&mut self) {
        self.path = None;
        self.here.clear();
        self.inner.begin();
    }

    fn hit(&mut self, hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        let Some(normal) = hit.normalized(&self.register.normalizer) else {
            return Flow::Continue;
        };
        // Matches of a file come in their order, so the first is the first.
        if self.here.contains_key(&*normal) {
            return Flow::Continue;
        }
        if self.path.is_none() {
            self.path = hit.input().path().map(Arc::from);
        }
        let at = At { path: self.path.clone(), stream: hit.input().index(), offset: hit.start() };
        let mut record = Vec::new();
        let flow = self.inner.hit(&hit.with_normalized(&normal), &mut record);
        self.here.insert(normal.into_owned(), First { at, record });
        flow
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        let mut firsts = self.register.lock();
        for (uri, first) in self.here.drain() {
            match firsts.entry(uri) {
                Entry::Vacant(place) => drop(place.insert(first)),
                Entry::Occupied(mut other) if first.at < other.get().at => {
                    other.insert(first);
                }
                Entry::Occupied(_) => {}
            }
        }
        drop(firsts);
        self.inner.finish(input, hits, out)
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        self.inner.problem(problem, out);
    }

    fn summary(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let mut firsts: Vec<First> = self.register.lock().drain().map(|(_, first)| first).collect();
        firsts.sort_unstable_by(|a, b| a.at.cmp(&b.at));
        for (index, first) in firsts.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(self.inner.separator());
            }
            out.extend_from_slice(&first.record);
        }
        self.inner.summary(summary, out);
    }
}
