//! Finds secrets after a label in a URI, as people write them: `?password:x`, `body=token: x`,
//! `Bearer x`. In a query, `+` stands for a blank; percent triplets are already decoded.

use memchr::memchr3;

use super::Scan;
use super::names::{NameClass, class_before, name_before};
use super::places::{Hierarchy, end_of, hierarchy};
use super::shapes::is_random;
use crate::memmem;
use crate::slice::{ByteRuns, SliceExt};

/// Most blanks after a label.
const MAX_BLANKS: usize = 8;

/// Bytes of a value that are examined to decide whether it is a secret.
const SHOWING: usize = 128;

/// A shorter value is a number or a word, such as in `key:1`.
const MIN_LENGTH: usize = 4;

/// Adds the values after labels.
pub(super) fn find(text: &[u8], scan: &mut Scan<'_>) {
    let Hierarchy { path, .. } = hierarchy(text);
    // The decoded text may start with a label, which looks like a scheme: `token:x`. The colons of
    // an authority belong to a userinfo or a port.
    let has_authority = memmem::find(text.part(..path), b"//").is_some();
    let from = if has_authority { path } else { 0 };
    let query = end_of(text, path, |byte| b"?#".contains(&byte));
    let mut at = from;
    while let Some(length) = memchr3(b':', b' ', b'+', text.clamped(at..)) {
        let sign = at + length;
        at = sign + 1;
        // Few words are such labels, and a secret is long.
        if !is_label(text, sign) {
            continue;
        }
        let stops: &[u8] = if sign < query { b" /?#&" } else { b" #&" };
        let behind = text.clamped(at..at + MAX_BLANKS);
        let start = at + behind.leading(|byte| byte == b' ' || byte == b'+');
        let value = text.clamped(start..start + SHOWING);
        let value = value.part(..value.leading(|byte| !stops.contains(&byte)));
        if is_secret(text.get(sign), value) {
            let end = end_of(text, start, |byte| stops.contains(&byte));
            scan.push(text, start, end);
            at = end;
        }
    }
}

/// True for a sign after the name of a secret.
fn is_label(text: &[u8], sign: usize) -> bool {
    match text.get(sign) {
        Some(b':') => class_before(text, sign) == NameClass::Secret,
        _ => names_credentials(name_before(text, sign)),
    }
}

/// True for a secret value after a label. A value that may be prose must look random.
fn is_secret(sign: Option<&u8>, value: &[u8]) -> bool {
    match sign {
        // `http://` and `a::b` have no label.
        Some(b':') if value.first().is_none_or(|byte| b":/".contains(byte)) => false,
        // `token:h2://a`: the scheme of another URI.
        Some(b':') if value.strip_suffix(b":").is_some_and(is_scheme) => false,
        Some(b':') => value.len() >= MIN_LENGTH && value.iter().any(u8::is_ascii_digit),
        _ => is_random(value),
    }
}

fn is_scheme(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
}

/// True if the last word of a text names a secret, or the scheme of an authentication (RFC 7617,
/// RFC 6750).
fn names_credentials(text: &[u8]) -> bool {
    let is_blank = |byte: &u8| *byte == b' ' || *byte == b'+';
    let word = text.rsplit(is_blank).next().unwrap_or_default();
    [&b"basic"[..], b"bearer"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
        || NameClass::classify(word) == NameClass::Secret
}
