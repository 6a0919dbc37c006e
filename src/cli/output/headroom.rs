//! Checks memory before tables that grow with the number of different URIs. If the system limits
//! memory (`ulimit -v`), a failed allocation would end the process, so the check comes first.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urigrep::internal::is_memory_available;

/// Bytes that must stay free for records, for the final sort, and for the threads of the pool,
/// which may still take their buffers after the check.
const FREE: usize = 40 << 20;
/// Entries per check.
const EVERY: usize = 1 << 10;

/// Records whether memory has sufficed so far; clones share the state.
#[derive(Clone, Debug, Default)]
pub struct Headroom(Arc<AtomicBool>);

impl Headroom {
    /// True if there is room for one more entry, and for the final list with `output` bytes of
    /// output.
    pub fn has_room_for<K: Eq + Hash, V>(&self, map: &HashMap<K, V>, output: usize) -> bool {
        let is_full = map.len() == map.capacity();
        // A growing table is copied while the old one still exists.
        let times = if is_full { 4 } else { 1 };
        let room = FREE + output + times * map.len() * size_of::<(K, V)>();
        // A check allocates on trial, so it is made only now and then, and before each growth of
        // the table.
        let is_asked = is_full || map.len().is_multiple_of(EVERY);
        let has_room = !is_asked || is_memory_available(room);
        self.0.fetch_or(!has_room, Ordering::Relaxed);
        has_room
    }

    /// True if there is room for one more entry in a set.
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
