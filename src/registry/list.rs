//! The lists in `data/`: lines that start with `#` describe a list, then comes one record per line,
//! sorted by name.
//!
//! Large lists are searched in place: a table of pointers to thousands of strings would need
//! relocations at every start of a program.

use core::cmp::Ordering;

use crate::slice::SliceExt as _;

/// The records of a list in `data/`.
macro_rules! list {
    ($file:literal) => {
        const { $crate::registry::list::records(include_str!(concat!("data/", $file))) }
    };
}
/// Builds an array with a row for each record.
macro_rules! table {
    ($list:expr, $empty:expr, $record:ident => $row:expr) => {{
        let (mut table, mut row, mut rest) =
            ([$empty; $crate::registry::list::count($list)], 0, $list);
        while row < table.len() {
            let ($record, after) = $crate::registry::list::split(rest, b'\n');
            table[row] = $row;
            (row, rest) = (row + 1, after);
        }
        table
    }};
}
pub(super) use {list, table};

pub(super) const fn records(list: &'static str) -> &'static str {
    let mut rest = list;
    while let [b'#', ..] = rest.as_bytes() {
        rest = split(rest, b'\n').1;
    }
    rest
}

pub(super) const fn count(records: &str) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < records.len() {
        count += (records.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
}

/// The length of the names of a list, with a line feed after each.
pub(super) const fn first_fields_len(records: &str) -> usize {
    let (mut len, mut rest) = (0, records);
    while !rest.is_empty() {
        let (record, after) = split(rest, b'\n');
        len += split(record, b'\t').0.len() + 1;
        rest = after;
    }
    len
}

/// The names of a list, with a line feed after each.
pub(super) const fn first_fields<const LEN: usize>(records: &str) -> [u8; LEN] {
    let (mut names, mut at, mut rest) = ([b'\n'; LEN], 0, records);
    while !rest.is_empty() {
        let (record, after) = split(rest, b'\n');
        let name = split(record, b'\t').0.as_bytes();
        let mut from = 0;
        while from < name.len() {
            names[at + from] = name[from];
            from += 1;
        }
        at += name.len() + 1;
        rest = after;
    }
    names
}

/// Splits `text` at the first `separator`; without one, the second part is empty.
pub(super) const fn split(text: &str, separator: u8) -> (&str, &str) {
    let mut at = 0;
    while at < text.len() {
        if text.as_bytes()[at] == separator {
            let (before, after) = text.split_at(at);
            return (before, after.split_at(1).1);
        }
        at += 1;
    }
    (text, "")
}

/// Returns the text after `name` and a space in its record.
pub(super) fn find(records: &'static str, name: &[u8]) -> Option<&'static str> {
    let bytes = records.as_bytes();
    // Without the last line feed, every place between the two is inside a record.
    let (mut low, mut high) = (0, bytes.len().saturating_sub(1));
    while low < high {
        let middle = low.midpoint(high);
        // The middle may be anywhere in a record. Extend it to the record around it.
        let before = bytes[low..middle].iter().rposition(|&b| b == b'\n');
        let start = before.map_or(low, |before| low + before + 1);
        let after = bytes[middle..high].iter().position(|&b| b == b'\n');
        let end = after.map_or(high, |after| middle + after);
        let record = records.part(start..end);
        let (known, text) = record.split_once(' ').unwrap_or((record, ""));
        // Records are compared by name only, which is the order of the list.
        match known.as_bytes().cmp(name) {
            Ordering::Less => low = end + 1,
            // Not `start`: the line feed before the record belongs to neither side.
            Ordering::Greater => high = start.saturating_sub(1),
            Ordering::Equal => return Some(text),
        }
    }
    None
}
