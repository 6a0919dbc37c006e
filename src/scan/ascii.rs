//! ASCII bytes as a `str`.
#![allow(unsafe_code)]

/// Bytes that are tested at once.
const GROUP: usize = size_of::<u128>();

/// Returns `bytes` as text if they are ASCII.
///
/// A caller asks for the URI of nearly every match. `str::from_utf8` took an eighth of the time that
/// finding a URI takes.
#[inline]
pub(crate) fn ascii_str(bytes: &[u8]) -> Option<&str> {
    // SAFETY: every ASCII byte is a character of UTF-8 by itself.
    is_ascii(bytes).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Does the same as `<[u8]>::is_ascii`, which tests the last bytes one by one: half of a URI.
#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<GROUP>() else { return bytes.is_ascii() };
    let (groups, _) = bytes.as_chunks::<GROUP>();
    let all = groups
        .iter()
        .fold(u128::from_ne_bytes(*last), |all, group| all | u128::from_ne_bytes(*group));
    all & u128::from_ne_bytes([0x80; GROUP]) == 0
}
