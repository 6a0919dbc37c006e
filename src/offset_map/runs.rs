//! The runs of a map, in twelve bytes each.
//!
//! A text in which every other character is escaped has a run for every character, twice where a charset
//! is decoded too: such a text must not be a way to use up memory.

use alloc::vec::Vec;

use super::{MapRun, RunOrigin, Unit};
use crate::slice::SliceExt;
use crate::span::Span;
use crate::work_counter;

/// Runs in order; texts and sources go on for 4 GiB at most.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedRuns {
    /// Where the source of the first run starts.
    base: usize,
    packed: Vec<PackedRun>,
    /// The units there are; all texts have a few at most.
    units: Vec<Unit>,
    /// By their index, the lengths of sources that are too long to be packed.
    long: Vec<(usize, u32)>,
}

/// A run, which starts where the one before it ends.
#[derive(Clone, Copy, Debug)]
struct PackedRun {
    end: u32,
    /// Of the source, from the base on.
    start: u32,
    /// The length of the source in the upper 24 bits, of a copy nothing; below them the origin.
    rest: u32,
}

/// How far a reader has come that asks for one offset after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunCursor {
    index: usize,
    /// The run of this index, once there was an offset.
    last: Option<MapRun>,
}

/// What the length is of a source whose length is in [`PackedRuns::long`].
const LONG: u32 = (1 << 24) - 1;
/// The origins, in eight bits; from the last on, the index of a unit is added.
const COPIED: u32 = 0;
const DECODED: u32 = 1;
const REFANGED: u32 = 2;
const JOINED: u32 = 3;
const ASSUMED: u32 = 4;
const UNITS: u32 = 5;
const MOST_UNITS: usize = 256 - UNITS as usize;

impl PackedRuns {
    pub const fn new() -> Self {
        Self { base: 0, packed: Vec::new(), units: Vec::new(), long: Vec::new() }
    }

    pub fn with_capacity(runs: usize) -> Self {
        Self { packed: Vec::with_capacity(runs), ..Self::new() }
    }

    #[cfg(feature = "search")]
    pub fn capacity(&self) -> usize {
        self.packed.capacity()
    }

    pub fn size(&self) -> usize {
        size_of_val(self.packed.as_slice())
            + size_of_val(self.units.as_slice())
            + size_of_val(self.long.as_slice())
    }

    pub fn clear(&mut self) {
        self.packed.clear();
        self.units.clear();
        self.long.clear();
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.packed.last().map_or(0, |run| run.end as usize)
    }

    #[inline]
    pub fn push(&mut self, len: usize, source: Span, origin: RunOrigin) {
        if self.packed.is_empty() {
            self.base = source.start();
        }
        let code = self.code(origin);
        let source_len = narrow(source.len());
        let run = PackedRun {
            end: narrow(self.len() + len),
            start: narrow(source.start().saturating_sub(self.base)),
            rest: match code {
                COPIED => COPIED,
                _ => source_len.min(LONG) << 8 | code,
            },
        };
        self.packed.push(run);
        if code != COPIED && source_len >= LONG {
            self.set_length(source_len);
        }
    }

    /// Makes the last run longer by so many bytes, if it is a copy whose source ends at `source`.
    #[inline]
    pub fn extend_copy(&mut self, len: usize, source: usize) -> bool {
        let Some((run, before)) = self.packed.split_last_mut() else {
            return false;
        };
        let start = before.last().map_or(0, |run| run.end as usize);
        let end = self.base + run.start as usize + (run.end as usize - start);
        let extends = run.rest & 0xff == COPIED && end == source;
        if extends {
            run.end = narrow(run.end as usize + len);
        }
        extends
    }

    /// The end of the source of the derived text up to `end`, if that is of the first run, and a copy.
    #[inline]
    pub fn end_of_first_copy(&self, end: usize) -> Option<usize> {
        let first = self.packed.first()?;
        let within = first.rest == COPIED && end <= first.end as usize;
        within.then(|| self.base + first.start as usize + end)
    }

    /// Whether a run that starts before `end` is of this origin, which is no unit.
    pub fn has(&self, origin: RunOrigin, end: usize) -> bool {
        let Ok(code) = known_code(origin) else {
            return false;
        };
        let started = self.packed.part(..self.started(end));
        started.iter().any(|run| run.rest & 0xff == code)
    }

    /// The origin in eight bits; a unit that has no room is decoded as a whole.
    fn code(&mut self, origin: RunOrigin) -> u32 {
        let unit = match known_code(origin) {
            Ok(code) => return code,
            Err(unit) => unit,
        };
        let known = self.units.iter().position(|known| *known == unit);
        match known {
            Some(index) => UNITS + index as u32,
            None if self.units.len() == MOST_UNITS => DECODED,
            None => {
                self.units.push(unit);
                UNITS + (self.units.len() - 1) as u32
            }
        }
    }

    /// Makes the source of the last run so long; that of a copy is as long as the copy.
    fn set_length(&mut self, len: u32) {
        let index = self.packed.len().saturating_sub(1);
        let last = self.packed.last_mut();
        let Some(run) = last.filter(|run| run.rest & 0xff != COPIED) else {
            return;
        };
        run.rest = len.min(LONG) << 8 | run.rest & 0xff;
        if len >= LONG {
            self.long.retain(|(of, _)| *of != index);
            self.long.push((index, len));
        }
    }

