//! Bytes to candidates: every `:` that a scheme may stand before (D1.1).
//!
//! Two filters, one after the other. A [`Kernel`] goes over the text and keeps the colons that are
//! [worth](portable::is_worth) a look by the bytes next to them; those are few enough for
//! [`colon::may_start`], which knows what the rules can take. [`naive`] is the twin of both, one
//! byte at a time.

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod colon;
mod kernel;
mod portable;
#[cfg(test)]
mod tests;
mod trigger;

use crate::steps;
use kernel::Block;

pub(crate) use colon::is_prefix;
pub use kernel::Kernel;
pub(crate) use trigger::{Candidate, Trigger, Triggers};

/// A walk over the candidates of one text, from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    triggers: Triggers,
    next_block: kernel::NextBlock,
    block: Block,
}

impl Scanner {
    pub fn new(triggers: Triggers, kernel: Kernel) -> Self {
        Self {
            triggers,
            next_block: kernel.next_block(),
            block: Block::default(),
        }
    }

    /// The next candidate at or after `from`.
    ///
    /// From call to call `haystack` is the same, and `from` does not go back.
    #[inline]
    pub fn next(&mut self, haystack: &[u8], from: usize) -> Option<Candidate> {
        if !self.triggers.are_plain_colons() {
            return trigger::next(haystack, from, self.triggers);
        }
        let at = self.next_colon(haystack, from)?;
        Some(Candidate {
            at,
            trigger: Trigger::Colon,
        })
    }

    #[inline]
    fn next_colon(&mut self, haystack: &[u8], from: usize) -> Option<usize> {
        loop {
            while self.block.bits != 0 {
                let at = self.block.base + self.block.bits.trailing_zeros() as usize;
                self.block.bits &= self.block.bits - 1;
                steps::add(1);
                if at >= from && colon::may_start(haystack, at) {
                    return Some(at);
                }
            }
            self.block = (self.next_block)(haystack, from.max(self.block.end))?;
        }
    }
}

/// The `:` of the next candidate at or after `from`, one byte at a time.
#[cfg(test)]
fn naive(haystack: &[u8], from: usize) -> Option<usize> {
    (from..haystack.len())
        .find(|&at| portable::is_worth(haystack, at) && colon::may_start(haystack, at))
}
