//! Memory for what grows with the number of different URIs. Where the system limits it (`ulimit -v`), an allocation that
//! fails would end the process: so it is asked for before.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urigrep::search::is_memory_available;

/// So much stays free, for records.
const FREE: usize = 32 << 20;
/// It is asked for once for so many entries.
const EVERY: usize = 1 << 10;

/// Whether there was enough memory so far; clones know of each other.
#[derive(Clone, Debug, Default)]
pub struct Headroom(Arc<AtomicBool>);

impl Headroom {
    /// Whether there is room for one more, and for what is made of all in the end: a list, and so much output.
    pub fn has_room_for<K: Eq + Hash, V>(&self, map: &HashMap<K, V>, output: usize) -> bool {
        let is_full = map.len() == map.capacity();
        // A larger table is made while the smaller one is there.
        let times = if is_full { 4 } else { 1 };
        let room = FREE + output + times * map.len() * size_of::<(K, V)>();
        let is_asked = is_full || map.len().is_multiple_of(EVERY);
        let has_room = !is_asked || is_memory_available(room);
        self.0.fetch_or(!has_room, Ordering::Relaxed);
        has_room
    }

    /// Whether there is room for one more in a set.
    pub fn has_room_in_set<K: Eq + Hash, S: BuildHasher>(&self, set: &HashSet<K, S>) -> bool {
        let is_full = set.len() == set.capacity();
        if !is_full && !set.len().is_multiple_of(EVERY) {
            return true;
        }
        let times = if is_full { 4 } else { 1 };
        let has_room = is_memory_available(FREE + times * set.len() * size_of::<K>());
        self.0.fetch_or(!has_room, Ordering::Relaxed);
        has_room
    }

    pub fn is_used_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
