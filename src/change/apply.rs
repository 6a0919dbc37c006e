//! Applies edits to a text, and proves the result: [`apply`].
//!
//! Time is linear in the document for each spelling that is tried, and few are.

use std::collections::BTreeMap;
use std::ops::Range;

use super::edit::{Edit, Refusal, Replacement};
use super::groups::{self, WaitingEdit};
use super::parts::{PART, apply_in_parts};
use super::pieces::{self, Piece};
use super::place::{
    EditPlace, EditState, WrittenEdit, encoded, found_in, range, spans_of, verbatim,
};
use super::window::{self, EditWindow};
use crate::decode::Encoding;
use crate::document::{Content, Format};
use crate::finder::Finder;
use crate::hash::RandomState;
use crate::search::{Input, InputText, Search};
use crate::slice::SliceExt as _;
use crate::{Span, UriRef};

/// Number of times that a text is read again. Each time, all edits that are not read back get their
/// next spelling; after [`MAX_SPELLINGS`], they are refused.
const MAX_READS: usize = 128;

/// Bytes that these reads may take, beyond [`MAX_SPELLINGS`] reads.
const MAX_BYTES_READ: usize = 256 << 20;

/// Number of reads after which an edit that is not read back gets no further spelling.
const MAX_SPELLINGS: usize = 24;

/// The result of [`apply`].
#[derive(Clone, Debug, Default)]
pub struct Changed {
    pub(super) bytes: Vec<u8>,
    pub(super) encoding: Option<Encoding>,
    pub(super) applied: Vec<AppliedEdit>,
    pub(super) refused: Vec<(usize, Refusal)>,
}

/// The place of an edit before and after the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedEdit {
    /// Index of the edit.
    pub edit: usize,
    /// Bytes of the old text.
    pub old: Range<usize>,
    /// Bytes of the new text.
    pub new: Range<usize>,
}

impl Changed {
    /// The result of a change that was proven by other means.
    pub(crate) fn new(
        bytes: Vec<u8>,
        applied: Vec<AppliedEdit>,
        refused: Vec<(usize, Refusal)>,
    ) -> Self {
        Self { bytes, encoding: None, applied, refused }
    }

    /// Returns the new text; equal to the old one if every edit was refused.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the encoding of the text, if it is UTF-16 or UTF-32.
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// Returns the new text without its edits.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the edits that were made, in the order of the text.
    pub fn applied(&self) -> &[AppliedEdit] {
        &self.applied
    }

    /// Returns the indices of the edits that were refused, each with the reason.
    pub fn refused(&self) -> &[(usize, Refusal)] {
        &self.refused
    }
}

/// Applies edits to the bytes of an input, which is read as `search` reads it.
///
/// An edit is refused if its text is not at its place, or if no spelling of the new text is read
/// back with everything else unchanged.
pub fn apply(search: &Search, input: &Input, source: &[u8], edits: &[Edit]) -> Changed {
    let read = |bytes: &[u8]| search.searched_text(input, bytes.to_vec());
    let is_plain = |text: InputText| text.format().is_none() && text.encoding().is_none();
    if source.len() > PART
        && !edits.is_empty()
        && read(source).is_some_and(is_plain)
        && let Some(changed) = apply_in_parts(search, source, edits)
    {
        return changed;
    }
    apply_as_read(search.finder(), &read, source, edits)
}

/// Applies edits to plain text, whatever it looks like: a part of a text, for example.
pub fn apply_to_text(search: &Search, source: &[u8], edits: &[Edit]) -> Changed {
    let read = |bytes: &[u8]| Some(InputText::new(bytes.to_vec()));
    apply_as_read(search.finder(), &read, source, edits)
}

