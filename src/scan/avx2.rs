//! The loop over the colons of a text with AVX2: 128 bytes a step, and both neighbours of all
//! colons of 64 bytes in one go.
//!
//! Worth its `unsafe`: see the row `scan` of `benches/scan.rs` in the README.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set1_epi8, _mm256_testz_si256,
};

use super::kernel::{Block, NextBlock};
use super::portable;

const VECTOR: usize = size_of::<__m256i>();
const BLOCK: usize = 2 * VECTOR;
const STEP: usize = 2 * BLOCK;

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
    // every colon has a byte before it
    let mut at = from.max(1);
    // and the last one of a step a byte after it
    while let Some(step) = haystack.get(at - 1..at + STEP + 1) {
        let [a, b, c, d] =
            [0, 1, 2, 3].map(|n| _mm256_cmpeq_epi8(load(step, 1 + n * VECTOR), colon));
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

/// Which of the bytes of the block that starts at `step[1 + block]`, where `colons` are, may be a
/// colon by [`portable::is_worth`].
#[target_feature(enable = "avx2")]
fn worth(step: &[u8], block: usize, colons: u64) -> u64 {
    let space = _mm256_set1_epi8(b' ' as i8);
    let spaces = [0, 1].map(|n| _mm256_cmpeq_epi8(load(step, block + 2 + n * VECTOR), space));
    let colon_at = |at: usize| u64::from(step[at] == b':');
    let before = colons << 1 | colon_at(block);
    let mut after = colons >> 1 | colon_at(block + 1 + BLOCK) << (BLOCK - 1);
    if after & colons != 0 {
        let [n, upper] = [b'n', b'N'].map(|n| _mm256_set1_epi8(n as i8));
        let [a, b] = [0, 1].map(|i| {
            let letter = load(step, block + i * VECTOR);
            _mm256_or_si256(
                _mm256_cmpeq_epi8(letter, n),
                _mm256_cmpeq_epi8(letter, upper),
            )
        });
        after &= !mask(a, b);
    }
    !(mask(spaces[0], spaces[1]) | before | after)
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
