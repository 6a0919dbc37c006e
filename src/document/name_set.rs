//! A compact set of names: [`NameSet`].

use std::hash::BuildHasher as _;

use crate::hash::{HashMap, RandomState};
use crate::text_list::TextList;

/// A set of names stored in one text. A page may have hundreds of names, and most pages are queried
/// rarely, so one allocation per name would not pay.
#[derive(Debug, Default)]
pub(super) struct NameSet {
    names: TextList<()>,
    /// Index of the first name with each hash.
    by_hash: HashMap<u32, u32>,
    /// Names whose hash collides with an earlier one. With 10,000 names, one set in a hundred has
    /// any.
    others: Vec<u32>,
    hasher: RandomState,
}

impl NameSet {
    /// Reserves space for more names.
    pub fn reserve(&mut self, names: usize) {
        self.names.expect(names);
        self.by_hash.reserve(names);
    }

    pub fn insert(&mut self, name: &str) {
        // A set this large does not fit into memory.
        let Ok(index) = u32::try_from(self.names.len()) else { return };
        let first = *self.by_hash.entry(self.hash(name)).or_insert(index);
        if first != index {
            if self.is_one_of_hash(first, name) {
                return;
            }
            self.others.push(index);
        }
        self.names.push(name, ());
    }

    pub fn contains(&self, name: &str) -> bool {
        let first = self.by_hash.get(&self.hash(name));
        first.is_some_and(|&first| self.is_one_of_hash(first, name))
    }

    /// Returns half of the hash, to halve the memory of the map.
    fn hash(&self, name: &str) -> u32 {
        (self.hasher.hash_one(name) >> 32) as u32
    }

    /// True if `name` is the name at `first` or one of the colliding names.
    fn is_one_of_hash(&self, first: u32, name: &str) -> bool {
        let is = |index: u32| self.names.get(index as usize).is_some_and(|(it, ())| it == name);
        is(first) || self.others.iter().any(|&other| is(other))
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, ())| name)
    }
}

impl<S: AsRef<str>> Extend<S> for NameSet {
    fn extend<I: IntoIterator<Item = S>>(&mut self, names: I) {
        let names = names.into_iter();
        self.reserve(names.size_hint().0);
        names.for_each(|name| self.insert(name.as_ref()));
    }
}

impl<S: AsRef<str>> FromIterator<S> for NameSet {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut set = Self::default();
        set.extend(names);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_there_once() {
        let set: NameSet = ["a", "", "b", "a", "é", ""].iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), ["a", "", "b", "é"]);
        assert!(["a", "", "b", "é"].iter().all(|name| set.contains(name)) && !set.contains("c"));
    }

    #[test]
    fn names_of_one_hash_are_told_apart() {
        let mut set: NameSet = ["a", "b"].iter().collect();
        // Pretend that `c` has the hash of `a`.
        let hash = set.hash("c");
        set.by_hash.insert(hash, 0);
        assert!(!set.contains("c"));
        set.insert("c");
        set.insert("c");
        assert_eq!(set.iter().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert!(set.contains("c") && set.others == [2]);
    }
}
