//! Finds the header field around an `@` in `<…>`, if all of it is near. Most `@`s of mail are in
//! message identifiers.

use core::arch::x86_64::{
    __m512i, _mm512_cmple_epu8_mask, _mm512_movepi8_mask, _mm512_set1_epi8, _mm512_sub_epi8,
    _mm512_test_epi8_mask,
};
use core::ops::Range;

use super::table::{ByteLookup, table};
use super::{VECTOR, equals, load_before, load_some};
use crate::chunk::is_alphanumeric;
use crate::slice::SliceExt;

const LABEL: u8 = 1;
const DOMAIN: u8 = 2;

const KIND: ByteLookup = table!(kind);

const fn kind(byte: u8) -> u8 {
    match byte {
        b'.' => DOMAIN,
        b'-' => LABEL | DOMAIN,
        _ if is_alphanumeric(byte) => LABEL | DOMAIN,
        _ => 0,
    }
}

/// Returns the name of the field whose line starts with it and contains `<…>` around the `@` at
/// `at`, if a few steps can decide.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn field(haystack: &[u8], at: usize) -> Option<Range<usize>> {
    let after = load_some(haystack.part(at + 1..), VECTOR);
    let domain = kinds(after, DOMAIN) | _mm512_movepi8_mask(after);
    let closer = (!domain).trailing_zeros();
    if equals(after, b'>').wrapping_shr(closer) & 1 == 0 {
        return None;
    }
    let before = load_before(haystack, at);
    let local = in_local(before).leading_ones();
    // A local part may fill the whole vector. Then `wrapping_shl` shifts by zero, and the last
    // operand clears the result without a branch.
    let opener = equals(before, b'<').wrapping_shl(local) >> 63 & u64::from(local < u64::BITS);
    if opener == 0 {
        return None;
    }
    let opener = at - local as usize - 1;
    let line = load_before(haystack, opener);
    let behind = equals(line, b'\n').leading_zeros();
    let start = u64::BITS - behind;
    let name = (kinds(line, LABEL).wrapping_shr(start)).trailing_ones();
    let ends = equals(line, b':').wrapping_shr(start + name) & 1 != 0;
    let found = (1..u64::BITS).contains(&behind) & (name > 0) & (name < behind) & ends;
    let start = opener.wrapping_sub(behind as usize);
    found.then(|| start..start.wrapping_add(name as usize))
}

/// Returns a bit for each byte that may precede the `@`: graphic characters except brackets and
/// quotes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn in_local(bytes: __m512i) -> u64 {
    let first = _mm512_sub_epi8(bytes, _mm512_set1_epi8(b'!' as i8));
    let graphic = _mm512_cmple_epu8_mask(first, _mm512_set1_epi8((b'~' - b'!') as i8));
    graphic & !(equals(bytes, b'<') | equals(bytes, b'>') | equals(bytes, b'"'))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn kinds(bytes: __m512i, kind: u8) -> u64 {
    let kinds = _mm512_test_epi8_mask(KIND.look_up(bytes), _mm512_set1_epi8(kind as i8));
    kinds & !_mm512_movepi8_mask(bytes)
}
