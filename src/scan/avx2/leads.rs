//! Finds possible candidates of other triggers than colons (D7), 64 bytes per step.
//!
//! Written out, although the compiler vectorizes the portable loop as well: the result changes with
//! code elsewhere in the crate, by 14 % of the instructions of this loop.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpgt_epi8, _mm256_or_si256,
    _mm256_set1_epi8,
};

use super::super::batch::CandidateBatch;
use super::super::trigger_set::{self, TriggerSet};
use super::{VECTOR, equals, load, mask};

const STEP: usize = 2 * VECTOR;
/// A step, and the byte on each side of it.
type StepBytes = [u8; 1 + STEP + 1];

/// The vectorized form of [`trigger_set::fill`].
#[target_feature(enable = "avx2,bmi1")]
pub(in crate::scan) fn fill(haystack: &[u8], leads: TriggerSet, batch: &mut CandidateBatch) {
    // No trigger is the first byte of a text.
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit
        && !batch.is_full()
        && let Some(step) = haystack.get(at - 1..).and_then(|rest| rest.first_chunk())
    {
        let [low, high] = [half(step, 0, leads), half(step, VECTOR, leads)];
        batch.push::<1>(at, u64::from(low) | u64::from(high) << VECTOR);
        at += STEP;
        batch.reach(at);
    }
    if haystack.len() < at + STEP + 1 {
        trigger_set::fill(haystack, leads, batch);
    }
}

/// Returns a bit for each byte that may be a trigger among the 32 from byte `n` of the step on, as
/// the portable loop decides. Only the highest bit of each byte of a vector counts.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn half(step: &StepBytes, n: usize, leads: TriggerSet) -> u32 {
    let around = (vector(step, n), vector(step, n + 1), vector(step, n + 2));
    let (Some(before), Some(here), Some(after)) = around else {
        return 0;
    };
    let colon = _mm256_andnot_si256(equals(after, b' '), equals(here, b':'));
    let dot = and(equals(here, leads.dot), label(before));
    let at = equals(here, leads.at);
    let named = and(or(dot, at), label(after));
    let mut found = or(colon, named);
    // What is searched for is the same for a whole text, so these branches are foreseen.
    if leads.brackets {
        found = or(found, bracket(here, after));
    }
    if leads.labels {
        found = or(found, identifier(before, here, after));
    }
    if leads.other_dots {
        found = or(found, wide(here, after));
    }
    mask(found)
}

/// True for bytes of the label of a host.
#[inline]
#[target_feature(enable = "avx2")]
fn label(bytes: __m256i) -> __m256i {
    // In bytes above ASCII, the highest bit is set.
    or(or(letter(lower(bytes)), between(bytes, b'0', b'9')), bytes)
}

/// `[.]` and `[at]`.
#[inline]
#[target_feature(enable = "avx2")]
fn bracket(here: __m256i, after: __m256i) -> __m256i {
    let lower = lower(after);
    let mark = or(equals(after, b'.'), equals(after, b'@'));
    let letter = or(equals(lower, b'd'), equals(lower, b'a'));
    let bracket = or(or(equals(here, b'['), equals(here, b'(')), equals(here, b'{'));
    and(bracket, or(mark, letter))
}

/// The last two letters of `isbn`, `issn`, `pmid`, `pmcid`, `orcid`, `arxiv`, and `pmc`.
#[inline]
#[target_feature(enable = "avx2")]
fn identifier(before: __m256i, here: __m256i, after: __m256i) -> __m256i {
    let (before, here, after) = (lower(before), lower(here), lower(after));
    let isbn = or(equals(before, b'b'), equals(before, b's'));
    let pmid = or(equals(here, b'd'), equals(here, b'v'));
    let pmc = and(equals(here, b'c'), equals(before, b'm'));
    let last = or(or(and(equals(here, b'n'), isbn), and(pmid, equals(before, b'i'))), pmc);
    // `ISBNs` is a label too.
    let continues = _mm256_andnot_si256(equals(after, b's'), letter(after));
    _mm256_andnot_si256(continues, last)
}

/// Characters that IDNA maps to a dot.
#[inline]
#[target_feature(enable = "avx2")]
fn wide(here: __m256i, after: __m256i) -> __m256i {
    let full = or(equals(after, 0xBC), equals(after, 0xBD));
    let stop = and(equals(here, 0xE3), equals(after, 0x80));
    or(stop, and(equals(here, 0xEF), full))
}

#[inline]
#[target_feature(enable = "avx2")]
fn lower(bytes: __m256i) -> __m256i {
    or(bytes, _mm256_set1_epi8(0x20))
}

#[inline]
#[target_feature(enable = "avx2")]
fn letter(lower: __m256i) -> __m256i {
    between(lower, b'a', b'z')
}

/// Compares with ASCII: bytes above it are negative here, and less.
#[inline]
#[target_feature(enable = "avx2")]
fn between(bytes: __m256i, first: u8, last: u8) -> __m256i {
    let from = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(first as i8 - 1));
    let to = _mm256_cmpgt_epi8(_mm256_set1_epi8(last as i8 + 1), bytes);
    and(from, to)
}

#[inline]
#[target_feature(enable = "avx2")]
fn vector(step: &StepBytes, at: usize) -> Option<__m256i> {
    Some(load(step.get(at..)?.first_chunk()?))
}

#[inline]
#[target_feature(enable = "avx2")]
fn and(a: __m256i, b: __m256i) -> __m256i {
    _mm256_and_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn or(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, b)
}
