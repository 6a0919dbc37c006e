//! Hash maps of the audit, which are consulted for every link and heading.
//!
//! This hasher is faster than the standard one. The standard hasher hides its seed even from an
//! attacker who sees many hashes, but an audit never shows one. The seed still differs in each run.

pub use foldhash::fast::RandomState;

pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type HashSet<K> = std::collections::HashSet<K, RandomState>;
