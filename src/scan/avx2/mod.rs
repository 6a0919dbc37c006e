//! The loops for AVX2.
//!
//! They justify their `unsafe`: a search of prose takes 0.58 of the time with the portable loops,
//! of mail 0.51, of code 0.29 (`cargo bench --bench scan`, one run, medians). The loops for mail
//! take 0.91 of the command's time on a mailbox of plain text. With addresses, hosts, and
//! identifiers, a search of prose takes 0.84, of code 0.79, of mail 1.0.
#![allow(unsafe_code)]

mod colons;
#[cfg(feature = "search")]
pub(super) mod landmarks;
pub(super) mod leads;
#[cfg(feature = "search")]
mod lines;
#[cfg(feature = "search")]
mod openings;
mod runs;

use core::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
};
use std::arch::is_x86_feature_detected;

use super::dotted_name::last_label;
use super::kernel::KernelLoops;
#[cfg(feature = "search")]
use super::kernel::MailLoops;

const VECTOR: usize = size_of::<__m256i>();

pub(super) fn detect() -> Option<KernelLoops> {
    let loops = KernelLoops {
        // SAFETY: the loops are returned only if the machine has AVX2 and BMI1.
        fill: |haystack, batch| unsafe { colons::fill(haystack, batch) },
        // SAFETY: the same.
        #[cfg(feature = "search")]
        first: |haystack| unsafe { colons::first(haystack) },
        // SAFETY: the same.
        fill_any: |haystack, leads, batch| unsafe { leads::fill(haystack, leads, batch) },
        // SAFETY: the same.
        masks: |text, at| unsafe { runs::masks(text, at) },
        last_label,
        field: None,
        // SAFETY: the same.
        #[cfg(feature = "search")]
        landmark: |text, at, bytes| unsafe { landmarks::next(text, at, bytes) },
        #[cfg(feature = "search")]
        mail: Some(MailLoops {
            // SAFETY: the same.
            outline: |bytes, at| unsafe { lines::outline(bytes, at) },
            // SAFETY: the same.
            #[cfg(test)]
            lines: |block| unsafe { lines::lines(block) },
            // SAFETY: the same.
            opening: |text, at| unsafe { openings::next(text, at) },
        }),
    };
    (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1")).then_some(loops)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; VECTOR]) -> __m256i {
    // SAFETY: `bytes` is as long as a vector, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Returns a mask with bit `n` set if byte `n` is set.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes) as u32
}

#[inline]
#[target_feature(enable = "avx2")]
fn equals(bytes: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8))
}
