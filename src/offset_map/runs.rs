//! The runs of a map, packed into twelve bytes each.
//!
//! A text in which every other character is escaped has one run per character, and two if a charset
//! is decoded as well. Such a text must not be a way to exhaust memory.

use alloc::vec::Vec;

use super::{MapRun, RunOrigin, Unit};
use crate::slice::SliceExt;
use crate::span::Span;
use crate::work_counter;

/// Runs in order; texts and sources may have up to 4 GiB.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedRuns {
    /// Start of the source of the first run.
    base: usize,
    packed: Vec<PackedRun>,
    /// The distinct units; every text has only a few.
    units: Vec<Unit>,
    /// Lengths of sources that are too long for a packed run, by run index.
    long: Vec<(usize, u32)>,
}

/// A run. It starts where the previous one ends.
#[derive(Clone, Copy, Debug)]
struct PackedRun {
    end: u32,
    /// Of the source, from the base on.
    start: u32,
    /// The length of the source in the upper 24 bits (0 for a copy), and the origin in the lower 8.
    rest: u32,
}

/// The state of a reader that looks up ascending offsets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunCursor {
    index: usize,
    /// The run at this index, after the first lookup.
    last: Option<MapRun>,
}

/// Marks a source whose length is in [`PackedRuns::long`].
const LONG: u32 = (1 << 24) - 1;
/// The origins, in eight bits. The code of a unit is the last one plus its index.
const COPIED: u32 = 0;
const DECODED: u32 = 1;
const REFANGED: u32 = 2;
const JOINED: u32 = 3;
const ASSUMED: u32 = 4;
const UNITS: u32 = 5;
const MAX_UNITS: usize = 256 - UNITS as usize;

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
            // Sources are stored relative to the first one. So a short text deep inside a huge file
            // still fits the 32-bit offsets of its runs.
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
        // The length has only 24 bits. A longer source is rare, so its length goes to a side list
        // instead of widening every run.
        if code != COPIED && source_len >= LONG {
            self.set_length(source_len);
        }
    }

    /// Extends the last run by `len` bytes if it is a copy whose source ends at `source`.
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

    /// Returns the source end of the derived text up to `end` if that lies within the first run and
    /// the run is a copy.
    #[inline]
    pub fn end_of_first_copy(&self, end: usize) -> Option<usize> {
        let first = self.packed.first()?;
        let within = first.rest == COPIED && end <= first.end as usize;
        within.then(|| self.base + first.start as usize + end)
    }

    /// True if a run with this origin, which must not be a unit, starts before `end`.
    pub fn has(&self, origin: RunOrigin, end: usize) -> bool {
        let Ok(code) = known_code(origin) else {
            return false;
        };
        // Only runs that start before `end` count: the rules may have read past the end of the URI,
        // and those runs belong to the text after it.
        let started = self.packed.part(..self.started(end));
        started.iter().any(|run| run.rest & 0xff == code)
    }

    /// True unless the sources of the runs that start before `end` follow each other without a gap.
    /// A run without derived bytes may be counted as a gap or not. So may a run of units, because
    /// the last of them may be cut.
    pub fn has_gap(&self, end: usize) -> bool {
        let started = self.packed.part(..self.started(end));
        let mut before = (0, 0);
        started.iter().enumerate().any(|(index, run)| {
            let (derived, source) = before;
            let derived = Span::new(derived, run.end as usize);
            let is_gap = run.start != source || derived.is_empty() || run.rest & 0xff >= UNITS;
            before =
                (derived.end(), run.start.saturating_add(narrow(self.length(index, derived, run))));
            is_gap
        })
    }

    /// Returns the code of the origin. If there are too many units, the run counts as decoded as a
    /// whole.
    fn code(&mut self, origin: RunOrigin) -> u32 {
        let unit = match known_code(origin) {
            Ok(code) => return code,
            Err(unit) => unit,
        };
        let known = self.units.iter().position(|known| *known == unit);
        // There are at most 251 codes for units. A real text has one or two, so a linear search
        // suffices.
        match known {
            Some(index) => UNITS + index as u32,
            None if self.units.len() == MAX_UNITS => DECODED,
            None => {
                self.units.push(unit);
                UNITS + (self.units.len() - 1) as u32
            }
        }
    }

    /// Sets the source length of the last run. A copy has the length of its text.
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
            // `long` is sorted, because runs are only appended.
            (_, LONG) => {
                let found = self.long.binary_search_by_key(&index, |(of, _)| *of);
                found.ok().and_then(|at| self.long.get(at)).map_or(LONG, |(_, len)| *len)
            }
            (_, len) => len,
        };
        len as usize
    }

    pub fn extend(&mut self, len: usize, source: usize) {
        // The sum can cross the 24-bit limit, so `set_length` decides again where the length is
        // stored.
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

    /// Returns the start of the run at this index in the derived text.
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

    /// Returns the number of runs that end at or before `at`.
    pub fn ended(&self, at: usize) -> usize {
        self.packed.partition_point(|run| run.end as usize <= at)
    }

    /// Returns the number of runs that start before `at`.
    // Runs are contiguous: a run starts where the previous one ends. So the run that contains `at -
    // 1` is the last one that starts before `at`.
    pub fn started(&self, at: usize) -> usize {
        let before = self.packed.partition_point(|run| (run.end as usize) < at);
        if at == 0 { 0 } else { self.packed.len().min(before + 1) }
    }

    /// Returns the last run that starts before `at`, for ascending values of `at`: each run is
    /// passed once.
    #[inline]
    pub fn next_started(&self, cursor: &mut RunCursor, at: usize) -> Option<MapRun> {
        let known = cursor.last.filter(|run| run.derived.start() < at && at <= run.derived.end());
        if known.is_none() {
            // The caller went backwards: search anew. Otherwise continue from the cursor.
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

/// Returns the code of the origin, or the unit whose index determines it.
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

    /// Runs of all kinds; some have no text, some no source.
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
        /// Sources with and without gaps between them.
        #[test]
        fn several_ranges_are_those_of_the_map(
            pieces in prop::collection::vec((0u8..4, 0usize..4, 0usize..4, 0usize..20), 0..9),
            end in 0usize..30,
        ) {
            let (mut derived, mut source) = (DerivedText::default(), 7);
            for (kind, len, wide, gap) in pieces {
                // Most sources follow the one before.
                source += gap.saturating_sub(17);
                let part = self::derived(&[(kind, len, wide)]);
                let origin = part.map.runs.last().map(|run| run.origin);
                match origin {
                    None => {}
                    Some(RunOrigin::Copied) => derived.copy(part.text(), source),
                    Some(origin) => {
                        derived.replace(part.text(), Span::new(source, source + wide), origin);
                    }
                }
                source += if kind == 0 { len } else { wide };
            }
            let ranges = derived.map.ranges(Span::new(0, end));
            let several = if ranges.len() > 1 { ranges } else { Vec::new() };
            prop_assert_eq!(derived.several_ranges(end), several);
        }

        /// Earlier lookups, even of later offsets, must not change the result.
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
