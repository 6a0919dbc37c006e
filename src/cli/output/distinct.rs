//! Counts different URIs beside another printer, in bounded memory.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, Mutex, PoisonError};

use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit};

use super::Printer;
use super::sketch::{DistinctCount, Sketch};
use super::stage::OutputStage;

#[derive(Clone, Debug, Default)]
pub struct Distinct {
    normalizer: Normalizer,
    /// A fixed key makes the estimate the same in every run.
    hasher: BuildHasherDefault<DefaultHasher>,
    seen: Arc<Mutex<Sketch>>,
}

impl Distinct {
    /// Creates a counter. URIs are different if their forms by this normalizer are.
    pub fn new(normalizer: Normalizer) -> Self {
        Self { normalizer, ..Self::default() }
    }

    /// Returns the count over all finished files.
    pub fn count(&self) -> DistinctCount {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).count()
    }

    pub fn stage(&self) -> Counting {
        Counting { distinct: self.clone(), here: Sketch::default() }
    }
}

pub struct Counting {
    distinct: Distinct,
    /// The URIs of this file, which are merged into the shared sketch at its end.
    here: Sketch,
}

impl OutputStage for Counting {
    fn begin(&mut self) {
        self.here = Sketch::default();
    }

    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, out: &mut Vec<u8>) -> Flow {
        match hit.identity(&self.distinct.normalizer) {
            Some(identity) => {
                self.here.insert(self.distinct.hasher.hash_one(&*identity));
                inner.hit(&hit.with_identity(&identity), out)
            }
            None => inner.hit(hit, out),
        }
    }

    fn finish(&mut self) {
        let here = std::mem::take(&mut self.here);
        self.distinct.seen.lock().unwrap_or_else(PoisonError::into_inner).merge(here);
    }
}
