//! Offsets of the text of a part of a document.

use crate::Span;
use crate::offset_map::Layers;
use crate::search::source::text_source::SourceOffsets;

/// Maps offsets from the text of a part to the document, and from there to the input.
pub(crate) struct PartOffsets<'m> {
    pub document: &'m [u8],
    /// Start of the document in the text of the input.
    pub base: u64,
    /// The map from the text of the part to the document.
    pub layers: Layers<'m>,
    pub below: &'m dyn SourceOffsets,
}

impl PartOffsets<'_> {
    fn in_document(&self, start: u64, end: u64) -> Span {
        // The cast can't truncate: the text of a part is in memory.
        self.layers.source(Span::new(start as usize, end as usize))
    }
}

impl SourceOffsets for PartOffsets<'_> {
    fn source(&self, at: u64) -> u64 {
        let at = self.in_document(at, at).start() as u64;
        self.below.source(self.base + at)
    }

    fn source_end(&self, end: u64) -> u64 {
        // By the last byte, because `end` may stand for the start of what follows: a soft line
        // break between both belongs to neither.
        let last = end.saturating_sub(1);
        let end = self.in_document(last, end).end() as u64;
        self.below.source_end(self.base + end)
    }

    fn has_one_range(&self) -> bool {
        false
    }

    fn ranges(&self, start: u64, end: u64) -> Vec<[u64; 2]> {
        let spans = self.layers.ranges(Span::new(start as usize, end as usize));
        let below = |span: Span| {
            let [start, end] = [span.start(), span.end()].map(|at| self.base + at as u64);
            self.below.ranges(start, end)
        };
        spans.into_iter().flat_map(below).collect()
    }

    fn is_verbatim(&self, start: u64, end: u64) -> bool {
        let span = Span::new(start as usize, end as usize);
        let copied = self.layers.is_copied(span);
        let span = self.in_document(start, end);
        let [start, end] = [span.start(), span.end()].map(|at| self.base + at as u64);
        copied && self.below.is_verbatim(start, end)
    }

    fn source_bytes(&self, start: u64, end: u64) -> Option<&[u8]> {
        self.document.get(self.in_document(start, end).range())
    }
}
