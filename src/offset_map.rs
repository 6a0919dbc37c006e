//! Maps derived text back to the source bytes it came from.
//!
//! Rejoining, escapes, entities, transfer decoding and charsets all produce text that does not
//! occur in the source. [`OffsetMap`] stores where each byte came from: as runs, in order in both
//! texts, instead of one offset per byte. If one derived text is derived from another, [`Layers`]
//! maps through both.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

#[cfg(feature = "search")]
mod compose;
mod layers;
mod runs;

pub use layers::{Layers, OwnedLayers};

use alloc::vec::Vec;

use crate::slice::SliceExt;
use crate::span::Span;
use runs::PackedRuns;
pub(crate) use runs::RunCursor;

/// The way a run of derived text was made from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunOrigin {
    /// Copied: derived and source bytes are equal.
    Copied,
    /// Units of one size from units of another, like the bytes of base64 from its characters.
    Units(Unit),
    /// Other bytes with the same meaning, such as `/` for `\/`.
    Decoded,
    /// Other bytes that undo defanging, such as `.` for `[.]`.
    Refanged,
    /// Text that the author left out, such as the scheme: no source bytes.
    Assumed,
    /// White space of a line break that a wrapper makes removable: no derived bytes.
    Joined,
}

/// Sizes of a repeated unit: `text` derived bytes come from `source` source bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Bytes of derived text.
    pub text: u8,
    /// Bytes of source.
    pub source: u8,
}

#[derive(Clone, Copy, Debug)]
struct MapRun {
    derived: Span,
    source: Span,
    origin: RunOrigin,
}

impl MapRun {
    /// Returns the source of the derived bytes `part`, which must overlap this run.
    #[inline]
    fn source_of(&self, part: Span) -> Span {
        let from = part.start().max(self.derived.start()) - self.derived.start();
        let to = part.end().min(self.derived.end()) - self.derived.start();
        let source = self.source.start();
        match self.origin {
            RunOrigin::Copied => Span::new(source + from, source + to),
            RunOrigin::Units(Unit { text, source: wide }) => {
                let (text, wide) = (usize::from(text.max(1)), usize::from(wide));
                // A part of a unit maps to the source bytes that contributed to it: its start is
                // rounded down and its end up.
                let end = (source + (to * wide).div_ceil(text)).min(self.source.end());
                Span::new(source + from * wide / text, end)
            }
            // Here single bytes have no source of their own; every part maps to the whole.
            RunOrigin::Decoded | RunOrigin::Refanged | RunOrigin::Assumed | RunOrigin::Joined => {
                self.source
            }
        }
    }
}

/// Largest initial reservation of ranges. Adjacent pieces merge, so there may be far fewer.
const MAX_RANGES_AT_ONCE: usize = 8;

/// The source position of each byte of a derived text.
///
/// It is built piece by piece, in the order of the text. Offsets are 0-based bytes. A piece must
/// not begin before the end of the previous one, in the source either.
///
/// ```
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::Span;
/// // `a&amp;b` is `a&b`
/// let mut map = OffsetMap::new();
/// map.copy(1, 0);
/// map.replace(1, Span::new(1, 6));
/// map.copy(1, 6);
/// assert_eq!(map.len(), 3);
/// assert_eq!(map.source(Span::new(1, 3)), Span::new(1, 7));
/// assert!(map.is_copied(Span::new(2, 3)) && !map.is_copied(Span::new(0, 3)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct OffsetMap {
    runs: PackedRuns,
}

impl OffsetMap {
    /// Creates the map of an empty text.
    pub const fn new() -> Self {
        Self { runs: PackedRuns::new() }
    }

    /// Creates the map of a text that is a copy of its source from byte `source`.
    pub fn copied(len: usize, source: usize) -> Self {
        let mut map = Self::new();
        map.copy(len, source);
        map
    }

    /// Empties the map and keeps its allocation.
    pub fn clear(&mut self) {
        self.runs.clear();
    }

    #[cfg(feature = "search")]
    pub(crate) fn capacity(&self) -> usize {
        self.runs.capacity()
    }

