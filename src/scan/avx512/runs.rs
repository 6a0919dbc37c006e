//! Runs of characters, 64 bytes a step: host and path of nearly every URI in one.

use core::arch::x86_64::{__m512i, _mm512_movepi8_mask, _mm512_or_si512, _mm512_slli_epi16};

use super::super::plain_bytes::{in_host, in_path};
use super::super::portable;
use super::table::{ByteLookup, table};
use super::{VECTOR, load};

/// Not in a host.
const HOST: u8 = 1 << 7;
/// Not in a path.
const PATH: u8 = 1 << 6;

const fn lacking(byte: u8) -> u8 {
    let host = if in_host(byte) { 0 } else { HOST };
    let path = if in_path(byte) { 0 } else { PATH };
    host | path
}

const LACKING: ByteLookup = table!(lacking);

/// The bytes that are not plain in a host, and those that are not in a path, a bit each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn others(bytes: __m512i) -> (u64, u64) {
    let lacking = LACKING.look_up(bytes);
    // a byte above ASCII is neither
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
        // what is plain in a host is plain in a path
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

/// Where the first of `others` is.
#[inline]
fn end(at: usize, others: u64) -> usize {
    at + others.trailing_zeros() as usize
}
