//! The loops for AVX-512: 64 bytes per step, and a lookup in a table of 128 bytes in one
//! instruction (VBMI).
//!
//! They justify their `unsafe` (`cargo bench --bench scan`, one run, medians). Compared with the
//! loops for AVX2, a search of prose takes 0.96 of the time, of mail 0.78, of code 0.57, and of
//! code without URIs 0.56. The command, with reading and printing, takes 0.81 on code and 0.87 on
//! mail. The loops for mail take 0.87 of the command's time on a mailbox of plain text, 1.0 on one
//! of MIME parts.
//!
//! With other triggers, a search of mail takes 0.54 of the time with addresses, 0.50 with hosts
//! without a scheme, and 0.55 with both (rows of 1,000 bytes, CPU time, medians).
#![allow(unsafe_code)]

mod bit_numbers;
mod block;
mod colons;
mod fields;
mod leads;
#[cfg(feature = "search")]
mod lines;
mod names;
#[cfg(feature = "search")]
mod openings;
mod runs;
mod steps;
mod table;
mod words;

use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_maskz_loadu_epi8, _mm512_set1_epi8,
};
use std::arch::is_x86_feature_detected;

#[cfg(feature = "search")]
use super::avx2;
use super::kernel::KernelLoops;
#[cfg(feature = "search")]
use super::kernel::MailLoops;

const VECTOR: usize = size_of::<__m512i>();

pub(super) fn detect() -> Option<KernelLoops> {
    let loops = KernelLoops {
        // SAFETY: the loops are returned only if the machine has AVX-512 (with BW, VL, VBMI, and
        // VBMI2), BMI, LZCNT, and POPCNT.
        fill: |haystack, batch| unsafe { colons::fill(haystack, batch) },
        // SAFETY: the same.
        #[cfg(feature = "search")]
        first: |haystack| unsafe { colons::first(haystack) },
        // SAFETY: the same.
        fill_any: |haystack, leads, batch| unsafe { leads::fill(haystack, leads, batch) },
        // SAFETY: the same.
        masks: |text, at| unsafe { runs::masks(text, at) },
        // SAFETY: the same.
        last_label: |text| unsafe { names::last_label(text) },
        // SAFETY: the same.
        field: Some(|text, at| unsafe { fields::field(text, at) }),
        // SAFETY: a machine with AVX-512 has AVX2. That loop waits for memory already.
        #[cfg(feature = "search")]
        landmark: |text, at, bytes| unsafe { avx2::landmarks::next(text, at, bytes) },
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
    let can = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    can.then_some(loops)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; VECTOR]) -> __m512i {
    // SAFETY: `bytes` is as long as a vector, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Returns a bit for each byte that equals `byte`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn equals(bytes: __m512i, byte: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8))
}

/// Loads the first `count` bytes of a text, at most one less than a vector, followed by zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_some(bytes: &[u8], count: usize) -> __m512i {
    let count = count.min(bytes.len()).min(VECTOR - 1);
    // SAFETY: only bytes whose mask bit is set are read: the first `count`, which exist.
    unsafe { _mm512_maskz_loadu_epi8((1 << count) - 1, bytes.as_ptr().cast()) }
}

/// Loads the last bytes before `at`, preceded by zeros if there are fewer than a vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_before(bytes: &[u8], at: usize) -> __m512i {
    let at = at.min(bytes.len());
    let known = match VECTOR.saturating_sub(at) {
        missing @ ..VECTOR => u64::MAX << missing,
        _ => 0,
    };
    // The vector may start before the text. Masked loads do not read bytes without a mask bit, so
    // the pointer is computed with wrapping arithmetic and never dereferenced there.
    let start = bytes.as_ptr().wrapping_add(at).wrapping_sub(VECTOR);
    // SAFETY: only bytes whose mask bit is set are read: the last ones before `at`, which exist.
    unsafe { _mm512_maskz_loadu_epi8(known, start.cast()) }
}