    /// Memory of its runs, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.runs.size()
    }

    /// Length of the text in bytes.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// True if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends `len` bytes that are a copy of the source from `source`.
    #[inline]
    pub fn copy(&mut self, len: usize, source: usize) {
        if len > 0 && !self.runs.extend_copy(len, source) {
            self.push(len, Span::new(source, source + len), RunOrigin::Copied);
        }
    }

    /// Appends `len` bytes that, as a whole, were made from `source`.
    pub fn replace(&mut self, len: usize, source: Span) {
        if len > 0 {
            self.push(len, source, RunOrigin::Decoded);
        }
    }

    /// Appends `len` bytes that were made from `source` unit by unit, starting at the first byte of
    /// a unit. The last unit may be short.
    ///
    /// ```
    /// use urigrep::offset_map::{OffsetMap, Unit};
    /// use urigrep::Span;
    /// // base64: three bytes from four characters; the second byte is in the second and the third
    /// let mut map = OffsetMap::new();
    /// map.units(6, Span::new(10, 18), Unit { text: 3, source: 4 });
    /// assert_eq!(map.source(Span::new(0, 6)), Span::new(10, 18));
    /// assert_eq!(map.source(Span::new(1, 2)), Span::new(11, 13));
    /// assert_eq!(map.source(Span::new(3, 4)), Span::new(14, 16));
    /// ```
    pub fn units(&mut self, len: usize, source: Span, unit: Unit) {
        if len == 0 {
            return;
        }
        if let Some(run) = self.runs.last()
            && run.origin == RunOrigin::Units(unit)
            && run.source.end() == source.start()
            // Extend the last run only if all of its units are complete. Otherwise the positions of
            // the following units would be wrong.
            && run.derived.len() * usize::from(unit.source)
                == run.source.len() * usize::from(unit.text)
        {
            self.runs.extend(len, source.len());
        } else {
            self.push(len, source, RunOrigin::Units(unit));
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, len: usize, source: Span, origin: RunOrigin) {
        self.runs.push(len, source, origin);
    }

    /// Returns the source bytes from the first to the last that made `text`. For an empty span it
    /// returns the position of the byte after it.
    pub fn source(&self, text: Span) -> Span {
        let index = self.runs.ended(text.start());
        // Past the end of the text, there is only the end of the source.
        let Some(first) = self.runs.get(index) else {
            let end = self.runs.last().map_or(0, |run| run.source.end());
            return Span::new(end, end);
        };
        if text.is_empty() {
            let start = first.source_of(Span::new(text.start(), text.start() + 1)).start();
            return Span::new(start, start);
        }
        let last = self.runs.started(text.end());
        let last = last.checked_sub(1).and_then(|last| self.runs.get(last));
        let end = last.map_or(0, |last| last.source_of(text).end());
        Span::new(first.source_of(text).start(), end)
    }

    /// Returns the source bytes that made `text`, in order, with adjacent pieces merged.
    pub fn ranges(&self, text: Span) -> Vec<Span> {
        let from = self.runs.ended(text.start());
        let most = self.runs.started(text.end()).saturating_sub(from);
        let mut ranges: Vec<Span> = Vec::with_capacity(most.min(MAX_RANGES_AT_ONCE));
        for run in self.runs.from(from) {
            if run.derived.start() >= text.end() {
                break;
            }
            // Removed line breaks have no derived bytes, so they do not belong to any range.
            if run.derived.is_empty() {
                continue;
            }
            let source = run.source_of(text);
            match ranges.last_mut() {
                Some(last) if last.end() == source.start() => {
                    *last = Span::new(last.start(), source.end())
                }
                _ => ranges.push(source),
            }
        }
        ranges
    }

    /// Returns a map that covers only `text` and the byte after it.
    pub(crate) fn part(&self, text: Span) -> Self {
        let last = self.runs.started(usize::MAX).saturating_sub(1);
        let from = self.runs.ended(text.start()).min(last);
        let count = self.runs.started(text.end()).saturating_sub(from);
        let mut part = Self {
            // Room for the runs before and after, too.
            runs: PackedRuns::with_capacity(count + 2),
        };
        for run in self.runs.from(from) {
            // Keep the offsets: a placeholder run takes the place of everything before.
            if part.is_empty() && run.derived.start() > 0 {
                let before = Span::new(run.source.start(), run.source.start());
                part.replace(run.derived.start(), before);
            }
            part.push(run.derived.len(), run.source, run.origin);
            if run.derived.start() >= text.end() && !run.derived.is_empty() {
                break;
            }
        }
        part
    }

    /// True if `text` is a single copy of a part of the source.
    pub fn is_copied(&self, text: Span) -> bool {
        let index = self.runs.ended(text.start());
        let within =
            |run: MapRun| run.origin == RunOrigin::Copied && text.end() <= run.derived.end();
        text.is_empty() || self.runs.get(index).is_some_and(within)
    }
}

