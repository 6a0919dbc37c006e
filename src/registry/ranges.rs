//! Look-up of a code point in a sorted table of inclusive ranges.

use core::cmp::Ordering;

/// The value of the range that holds `c`; `table` is sorted, its ranges do not overlap.
pub(super) fn value<T: Copy>(table: &[(char, char, T)], c: char) -> Option<T> {
    let at = table.binary_search_by(|&(first, last, _)| {
        if last < c {
            Ordering::Less
        } else if first > c {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    });
    at.ok().map(|at| table[at].2)
}
