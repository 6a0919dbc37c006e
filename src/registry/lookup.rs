//! Constant-time, case-insensitive lookup of a name in a generated list.
//!
//! In WebAssembly there are no slots, because they would add to the size of a page and don't
//! compress: the list itself is searched, which takes longer.
//!
//! An open-addressing table over the indexes of the list, built at compile time. A slot holds an
//! index and 16 bits of the name's hash, so a name that is not listed is almost always rejected
//! without reading the list. Invariants, checked at compile time: at most half of the slots are
//! used, no name is longer than [`MAX_NAME`] bytes, and none needs more than [`MAX_PROBES`] probes.

use super::list;

/// The longest name in a list, in bytes; nothing longer is ever hashed (D1.1).
pub(super) const MAX_NAME: usize = 64;

/// The most probes for a listed name.
const MAX_PROBES: usize = 16;

/// A slot is `tag << 16 | index + 1`.
const EMPTY: u32 = 0;

/// The names of a list, and the slots to find them.
pub(crate) struct NameLookup<const SLOTS: usize> {
    names: &'static [&'static str],
    slots: [u32; SLOTS],
    longest: usize,
    probes: usize,
}

/// Returns the number of slots for a list of `len` names.
pub(crate) const fn slots(len: usize) -> usize {
    // A power of two, so that `slot_at` masks instead of dividing.
    if cfg!(target_family = "wasm") { 0 } else { (2 * len).next_power_of_two() }
}

impl<const SLOTS: usize> NameLookup<SLOTS> {
    /// Builds the table for `names`, for use in a `static`. Compilation fails if an invariant is
    /// broken.
    pub(crate) const fn new(names: &'static [&'static str]) -> Self {
        assert!(SLOTS == 0 || SLOTS == slots(names.len()));
        // An index plus one must fit into the low 16 bits of a slot.
        assert!(names.len() < u16::MAX as usize);
        let mut table = Self { names, slots: [EMPTY; SLOTS], longest: 0, probes: 0 };
        let mut index = 0;
        while index < names.len() {
            let name = names[index].as_bytes();
            assert!(name.len() <= MAX_NAME);
            if name.len() > table.longest {
                table.longest = name.len();
            }
            let probes = put(&mut table.slots, hash(name), index as u32 + 1);
            if probes > table.probes {
                table.probes = probes;
            }
            index += 1;
        }
        table
    }

    /// Returns the index of `name` in the list, ignoring ASCII case.
    #[inline]
    pub(crate) fn find(&self, name: &[u8]) -> Option<usize> {
        // Nothing longer than the longest name is hashed, however long it is (D1.1).
        if name.len() > self.longest {
            return None;
        }
        if SLOTS == 0 {
            return self
                .names
                .iter()
                .position(|listed| listed.as_bytes().eq_ignore_ascii_case(name));
        }
        let hash = hash(name);
        // No listed name needs more probes than the build counted.
        for step in 0..self.probes {
            let slot = self.slots[slot_at::<SLOTS>(hash, step)];
            if slot == EMPTY {
                return None;
            }
            // Slots store the index plus one, so that 0 means empty.
            let index = (slot as u16 - 1) as usize;
            if slot >> 16 == tag(hash) && self.names[index].as_bytes().eq_ignore_ascii_case(name) {
                return Some(index);
            }
        }
        None
    }
}

/// Writes words as the text of a [`ListLookup`].
macro_rules! words {
    ($($word:literal),* $(,)?) => { concat!($($word, "\n"),*) };
}
pub(crate) use words;

/// Like [`NameLookup`], for the records of a list in `data/` and for [`words`]: a slot holds the
/// offset of a name in the text of the list. This avoids a table of pointers to thousands of names,
/// which even compressed is a third as large as the text of short names.
pub(crate) struct ListLookup<const SLOTS: usize> {
    /// Names in order, each before a line feed.
    names: &'static str,
    slots: [u32; SLOTS],
    probes: usize,
}

impl<const SLOTS: usize> ListLookup<SLOTS> {
    /// Builds the table for a text with a name per line, for use in a `static`. Compilation fails
    /// if an invariant is broken, or if the names are not sorted.
    pub(crate) const fn new(list: &'static str) -> Self {
        let names = list.as_bytes();
        // The same for an offset plus one.
        assert!(names.len() < u16::MAX as usize);
        let mut table = Self { names: list, slots: [EMPTY; SLOTS], probes: 0 };
        let (mut start, mut end, mut count) = (0, 0, 0);
        let mut last: &[u8] = &[];
        while end < names.len() {
            if names[end] != b'\n' {
                end += 1;
                continue;
            }
            let name = names.split_at(end).0.split_at(start).1;
            assert!(name.len() <= MAX_NAME);
            assert!(is_less(last, name));
            last = name;
            let probes = put(&mut table.slots, hash(name), start as u32 + 1);
            if probes > table.probes {
                table.probes = probes;
            }
            (start, end, count) = (end + 1, end + 1, count + 1);
        }
        assert!(start == names.len() && (SLOTS == 0 || SLOTS == slots(count)));
        table
    }

