//! Explains the flags of a match: the last steps of an explanation, which decide nothing.

use alloc::vec::Vec;

use super::matched::Match;
use crate::span::Span;
use crate::trace::Step;

impl<'h> Match<'h> {
    /// Returns a step for each flag, and the reason if its namespace does not allow the name of a
    /// URN.
    pub(super) fn flag_steps(&self) -> Vec<Step<'h>> {
        let step = |rule, what, span: Span| Step {
            rule,
            what,
            span,
            text: self.haystack.get(span.range()).unwrap_or_default(),
        };
        let mut steps: Vec<_> = self
            .flags()
            .iter()
            .map(|flag| step(flag.name(), flag.meaning(), self.span()))
            .collect();
        if let Some(fault) = self.nss_fault() {
            // Offsets into a rejoined or decoded URN are not offsets into the source.
            let at = if self.data.derived.is_none() {
                Span::new(self.start() + fault.offset(), self.end())
            } else {
                self.span()
            };
            let name = fault.kind().name();
            steps.push(step(name, fault.kind().meaning(), at));
            steps.push(step(name, fault.form(), self.span()));
        }
        steps
    }
}
