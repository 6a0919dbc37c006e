//! Finds the bytes that may start a candidate other than a colon (D7), 64 at a time.
//!
//! [`trigger::at`](super::trigger::at) decides what each byte is. The tests here must not branch,
//! so that the compiler vectorizes them. The loops for AVX2 and AVX-512 leave the end of a text to
//! this one.

use super::batch::CandidateBatch;
use crate::chunk::is_alphanumeric;
use crate::slice::SliceExt;

const STEP: usize = u64::BITS as usize;
/// A step, and the byte on each side of it.
type StepBytes = [u8; 1 + STEP + 1];

/// The bytes to search for, besides colons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TriggerSet {
    /// Only colons without brackets that a built-in scheme may precede.
    pub plain_colons: bool,
    /// The byte between the labels of a host and in a DOI; a colon if neither is searched for.
    pub dot: u8,
    /// Hosts without a scheme.
    pub hosts: bool,
    /// Also the dots after the first one of a name.
    pub later_dots: bool,
    pub at: u8,
    /// `[.]` and `[at]`.
    pub brackets: bool,
    /// `ISBN` and the like.
    pub labels: bool,
    /// Characters that IDNA maps to a dot.
    pub other_dots: bool,
}

/// Fills a restarted batch, and moves its end.
pub(super) fn fill(haystack: &[u8], leads: TriggerSet, batch: &mut CandidateBatch) {
    // No trigger is the first byte of a text.
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit && at < haystack.len() && !batch.is_full() {
        let around = haystack.part(at - 1..);
        match around.first_chunk() {
            Some(step) => batch.push::<1>(at, among(step, leads)),
            None => {
                // The end of the text is padded with zeros, which are not triggers.
                let mut step: StepBytes = [0; _];
                step.iter_mut().zip(around).for_each(|(byte, known)| *byte = *known);
                batch.push::<1>(at, among(&step, leads));
            }
        }
        at = haystack.len().min(at + STEP);
        batch.reach(at);
    }
    batch.reach(at);
}

/// Returns a bit for each possible trigger among the bytes of a step.
#[inline(always)]
fn among(step: &StepBytes, leads: TriggerSet) -> u64 {
    // Indexed on purpose: in a build without LTO, iterators and closures stay calls.
    let mut marks = [0u8; STEP];
    let mut any = 0;
    for n in 0..STEP {
        let around = (step.get(n), step.get(n + 1), step.get(n + 2), marks.get_mut(n));
        let (Some(before), Some(here), Some(after), Some(mark)) = around else { break };
        *mark = u8::from(leads.may_be_at(*before, *here, *after));
    }
    for mark in marks {
        any |= mark;
    }
    if any == 0 {
        return 0;
    }
    let (words, _) = marks.as_chunks();
    let bits = words.iter().rev().map(|word| low_bits(u64::from_le_bytes(*word)));
    bits.fold(0, |all, bits| all << 8 | bits)
}

/// Gathers the lowest bit of each byte of `word`; no other bit may be set.
#[inline(always)]
fn low_bits(word: u64) -> u64 {
    // The multiplication adds byte `n` shifted by 56 - 7n. No two products overlap, and the last
    // byte collects all eight bits.
    word.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl TriggerSet {
    /// True if the neighbours of the byte `here` allow a trigger.
    #[inline(always)]
    fn may_be_at(self, before: u8, here: u8, after: u8) -> bool {
        let (lower_before, lower, lower_after) = (before | 0x20, here | 0x20, after | 0x20);
        let is_label = |byte| is_alphanumeric(byte) | (byte >= 0x80);
        // `key: value` has most colons of most texts.
        let colon = (here == b':') & (after != b' ');
        let dot = (here == self.dot) & is_label(before) & is_label(after);
        let at = (here == self.at) & is_label(after);
        let bracket = self.brackets & ((here == b'[') | (here == b'(') | (here == b'{'));
        let opens =
            (after == b'.') | (after == b'@') | (lower_after == b'd') | (lower_after == b'a');
        // The last two letters of isbn, issn, pmid, pmcid, orcid, arxiv, pmc
        let isbn = (lower == b'n') & ((lower_before == b'b') | (lower_before == b's'));
        let pmid = ((lower == b'd') | (lower == b'v')) & (lower_before == b'i');
        let pmc = (lower == b'c') & (lower_before == b'm');
        // `ISBNs` is a label too.
        let is_letter = (lower_after.wrapping_sub(b'a') < 26) & (lower_after != b's');
        let label = self.labels & (isbn | pmid | pmc) & !is_letter;
        let wide =
            (here == 0xE3) & (after == 0x80) | (here == 0xEF) & ((after == 0xBC) | (after == 0xBD));
        colon | dot | at | bracket & opens | label | self.other_dots & wide
    }
}
