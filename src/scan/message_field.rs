//! Header fields that hold identifiers of messages and no addresses (D7): RFC 5322 section 3.6.4.
//!
//! Most `@`s of mail are in one. So kernels know it, and these never become candidates.

use super::kernel::KernelLoops;
use crate::slice::{ByteRuns, SliceExt};

/// Their names, besides those that end in `message-id` or `msgid`.
const FIELDS: [&[u8]; 5] =
    [b"in-reply-to", b"references", b"content-id", b"supersedes", b"obsoletes"];
const MESSAGE_ID: &[u8] = b"message-id";

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
    let is = |(known_ending, known): &(u64, &[u8])| {
        ending(name) == *known_ending && name.eq_ignore_ascii_case(known)
    };
    FIELD_ENDINGS.iter().any(is)
        || ending(name) == const { ending(MESSAGE_ID) } && ends(name, MESSAGE_ID)
        || ends(name, b"msgid")
}

static FIELD_ENDINGS: [(u64, &[u8]); FIELDS.len()] = {
    let [a, b, c, d, e] = FIELDS;
    [(ending(a), a), (ending(b), b), (ending(c), c), (ending(d), d), (ending(e), e)]
};

/// The last eight bytes with their letters made small; of a name, nothing else becomes a letter or a hyphen.
#[inline]
const fn ending(name: &[u8]) -> u64 {
    match name.last_chunk() {
        Some(last) => u64::from_le_bytes(*last) | 0x2020_2020_2020_2020,
        None => 0,
    }
}

fn ends(text: &[u8], end: &[u8]) -> bool {
    text.tail(end.len()).eq_ignore_ascii_case(end)
}
