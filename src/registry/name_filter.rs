//! A quick test that rejects most names that are not in a list, without a branch and without the
//! list.
//!
//! Two thirds of the dotted words in mail do not end in a top-level domain. Consulting
//! [`NameLookup`](super::lookup::Lookup) directly took 26 ns per word; with this filter before it,
//! 13 ns (`find_iter` with hosts, rows of 1,000 bytes).

/// One bit per hash of the first bytes of a name and its length.
pub(super) struct NameFilter([u64; Self::WORDS]);

impl NameFilter {
    /// 4 KiB: the 1,450 names set one in 23 bits.
    const BITS: u32 = 15;
    const WORDS: usize = (1 << Self::BITS) / u64::BITS as usize;

    pub const fn new(names: &[&str]) -> Self {
        let mut words = [0; Self::WORDS];
        let mut index = 0;
        while index < names.len() {
            let name = names[index].as_bytes();
            let mut start = 0;
            let mut at = 0;
            while at < name.len() && at < size_of::<u64>() {
                start |= (name[at] as u64) << (8 * at);
                at += 1;
            }
            let (word, bit) = place(start, name.len());
            words[word] |= 1 << bit;
            index += 1;
        }
        Self(words)
    }

    /// False if the first `length` bytes of `text` are not a name of the list, ignoring ASCII case.
    #[inline]
    pub fn may_hold(&self, text: &[u8], length: usize) -> bool {
        // A text of eight bytes or more is read as one word; only the last words of a text take the
        // loop.
        let start = match text.first_chunk() {
            Some(start) => u64::from_le_bytes(*start),
            None => text.iter().rev().fold(0, |start, &byte| start << 8 | u64::from(byte)),
        };
        self.may_hold_word(start, length)
    }

    /// Like [`may_hold`](Self::may_hold), for eight bytes, the first one in the lowest bits.
    #[inline]
    pub fn may_hold_word(&self, start: u64, length: usize) -> bool {
        let (word, bit) = place(start, length);
        // `&` and not `&&`: the test must not branch.
        (length > 0) & (self.0[word] >> bit & 1 != 0)
    }
}

/// Returns the word and the bit of a name that starts eight bytes, the first one in the lowest
/// bits.
#[inline]
const fn place(start: u64, length: usize) -> (usize, u32) {
    // The shift drops the bytes after the name, whatever they are.
    const FOLD: u64 = 0x2020_2020_2020_2020;
    let unused = if length < 8 { 64 - 8 * length as u32 } else { 0 };
    // An empty name has no place, but the shift must not overflow.
    let name = (start | FOLD) << (unused & 63);
    let hash = (name ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // The high bits of a product depend on all bits of the name; the low ones do not.
    let bit = hash >> (u64::BITS - NameFilter::BITS);
    ((bit / u64::BITS as u64) as usize, (bit % u64::BITS as u64) as u32)
}

#[cfg(test)]
mod tests {
    use super::super::names::TLD_NAMES;
    use super::*;

    #[test]
    fn listed_names_pass_and_few_others() {
        let filter = NameFilter::new(TLD_NAMES);
        for name in TLD_NAMES {
            let text = name.to_ascii_uppercase();
            assert!(filter.may_hold(text.as_bytes(), text.len()), "{name}");
            assert!(
                filter.may_hold((text.clone() + "/index.html").as_bytes(), text.len()),
                "{name}"
            );
        }
        let others = (0..1000u32).map(|n| format!("x{n}"));
        let passed = others.filter(|name| filter.may_hold(name.as_bytes(), name.len())).count();
        assert!(passed < 80, "{passed}");
        assert!(!filter.may_hold(b"", 0) && !filter.may_hold(b"html", 0));
    }
}
