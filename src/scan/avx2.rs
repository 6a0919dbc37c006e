//! The loop over the colons of a text with AVX2: 128 bytes a step, and both neighbours of all
//! colons of 64 bytes in one go.
//!
//! Worth its `unsafe`: see the row `scan` of `benches/scan.rs` in the README.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_sub_epi8, _mm256_testz_si256,
};

use super::kernel::{Block, NextBlock};
use super::portable;

const VECTOR: usize = size_of::<__m256i>();
const BLOCK: usize = 2 * VECTOR;
const STEP: usize = 2 * BLOCK;
/// How many bytes before a colon are looked at.
const BEFORE: usize = 2;

/// The loop, if this machine can run it.
pub(super) fn detect() -> Option<NextBlock> {
    std::arch::is_x86_feature_detected!("avx2").then_some(checked as NextBlock)
}

/// Only [`detect`] gives it away.
fn checked(haystack: &[u8], from: usize) -> Option<Block> {
    // SAFETY: `detect` has seen that the machine has AVX2.
    unsafe { next_block(haystack, from) }
}

#[target_feature(enable = "avx2")]
fn next_block(haystack: &[u8], from: usize) -> Option<Block> {
    let colon = _mm256_set1_epi8(b':' as i8);
    // two bytes stand before every colon
    let mut at = from.max(BEFORE);
    // and one after the last one of a step
    while let Some(step) = haystack.get(at - BEFORE..at + STEP + 1) {
        let [a, b, c, d] =
            [0, 1, 2, 3].map(|n| _mm256_cmpeq_epi8(load(step, BEFORE + n * VECTOR), colon));
        let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if _mm256_testz_si256(any, any) == 0 {
            for (n, colons) in [mask(a, b), mask(c, d)].into_iter().enumerate() {
                let bits = if colons == 0 {
                    0
                } else {
                    colons & worth(step, n * BLOCK, colons)
                };
                if bits != 0 {
                    let base = at + n * BLOCK;
                    return Some(Block {
                        base,
                        bits,
                        end: base + BLOCK,
                    });
                }
            }
        }
        at += STEP;
    }
    portable::next_block(haystack, at.max(from))
}

/// Which of the bytes of the block that starts at `step[BEFORE + block]`, where `colons` are, may
/// be a colon by [`portable::is_worth`].
#[target_feature(enable = "avx2")]
fn worth(step: &[u8], block: usize, colons: u64) -> u64 {
    let start = BEFORE + block;
    let space = both(step, start + 1, |bytes| equals(bytes, b' '));
    let colon = |at: usize| u64::from(step[at] == b':');
    let mut double = colons >> 1 | colon(start + BLOCK) << (BLOCK - 1);
    if double & colons != 0 {
        double &= !both(step, start - 1, |bytes| {
            _mm256_or_si256(equals(bytes, b'n'), equals(bytes, b'N'))
        });
    }
    let digits = both(step, start, |bytes| is_digit(bytes));
    let digit = |at: usize| u64::from(step[at].is_ascii_digit());
    let last = digits << 1 | digit(start - 1);
    let before = last << 1 | digit(start - 2);
    let after = digits >> 1 | digit(start + BLOCK) << (BLOCK - 1);
    let second = colons << 1 | colon(start - 1);
    !(space | double | second | before & last & after)
}

/// Bit `n` is set where `test` sets byte `n` of the block that starts at `step[at]`.
#[inline]
#[target_feature(enable = "avx2")]
fn both(step: &[u8], at: usize, test: impl Fn(__m256i) -> __m256i) -> u64 {
    mask(test(load(step, at)), test(load(step, at + VECTOR)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn equals(bytes: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8))
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_digit(bytes: __m256i) -> __m256i {
    let above_zero = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
    _mm256_cmpeq_epi8(_mm256_min_epu8(above_zero, _mm256_set1_epi8(9)), above_zero)
}

/// Bit `n` is set where byte `n` of both vectors in a row is.
#[target_feature(enable = "avx2")]
fn mask(low: __m256i, high: __m256i) -> u64 {
    u64::from(_mm256_movemask_epi8(low) as u32)
        | u64::from(_mm256_movemask_epi8(high) as u32) << VECTOR
}

#[target_feature(enable = "avx2")]
fn load(text: &[u8], at: usize) -> __m256i {
    let bytes = &text[at..at + VECTOR];
    // SAFETY: `bytes` is as long as a vector, and the load asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
