//! What was read of documents before it was their turn, so that each is parsed once: [`EarlyFacts`].

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::audit::Facts;

/// So many links are kept; what is read early after that is read again.
const MOST_LINKS: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct EarlyFacts(Mutex<(HashMap<PathBuf, Facts>, usize)>);

impl EarlyFacts {
    pub fn keep(&self, path: &Path, facts: Facts) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let size = size(&facts);
        if kept.1 + size <= MOST_LINKS {
            kept.1 += size;
            kept.0.insert(clean(path), facts);
        }
    }

    pub fn take(&self, path: &Path) -> Option<Facts> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let facts = kept.0.remove(&clean(path))?;
        kept.1 -= size(&facts);
        Some(facts)
    }
}

fn size(facts: &Facts) -> usize {
    facts.links().len() + facts.labels().len() + facts.names().len() + 16
}

/// Links name files without `.`, walks may not.
fn clean(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}
