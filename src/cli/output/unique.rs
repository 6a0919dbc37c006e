//! `--unique`: each URI once over the run, where it comes first.
//!
//! Which match of a URI is the first is known when all is searched, so its record waits until then.
//! Memory grows with the number of different URIs: each has its normal form and its record.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit};

use super::Printer;
use super::headroom::Headroom;
use super::stage::Stage;

/// Where a match is, in the order of `--sort path`: standard input, then paths, then the streams of an
/// archive, then offsets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    path: Option<Arc<Path>>,
    stream: u64,
    offset: u64,
}

#[derive(Debug)]
struct First {
    at: At,
    record: Vec<u8>,
}

/// By their [identities](Hit::identity), the first match of each URI.
type Firsts = HashMap<String, First>;

#[derive(Clone, Debug, Default)]
pub struct Register {
    normalizer: Normalizer,
    firsts: Arc<Mutex<Firsts>>,
    memory: Headroom,
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

    /// True when there was too little memory for all of them.
    pub fn is_incomplete(&self) -> bool {
        self.memory.is_used_up()
    }

    pub fn stage(&self) -> Unique {
        Unique { register: self.clone(), path: None, here: Firsts::new(), output: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Firsts> {
        self.firsts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Unique {
    register: Register,
    path: Option<Arc<Path>>,
    /// Those of this file, which all threads know when it ends.
    here: Firsts,
    /// The bytes of the records that were made.
    output: usize,
}

impl Stage for Unique {
    fn begin(&mut self) {
        self.path = None;
        self.here.clear();
    }

    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, _out: &mut Vec<u8>) -> Flow {
        let Some(identity) = hit.identity(&self.register.normalizer) else {
            return Flow::Continue;
        };
        // Matches of a file come in their order, so the first is the first.
        if self.here.contains_key(&*identity) {
            return Flow::Continue;
        }
        if self.path.is_none() {
            self.path = hit.input().path().map(Arc::from);
        }
        if !self.register.memory.has_room_for(&self.here, self.output) {
            return Flow::StopAll;
        }
        let at = At { path: self.path.clone(), stream: hit.input().index(), offset: hit.start() };
        let mut record = Vec::new();
        let flow = inner.hit(&hit.with_identity(&identity), &mut record);
        self.output += record.len();
        self.here.insert(identity.into_owned(), First { at, record });
        flow
    }

    fn finish(&mut self) {
        let mut firsts = self.register.lock();
        if firsts.is_empty() {
            *firsts = std::mem::take(&mut self.here);
        }
        for (uri, first) in self.here.drain() {
            if !self.register.memory.has_room_for(&firsts, self.output) {
                break;
            }
            match firsts.entry(uri) {
                Entry::Vacant(place) => drop(place.insert(first)),
                Entry::Occupied(mut other) if first.at < other.get().at => {
                    other.insert(first);
                }
                Entry::Occupied(_) => {}
            }
        }
    }

    /// Nothing is printed before the end.
    fn separator(&self, _inner: &dyn Printer) -> &'static [u8] {
        b""
    }

    fn summary(&mut self, inner: &dyn Printer, out: &mut Vec<u8>) {
        let mut firsts: Vec<First> = self.register.lock().drain().map(|(_, first)| first).collect();
        firsts.sort_unstable_by(|a, b| a.at.cmp(&b.at));
        // What grows by doubling would need more.
        out.reserve_exact(firsts.iter().map(|first| first.record.len() + 1).sum());
        for (index, first) in firsts.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(inner.separator());
            }
            out.extend_from_slice(&first.record);
        }
    }
}
