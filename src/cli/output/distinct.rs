//! How many different URIs there are, counted beside another printer in bounded memory.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, Mutex, PoisonError};

use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit};

use super::Printer;
use super::sketch::{DistinctCount, Sketch};
use super::stage::Stage;

#[derive(Clone, Debug, Default)]
pub struct Distinct {
    normalizer: Normalizer,
    /// The same in every run, and so is the count.
    hasher: BuildHasherDefault<DefaultHasher>,
    seen: Arc<Mutex<Sketch>>,
}

impl Distinct {
    /// URIs are different when what this makes of them is.
    pub fn new(normalizer: Normalizer) -> Self {
        Self { normalizer, ..Self::default() }
    }

    /// How many there were, of the files that are finished.
    pub fn count(&self) -> DistinctCount {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).count()
    }

    pub fn stage(&self) -> Counting {
        Counting { distinct: self.clone(), here: Sketch::default() }
    }
}

pub struct Counting {
    distinct: Distinct,
    /// Those of this file, which all threads know when it ends.
    here: Sketch,
}

impl Stage for Counting {
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
