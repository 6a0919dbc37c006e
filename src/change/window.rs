//! The paragraphs in which text becomes a link: parts of the document differ there.

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
    let window = |applied: &AppliedEdit| {
        let Replacement::Destination(to) = &edits.get(applied.edit)?.to else {
            return None;
        };
        let before = source.clamped(..applied.old.start);
        let after = source.clamped(applied.old.end..);
        let blank = |find: &dyn Fn(&[u8]) -> Option<usize>| (find(b"\n\n"), find(b"\n\r\n"));
        let (lf, crlf) =
            blank(&|line| memchr::memmem::rfind(before, line).map(|at| at + line.len()));
        let start = lf.max(crlf).unwrap_or(0);
        let (lf, crlf) = blank(&|line| memchr::memmem::find(after, line));
        let end = lf.into_iter().chain(crlf).min().unwrap_or(after.len());
        let bytes = |range: Range<usize>| [range.start as u64, range.end as u64];
        let old = start..applied.old.end + end;
        let new = moved(all, old.start)..moved(all, old.end);
        let destination = bytes(applied.new.clone());
        Some(EditWindow { old: bytes(old), new: bytes(new), destination, to })
    };
    all.iter().filter_map(window).collect()
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
    /// True if the destination is one of these pieces.
    pub fn is_read(&self, pieces: &[&Piece]) -> bool {
        pieces.iter().any(|piece| {
            piece.bytes == self.destination && piece.text.as_deref() == Some(self.to.as_bytes())
        })
    }
}
