//! Measures runs of characters, 64 bytes per step: host and path of nearly every URI take one step.

use core::arch::x86_64::{__m512i, _mm512_movepi8_mask, _mm512_or_si512, _mm512_slli_epi16};

use super::super::plain_bytes::{in_host, in_path};
use super::super::portable;
use super::table::{ByteLookup, table};
use super::{VECTOR, load};

/// Not allowed in a host.
const HOST: u8 = 1 << 7;
/// Not allowed in a path.
const PATH: u8 = 1 << 6;

const fn lacking(byte: u8) -> u8 {
    let host = if in_host(byte) { 0 } else { HOST };
    let path = if in_path(byte) { 0 } else { PATH };
    host | path
}

const LACKING: ByteLookup = table!(lacking);

/// Returns a bit for each byte that ends a host, and for each that ends a path.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn others(bytes: __m512i) -> (u64, u64) {
    let lacking = LACKING.look_up(bytes);
    // A byte above ASCII ends both; its own sign says so.
    let host = _mm512_movepi8_mask(_mm512_or_si512(lacking, bytes));
    let path = _mm512_movepi8_mask(_mm512_or_si512(_mm512_slli_epi16(lacking, 1), bytes));
    (host, path)
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn host_and_path(text: &[u8], at: usize) -> (usize, usize) {
    let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk()) else {
        return (portable::LOOPS.host_and_path)(text, at);
    };
    match others(load(bytes)) {
        (0, _) => (portable::LOOPS.host_and_path)(text, at),
        (host, 0) => (end(at, host), path(text, at + VECTOR)),
        // Characters of a host are a subset of those of a path, so the path ends no earlier.
        (host, path) => (end(at, host), end(at, path)),
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn path(text: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        match others(load(bytes)) {
            (_, 0) => at += VECTOR,
            (_, others) => return end(at, others),
        }
    }
    portable::path(text, at)
}

/// Returns the offset of the first of `others`.
#[inline]
fn end(at: usize, others: u64) -> usize {
    at + others.trailing_zeros() as usize
}
