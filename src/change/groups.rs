//! Applies edits in groups, if all together are not read back: [`try_in_groups`].

use std::collections::BTreeMap;

use super::apply::{Read, ReadBackFaults, Trial};
use super::edit::Refusal;
use super::place::{EditState, WrittenEdit};
use crate::document::Format;

/// Number of times that a document is read to find the edits that it cannot take. The edits that
/// are left then are refused.
const MAX_READS: usize = 128;

/// Bytes that are read for that: at least, for short documents, and at most.
const BYTES_READ: (usize, usize) = (1 << 20, 256 << 20);

/// An edit that is not tried yet, and its spellings.
pub(super) type WaitingEdit = (usize, Vec<WrittenEdit>);

/// Adds edits to those that are tried, each in the first spelling with which the rest is read as it
/// was.
///
/// A group whose edits are not read back in any spelling is halved, until the edits are known that
/// are to blame. So time is linear in the document if there are few of these.
pub(super) fn try_in_groups(
    trial: &mut Trial<'_>,
    waiting: Vec<WaitingEdit>,
    read: &Read<'_>,
    format: Option<Format>,
) {
    let (least, most) = BYTES_READ;
    let mut budget = trial.len().saturating_mul(MAX_READS).clamp(least, most);
    let mut groups: Vec<Vec<WaitingEdit>> = alike(trial, waiting).into_values().rev().collect();
    while let Some(mut group) = groups.pop() {
        let refusal = match try_group(trial, &group, &mut budget, read, format) {
            Ok(()) => continue,
            Err(refusal) => refusal,
        };
        if group.len() > 1 && budget > 0 {
            let rest = group.split_off(group.len() / 2);
            // `pop` takes the first half first: edits are tried in the order of the document.
            groups.extend([rest, group]);
            continue;
        }
        for (edit, _) in group {
            trial.set(edit, EditState::Refused(refusal));
        }
    }
}

/// Divides edits by the punctuation of their new texts: where one needs an escape, another that has
/// the same characters mostly needs it, too.
fn alike(trial: &Trial<'_>, waiting: Vec<WaitingEdit>) -> BTreeMap<u128, Vec<WaitingEdit>> {
    let mut groups: BTreeMap<u128, Vec<WaitingEdit>> = BTreeMap::new();
    for (edit, spellings) in waiting {
        let text = trial.edits().get(edit).map_or("", |edit| edit.to.text());
        let special = text.bytes().filter(u8::is_ascii_punctuation);
        let key = special.fold(0, |key, byte| key | 1 << (byte & 0x7F));
        groups.entry(key).or_default().push((edit, spellings));
    }
    groups
}

/// Tries a group, all in their first spellings, then in the second, and so on.
///
/// # Errors
/// The fault of the last try; no edit of the group is tried then.
fn try_group(
    trial: &mut Trial<'_>,
    group: &[WaitingEdit],
    budget: &mut usize,
    read: &Read<'_>,
    format: Option<Format>,
) -> Result<(), Refusal> {
    let mut refusal = Refusal::Structure;
    let shortest = group.iter().map(|(_, spellings)| spellings.len()).min().unwrap_or_default();
    let longest = group.iter().map(|(_, spellings)| spellings.len()).max().unwrap_or_default();
    // An edit that cannot be written at all is refused alone.
    let tries = if shortest == 0 { 0 } else { longest };
    for at in 0..tries {
        *budget = budget.saturating_sub(trial.len());
        if *budget == 0 {
            break;
        }
        for (edit, spellings) in group {
            let at = at.min(spellings.len().saturating_sub(1));
            trial.set(*edit, EditState::Tried { spellings: spellings.clone(), at });
        }
        refusal = match trial.faults_of(read, format) {
            ReadBackFaults::None => return Ok(()),
            ReadBackFaults::Misread(_) => Refusal::Encoded,
            ReadBackFaults::Structure => Refusal::Structure,
        };
    }
    for (edit, _) in group {
        trial.set(*edit, EditState::Nothing);
    }
    Err(refusal)
}
