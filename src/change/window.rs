//! The paragraphs in which an edit turns text into a link. The parts of the document may change
//! there, and nowhere else.

use std::ops::Range;

use super::apply::AppliedEdit;
use super::edit::{Edit, Replacement};
use super::pieces::Piece;
use crate::slice::SliceExt as _;

/// Returns the paragraphs of new destinations, where pieces may differ.
pub(super) fn windows<'t>(
    source: &[u8],
    edits: &'t [Edit],
    all: &[AppliedEdit],
) -> Vec<EditWindow<'t>> {
    let is_destination = |edit: &Edit| matches!(edit.to, Replacement::Destination(_));
    // Most changes have none, and blank lines are found by reading the source.
    if !edits.iter().any(is_destination) {
        return Vec::new();
    }
    let blanks = blank_lines(source);
    let window = |applied: &AppliedEdit| {
        let Replacement::Destination(to) = &edits.get(applied.edit)?.to else {
            return None;
        };
        let before = blanks.partition_point(|blank| blank.end <= applied.old.start);
        let start = before.checked_sub(1).and_then(|last| blanks.get(last));
        let start = start.map_or(0, |blank| blank.end);
        let after = blanks.partition_point(|blank| blank.start < applied.old.end);
        let end = blanks.get(after).map_or(source.len(), |blank| blank.start);
        let bytes = |range: Range<usize>| [range.start as u64, range.end as u64];
        let old = start..end;
        let new = moved(all, old.start)..moved(all, old.end);
        let destination = bytes(applied.new.clone());
        Some(EditWindow { old: bytes(old), new: bytes(new), destination, to })
    };
    all.iter().filter_map(window).collect()
}

/// Returns all blank lines, each with the line end before it. They are collected once, because a
/// search per edit would be quadratic in a document without blank lines.
fn blank_lines(source: &[u8]) -> Vec<Range<usize>> {
    let blank = |at: usize| match source.clamped(at + 1..) {
        [b'\n', ..] => Some(at..at + 2),
        [b'\r', b'\n', ..] => Some(at..at + 3),
        _ => None,
    };
    memchr::memchr_iter(b'\n', source).filter_map(blank).collect()
}

/// Returns where an offset outside of all edits is in the new text.
fn moved(applied: &[AppliedEdit], old: usize) -> usize {
    let before = applied.partition_point(|edit| edit.old.end <= old);
    let last = before.checked_sub(1).and_then(|last| applied.get(last));
    last.map_or(old, |last| last.new.end + (old - last.old.end))
}

/// The paragraph of a new destination.
pub(super) struct EditWindow<'t> {
    /// Its bytes in the old input.
    pub old: [u64; 2],
    /// Its bytes in the new input.
    pub new: [u64; 2],
    /// The bytes of the destination in the new input.
    destination: [u64; 2],
    to: &'t str,
}

impl EditWindow<'_> {
    /// True if the destination is one of these pieces, which are in the order of their bytes.
    pub fn has_new_destination(&self, pieces: &[&Piece]) -> bool {
        let first = pieces.partition_point(|piece| piece.bytes < self.destination);
        let same = pieces.iter().skip(first).take_while(|piece| piece.bytes == self.destination);
        same.into_iter().any(|piece| piece.text.as_deref() == Some(self.to.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_of_both_kinds() {
        let source = b"a\n\nb\r\n\r\nc\n\n\nd\n";
        assert_eq!(blank_lines(source), [1..3, 5..8, 9..11, 10..12]);
        assert!(blank_lines(b"").is_empty());
    }
}
