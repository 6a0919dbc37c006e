//! The runs of a map, in sixteen bytes each.
//!
//! A text in which every other character is escaped has a run for every character, twice where a charset
//! is decoded too; what is written so to cost memory must not cost much.

use super::{Origin, Run};
use crate::span::Span;

/// Runs in order; texts and sources go on for 4 GiB at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    /// Where the source of the first run starts.
    base: usize,
    packed: Vec<Packed>,
}

/// A run, which starts where the one before it ends.
#[derive(Clone, Copy, Debug)]
struct Packed {
    /// Of the derived text.
    end: u32,
    /// Of the source, from the base on.
    start: u32,
    len: u32,
    origin: Origin,
}

impl Runs {
    pub const fn new() -> Self {
        Self {
            base: 0,
            packed: Vec::new(),
        }
    }

    pub fn with_capacity(runs: usize) -> Self {
        Self {
            base: 0,
            packed: Vec::with_capacity(runs),
        }
    }

    #[cfg(feature = "documents")]
    pub fn capacity(&self) -> usize {
        self.packed.capacity()
    }

    pub fn clear(&mut self) {
        self.packed.clear();
    }

    /// The length of the derived text.
    pub fn len(&self) -> usize {
        self.packed.last().map_or(0, |run| run.end as usize)
    }

    /// Appends a run of so many derived bytes.
    pub fn push(&mut self, len: usize, source: Span, origin: Origin) {
        if self.packed.is_empty() {
            self.base = source.start();
        }
        self.packed.push(Packed {
            end: narrow(self.len() + len),
            start: narrow(source.start().saturating_sub(self.base)),
            len: narrow(source.len()),
            origin,
        });
    }

    /// Makes the last run longer.
    pub fn extend(&mut self, len: usize, source: usize) {
        if let Some(run) = self.packed.last_mut() {
            run.end = narrow(run.end as usize + len);
            run.len = narrow(run.len as usize + source);
        }
    }

    pub fn get(&self, index: usize) -> Option<Run> {
        let before = index
            .checked_sub(1)
            .and_then(|before| self.packed.get(before));
        let start = before.map_or(0, |run| run.end as usize);
        self.packed.get(index).map(|run| self.unpack(start, run))
    }

    pub fn last(&self) -> Option<Run> {
        self.get(self.packed.len().checked_sub(1)?)
    }

    /// All from an index on.
    pub fn from(&self, index: usize) -> impl Iterator<Item = Run> {
        let before = index
            .checked_sub(1)
            .and_then(|before| self.packed.get(before));
        let mut start = before.map_or(0, |run| run.end as usize);
        let rest = self.packed.get(index..).unwrap_or_default();
        rest.iter().map(move |packed| {
            let run = self.unpack(start, packed);
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
        if at == 0 {
            0
        } else {
            self.packed.len().min(before + 1)
        }
    }

    fn unpack(&self, start: usize, run: &Packed) -> Run {
        let source = self.base + run.start as usize;
        Run {
            derived: Span::new(start, run.end as usize),
            source: Span::new(source, source + run.len as usize),
            origin: run.origin,
        }
    }
}

fn narrow(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
