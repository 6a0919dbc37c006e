//! Sorted tables of inclusive ranges of code points: parsed from text at compile time, searched at run time.

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

/// The number of ranges in `text`.
pub(super) const fn count(text: &str) -> usize {
    let (mut count, mut at) = (1, 0);
    while at < text.len() {
        count += (text.as_bytes()[at] == b' ') as usize;
        at += 1;
    }
    count
}

/// Parses ranges separated by spaces: `41-5a` or `aa`, in lower-case hexadecimal. A capital letter before a
/// range selects its value from `values`, for the ranges after it as well; the first value needs none.
pub(super) const fn parse<T: Copy, const COUNT: usize>(
    text: &str,
    values: &[(u8, T)],
) -> [(char, char, T); COUNT] {
    let mut table = [('\0', '\0', values[0].1); COUNT];
    let (mut value, mut first, mut code) = (values[0].1, None, 0);
    let (mut row, mut at) = (0, 0);
    while at <= text.len() {
        let byte = if at < text.len() { text.as_bytes()[at] } else { b' ' };
        match byte {
            b'0'..=b'9' => code = code * 16 + (byte - b'0') as u32,
            b'a'..=b'f' => code = code * 16 + (byte - b'a' + 10) as u32,
            b'-' => (first, code) = (char::from_u32(code), 0),
            b' ' => {
                let Some(last) = char::from_u32(code) else {
                    break;
                };
                let low = if let Some(first) = first { first } else { last };
                table[row] = (low, last, value);
                (row, first, code) = (row + 1, None, 0);
            }
            letter => value = value_of(letter, values),
        }
        at += 1;
    }
    assert!(row == COUNT, "each range has two code points");
    table
}

const fn value_of<T: Copy>(letter: u8, values: &[(u8, T)]) -> T {
    let mut at = 0;
    while values[at].0 != letter {
        at += 1;
    }
    values[at].1
}