/// Like [`apply_to_text`], if each edit is read back in some spelling; `None` as soon as one is
/// not.
pub fn apply_all_to_text(search: &Search, source: &[u8], edits: &[Edit]) -> Option<Changed> {
    if edits.is_empty() {
        return Some(Changed { bytes: source.to_vec(), ..Changed::default() });
    }
    let text = InputText::new(source.to_vec());
    let mut trial = Trial::new(search.finder(), source, &text, edits);
    let read = |bytes: &[u8]| Some(InputText::new(bytes.to_vec()));
    let is_refused = |state: &EditState| {
        matches!(state, EditState::Refused(Refusal::Encoded | Refusal::Structure))
    };
    loop {
        if trial.states.iter().any(is_refused) {
            return None;
        }
        match trial.faults_of(&read, None) {
            ReadBackFaults::None => break,
            ReadBackFaults::Misread(edits) if trial.next(&edits) => {}
            ReadBackFaults::Misread(_) | ReadBackFaults::Structure => return None,
        }
    }
    let (bytes, applied) = trial.written();
    Some(Changed { bytes, encoding: None, applied, refused: trial.refused() })
}

/// Applies edits to a text that is read by `read`.
pub(crate) fn apply_as_read(
    finder: &Finder,
    read: &Read<'_>,
    source: &[u8],
    edits: &[Edit],
) -> Changed {
    let unchanged = |refused| Changed { bytes: source.to_vec(), refused, ..Changed::default() };
    let all = |reason| (0..edits.len()).map(|edit| (edit, reason)).collect();
    if edits.is_empty() {
        return unchanged(Vec::new());
    }
    let Some(text) = read(source) else {
        return unchanged(all(Refusal::Binary));
    };
    let mut trial = Trial::new(finder, source, &text, edits);
    let destinations = trial.withhold_destinations();
    loop {
        match trial.faults_of(read, text.format()) {
            ReadBackFaults::None => break,
            ReadBackFaults::Misread(edits) if trial.next(&edits) => {}
            // The responsible edit is unknown: an edit of an entity, for example, is read where the
            // entity is used.
            ReadBackFaults::Misread(_) | ReadBackFaults::Structure => {
                let waiting = trial.withhold_all();
                groups::try_in_groups(&mut trial, waiting, read, text.format());
                break;
            }
        }
    }
    // These edits change how the text around them is read, which could hide an error in others, so
    // the others must be proven first.
    groups::try_in_groups(&mut trial, destinations, read, text.format());
    let (bytes, applied) = trial.written();
    Changed { bytes, encoding: text.encoding(), applied, refused: trial.refused() }
}

/// Reasons why a changed text is not read as expected.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadBackFaults {
    None,
    /// The new texts of these edits are not read back.
    Misread(Vec<usize>),
    /// Other parts of the document are read differently.
    Structure,
}

/// Reads a changed text as a document.
pub(crate) type Read<'r> = dyn Fn(&[u8]) -> Option<InputText> + 'r;

/// The edits in a piece.
#[derive(Default)]
struct PieceEdits {
    /// Edited spans of its text, with their edits.
    spots: Vec<(Span, usize)>,
    /// Edits that touch the piece without being one of its URIs: its new text is unknown.
    vague: Vec<usize>,
}

/// The attempt to apply edits.
pub(super) struct Trial<'t> {
    finder: &'t Finder,
    source: &'t [u8],
    edits: &'t [Edit],
    hasher: RandomState,
    states: Vec<EditState>,
    /// True for edits whose text has escapes that the finder decodes.
    is_escaped: Vec<bool>,
    old: Vec<Piece>,
    changed: BTreeMap<usize, PieceEdits>,
    reads: usize,
}

impl<'t> Trial<'t> {
    fn new(finder: &'t Finder, source: &'t [u8], text: &InputText, edits: &'t [Edit]) -> Self {
        let mut trial = Self {
            finder,
            source,
            edits,
            hasher: RandomState::default(),
            states: Vec::new(),
            is_escaped: vec![false; edits.len()],
            old: Vec::new(),
            changed: BTreeMap::new(),
            reads: 0,
        };
        trial.states = edits.iter().map(|_| EditState::Refused(Refusal::Changed)).collect();
        let order = trial.order();
        trial.locate(text, &order);
        let text_encoding = text.encoding();
        for (edit, state) in edits.iter().zip(&mut trial.states) {
            let encoded = |text: &str| encoded(text, text_encoding);
            if let Replacement::Destination(to) = &edit.to
                && let Some(range) = range(edit.bytes, source)
                && let Ok(from) = std::str::from_utf8(&edit.from)
                && source.get(range.clone()) == Some(encoded(from).as_slice())
            {
                let bytes = encoded(to);
                *state = EditState::Tried { spellings: vec![WrittenEdit { range, bytes }], at: 0 };
            }
        }
        trial.refuse_overlaps(&order);
        trial
    }

