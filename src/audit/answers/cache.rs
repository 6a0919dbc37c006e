//! A bounded cache that several threads share: [`Cache`].

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::hash::HashMap;

/// Default bound of one cache in bytes. The tree decides which paths are cached, so a hostile tree
/// must not be able to fill the memory.
const MAX_CACHE_BYTES: usize = 32 << 20;

/// Bytes of an entry besides its value: the key without its text, the cell, and two counters.
const ENTRY_BYTES: usize = 96;

/// A map from keys to computed answers. A thread waits if another thread is computing the same
/// answer.
///
/// A full cache is cleared except for the newest answer: one that is larger than the cache would
/// otherwise be computed again for each link. Finding the least recently used entry takes a write
/// per read, which costs more than it saves: trees whose answers do not fit are rare.
#[derive(Debug)]
pub(in crate::audit) struct Cache<K, V> {
    kept: RwLock<CacheEntries<K, V>>,
    max_bytes: usize,
}

/// The answers; the first thread that needs one computes it.
#[derive(Debug)]
struct CacheEntries<K, V> {
    cells: HashMap<K, Arc<OnceLock<Arc<V>>>>,
    bytes: usize,
}

impl<K, V> Default for CacheEntries<K, V> {
    fn default() -> Self {
        Self { cells: HashMap::default(), bytes: 0 }
    }
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self::bounded(MAX_CACHE_BYTES)
    }
}

impl<K, V> Cache<K, V> {
    /// Returns a cache of at most this many bytes, or of two larger answers.
    pub fn bounded(max_bytes: usize) -> Self {
        Self { kept: RwLock::default(), max_bytes }
    }
}

impl<K: Hash + Eq, V> Cache<K, V> {
    /// Returns the answer for `key`. On a miss, `compute` returns it together with its size in
    /// bytes, key included.
    pub fn get<Q>(&self, key: &Q, compute: impl FnOnce() -> (V, usize)) -> Arc<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        // Fast path under the read lock: most lookups hit. A cell without a value is not an answer
        // yet: `get_or_init` below waits for the thread that computes it.
        let known = {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            let cell = kept.cells.get(key);
            if let Some(value) = cell.and_then(|cell| cell.get()) {
                return Arc::clone(value);
            }
            cell.cloned()
        };
        let lock = || self.kept.write().unwrap_or_else(PoisonError::into_inner);
        // The lock is released before the answer is computed: computing one answer may ask this
        // cache for others. The cell makes later threads wait.
        let cell = known.unwrap_or_else(|| lock().cells.entry(key.to_owned()).or_default().clone());
        let mut grown = None;
        let value = cell.get_or_init(|| {
            let (value, bytes) = compute();
            grown = Some(ENTRY_BYTES + bytes);
            Arc::new(value)
        });
        // Only the thread that computed the answer gets here, so each entry is counted once.
        // Threads that still hold a cell keep it alive when the cache is cleared.
        if let Some(grown) = grown {
            let mut kept = lock();
            // Two large answers fit, so that two sites whose documents alternate keep theirs.
            let grown = grown.min(self.max_bytes / 2);
            kept.bytes += grown;
            if kept.bytes > self.max_bytes {
                let newest = HashMap::from_iter([(key.to_owned(), cell.clone())]);
                *kept = CacheEntries { cells: newest, bytes: grown };
            }
        }
        value.clone()
    }

    /// Forgets the answer for `key`.
    // Its bytes stay counted until the cache is cleared, which is only the earlier for that.
    pub fn remove<Q: Hash + Eq + ?Sized>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.kept.write().unwrap_or_else(PoisonError::into_inner).cells.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn memory_is_bounded() {
        let cache: Cache<PathBuf, usize> = Cache::bounded(1 << 20);
        for at in 0..100 {
            let path = PathBuf::from(at.to_string());
            assert_eq!(*cache.get(path.as_path(), || (at, 1 << 17)), at);
        }
        assert!(cache.kept.read().unwrap().cells.len() <= 8);
    }

    /// 200,000 labels were collected again for each link.
    #[test]
    fn large_answers_are_computed_once() {
        let cache: Cache<PathBuf, usize> = Cache::bounded(1 << 10);
        let computed = std::cell::Cell::new(0);
        for at in 0..100 {
            let path = PathBuf::from(["a", "b"][at % 2]);
            cache.get(path.as_path(), || (computed.replace(computed.get() + 1), 1 << 20));
        }
        assert_eq!(computed.get(), 2);
        for at in 0..100 {
            cache.get(PathBuf::from(at.to_string()).as_path(), || (at, 1 << 20));
        }
        assert!(cache.kept.read().unwrap().cells.len() <= 2);
    }

    /// Values that own no memory still have keys that count.
    #[test]
    fn keys_count() {
        let cache: Cache<PathBuf, usize> = Cache::bounded(1 << 10);
        for at in 0..100 {
            cache.get(PathBuf::from(at.to_string()).as_path(), || (at, 0));
        }
        assert!(cache.kept.read().unwrap().cells.len() <= 1024 / ENTRY_BYTES);
    }
}