    #[inline]
    fn length(&self, index: usize, derived: Span, run: &PackedRun) -> usize {
        let len = match (run.rest & 0xff, run.rest >> 8) {
            (COPIED, _) => return derived.len(),
            (_, LONG) => {
                let found = self.long.binary_search_by_key(&index, |(of, _)| *of);
                found.ok().and_then(|at| self.long.get(at)).map_or(LONG, |(_, len)| *len)
            }
            (_, len) => len,
        };
        len as usize
    }

    pub fn extend(&mut self, len: usize, source: usize) {
        let before = self.last().map_or(0, |run| run.source.len());
        if let Some(run) = self.packed.last_mut() {
            run.end = narrow(run.end as usize + len);
        }
        self.set_length(narrow(before + source));
    }

    pub fn get(&self, index: usize) -> Option<MapRun> {
        let run = self.packed.get(index)?;
        Some(self.unpack(self.start(index), index, run))
    }

    /// Where the run of this index starts in the derived text.
    fn start(&self, index: usize) -> usize {
        let before = index.checked_sub(1).and_then(|before| self.packed.get(before));
        before.map_or(0, |run| run.end as usize)
    }

    pub fn last(&self) -> Option<MapRun> {
        self.get(self.packed.len().checked_sub(1)?)
    }

    pub fn from(&self, index: usize) -> impl Iterator<Item = MapRun> {
        let mut start = self.start(index);
        let rest = self.packed.part(index..);
        rest.iter().zip(index..).map(move |(packed, index)| {
            let run = self.unpack(start, index, packed);
            start = run.derived.end();
            run
        })
    }

    /// How many runs end at `at` or before.
    pub fn ended(&self, at: usize) -> usize {
        self.packed.partition_point(|run| run.end as usize <= at)
    }

    /// How many runs start before `at`.
    pub fn started(&self, at: usize) -> usize {
        let before = self.packed.partition_point(|run| (run.end as usize) < at);
        if at == 0 { 0 } else { self.packed.len().min(before + 1) }
    }

    /// The last run that starts before `at`, for one `at` after the other: each run is passed once.
    #[inline]
    pub fn next_started(&self, cursor: &mut RunCursor, at: usize) -> Option<MapRun> {
        let known = cursor.last.filter(|run| run.derived.start() < at && at <= run.derived.end());
        if known.is_none() {
            if at <= self.start(cursor.index) {
                cursor.index = self.started(at).checked_sub(1)?;
            }
            let runs = self.packed.part(cursor.index..);
            let passed = runs.iter().take_while(|run| (run.end as usize) < at).count();
            work_counter::add(passed);
            let last = self.packed.len().checked_sub(1)?;
            cursor.index = last.min(cursor.index + passed);
            cursor.last = self.get(cursor.index);
        }
        cursor.last
    }

    #[inline]
    fn unpack(&self, start: usize, index: usize, run: &PackedRun) -> MapRun {
        let source = self.base + run.start as usize;
        let derived = Span::new(start, run.end as usize);
        let unit = |code: u32| self.units.get(code.checked_sub(UNITS)? as usize);
        MapRun {
            derived,
            source: Span::new(source, source + self.length(index, derived, run)),
            origin: match run.rest & 0xff {
                COPIED => RunOrigin::Copied,
                REFANGED => RunOrigin::Refanged,
                JOINED => RunOrigin::Joined,
                ASSUMED => RunOrigin::Assumed,
                code => match unit(code) {
                    Some(unit) => RunOrigin::Units(*unit),
                    None => RunOrigin::Decoded,
                },
            },
        }
    }
}

/// The origin in eight bits, or the unit whose index says it.
fn known_code(origin: RunOrigin) -> Result<u32, Unit> {
    Ok(match origin {
        RunOrigin::Copied => COPIED,
        RunOrigin::Decoded => DECODED,
        RunOrigin::Refanged => REFANGED,
        RunOrigin::Joined => JOINED,
        RunOrigin::Assumed => ASSUMED,
        RunOrigin::Units(unit) => return Err(unit),
    })
}

fn narrow(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::{DerivedText, RunOrigin, Unit};
    use super::RunCursor;
    use crate::span::Span;
    use proptest::prelude::*;

    /// Runs of all kinds; some are of no text, some of no source.
    fn derived(pieces: &[(u8, usize, usize)]) -> DerivedText {
        let (mut derived, mut source) = (DerivedText::default(), 7);
        for &(kind, len, wide) in pieces {
            let text = vec![b'x'; len];
            let origin = match kind {
                0 => {
                    derived.copy(&text, source);
                    source += len;
                    continue;
                }
                1 => RunOrigin::Joined,
                2 => RunOrigin::Units(Unit { text: 3, source: 4 }),
                _ => RunOrigin::Decoded,
            };
            let text = if kind == 1 { &[][..] } else { &text };
            derived.replace(text, Span::new(source, source + wide), origin);
            source += wide;
        }
        derived
    }

    proptest! {
        /// Whatever was asked before, even what is behind it.
        #[test]
        fn a_cursor_changes_nothing(
            pieces in prop::collection::vec((0_u8..4, 0_usize..4, 0_usize..6), 0..12),
            mut ends in prop::collection::vec(0_usize..40, 0..20),
            sorted in any::<bool>(),
        ) {
            let derived = derived(&pieces);
            if sorted {
                ends.sort_unstable();
            }
            let mut cursor = RunCursor::default();
            for end in ends {
                let expected = derived.source_end(end);
                prop_assert_eq!(derived.next_source_end(&mut cursor, end), expected, "{}", end);
            }
        }
    }
}
