//! Search in pairs of a name and a text: one string of `name~text` separated by spaces, sorted by name.
//! A table of pointers to thousands of strings would have to be relocated whenever a program starts.

use core::cmp::Ordering;

/// The text paired with `name`.
pub(super) fn find(pairs: &'static str, name: &[u8]) -> Option<&'static str> {
    let bytes = pairs.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low.midpoint(high);
        let space = bytes[low..middle].iter().rposition(|&b| b == b' ');
        let start = space.map_or(low, |space| low + space + 1);
        let end = bytes[middle..high]
            .iter()
            .position(|&b| b == b' ')
            .map_or(high, |space| middle + space);
        let (known, text) = pairs[start..end].split_once('~')?;
        match known.as_bytes().cmp(name) {
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start.saturating_sub(1),
            Ordering::Equal => return Some(text),
        }
    }
    None
}
