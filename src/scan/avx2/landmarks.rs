//! Finds landmarks, 128 bytes per step.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8,
};

use super::super::landmark::{self, FOLD, Landmarks, OPENERS, Percent, STEP};
use super::{VECTOR, equals, load, mask};

#[target_feature(enable = "avx2,bmi1")]
pub(crate) fn next(text: &[u8], at: usize, landmarks: &Landmarks) -> usize {
    let marks = load(&match landmarks.percent {
        Percent::Found => PERCENT,
        Percent::Ignored => PLAIN,
    });
    landmark::next(text, at, landmarks, |here, there| found(here, there, landmarks, marks))
}

const PLAIN: [u8; VECTOR] = by_low_nibble(&OPENERS);
const PERCENT: [u8; VECTOR] = by_low_nibble(b"<\"'\\\x1b%");

/// Builds a table with each of some bytes at the position of its low nibble, in both halves of a
/// vector. The entry found for a byte equals that byte only if it is one of them.
#[expect(clippy::indexing_slicing, reason = "the compiler would refuse the constants")]
const fn by_low_nibble(bytes: &[u8]) -> [u8; VECTOR] {
    // 1 does not have position 0, and 0 does not have any other.
    let mut table = [0; VECTOR];
    table[0] = 1;
    table[VECTOR / 2] = 1;
    let mut n = 0;
    while n < bytes.len() {
        // `\` would be where `<` is, and has a test of its own.
        if bytes[n] != b'\\' {
            let low = (bytes[n] & 0xf) as usize;
            table[low] = bytes[n];
            table[low + VECTOR / 2] = bytes[n];
        }
        n += 1;
    }
    table
}

#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn found(here: &[u8; STEP], there: &[u8; STEP], landmarks: &Landmarks, marks: __m256i) -> u128 {
    let (here, _) = here.as_chunks::<VECTOR>();
    let (there, _) = there.as_chunks::<VECTOR>();
    let mut any = _mm256_setzero_si256();
    for (here, there) in here.iter().zip(there) {
        any = _mm256_or_si256(any, landmarks_in(here, there, landmarks, marks));
    }
    if mask(any) == 0 {
        return 0;
    }
    // Rare, so that computing the vectors again costs less than keeping them.
    let mut bits = 0;
    for (here, there) in here.iter().zip(there).rev() {
        bits = bits << VECTOR | u128::from(mask(landmarks_in(here, there, landmarks, marks)));
    }
    bits
}

/// Returns a vector in which the top bit of each landmark is set.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn landmarks_in(
    here: &[u8; VECTOR],
    there: &[u8; VECTOR],
    landmarks: &Landmarks,
    marks: __m256i,
) -> __m256i {
    let (here, there) = (load(here), load(there));
    let fold = _mm256_set1_epi8(FOLD as i8);
    let [first, second] = landmarks.pair;
    let first = equals(_mm256_or_si256(here, fold), first);
    let pair = _mm256_and_si256(first, equals(_mm256_or_si256(there, fold), second));
    let mark = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(marks, here), here);
    let opener = _mm256_or_si256(mark, equals(here, b'\\'));
    // The top bit of a byte that is not ASCII is set already.
    _mm256_or_si256(_mm256_or_si256(pair, opener), here)
}
