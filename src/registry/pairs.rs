//! Pairs of strings, found by the first, as one string: of a table of pointers to thousands of them every
//! page would be written to whenever a program starts that holds it.

/// The pairs, sorted by their names.
pub(super) struct Pairs<const BYTES: usize, const COUNT: usize> {
    bytes: [u8; BYTES],
    /// Where each name ends, and what follows it.
    ends: [[u16; 2]; COUNT],
}

/// How many bytes all of them have.
pub(super) const fn length(pairs: &[(&str, &str)]) -> usize {
    let (mut length, mut at) = (0, 0);
    while at < pairs.len() {
        length += pairs[at].0.len() + pairs[at].1.len();
        at += 1;
    }
    length
}

impl<const BYTES: usize, const COUNT: usize> Pairs<BYTES, COUNT> {
    /// The pairs of a list, for use in a `static`: it fails to compile when they are too many.
    pub(super) const fn new(list: &[(&str, &str)]) -> Self {
        assert!(BYTES == length(list) && COUNT == list.len() && BYTES <= u16::MAX as usize);
        let (mut bytes, mut ends) = ([0; BYTES], [[0; 2]; COUNT]);
        let (mut end, mut at) = (0, 0);
        while at < COUNT {
            let pair = [list[at].0.as_bytes(), list[at].1.as_bytes()];
            let mut half = 0;
            while half < pair.len() {
                let mut from = 0;
                while from < pair[half].len() {
                    bytes[end] = pair[half][from];
                    (end, from) = (end + 1, from + 1);
                }
                ends[at][half] = end as u16;
                half += 1;
            }
            at += 1;
        }
        Self { bytes, ends }
    }

    /// What stands with this name.
    pub(super) fn get(&self, name: &[u8]) -> Option<&str> {
        let (mut low, mut high) = (0, COUNT);
        while low < high {
            let middle = low.midpoint(high);
            let (known, other) = self.pair(middle)?;
            match known.cmp(name) {
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
                core::cmp::Ordering::Equal => return core::str::from_utf8(other).ok(),
            }
        }
        None
    }

    fn pair(&self, at: usize) -> Option<(&[u8], &[u8])> {
        let before = at.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.map_or(0, |[_, end]| *end).into();
        let [name, other] = self.ends.get(at)?.map(usize::from);
        Some((self.bytes.get(start..name)?, self.bytes.get(name..other)?))
    }
}
