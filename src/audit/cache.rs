//! Answers that several threads ask for: [`Cache`].

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::hash::HashMap;

/// So much is kept, in the units of those who find it; then all of it is forgotten.
const MOST: usize = 4 << 20;

/// Answers that are kept; a thread that needs one that another is about to find waits for it.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    kept: RwLock<CacheEntries<K, V>>,
}

/// The answers, each found by the first thread that needs it, and their size.
type CacheEntries<K, V> = (HashMap<K, Arc<OnceLock<Arc<V>>>>, usize);

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self { kept: RwLock::new((HashMap::default(), 0)) }
    }
}

impl<K: Hash + Eq, V> Cache<K, V> {
    /// The answer for `key`, which `find` finds, with its size.
    pub fn get<Q>(&self, key: &Q, find: impl FnOnce() -> (V, usize)) -> Arc<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        let known = {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            let cell = kept.0.get(key);
            if let Some(value) = cell.and_then(|cell| cell.get()) {
                return Arc::clone(value);
            }
            cell.cloned()
        };
        let lock = || self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let cell = known.unwrap_or_else(|| lock().0.entry(key.to_owned()).or_default().clone());
        let mut grown = 0;
        let value = cell.get_or_init(|| {
            let (value, size) = find();
            grown = size;
            Arc::new(value)
        });
        if grown > 0 {
            let mut kept = lock();
            kept.1 += grown;
            if kept.1 > MOST {
                *kept = (HashMap::default(), 0);
            }
        }
        value.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn memory_is_bounded() {
        let memory: Cache<PathBuf, usize> = Cache::default();
        for at in 0..100 {
            let path = PathBuf::from(at.to_string());
            assert_eq!(*memory.get(path.as_path(), || (at, MOST / 10)), at);
        }
        assert!(memory.kept.read().unwrap().0.len() <= 10);
    }
}