    /// Returns the indices of the edits by their places.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.edits.len()).collect();
        order.sort_by_key(|&index| self.edits.get(index).map(|edit| edit.bytes));
        order
    }

    /// Removes the edits that would turn text into a destination.
    fn withhold_destinations(&mut self) -> Vec<WaitingEdit> {
        let is_destination = |edit: &Edit| matches!(edit.to, Replacement::Destination(_));
        let destinations = self.edits.iter().zip(&mut self.states).enumerate();
        let destinations = destinations.filter(|(_, (edit, _))| is_destination(edit));
        destinations.filter_map(|(index, (_, state))| Some((index, state.withhold()?))).collect()
    }

    /// Finds the places of edits in the document, and the ways to write them.
    fn locate(&mut self, text: &InputText, order: &[usize]) {
        let (finder, edits, source) = (self.finder, self.edits, self.source);
        let hasher = self.hasher.clone();
        let place = |&index: &usize| edits.get(index).map_or([0, 0], |edit| edit.bytes);
        self.old = pieces::read(text, &hasher, &mut |piece, part, [start, end]| {
            // The previous edit may reach into this piece.
            let first = order.partition_point(|index| place(index)[0] < start).saturating_sub(1);
            let near = order.iter().skip(first).take_while(|index| place(index)[0] <= end);
            let touching = near.filter(|index| start <= place(index)[1]);
            let touching: Vec<usize> = touching.copied().collect();
            if touching.is_empty() {
                return false;
            }
            let spans = spans_of(finder, text, part);
            let mut found = PieceEdits::default();
            for index in touching {
                let Some(edit) = edits.get(index) else { continue };
                let spot = match edit.to {
                    Replacement::Destination(_) => None,
                    Replacement::Uri(_) => spans.get(&edit.bytes).cloned(),
                    Replacement::Text(_) => {
                        spans.get(&edit.bytes).cloned().or_else(|| verbatim(text, part, edit))
                    }
                };
                let spot = spot.filter(|(span, _)| part.text.part(span.range()) == edit.from);
                let Some((span, uri)) = spot else {
                    let [from, to] = edit.bytes;
                    if from < end && start < to {
                        found.vague.push(index);
                    }
                    continue;
                };
                found.spots.push((span, index));
                let is_escaped = uri.as_deref().is_some_and(|uri| uri.as_bytes() != edit.from);
                if let Some(flag) = self.is_escaped.get_mut(index) {
                    *flag |= is_escaped;
                }
                let place = EditPlace { text, part, span, uri: uri.as_deref() };
                if let Some(state) = self.states.get_mut(index) {
                    *state = place.state(edit, source);
                }
            }
            found.spots.sort_unstable();
            let is_kept = !found.spots.is_empty() || !found.vague.is_empty();
            if is_kept {
                self.changed.insert(piece, found);
            }
            is_kept
        });
    }

    fn refuse_overlaps(&mut self, order: &[usize]) {
        let mut end = 0;
        let mut last: Option<&Edit> = None;
        for &index in order {
            let (Some(edit), Some(state)) = (self.edits.get(index), self.states.get_mut(index))
            else {
                continue;
            };
            if !matches!(state, EditState::Tried { .. }) {
                continue;
            }
            if last.is_some_and(|last| (last.bytes, &last.to) == (edit.bytes, &edit.to)) {
                // The same change twice, such as a URI that two findings are about.
                *state = EditState::Nothing;
            } else if edit.bytes[0] < end {
                *state = EditState::Refused(Refusal::Overlaps);
            } else {
                end = edit.bytes[1];
                last = Some(edit);
            }
        }
    }

    /// Returns the text with the spellings that are tried, and the places of its edits.
    fn written(&self) -> (Vec<u8>, Vec<AppliedEdit>) {
        let mut tried: Vec<_> = (self.states.iter().enumerate())
            .filter_map(|(edit, state)| match state {
                EditState::Tried { spellings, at } => Some((spellings.get(*at)?, edit)),
                EditState::Refused(_) | EditState::Nothing => None,
            })
            .collect();
        tried.sort_by_key(|(written, edit)| (written.range.start, *edit));
        let (mut bytes, mut applied) = (Vec::with_capacity(self.source.len() + 64), Vec::new());
        let mut at = 0;
        for (written, edit) in tried {
            bytes.extend_from_slice(self.source.part(at..written.range.start));
            let start = bytes.len();
            bytes.extend_from_slice(&written.bytes);
            at = written.range.end;
            let (old, new) = (written.range.clone(), start..bytes.len());
            applied.push(AppliedEdit { edit, old, new });
        }
        bytes.extend_from_slice(self.source.clamped(at..));
        (bytes, applied)
    }

    /// Reads the text with the spellings that are tried, and compares.
    pub(super) fn faults_of(&self, read: &Read<'_>, format: Option<Format>) -> ReadBackFaults {
        let (bytes, applied) = self.written();
        match read(&bytes) {
            _ if applied.is_empty() => ReadBackFaults::None,
            Some(new) if new.format() == format => self.faults(&new, &applied),
            // The change turned it into another kind of document.
            _ => ReadBackFaults::Structure,
        }
    }

    fn faults(&self, new: &InputText, applied: &[AppliedEdit]) -> ReadBackFaults {
        let windows = window::windows(self.source, self.edits, applied);
        let is_free = |bytes: [u64; 2], of: fn(&EditWindow<'_>) -> [u64; 2]| {
            let next = windows.partition_point(|window| of(window)[1] <= bytes[0]);
            windows.get(next).is_none_or(|window| bytes[1] <= of(window)[0])
        };
        let old = self.old.iter().enumerate();
        let kept_old = old.filter(|(_, piece)| is_free(piece.bytes, |window| window.old));
        let kept_old: Vec<(usize, &Piece)> = kept_old.collect();
        // The pieces of both texts correspond by their order outside of the windows.
        let mut count = 0;
        let new = pieces::read(new, &self.hasher, &mut |_, part, bytes| {
            if !is_free(bytes, |window| window.new) {
                return part.content == Content::Reference;
            }
            let old = kept_old.get(count);
            count += 1;
            old.is_some_and(|(old, _)| self.changed.contains_key(old))
        });
        let (kept_new, inside): (Vec<&Piece>, Vec<&Piece>) =
            new.iter().partition(|piece| is_free(piece.bytes, |window| window.new));
        // Inside, the destinations are those from before and the new ones.
        let is_reference = |piece: &&Piece| piece.content == Content::Reference;
        let mut inside: Vec<&Piece> = inside.into_iter().filter(is_reference).collect();
        inside.sort_unstable_by_key(|piece| piece.bytes);
        let of_old = self.old.iter().filter(|piece| !is_free(piece.bytes, |window| window.old));
        let references = of_old.filter(is_reference).count() + windows.len();
        if kept_new.len() != kept_old.len()
            || inside.len() != references
            || !windows.iter().all(|window| window.has_new_destination(&inside))
        {
            return ReadBackFaults::Structure;
        }
        let mut misread = Vec::new();
        for (&(index, old), new) in kept_old.iter().zip(kept_new) {
            let changed = self.changed.get(&index);
            let is_vague = changed
                .is_some_and(|changed| changed.vague.iter().any(|&edit| self.is_tried(edit)));
            match changed {
                // An edit touches it without being one of its URIs, so its expected text is
                // unknown.
                _ if is_vague => {}
                _ if !old.is_at_same_place(new) => return ReadBackFaults::Structure,
                Some(changed) => misread.extend(self.misread(old, new, changed)),
                None if old.has_same_text(new) => {}
                None => return ReadBackFaults::Structure,
            }
        }
        if misread.is_empty() { ReadBackFaults::None } else { ReadBackFaults::Misread(misread) }
    }

    fn is_tried(&self, edit: usize) -> bool {
        matches!(self.states.get(edit), Some(EditState::Tried { .. }))
    }

    /// Returns the first edit of a piece that is not read back.
    fn misread(&self, old: &Piece, new: &Piece, changed: &PieceEdits) -> Option<usize> {
        let (old_text, new_text) = (old.text.as_deref()?, new.text.as_deref());
        let last = changed.spots.last().map(|(_, edit)| *edit)?;
        let Some(new_text) = new_text else { return Some(last) };
        let found = if changed.spots.iter().any(|(_, edit)| self.needs_finder(*edit)) {
            found_in(self.finder, new.content, new_text)
        } else {
            Vec::new()
        };
        let (mut from, mut at) = (0, 0);
        let mut blamed = last;
        for (span, index) in &changed.spots {
            let Some(edit) = self.edits.get(*index).filter(|_| self.is_tried(*index)) else {
                continue;
            };
            let between = old_text.part(from..span.start());
            // If the text between two edits differs, the edit before it swallowed some of it.
            if !new_text.clamped(at..).starts_with(between) {
                return Some(blamed);
            }
            blamed = *index;
            at += between.len();
            let to = edit.to.text();
            let is_literal = new_text.clamped(at..).starts_with(to.as_bytes());
            let found = || {
                let first = found.partition_point(|(span, _)| span.start() < at);
                let same = found.iter().skip(first).take_while(|(span, _)| span.start() == at);
                same.into_iter().find(|(_, uri)| uri.as_deref() == Some(to))
            };
            at = match (self.needs_finder(*index), found()) {
                // The finder must read the new URI to its end, and decode nothing that it did not
                // decode before.
                (true, Some((span, _))) => {
                    let is_whole = is_literal && span.len() == to.len();
                    if !is_whole && !self.is_escaped.get(*index).is_some_and(|it| *it) {
                        return Some(*index);
                    }
                    span.end()
                }
                (true, None) => return Some(*index),
                (false, _) if is_literal => at + to.len(),
                (false, _) => return Some(*index),
            };
            from = span.end();
        }
        let rest = old_text.clamped(from..);
        (new_text.clamped(at..) != rest).then_some(blamed)
    }

    /// True if the finder must find the new text. A defanged URI is not a URI, and a finder may be
    /// configured not to find references.
    fn needs_finder(&self, edit: usize) -> bool {
        match self.edits.get(edit).map(|edit| &edit.to) {
            Some(Replacement::Uri(to)) => UriRef::parse(to).is_ok() && !to.is_empty(),
            _ => false,
        }
    }

    /// Chooses the next spelling of these edits, or refuses them. False if none of them is tried at
    /// all: then nothing has changed, and reading again would not help; and after [`MAX_READS`],
    /// because an adversarial text would need a read per edit.
    fn next(&mut self, misread: &[usize]) -> bool {
        self.reads += 1;
        let mut has_changed = false;
        for &edit in misread {
            let Some(state) = self.states.get_mut(edit) else { continue };
            if let EditState::Tried { spellings, at } = state {
                has_changed = true;
                *at += 1;
                if *at >= spellings.len() || self.reads >= MAX_SPELLINGS {
                    *state = EditState::Refused(Refusal::Encoded);
                }
            }
        }
        let most = MAX_BYTES_READ / self.source.len().max(1);
        has_changed && self.reads < MAX_READS.min(most.max(MAX_SPELLINGS))
    }

    /// Refuses all edits that are being tried: if a document is read differently, any edit before
    /// the difference may be the reason.
    fn withhold_all(&mut self) -> Vec<WaitingEdit> {
        let states = self.states.iter_mut().enumerate();
        states.filter_map(|(edit, state)| Some((edit, state.withhold()?))).collect()
    }

    pub(super) fn edits(&self) -> &'t [Edit] {
        self.edits
    }

    /// Bytes of the text, each of which is read for a trial.
    pub(super) fn len(&self) -> usize {
        self.source.len()
    }

    pub(super) fn set(&mut self, edit: usize, new: EditState) {
        if let Some(state) = self.states.get_mut(edit) {
            *state = new;
        }
    }

    fn refused(&self) -> Vec<(usize, Refusal)> {
        let refused = self.states.iter().enumerate().filter_map(|(edit, state)| match state {
            EditState::Refused(reason) => Some((edit, *reason)),
            EditState::Tried { .. } | EditState::Nothing => None,
        });
        refused.collect()
    }
}
