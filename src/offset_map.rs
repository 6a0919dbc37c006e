//! Derived text back to the source bytes that made it.
//!
//! Rejoining, escapes, entities, transfer decoding and charsets all make a text that is nowhere
//! in the source. [`OffsetMap`] says where each of its bytes came from. It is kept as runs, not as
//! a word a byte; runs are in order in both texts. Where one text is derived from another that was
//! derived itself, [`Layers`] leads through both.

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

/// How a run of derived text was made from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunOrigin {
    /// Byte for byte: derived and source have the same length.
    Copied,
    /// Units of one size from units of another, as the bytes of base64 from its characters.
    Units(Unit),
    /// Other bytes with the same meaning, as `/` for `\/`.
    Decoded,
    /// Other bytes that undo what made a URI unclickable, as `.` for `[.]`.
    Refanged,
    /// What the author left out, as the scheme: of no source bytes.
    Assumed,
    /// White space of a line break that a wrapper lets us remove: no derived bytes.
    Joined,
}

/// Sizes in bytes of a repeated unit: so many bytes of text come from so many of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Bytes of the derived text.
    pub text: u8,
    /// Bytes of the source.
    pub source: u8,
}

#[derive(Clone, Copy, Debug)]
struct MapRun {
    derived: Span,
    source: Span,
    origin: RunOrigin,
}

impl MapRun {
    /// The source of the derived bytes `part`, which has some in common with this run.
    #[inline]
    fn source_of(&self, part: Span) -> Span {
        let from = part.start().max(self.derived.start()) - self.derived.start();
        let to = part.end().min(self.derived.end()) - self.derived.start();
        let source = self.source.start();
        match self.origin {
            RunOrigin::Copied => Span::new(source + from, source + to),
            RunOrigin::Units(Unit { text, source: wide }) => {
                let (text, wide) = (usize::from(text.max(1)), usize::from(wide));
                let end = (source + (to * wide).div_ceil(text)).min(self.source.end());
                Span::new(source + from * wide / text, end)
            }
            RunOrigin::Decoded | RunOrigin::Refanged | RunOrigin::Assumed | RunOrigin::Joined => {
                self.source
            }
        }
    }
}

/// Where each byte of a derived text came from.
///
/// It is built piece by piece, in the order of the text; offsets are 0-based bytes. Each piece
/// must not begin before the one before it ended, in the source either.
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
    /// The map of an empty text.
    pub const fn new() -> Self {
        Self { runs: PackedRuns::new() }
    }

    /// The map of a text that is in its source as it is, from the byte `source` on.
    pub fn copied(len: usize, source: usize) -> Self {
        let mut map = Self::new();
        map.copy(len, source);
        map
    }

    /// The map of an empty text again; what was allocated stays.
    pub fn clear(&mut self) {
        self.runs.clear();
    }

    #[cfg(feature = "search")]
    pub(crate) fn capacity(&self) -> usize {
        self.runs.capacity()
    }

    /// How much memory its runs take, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.runs.size()
    }

    /// The length of the text in bytes.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next `len` bytes of the text are in the source as they are, from `source` on.
    #[inline]
    pub fn copy(&mut self, len: usize, source: usize) {
        if len > 0 && !self.runs.extend_copy(len, source) {
            self.push(len, Span::new(source, source + len), RunOrigin::Copied);
        }
    }

    /// The next `len` bytes of the text, as a whole, were made from `source`.
    pub fn replace(&mut self, len: usize, source: Span) {
        if len > 0 {
            self.push(len, source, RunOrigin::Decoded);
        }
    }

    /// The next `len` bytes of the text were made from `source`, unit by unit, from the first byte of a
    /// unit on; the last unit may be short.
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

    /// From the first source byte that made `text` to the last; an empty span is where the byte
    /// after it does.
    pub fn source(&self, text: Span) -> Span {
        let index = self.runs.ended(text.start());
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

    /// The source bytes that made `text`, in order; pieces that touch are one.
    pub fn ranges(&self, text: Span) -> Vec<Span> {
        let from = self.runs.ended(text.start());
        let mut ranges: Vec<Span> = Vec::new();
        for run in self.runs.from(from) {
            if run.derived.start() >= text.end() {
                break;
            }
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

    /// The same map as far as `text` goes, and the byte behind it; of all else it knows nothing.
    pub(crate) fn part(&self, text: Span) -> Self {
        let last = self.runs.started(usize::MAX).saturating_sub(1);
        let from = self.runs.ended(text.start()).min(last);
        let count = self.runs.started(text.end()).saturating_sub(from);
        let mut part = Self {
            // and those before and behind
            runs: PackedRuns::with_capacity(count + 2),
        };
        for run in self.runs.from(from) {
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

    /// Whether `text` is in the source as it is, in one piece.
    pub fn is_copied(&self, text: Span) -> bool {
        let index = self.runs.ended(text.start());
        let within =
            |run: MapRun| run.origin == RunOrigin::Copied && text.end() <= run.derived.end();
        text.is_empty() || self.runs.get(index).is_some_and(within)
    }
}

/// A text made from pieces of a source, and the way back.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedText {
    text: Vec<u8>,
    map: OffsetMap,
}

impl DerivedText {
    /// An empty text with room for `bytes`, and for the runs of most texts.
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

    /// Whether the text up to `end` is in the source as it is, in one piece.
    pub fn is_copied(&self, end: usize) -> bool {
        self.map.runs.end_of_first_copy(end).is_some()
    }

    /// Whether a run that starts before `end` (in derived bytes) is of this origin.
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

    /// Appends `bytes`, which are in the source as they are, from `source` on.
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

    /// The source offset one past what made the derived bytes up to `end`.
    pub fn source_end(&self, end: usize) -> usize {
        let runs = &self.map.runs;
        self.end_in(end, || runs.get(runs.started(end).checked_sub(1)?))
    }

    /// The same for ends that are asked for in order.
    pub fn next_source_end(&self, cursor: &mut RunCursor, end: usize) -> usize {
        self.end_in(end, || self.map.runs.next_started(cursor, end))
    }

    #[inline]
    fn end_in(&self, end: usize, last: impl FnOnce() -> Option<MapRun>) -> usize {
        let runs = &self.map.runs;
        if let Some(source) = runs.end_of_first_copy(end) {
            return source;
        }
        match last() {
            None => runs.get(0).map_or(0, |run| run.source.start()),
            Some(run) => run.source_of(Span::new(0, end)).end(),
        }
    }

    /// The source ranges of the derived bytes up to `end`, neighbours merged.
    pub fn ranges(&self, end: usize) -> Vec<Span> {
        self.map.ranges(Span::new(0, end))
    }

    /// The text up to `end` with escapes decoded, but line breaks as they are in `source`.
    pub fn unjoined(&self, end: usize, source: &[u8]) -> Vec<u8> {
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
