//! The hash maps of an audit, which are asked for every link and heading.
//!
//! The hasher is faster than the standard one. That hides its seed even from those who see many hashes, and an audit shows
//! none; the seed is another in each run here, too.

pub use foldhash::fast::RandomState;

pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type HashSet<K> = std::collections::HashSet<K, RandomState>;