/// A text built from pieces of a source, with the map back.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedText {
    text: Vec<u8>,
    map: OffsetMap,
}

impl DerivedText {
    /// Creates an empty text with room for `bytes` and for the runs of most texts.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            text: Vec::with_capacity(bytes),
            map: OffsetMap { runs: PackedRuns::with_capacity(8) },
        }
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    #[cfg(feature = "search")]
    pub const fn map(&self) -> &OffsetMap {
        &self.map
    }

    /// True if the text up to `end` is a single copy of a part of the source.
    pub fn is_copied(&self, end: usize) -> bool {
        self.map.runs.end_of_first_copy(end).is_some()
    }

    /// True if a run of this origin starts before `end` (in derived bytes).
    pub fn has(&self, origin: RunOrigin, end: usize) -> bool {
        self.map.runs.has(origin, end)
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.map.clear();
    }

    pub fn restart(&mut self, bytes: usize) {
        self.clear();
        self.text.reserve(bytes);
    }

    /// Appends `bytes`, a copy of the source from `source`.
    #[inline]
    pub fn copy(&mut self, bytes: &[u8], source: usize) {
        self.text.extend_from_slice(bytes);
        self.map.copy(bytes.len(), source);
    }

    /// Appends `bytes`, which the source spells as `source`.
    #[inline]
    pub fn replace(&mut self, bytes: &[u8], source: Span, origin: RunOrigin) {
        self.text.extend_from_slice(bytes);
        self.map.push(bytes.len(), source, origin);
    }

    /// Returns the source offset just past the bytes that made the derived text up to `end`.
    pub fn source_end(&self, end: usize) -> usize {
        let runs = &self.map.runs;
        self.end_in(end, || runs.get(runs.started(end).checked_sub(1)?))
    }

    /// Like [`source_end`](Self::source_end), for ends in ascending order.
    pub fn next_source_end(&self, cursor: &mut RunCursor, end: usize) -> usize {
        self.end_in(end, || self.map.runs.next_started(cursor, end))
    }

    #[inline]
    fn end_in(&self, end: usize, last: impl FnOnce() -> Option<MapRun>) -> usize {
        let runs = &self.map.runs;
        // Answer a text that is a single copy without a search.
        if let Some(source) = runs.end_of_first_copy(end) {
            return source;
        }
        match last() {
            None => runs.get(0).map_or(0, |run| run.source.start()),
            Some(run) => run.source_of(Span::new(0, end)).end(),
        }
    }

    /// Returns the source ranges of the derived bytes up to `end`, with neighbours merged, if there
    /// is more than one.
    pub fn several_ranges(&self, end: usize) -> Vec<Span> {
        // Escapes leave no gap, so a list would be made for nothing.
        if self.map.runs.has_gap(end) {
            let ranges = self.map.ranges(Span::new(0, end));
            if ranges.len() > 1 { ranges } else { Vec::new() }
        } else {
            Vec::new()
        }
    }

    /// Returns the text up to `end` with escapes decoded, but with the line breaks of `source`.
    pub fn unjoined(&self, end: usize, source: &[u8]) -> Vec<u8> {
        if !self.has(RunOrigin::Joined, end) {
            return self.text.part(..end).to_vec();
        }
        let mut text = Vec::with_capacity(end);
        let runs = self.map.runs.from(0);
        for run in runs.take_while(|run| run.derived.start() < end) {
            text.extend_from_slice(match run.origin {
                RunOrigin::Joined => source.part(run.source.range()),
                _ => self.text.part(run.derived.start()..run.derived.end().min(end)),
            });
        }
        text
    }
}
