//! Offsets of a text that was made from a part of a document.

use urigrep::{Layers, Span};

use super::offsets::{Offsets, Relation};

/// From the text of a part to the document, and from there to the input.
pub struct Mapped<'m> {
    /// The document.
    pub window: &'m [u8],
    /// Where the window stands in the input.
    pub base: u64,
    /// From the text to the document.
    pub layers: Layers<'m>,
    /// From there to the input.
    pub below: &'m dyn Offsets,
}

impl Mapped<'_> {
    fn in_document(&self, start: u64, end: u64) -> Span {
        // The text of a part is in memory, so its offsets are of this size.
        self.layers.source(Span::new(start as usize, end as usize))
    }
}

impl Offsets for Mapped<'_> {
    fn source(&self, at: u64) -> u64 {
        let at = self.in_document(at, at).start() as u64;
        self.below.source(self.base + at)
    }

    fn source_end(&self, end: u64) -> u64 {
        let last = end.saturating_sub(1);
        let end = self.in_document(last, end).end() as u64;
        self.below.source_end(self.base + end)
    }

    fn ranges(&self, start: u64, end: u64) -> Vec<[u64; 2]> {
        let spans = self.layers.ranges(Span::new(start as usize, end as usize));
        let below = |span: Span| {
            let [start, end] = [span.start(), span.end()].map(|at| self.base + at as u64);
            self.below.ranges(start, end)
        };
        spans.into_iter().flat_map(below).collect()
    }

    fn relation(&self, start: u64, end: u64) -> Relation {
        let span = Span::new(start as usize, end as usize);
        let copied = self.layers.is_copied(span);
        let span = self.in_document(start, end);
        let [start, end] = [span.start(), span.end()].map(|at| self.base + at as u64);
        match self.below.relation(start, end) {
            Relation::Same if copied => Relation::Same,
            _ => Relation::Decoded,
        }
    }

    fn raw(&self, start: u64, end: u64) -> Option<&[u8]> {
        self.window.get(self.in_document(start, end).range())
    }
}
