//! The flags of a match as steps of an explanation: the last ones, which decide nothing.

use super::matched::Match;
use crate::span::Span;
use crate::trace::Step;

/// What stands in place of a rule's number.
const RULE: &str = "flag";

impl<'h> Match<'h> {
    /// A step for each flag, and for the name of a URN that its namespace does not allow why.
    pub(super) fn cautions(&self) -> Vec<Step<'h>> {
        let step = |what, span: Span| Step {
            rule: RULE,
            what,
            span,
            text: self.haystack.get(span.range()).unwrap_or_default(),
        };
        let mut steps: Vec<_> = self
            .flags()
            .iter()
            .map(|flag| step(flag.meaning(), self.span))
            .collect();
        if let Some(fault) = self.nss_fault() {
            // Offsets into a URN that was rejoined or decoded are not those of the source.
            let at = if self.made.is_none() {
                Span::new(self.start() + fault.offset(), self.end())
            } else {
                self.span
            };
            steps.push(step(fault.kind().meaning(), at));
            steps.push(step(fault.form(), self.span));
        }
        steps
    }
}
