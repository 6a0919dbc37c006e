//! Checks names that consist of delimited parts: documents, laws, standards and services.

use super::fault::{NssFaultAt, NssFaultKind};
use super::number::numbers;
use crate::slice::SliceExt;

/// Splits `text` at `delimiter` into parts with their offsets; there is at least one.
pub(super) fn split(text: &[u8], delimiter: u8) -> impl Iterator<Item = (usize, &[u8])> {
    let mut next = 0;
    text.split(move |&byte| byte == delimiter).map(move |part| {
        let at = next;
        next += part.len() + 1;
        (at, part)
    })
}

/// Checks the `ietf` namespace (RFC 2648 §2 and RFC 3553 §3); its words are those of the registry
/// that RFC 6924 created.
pub(super) fn ietf(nss: &[u8]) -> Result<(), NssFaultAt> {
    let (_, word) = split(nss, b':').next().unwrap_or_default();
    let at = word.len() + 1;
    let name = nss.clamped(at..);
    let is_one_of = |known: &[&str]| known.iter().any(|k| word.eq_ignore_ascii_case(k.as_bytes()));
    let numbered = is_one_of(&["rfc", "std", "bcp", "fyi"]);
    if !numbered && !is_one_of(&["id", "mtg", "params"]) {
        return Err((0, NssFaultKind::Keyword));
    }
    if name.is_empty() {
        return Err((nss.len(), NssFaultKind::TooShort));
    }
    match name.iter().position(|byte| !byte.is_ascii_digit()) {
        Some(wrong) if numbered => Err((at + wrong, NssFaultKind::Character)),
        _ => Ok(()),
    }
}

/// Checks `prefix "-" nbn-string`, `prefix = iso-cc *( ":" subspc )` (RFC 8458 §4). A prefix need
/// not be a country code, because others can be registered.
pub(super) fn nbn(nss: &[u8]) -> Result<(), NssFaultAt> {
    let (_, prefix) = split(nss, b'-').next().unwrap_or_default();
    for (at, code) in split(prefix, b':') {
        if let Some(wrong) = code.iter().position(|byte| !byte.is_ascii_alphanumeric()) {
            return Err((at + wrong, NssFaultKind::Character));
        }
        if code.is_empty() {
            return Err((at, NssFaultKind::EmptyPart));
        }
    }
    if nss.len() > prefix.len() + 1 { Ok(()) } else { Err((nss.len(), NssFaultKind::TooShort)) }
}

/// Checks `jurisdiction ":" authority ":" measure ":" details`, and what follows (RFC 9676 §3).
pub(super) fn lex(nss: &[u8]) -> Result<(), NssFaultAt> {
    filled(nss, 4)
}

/// Checks `ResourceType ":" ResourceSpecificString` (RFC 5165 §2).
pub(super) fn ogc(nss: &[u8]) -> Result<(), NssFaultAt> {
    filled(nss, 2)
}

/// Checks `"std" ":" originator [ ":" type ] ":" docnumber`, and what follows (RFC 5141 §2.2).
pub(super) fn iso(nss: &[u8]) -> Result<(), NssFaultAt> {
    filled(nss, 3)?;
    let mut parts = split(nss, b':');
    let (_, word) = parts.next().unwrap_or_default();
    if !word.eq_ignore_ascii_case(b"std") {
        return Err((0, NssFaultKind::Keyword));
    }
    let letters = |part: &[u8]| part.iter().all(|&b| b.is_ascii_alphabetic() || b == b'-');
    if let Some((at, _)) = parts.next().filter(|(_, originator)| !letters(originator)) {
        return Err((at, NssFaultKind::Keyword));
    }
    // A type, such as `ts`, consists of letters, so the first other part is the number.
    let Some((at, number)) = parts.by_ref().take(2).find(|(_, part)| !letters(part)) else {
        // The type is optional, so the number is one of the next two parts.
        return Err((nss.len(), NssFaultKind::TooShort));
    };
    match number.iter().position(|byte| !byte.is_ascii_digit()) {
        Some(wrong) => Err((at + wrong, NssFaultKind::Character)),
        None => Ok(()),
    }
}

/// Checks `10.` and a number, perhaps with more numbers after dots, `/`, and a suffix (ISO 26324).
pub(super) fn doi(nss: &[u8]) -> Result<(), NssFaultAt> {
    let (_, prefix) = split(nss, b'/').next().unwrap_or_default();
    if !prefix.starts_with(b"10.") {
        return Err((0, NssFaultKind::Prefix));
    }
    numbers(prefix)?;
    if nss.len() > prefix.len() + 1 { Ok(()) } else { Err((nss.len(), NssFaultKind::TooShort)) }
}

/// Checks `top-level *( "." sub-service )`, each of letters, digits and inner hyphens (RFC 5031
/// §3).
pub(super) fn service(nss: &[u8]) -> Result<(), NssFaultAt> {
    for (at, label) in split(nss, b'.') {
        let inner = 1..label.len().saturating_sub(1);
        let fits = |(index, byte): (usize, &u8)| {
            byte.is_ascii_alphanumeric() || *byte == b'-' && inner.contains(&index)
        };
        if let Some(wrong) = label.iter().enumerate().position(|pair| !fits(pair)) {
            return Err((at + wrong, NssFaultKind::Character));
        }
        if label.is_empty() {
            return Err((at, NssFaultKind::EmptyPart));
        }
    }
    Ok(())
}

/// Checks for at least `count` parts between colons, the first `count` of which are not empty.
fn filled(nss: &[u8], count: usize) -> Result<(), NssFaultAt> {
    let mut found = 0;
    for (at, part) in split(nss, b':').take(count) {
        if part.is_empty() {
            return Err((at, NssFaultKind::EmptyPart));
        }
        found += 1;
    }
    if found == count { Ok(()) } else { Err((nss.len(), NssFaultKind::TooShort)) }
}
