//! Turns bytes into candidates: every `:` that a scheme may precede (D1.1), and other triggers if
//! the options select them.
//!
//! Two filters run one after the other. A [`Kernel`] scans the text and keeps the colons whose
//! neighbours allow a scheme, one [`CandidateBatch`] at a time. In prose, code, and mail, that
//! drops nine of ten colons (times, keys, paths) at the speed of memory. The rest are few enough
//! for [`colon::may_start`], which branches. [`naive`] is the twin of both and reads one byte at a
//! time.
//!
//! Batches exist because a kernel keeps its constants in vector registers. Returning for every
//! candidate would reload them each time. The reasons for vectors at all, and what they gain, are
//! in `docs/decisions/0002-scan-kernels.md`.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "for loops with vectors"))]
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod ascii;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx512;
mod batch;
mod colon;
mod dotted_name;
mod kernel;
#[cfg(feature = "search")]
mod landmark;
#[cfg(feature = "search")]
mod lines;
#[cfg(feature = "search")]
mod literals;
pub(crate) mod message_field;
#[cfg(feature = "search")]
mod opening;
#[cfg(feature = "search")]
mod outline;
mod plain_bytes;
mod portable;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod prefetch;
mod run_masks;
#[cfg(test)]
mod tests;
mod trigger;
mod trigger_set;

use crate::work_counter;
use batch::{CandidateBatch, FoundDots};
use dotted_name::DottedName;

pub(crate) use ascii::ascii_str;
pub(crate) use colon::{is_end_of_web, is_prefix, starts_web};
pub(crate) use dotted_name::{SIGNS as NAME_SIGNS, is_spelled_out, is_www};
pub use kernel::Kernel;
pub(crate) use kernel::KernelLoops;
#[cfg(feature = "search")]
pub(crate) use kernel::MailLoops;
#[cfg(feature = "search")]
pub(crate) use landmark::Percent;
#[cfg(feature = "search")]
pub(crate) use lines::is_in_name;
#[cfg(feature = "search")]
pub(crate) use literals::{Literals, StretchEnd, StretchFinder};
#[cfg(feature = "search")]
pub(crate) use outline::{FieldValues, HeaderOutline, SHORT_FIELD, starts_content};
pub(crate) use run_masks::{MASK_BYTES, RunMasks};
pub(crate) use trigger::{Candidate, Trigger, Triggers};

/// An iterator over the candidates of one text, from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    triggers: Triggers,
    loops: KernelLoops,
    batch: CandidateBatch,
    name: DottedName,
}

impl Scanner {
    #[inline(always)]
    pub fn new(triggers: Triggers, loops: KernelLoops) -> Self {
        Self { triggers, loops, batch: CandidateBatch::new(), name: DottedName::default() }
    }

    #[inline(always)]
    pub fn loops(&self) -> &KernelLoops {
        &self.loops
    }

    /// Discards the current batch, so that the search can continue at `from`, also in another part
    /// of the text.
    pub fn restart(&mut self, from: usize) {
        self.batch.restart(from);
    }

    /// Returns the next candidate at or after `from`.
    ///
    /// All calls must pass the same `haystack`, and `from` must not decrease.
    #[inline(always)]
    pub fn next(&mut self, haystack: &[u8], from: usize) -> Option<Candidate> {
        if !self.triggers.are_plain_colons() {
            return self.next_of_any(haystack, from);
        }
        loop {
            while let Some(at) = self.batch.next() {
                work_counter::add(1);
                // A finding may have ended after some candidates of the batch.
                if at < from {
                    continue;
                }
                let trigger = match colon::web(haystack, at) {
                    Some(start) => Trigger::Web(start),
                    None if colon::may_start(haystack, at) => Trigger::Colon,
                    None => continue,
                };
                return Some(Candidate { at, trigger });
            }
            let end = self.batch.end().max(from);
            if end >= haystack.len() {
                return None;
            }
            self.batch.restart(end);
            (self.loops.fill)(haystack, &mut self.batch);
        }
    }

    /// Like [`Self::next`], for other triggers than plain colons. Not inlined, so that a search for
    /// colons does not pay for it.
    #[inline(never)]
    fn next_of_any(&mut self, haystack: &[u8], from: usize) -> Option<Candidate> {
        loop {
            while let Some(at) = self.batch.next() {
                work_counter::add(1);
                if at < from {
                    continue;
                }
                match trigger::at(haystack, at, self.triggers) {
                    None => {}
                    Some(Trigger::Dot) if !self.may_start_host(haystack, at) => {}
                    // Does not apply to UTS #58, which treats message identifiers as links.
                    Some(Trigger::At)
                        if self.triggers.have_tlds()
                            && message_field::is_near(haystack, at, &self.loops) => {}
                    Some(trigger) => return Some(Candidate { at, trigger }),
                }
            }
            let end = self.batch.end().max(from);
            if end >= haystack.len() {
                return None;
            }
            self.batch.restart(end);
            (self.loops.fill_any)(haystack, self.triggers.leads(), &mut self.batch);
        }
    }

    /// True if a host without a scheme may be around the dot at `at`. Skips the test if the kernel
    /// did it already.
    #[inline(always)]
    fn may_start_host(&mut self, haystack: &[u8], at: usize) -> bool {
        let is_sifted = self.batch.dots() == FoundDots::Sifted
            && haystack.get(at + 1).is_some_and(|byte| !byte.is_ascii_digit());
        is_sifted || !self.triggers.have_tlds() || self.name.may_start(haystack, at, &self.loops)
    }
}

/// Returns the `:` of the next candidate at or after `from`, reading one byte at a time.
#[cfg(test)]
fn naive(haystack: &[u8], from: usize) -> Option<usize> {
    (from..haystack.len()).find(|&at| haystack[at] == b':' && colon::may_start(haystack, at))
}
