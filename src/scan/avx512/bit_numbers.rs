//! Writes the numbers of set bits all at once: the bytes of a vector that matched.

use core::arch::x86_64::{
    _mm256_add_epi16, _mm256_cvtepu8_epi16, _mm256_set1_epi16, _mm256_storeu_si256,
    _mm512_castsi512_si128, _mm512_maskz_compress_epi8,
};

use super::{VECTOR, load};

/// Most numbers written at once; more are written one by one.
const NUMBERS_AT_ONCE: usize = 16;

#[expect(clippy::indexing_slicing, reason = "the compiler does it, and would notice")]
static NUMBERS: [u8; VECTOR] = {
    let mut numbers = [0; VECTOR];
    let mut n = 0;
    while n < VECTOR {
        numbers[n] = n as u8;
        n += 1;
    }
    numbers
};

/// Writes `base` plus the number of each set bit, in order, after the first `count` elements of
/// `found`. Returns the new count. Elements beyond it may be overwritten.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn push(found: &mut [u16], count: usize, base: u16, bits: u64) -> usize {
    let more = bits.count_ones() as usize;
    let free = found.get_mut(count..).unwrap_or_default();
    match free.first_chunk_mut::<NUMBERS_AT_ONCE>() {
        Some(free) if more <= NUMBERS_AT_ONCE => {
            // Keeps the numbers whose bits are set, in order, instead of a loop over the bits.
            let numbers = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(bits, load(&NUMBERS)));
            let base = _mm256_set1_epi16(base.cast_signed());
            let numbers = _mm256_add_epi16(_mm256_cvtepu8_epi16(numbers), base);
            // SAFETY: `free` is as long as the stored vector, and the store needs no alignment.
            unsafe { _mm256_storeu_si256(free.as_mut_ptr().cast(), numbers) }
        }
        _ => push_each(free, base, bits),
    }
    count.wrapping_add(more)
}

/// Like [`push`], one by one.
#[cold]
fn push_each(free: &mut [u16], base: u16, mut bits: u64) {
    for free in free.iter_mut().take(bits.count_ones() as usize) {
        *free = base.wrapping_add(bits.trailing_zeros() as u16);
        bits &= bits.wrapping_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_at_once_equals_naive(some: u64, others: u64, count in 0usize..40, base: u16) {
            if super::super::detect().is_none() {
                return Ok(());
            }
            for bits in [some, some & others, some & others & others.rotate_left(9), 0, u64::MAX] {
                let (mut fast, mut naive) = ([7; 40], [7; 40]);
                // SAFETY: the machine has the features.
                let end = unsafe { push(&mut fast, count, base, bits) };
                push_each(&mut naive[count..], base, bits);
                prop_assert_eq!(end, count + bits.count_ones() as usize);
                let end = end.min(fast.len());
                prop_assert_eq!(&fast[..end], &naive[..end]);
            }
        }
    }
}
