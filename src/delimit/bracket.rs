//! Brackets inside a run (D4.2, D4.8): which closer pairs with which opener, and where the run ends
//! when one has no partner.

use alloc::vec::Vec;

use super::run::{BracketRule, RunWalker, StopReason, WalkStep};
use crate::error::Reason;

impl RunWalker<'_, '_> {
    /// D4.2: an unclosed `(` stays; before any other the URI ends. D4.8: but for a `{`.
    pub(super) fn close_brackets(&mut self) {
        let open = self.scratch.stack.iter().find(|(opener, _)| *opener != '(').copied();
        let Some((opener, at)) = open else { return };
        if opener == '{' {
            self.fault(Reason::Template, at);
            return;
        }
        if matches!(self.plan.brackets, BracketRule::Free { .. }) {
            return;
        }
        self.run.end = at;
        self.run.stop = StopReason::Soft;
        let view = self.view;
        let ends = self.scratch.stack.iter().filter(|(opener, _)| !matches!(opener, '(' | '{'));
        let mut unclosed: Vec<usize> = ends.map(|&(_, at)| view.source_end(at)).collect();
        // a quotation mark stops this walk only
        if self.plan.closers.is_empty() {
            unclosed.sort_unstable();
            self.scratch.unclosed = unclosed;
            self.scratch.unclosed_by = Some(self.rules());
        }
    }

    /// An earlier walk by the same rules found no closer for the opener here.
    fn is_unclosed(&self) -> bool {
        let source = self.view.source_end(self.i);
        self.scratch.unclosed.binary_search(&source).is_ok()
            && self.scratch.unclosed_by == Some(self.rules())
    }

    pub(super) fn open(&mut self, opener: char, length: usize) -> WalkStep {
        let ends = opener != '(' && opener != '{' && self.plan.brackets == BracketRule::Pair;
        if ends && self.is_unclosed() {
            return WalkStep::Stop(StopReason::Soft);
        }
        self.scratch.stack.push((opener, self.i));
        self.i += length;
        WalkStep::Continue
    }

    /// D4.2: an unpaired closer ends the URI before it. An unclosed `(` is passed over.
    pub(super) fn close(&mut self, opener: char, length: usize) -> WalkStep {
        while let Some(&(top, at)) = self.scratch.stack.last() {
            if top == opener {
                self.scratch.stack.pop();
                if opener == '{' {
                    self.run.braces = Some(self.run.braces.map_or(at, |first| first.min(at)));
                }
                self.i += length;
                return WalkStep::Continue;
            }
            if top != '(' {
                break;
            }
            self.scratch.stack.pop();
        }
        match self.plan.brackets {
            BracketRule::Free { closer } if !pairs(opener, closer) => {
                self.i += length;
                WalkStep::Continue
            }
            _ => WalkStep::Stop(StopReason::Soft),
        }
    }
}

/// Whether `closer` closes `opener`.
fn pairs(opener: char, closer: char) -> bool {
    matches!((opener, closer), ('(', ')') | ('[', ']') | ('{', '}'))
}
