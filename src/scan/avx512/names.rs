//! Reads dotted names (D7), 64 bytes at once, without a loop over their labels.

use core::arch::x86_64::{__m512i, _mm512_movepi8_mask, _mm512_set1_epi8, _mm512_test_epi8_mask};
use core::ops::Range;

use super::super::dotted_name::{self, MAX_LENGTH, is_label};
use super::table::{ByteLookup, table};
use super::{equals, load};
use crate::chunk::is_alphanumeric;

const ALPHANUMERIC: u8 = 1;
const LABEL: u8 = 2;

const KIND: ByteLookup = table!(kind);

const fn kind(byte: u8) -> u8 {
    let alphanumeric = if is_alphanumeric(byte) { ALPHANUMERIC } else { 0 };
    let label = if is_label(byte) { LABEL } else { 0 };
    alphanumeric | label
}

/// Roles of 64 bytes in a name, a bit each.
#[derive(Clone, Copy)]
pub(super) struct NameBits {
    pub labels: u64,
    /// Bytes with which a label may start or end, in any script.
    pub edges: u64,
    pub full_stops: u64,
    /// Bytes above ASCII.
    pub others: u64,
}

impl NameBits {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn from_vector(bytes: __m512i) -> Self {
        let others = _mm512_movepi8_mask(bytes);
        let kinds = KIND.look_up(bytes);
        let are = |kind: u8| _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(kind as i8)) & !others;
        Self {
            labels: are(LABEL),
            edges: are(ALPHANUMERIC) | others,
            full_stops: equals(bytes, b'.'),
            others,
        }
    }

    /// Returns the full stops between two labels. Assumes that the bytes on both sides of these 64
    /// are not labels.
    #[inline]
    pub fn dots(&self) -> u64 {
        self.full_stops & self.edges << 1 & self.edges >> 1
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn last_label(after: &[u8]) -> Option<Range<usize>> {
    let Some(bytes) = after.first_chunk() else {
        return dotted_name::last_label(after);
    };
    let name = NameBits::from_vector(load(bytes));
    let outside = !(name.labels | name.dots());
    let end = outside.trailing_zeros() as usize;
    // The name may continue beyond the vector, or in another script. The full rules decide then.
    if end >= MAX_LENGTH || name.others >> end & 1 != 0 {
        return None;
    }
    let inside = name.dots() & ((1 << end) - 1);
    Some((u64::BITS - inside.leading_zeros()) as usize..end)
}
