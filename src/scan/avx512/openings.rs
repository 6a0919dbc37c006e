//! Finds bytes that may open a message or a file, 64 bytes per step.

use core::arch::x86_64::{
    _mm512_cmpeq_epi8_mask, _mm512_mask_cmpeq_epi8_mask, _mm512_mask_test_epi8_mask,
    _mm512_movepi8_mask, _mm512_or_si512, _mm512_shuffle_epi8,
};

use super::super::opening::{self, kinds_before, kinds_of};
use super::table::{ByteLookup, table};
use super::{VECTOR, load};

const BEFORE: ByteLookup = table!(kinds_before);
const OF: ByteLookup = table!(kinds_of);
const MARKS: [u8; VECTOR] = few(b"\n>");
const FIRSTS: [u8; VECTOR] = few(b"Fb=");

/// Builds a table with each of some ASCII bytes at the position of its low nibble, repeated every
/// 16 bytes. The entry found for a byte equals that byte only if it is one of them.
#[expect(clippy::indexing_slicing, reason = "the compiler would refuse the constants")]
const fn few(bytes: &[u8]) -> [u8; VECTOR] {
    let mut table = [0; VECTOR];
    let mut lane = 0;
    while lane < VECTOR {
        // 1 does not have this position, so it never equals a byte looked up here.
        table[lane] = 1;
        let mut n = 0;
        while n < bytes.len() {
            table[lane + (bytes[n] & 0xf) as usize] = bytes[n];
            n += 1;
        }
        lane += 16;
    }
    table
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn next(text: &[u8], at: usize) -> usize {
    opening::next::<VECTOR>(text, at, |before, here| open(before, here))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn open(before: &[u8; VECTOR], here: &[u8; VECTOR]) -> u64 {
    let (before, here) = (load(before), load(here));
    let firsts = _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(load(&FIRSTS), here), here);
    let marks = _mm512_shuffle_epi8(load(&MARKS), before);
    if _mm512_mask_cmpeq_epi8_mask(firsts, marks, before) == 0 {
        return 0;
    }
    // The lookup treats a byte above ASCII like the one 128 below it.
    let ascii = !_mm512_movepi8_mask(_mm512_or_si512(before, here));
    _mm512_mask_test_epi8_mask(ascii, BEFORE.look_up(before), OF.look_up(here))
}