    /// True if `name` is in the list, ignoring ASCII case.
    #[inline]
    pub(crate) fn holds(&self, name: &[u8]) -> bool {
        if name.len() > MAX_NAME {
            return false;
        }
        if SLOTS == 0 {
            let mut lower = [0; MAX_NAME];
            let lower = &mut lower[..name.len()];
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            return list::find(self.names, lower).is_some();
        }
        let hash = hash(name);
        for step in 0..self.probes {
            let slot = self.slots[slot_at::<SLOTS>(hash, step)];
            if slot == EMPTY {
                return false;
            }
            // Slots store the offset plus one, so that 0 means empty.
            let start = (slot as u16 - 1) as usize;
            if slot >> 16 == tag(hash) && self.is_name_at(start, name) {
                return true;
            }
        }
        false
    }

    fn is_name_at(&self, start: usize, name: &[u8]) -> bool {
        let end = start + name.len();
        let names = self.names.as_bytes();
        let listed = names.get(start..end);
        listed.is_some_and(|listed| listed.eq_ignore_ascii_case(name))
            // A listed name may continue: `http` starts `https`.
            && names.get(end) == Some(&b'\n')
    }
}

/// True if one name is before another one in the order of bytes.
const fn is_less(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return one[at] < other[at];
        }
        at += 1;
    }
    one.len() < other.len()
}

/// Stores a value in the first free slot for its hash. Returns the number of probes that find it.
const fn put<const SLOTS: usize>(slots: &mut [u32; SLOTS], hash: u64, value: u32) -> usize {
    if SLOTS == 0 {
        return 0;
    }
    let mut step = 0;
    // Ends, because at most half of the slots are used.
    while slots[slot_at::<SLOTS>(hash, step)] != EMPTY {
        step += 1;
    }
    assert!(step < MAX_PROBES);
    slots[slot_at::<SLOTS>(hash, step)] = (tag(hash) << 16) | value;
    step + 1
}

/// Returns the slot to try at `step`.
const fn slot_at<const SLOTS: usize>(hash: u64, step: usize) -> usize {
    (hash as usize).wrapping_add(step) & (SLOTS - 1)
}

/// Returns the bits of the hash that a slot stores; [`slot_at`] uses other bits.
const fn tag(hash: u64) -> u32 {
    (hash >> 48) as u32
}

/// Hashes the length and the bytes with bit 0x20 set, eight at a time. That folds the case of ASCII
/// letters; it also merges some bytes that no name contains, which only costs a probe.
const fn hash(name: &[u8]) -> u64 {
    let mut rest = name;
    let mut hash = name.len() as u64;
    while let Some((word, tail)) = rest.split_first_chunk() {
        hash = mix(hash, u64::from_le_bytes(*word));
        rest = tail;
    }
    mix(hash, short_word(rest))
}

/// Returns up to seven bytes as one word. Together with the length, which is hashed too, it is
/// unambiguous.
const fn short_word(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            // The first and the last four bytes overlap. Together they cover every byte of a
            // 4-to-7-byte rest without a loop.
            (u32::from_le_bytes(*first) as u64) << 32 | u32::from_le_bytes(*last) as u64
        }
        _ => match *bytes {
            [a, b, c] => (a as u64) << 16 | (b as u64) << 8 | c as u64,
            [a, b] => (a as u64) << 8 | b as u64,
            [a] => a as u64,
            _ => 0,
        },
    }
}

const fn mix(hash: u64, word: u64) -> u64 {
    let folded = word | 0x2020_2020_2020_2020;
    // 2^64 divided by the golden ratio: an odd number whose multiples spread evenly (Fibonacci
    // hashing).
    let mixed = (hash ^ folded).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // A product mixes upwards only, but `slot_at` takes the low bits.
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::super::names::{NAMESPACE_NAMES, SCHEME_COUNT, SCHEME_NAMES, TLD_LIST, TLD_NAMES};
    use super::*;

    #[test]
    fn without_slots_the_answer_is_the_same() {
        static TLDS: ListLookup<{ slots(TLD_NAMES.len()) }> = ListLookup::new(TLD_LIST);
        static TLDS_ALONE: ListLookup<0> = ListLookup::new(TLD_LIST);
        static SCHEMES: ListLookup<{ slots(SCHEME_COUNT) }> = ListLookup::new(SCHEME_NAMES);
        static SCHEMES_ALONE: ListLookup<0> = ListLookup::new(SCHEME_NAMES);
        static SPACES: NameLookup<{ slots(NAMESPACE_NAMES.len()) }> =
            NameLookup::new(NAMESPACE_NAMES);
        static SPACES_ALONE: NameLookup<0> = NameLookup::new(NAMESPACE_NAMES);
        let names = SCHEME_NAMES.lines().chain(TLD_NAMES.iter().copied());
        for name in names.chain(NAMESPACE_NAMES.iter().copied()).chain(["", "-", "zzzz", "\n"]) {
            for name in [name.to_owned(), name.to_ascii_uppercase(), format!("{name}x")] {
                let name = name.as_bytes();
                assert_eq!(TLDS.holds(name), TLDS_ALONE.holds(name), "{name:?}");
                assert_eq!(SCHEMES.holds(name), SCHEMES_ALONE.holds(name), "{name:?}");
                assert_eq!(SPACES.find(name), SPACES_ALONE.find(name), "{name:?}");
            }
        }
    }
}
