//! Composes the maps of two steps: a text derived from a derived text.
//!
//! [`Layers`](super::Layers) maps through both steps without this. A single map is needed for
//! pieces, such as the encoded words of a header, that end up in one text with others that have a
//! step less.

use super::{OffsetMap, RunOrigin};
use crate::span::Span;

impl OffsetMap {
    /// Appends the whole text of `upper`, whose source is the text of `lower`.
    pub(crate) fn append_composed(&mut self, upper: &Self, lower: &Self) {
        for run in upper.runs.from(0) {
            match run.origin {
                RunOrigin::Copied => self.append_part(lower, run.source),
                RunOrigin::Units(unit) => {
                    let (text, wide) = (usize::from(unit.text.max(1)), usize::from(unit.source));
                    let mut at = 0;
                    while at < run.derived.len() {
                        let start = run.source.start() + at / text * wide;
                        let end = (start + wide).min(run.source.end());
                        let len = text.min(run.derived.len() - at);
                        self.replace(len, lower.source(Span::new(start, end)));
                        at += text;
                    }
                }
                RunOrigin::Decoded
                | RunOrigin::Refanged
                | RunOrigin::Assumed
                | RunOrigin::Joined => {
                    self.replace(run.derived.len(), lower.source(run.source));
                }
            }
        }
    }

    /// Appends a part of the text of `from`, with the same source.
    fn append_part(&mut self, from: &Self, part: Span) {
        let first = from.runs.ended(part.start());
        for run in from.runs.from(first) {
            if run.derived.start() >= part.end() {
                break;
            }
            let start = run.derived.start().max(part.start());
            let end = run.derived.end().min(part.end());
            let source = run.source_of(Span::new(start, end));
            match run.origin {
                RunOrigin::Copied => self.copy(end - start, source.start()),
                // Units map only from the first byte of a unit.
                RunOrigin::Units(unit)
                    if (start - run.derived.start()) % usize::from(unit.text.max(1)) == 0 =>
                {
                    self.units(end - start, source, unit);
                }
                _ => self.replace(end - start, source),
            }
        }
    }
}
