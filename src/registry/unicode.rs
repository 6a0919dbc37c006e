//! Unicode properties of characters: the ends of links and hosts, and scripts.
//!
//! The tables are ranges of code points, parsed at compile time from the lists in `data/`.

use core::cmp::Ordering;

use super::list::{self, list};
use crate::byte_table::{ByteTable, byte_table};

/// First and last code point, and the first four bytes of their property value.
type Range = (char, char, [u8; 4]);

/// The property Link_Term of Unicode UTS #58, which determines the end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkTerm {
    /// Extends the link to here.
    Include,
    /// Ends the link before it.
    Hard,
    Soft,
    /// Opens a bracket.
    Open,
    /// Closes the bracket that [`opener_of`] returns.
    Close,
}

pub(crate) fn link_term(c: char) -> LinkTerm {
    const LIST: &str = list!("link_term.txt");
    const RANGES: [Range; list::count(LIST)] = ranges(LIST);
    static TERMS: &[Range] = &RANGES;
    static ASCII: ByteTable<LinkTerm> = byte_table!(byte => term_of(word_of_byte(&RANGES, byte)));
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => ASCII.of(byte),
        _ => term_of(word(TERMS, c)),
    }
}

const fn term_of(word: Option<&[u8; 4]>) -> LinkTerm {
    match word {
        Some(b"Incl") => LinkTerm::Include,
        Some(b"Soft") => LinkTerm::Soft,
        Some(b"Open") => LinkTerm::Open,
        Some(_) => LinkTerm::Close,
        None => LinkTerm::Hard,
    }
}

/// Returns the Link_Bracket of `closer`: the opener that it pairs with.
pub(crate) fn opener_of(closer: char) -> Option<char> {
    static BRACKETS: &[Range] = &records::<{ list::count(LIST) }>(LIST);
    const LIST: &str = list!("link_bracket.txt");
    let at = BRACKETS.binary_search_by_key(&closer, |pair| pair.0).ok()?;
    Some(BRACKETS[at].1)
}

/// True if the local part of a mail address may contain `c`: the property Link_Email.
pub(crate) fn link_email(c: char) -> bool {
    static EMAIL: &[Range] = &ranges::<{ list::count(LIST) }>(LIST);
    const LIST: &str = list!("link_email.txt");
    word(EMAIL, c).is_some()
}

/// The effect of a non-ASCII code point in a host (D2.2, D4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostTerm {
    /// The host continues.
    Allowed,
    /// No host can contain it, but the author meant it: `invalid-host`.
    Rejects,
    /// The host ends before it.
    Ends,
}

pub(crate) fn host_term(c: char) -> HostTerm {
    static TERMS: &[Range] = &ranges::<{ list::count(LIST) }>(LIST);
    const LIST: &str = list!("host_term.txt");
    match word(TERMS, c) {
        Some(b"Allo") => HostTerm::Allowed,
        Some(_) => HostTerm::Rejects,
        None => HostTerm::Ends,
    }
}

/// Returns the ISO 15924 code of the script of `c`, if it is used with only one.
pub(crate) fn script(c: char) -> Option<&'static str> {
    static SCRIPTS: &[Range] = &ranges::<{ list::count(LIST) }>(LIST);
    const LIST: &str = list!("script.txt");
    if c.is_ascii() {
        return c.is_ascii_alphabetic().then_some("Latn");
    }
    str::from_utf8(word(SCRIPTS, c)?).ok()
}

/// Unicode's Default_Ignorable_Code_Point: soft hyphens, zero-width and bidi controls, variation
/// selectors and similar (D2.2). Whole blocks are reserved for it, so new assignments do not change
/// it.
pub(crate) fn is_default_ignorable(c: char) -> bool {
    #[rustfmt::skip]
    let is = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    is
}

fn word(table: &'static [Range], c: char) -> Option<&'static [u8; 4]> {
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

/// Like [`word`], for a Latin-1 character, at compile time.
const fn word_of_byte(table: &[Range], byte: u8) -> Option<&[u8; 4]> {
    let mut row = 0;
    while row < table.len() && table[row].1 < byte as char {
        row += 1;
    }
    match row < table.len() && table[row].0 <= byte as char {
        true => Some(&table[row].2),
        false => None,
    }
}

/// Parses records `41-5a Word` or `aa` into a table. Compilation fails if they are not in order.
const fn ranges<const COUNT: usize>(list: &str) -> [Range; COUNT] {
    let (table, mut row) = (records(list), 0);
    while row < COUNT {
        assert!(table[row].0 <= table[row].1);
        assert!(row == 0 || table[row - 1].1 < table[row].0);
        row += 1;
    }
    table
}

const fn records<const COUNT: usize>(list: &str) -> [Range; COUNT] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_reads_the_table_as_the_program_does() {
        static TABLE: [Range; 3] =
            [('\0', '\0', *b"Soft"), ('a', 'c', *b"Incl"), ('x', 'é', *b"Open")];
        for byte in 0..=u8::MAX {
            assert_eq!(word_of_byte(&TABLE, byte), word(&TABLE, char::from(byte)), "{byte}");
        }
    }
}
