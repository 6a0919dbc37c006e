//! Remembers recent keys by hashes of 16 bytes, with bounded memory.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};

/// Minimum number of remembered keys; twice as many is the maximum. A table of 2^18 entries is full
/// at 7/8.
pub(crate) const REMEMBERED: usize = (1 << 18) / 8 * 7;

/// Remembers values by the hashes of their keys, in a new and an old generation. Among a billion
/// keys, two have the same hash once in 10^20 runs.
#[derive(Debug)]
pub(crate) struct Recent<V> {
    hashers: [RandomState; 2],
    new: HashMap<u128, V>,
    old: HashMap<u128, V>,
    most: usize,
    /// True once an entry was dropped.
    pub has_forgotten: bool,
}

impl<V> Default for Recent<V> {
    fn default() -> Self {
        Self {
            hashers: Default::default(),
            new: HashMap::new(),
            old: HashMap::new(),
            most: REMEMBERED,
            has_forgotten: false,
        }
    }
}

impl<V: Copy> Recent<V> {
    pub fn hash(&self, key: &impl Hash) -> u128 {
        let [high, low] = self.hashers.each_ref().map(|hasher| hasher.hash_one(key));
        u128::from(high) << 64 | u128::from(low)
    }

    /// Returns the value of the key with this hash, and moves it to the new generation.
    pub fn get(&mut self, hash: u128) -> Option<V> {
        if let Some(value) = self.new.get(&hash) {
            return Some(*value);
        }
        let value = self.old.remove(&hash)?;
        self.insert(hash, value);
        Some(value)
    }

    pub fn insert(&mut self, hash: u128, value: V) {
        if self.new.len() >= self.most {
            self.has_forgotten |= !self.old.is_empty();
            self.old = std::mem::take(&mut self.new);
        }
        // With too little memory the value is not stored, and the old generation is dropped. A URI
        // may then be reported again, which `has_forgotten` records.
        match self.new.try_reserve(1) {
            Ok(()) => drop(self.new.insert(hash, value)),
            Err(_) => {
                self.has_forgotten = true;
                self.old = HashMap::new();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays() {
        let mut recent = Recent { most: 10, ..Recent::default() };
        let always = recent.hash(&"always");
        recent.insert(always, 0_u32);
        for number in 1..200_u32 {
            let hash = recent.hash(&number);
            assert_eq!(recent.get(hash), None);
            recent.insert(hash, number);
            assert_eq!(recent.get(hash), Some(number));
            assert_eq!(recent.get(always), Some(0), "{number}");
            assert!(number >= 10 || !recent.has_forgotten, "{number}");
            let last = (number.saturating_sub(7).max(1)..number).map(|last| recent.hash(&last));
            let last: Vec<_> = last.collect();
            assert!(last.into_iter().all(|hash| recent.get(hash).is_some()), "{number}");
        }
        assert!(recent.has_forgotten);
    }
}
