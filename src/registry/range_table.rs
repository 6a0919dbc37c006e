//! Ranges of code points, each with a word: tables that the compiler makes of the lists in `data/`.

#[cfg(any(test, not(target_family = "wasm")))]
use core::cmp::Ordering;

use super::list;

/// First and last code point, and the first four bytes of their property value.
pub(super) type CodePointRange = (char, char, Word);
pub(super) type Word = [u8; 4];

/// Returns the word of the range of a character in a list in `data/`.
macro_rules! word {
    ($file:literal, $c:expr) => {{
        const LIST: &str = $crate::registry::list::list!($file);
        const RANGES: [$crate::registry::range_table::CodePointRange;
            $crate::registry::list::count(LIST)] = $crate::registry::range_table::ranges(LIST);
        #[cfg(not(target_family = "wasm"))]
        {
            static TABLE: &[$crate::registry::range_table::CodePointRange] = &RANGES;
            $crate::registry::range_table::word_in(TABLE, $c)
        }
        #[cfg(target_family = "wasm")]
        {
            $crate::registry::packed_ranges::packed!(RANGES).word($c)
        }
    }};
}
pub(super) use word;

#[cfg(any(test, not(target_family = "wasm")))]
pub(super) fn word_in(table: &'static [CodePointRange], c: char) -> Option<&'static Word> {
    let at = table.binary_search_by(|&(first, last, _)| {
        if last < c {
            Ordering::Less
        } else if first > c {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    });
    at.ok().map(|at| &table[at].2)
}

/// Parses records `41-5a Word` or `aa` into ranges. Compilation fails if they are not in order.
pub(super) const fn ranges<const COUNT: usize>(list: &str) -> [CodePointRange; COUNT] {
    let (table, mut row) = (records(list), 0);
    while row < COUNT {
        assert!(table[row].0 <= table[row].1);
        // `word_in` halves the table.
        assert!(row == 0 || table[row - 1].1 < table[row].0);
        row += 1;
    }
    table
}

pub(super) const fn records<const COUNT: usize>(list: &str) -> [CodePointRange; COUNT] {
    let mut table = [('\0', '\0', [0; 4]); COUNT];
    let (mut row, mut rest) = (0, list);
    while row < COUNT {
        let (record, after) = list::split(rest, b'\n');
        let (range, text) = list::split(record, b' ');
        let (first, last) = list::split(range, b'-');
        let word = match text.as_bytes().first_chunk() {
            Some(word) => *word,
            None => [0; 4],
        };
        table[row] =
            (code_point(first), code_point(if last.is_empty() { first } else { last }), word);
        (row, rest) = (row + 1, after);
    }
    table
}

/// Returns the character of a hexadecimal code point.
pub(super) const fn code_point(digits: &str) -> char {
    match u32::from_str_radix(digits, 16) {
        Ok(code) => match char::from_u32(code) {
            Some(c) => c,
            None => char::REPLACEMENT_CHARACTER,
        },
        Err(_) => char::REPLACEMENT_CHARACTER,
    }
}

/// Like [`word_in`], for a Latin-1 character, at compile time.
pub(super) const fn word_of_byte(table: &[CodePointRange], byte: u8) -> Option<&Word> {
    let mut row = 0;
    // A binary search takes a closure, which a `const fn` cannot call. The first rows are ASCII,
    // and this runs at compile time only.
    while row < table.len() && table[row].1 < byte as char {
        row += 1;
    }
    if row < table.len() && table[row].0 <= byte as char { Some(&table[row].2) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_reads_the_table_as_the_program_does() {
        const RANGES: [CodePointRange; 3] =
            [('\0', '\0', *b"Soft"), ('a', 'c', *b"Incl"), ('x', 'é', *b"Open")];
        static TABLE: &[CodePointRange] = &RANGES;
        for byte in 0..=u8::MAX {
            assert_eq!(word_of_byte(&RANGES, byte), word_in(TABLE, char::from(byte)), "{byte}");
        }
    }
}
