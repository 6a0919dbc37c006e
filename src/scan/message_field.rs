//! Header fields that hold identifiers of messages and no addresses (D7): RFC 5322 section 3.6.4.
//!
//! Most `@`s of mail are in one. So kernels know it, and these never become candidates.

use super::kernel::KernelLoops;
use crate::slice::{ByteRuns, SliceExt};

/// Their names, besides those that end in `message-id` or `msgid`; each behind its [`ending`].
static FIELDS: [(u64, &[u8]); 5] = [
    with_ending(b"in-reply-to"),
    with_ending(b"references"),
    with_ending(b"content-id"),
    with_ending(b"supersedes"),
    with_ending(b"obsoletes"),
];
const MESSAGE_ID: (u64, &[u8]) = with_ending(b"message-id");

/// Whether the `@` at `at` is in `<…>` in such a field, where a kernel can tell by a few steps.
#[inline]
pub(crate) fn is_near(haystack: &[u8], at: usize, loops: &KernelLoops) -> bool {
    let field = loops.field.and_then(|field| field(haystack, at));
    field.is_some_and(|name| holds_identifiers(haystack.part(name)))
}

/// Whether the field of this name holds identifiers of messages.
#[inline]
pub(crate) fn holds_identifiers(name: &[u8]) -> bool {
    // one comparison of eight bytes refuses most of them
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

/// The last eight bytes with their letters made small; of a name, nothing else becomes a letter or a hyphen.
#[inline]
const fn ending(name: &[u8]) -> u64 {
    match name.last_chunk() {
        Some(last) => u64::from_le_bytes(*last) | 0x2020_2020_2020_2020,
        None => 0,
    }
}
