//! Applies edits to long plain text part by part, so that spans, spellings, and attempts of only
//! one part are in memory: [`apply_in_parts`].

use super::apply::{AppliedEdit, Changed, apply_to_text};
use super::divide::{SecretBlocks, TextDivider};
use super::edit::Edit;
use crate::search::Search;
use crate::slice::SliceExt as _;

/// Bytes of a part, at least. Shorter texts are not divided.
pub(super) const PART: usize = 256 << 10;

/// The most places to try for an end between two edits.
const MAX_ENDS_TRIED: usize = 32;

/// Applies sorted edits to plain text; `None` if it cannot be divided.
pub(super) fn apply_in_parts(search: &Search, source: &[u8], edits: &[Edit]) -> Option<Changed> {
    // What the edits are about is settled, also in secrets of several lines.
    let divider = TextDivider::new(search, SecretBlocks::Divided)?;
    if !edits.is_sorted_by_key(Edit::bytes) {
        return None;
    }
    let mut changed = Changed::default();
    changed.bytes.reserve(source.len() + 64);
    let (mut start, mut first) = (0, 0);
    while start < source.len() {
        let end = part_end(divider, source, edits, start);
        let last = if end == source.len() {
            edits.len()
        } else {
            edits.partition_point(|edit| edit.bytes[0] < end as u64).max(first)
        };
        let part: Vec<Edit> = (edits.clamped(first..last).iter())
            .map(|edit| Edit {
                bytes: edit.bytes.map(|at| at.saturating_sub(start as u64)),
                ..edit.clone()
            })
            .collect();
        let new_start = changed.bytes.len();
        let of_part = apply_to_text(search, source.part(start..end), &part);
        changed.bytes.extend_from_slice(&of_part.bytes);
        changed.applied.extend(of_part.applied.into_iter().map(|applied| AppliedEdit {
            edit: first + applied.edit,
            old: start + applied.old.start..start + applied.old.end,
            new: new_start + applied.new.start..new_start + applied.new.end,
        }));
        let refused = of_part.refused.into_iter().map(|(edit, reason)| (first + edit, reason));
        changed.refused.extend(refused);
        (start, first) = (end, last);
    }
    Some(changed)
}

/// Returns the end of a part, which is not within an edit.
fn part_end(divider: TextDivider, source: &[u8], edits: &[Edit], start: usize) -> usize {
    let mut size = PART;
    loop {
        let held = source.clamped(start..start.saturating_add(size));
        // A short rest stays with the part before it.
        if source.len() - start < 2 * size {
            return source.len();
        }
        let mut near = held.len();
        for _ in 0..MAX_ENDS_TRIED {
            let Some(end) = divider.end(held, near) else { break };
            let at = (start + end) as u64;
            let before = edits.partition_point(|edit| edit.bytes[0] < at);
            let last = before.checked_sub(1).and_then(|last| edits.get(last));
            match last.filter(|edit| at < edit.bytes[1]) {
                None => return start + end,
                Some(edit) => {
                    near = usize::try_from(edit.bytes[0]).unwrap_or(0).saturating_sub(start);
                }
            }
        }
        // Doubling, so that all looks together take time linear in the bytes.
        size = size.saturating_mul(2);
    }
}
