//! Recognizes header fields that contain message identifiers, not addresses (D7, RFC 5322 §3.6.4).
//!
//! Most `@`s of mail are in such fields. The kernels refuse them, so they never become candidates.

use super::kernel::KernelLoops;
use crate::slice::{ByteRuns, SliceExt};

/// Names of the fields, each after its [`ending`]. Names that end in `message-id` or `msgid` are
/// tested separately.
static FIELDS: [(u64, &[u8]); 5] = [
    with_ending(b"in-reply-to"),
    with_ending(b"references"),
    with_ending(b"content-id"),
    with_ending(b"supersedes"),
    with_ending(b"obsoletes"),
];
const MESSAGE_ID: (u64, &[u8]) = with_ending(b"message-id");

/// True if the `@` at `at` is in `<…>` in such a field, if the kernel can decide that in a few
/// steps.
#[inline]
pub(crate) fn is_near(haystack: &[u8], at: usize, loops: &KernelLoops) -> bool {
    let field = loops.field.and_then(|field| field(haystack, at));
    field.is_some_and(|name| holds_identifiers(haystack.part(name)))
}

/// True if a field of this name contains message identifiers.
#[inline]
pub(crate) fn holds_identifiers(name: &[u8]) -> bool {
    // One comparison of eight bytes refuses most names.
    let end = ending(name);
    let is =
        |(known_end, known): &(u64, &[u8])| end == *known_end && name.eq_ignore_ascii_case(known);
    FIELDS.iter().any(is)
        || end == MESSAGE_ID.0 && name.ends_with_ignore_case(MESSAGE_ID.1)
        || name.ends_with_ignore_case(b"msgid")
}

const fn with_ending(name: &[u8]) -> (u64, &[u8]) {
    (ending(name), name)
}

/// Returns the last eight bytes with their letters in lower case. In a field name, no other byte
/// becomes a letter or a hyphen by that.
#[inline]
const fn ending(name: &[u8]) -> u64 {
    match name.last_chunk() {
        Some(last) => u64::from_le_bytes(*last) | 0x2020_2020_2020_2020,
        None => 0,
    }
}
