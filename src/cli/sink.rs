//! Where the search pushes what it finds.

use urigrep::Finding;

use super::lines::Place;
use super::offsets::{Offsets, Relation};

/// What a sink wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More.
    Continue,
    /// No more of this input.
    StopInput,
    /// No more of anything.
    StopAll,
}

/// A finding and where it stands in its input.
#[derive(Clone, Copy)]
pub struct Hit<'a> {
    /// The finding; its offsets count from `base`.
    pub finding: &'a Finding<'a>,
    /// Absolute offset of the window that was searched.
    pub base: u64,
    /// The place of its first byte, when somebody asked for places.
    pub place: Option<Place>,
    /// Where the text came from.
    pub offsets: &'a dyn Offsets,
    /// The normal form of a match, when a printer before this one had a use for it.
    pub normal: Option<&'a str>,
}

impl<'a> Hit<'a> {
    /// The same for the next printer, which need not normalize again.
    pub fn with_normal<'n>(&self, normal: &'n str) -> Hit<'n>
    where
        'a: 'n,
    {
        Hit {
            normal: Some(normal),
            ..*self
        }
    }

    /// The offset in the input, in its own bytes, of an offset of the finding.
    pub fn offset(&self, at: usize) -> u64 {
        self.offsets.source(self.base + at as u64)
    }

    /// Whether what was searched are the bytes of the input.
    pub fn relation(&self) -> Relation {
        self.offsets.relation()
    }
}

/// Takes the findings of one input, in order.
pub trait Sink {
    /// Takes a finding that was selected.
    fn hit(&mut self, hit: &Hit<'_>) -> Flow;

    /// Told that all findings up to here were given, before more is waited for.
    fn idle(&mut self) -> Flow;
}
