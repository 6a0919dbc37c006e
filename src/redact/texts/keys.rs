//! Finds private keys: blocks of PEM and OpenPGP, files of PuTTY, JSON Web Keys, and XML of .NET.

use alloc::vec::Vec;

use memchr::{memchr_iter, memmem};

use crate::redact::end_of;
use crate::redact::shapes::is_random;
use crate::redact::tokens::key_label;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest private key; one of 16,384 bits takes 13 KB.
const MAX_KEY_LENGTH: usize = 32 << 10;

/// Members of a JSON Web Key that are secret (RFC 7518 §6.2.2, §6.3.2, §6.4).
const JWK_MEMBERS: [&[u8]; 7] = [b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];

/// Elements of a private key in XML (.NET, `RSA.ToXmlString`).
const XML_ELEMENTS: [&[u8]; 6] = [b"D", b"P", b"Q", b"DP", b"DQ", b"InverseQ"];

/// Shortest member of a key. Those of elliptic curves have 43 characters (RFC 7518 §6.2.2.1), and a
/// symmetric key of 128 bits has 22.
const MIN_MEMBER_LENGTH: usize = 22;

/// Adds all private keys.
pub(super) fn add(text: &[u8], found: &mut Vec<Span>) {
    found.append(&mut blocks(text).0);
    found.append(&mut putty(text).0);
    found.extend(memchr_iter(b':', text).filter_map(|at| jwk_member(text, at)));
    found.extend(xml_elements(text));
}

/// Returns the start of a key without an end in the text.
pub(super) fn open(text: &[u8]) -> Option<usize> {
    blocks(text).1.into_iter().chain(putty(text).1).min()
}

/// Returns the texts between `-----BEGIN … PRIVATE KEY-----` and the ends of the blocks (RFC 7468,
/// RFC 9580 §6.2), and the start of the first block that may continue after the text.
fn blocks(text: &[u8]) -> (Vec<Span>, Option<usize>) {
    const BEGIN: &[u8] = b"-----BEGIN";
    const DASHES: &[u8] = b"-----";
    let (mut found, mut open) = (Vec::new(), None);
    let mut at = 0;
    while let Some(begin) = memmem::find(text.clamped(at..), BEGIN) {
        let begin = at + begin;
        at = begin + BEGIN.len();
        let label = text.clamped(at..);
        let Some(length) = key_label(label) else { continue };
        if !label.part(length..).starts_with(DASHES) {
            continue;
        }
        at += length + DASHES.len();
        let block = text.clamped(at..at + MAX_KEY_LENGTH);
        // A log may cut the key off. Then everything that looks like a part of it is secret.
        let length = memmem::find(block, b"-----END").unwrap_or_else(|| {
            if block.len() < MAX_KEY_LENGTH {
                open.get_or_insert(begin);
            }
            block.leading(|byte| {
                byte.is_ascii_alphanumeric() || b"+/=\\-:,. \t\r\n\"'|".contains(&byte)
            })
        });
        let start = at + block.clamped(..length).leading(|byte| byte.is_ascii_whitespace());
        let end = at + length - block.clamped(..length).trailing(|byte| byte.is_ascii_whitespace());
        at += length;
        if start < end {
            found.push(Span::new(start, end));
        }
    }
    (found, open)
}

/// Returns the lines behind `Private-Lines: 14`, which a file of PuTTY has in base64, and the start
/// of a key whose last lines may follow.
fn putty(text: &[u8]) -> (Vec<Span>, Option<usize>) {
    const HEADER: &[u8] = b"Private-Lines: ";
    let (mut found, mut open) = (Vec::new(), None);
    for at in memmem::find_iter(text, HEADER) {
        let number = at + HEADER.len();
        let lines = end_of(text, number, |byte| !byte.is_ascii_digit());
        let block = text.clamped(lines..number + MAX_KEY_LENGTH);
        let is_of_key = |byte: u8| {
            byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=".contains(&byte)
        };
        // The run ends before the next such header, so no byte is read twice.
        let run = block.part(..block.leading(is_of_key));
        let behind = block.part(run.len()..);
        // `Private` of the line after the key is letters, too.
        let key = match behind.strip_prefix(b"-MAC") {
            Some(_) => run.strip_suffix(b"Private").unwrap_or(run),
            None => {
                if behind.is_empty() && block.len() < MAX_KEY_LENGTH {
                    open.get_or_insert(at);
                }
                // A log may cut the key off.
                run
            }
        };
        let is_lines = matches!(key, [b'\n' | b'\r', ..]);
        let start = lines + key.leading(|byte| byte.is_ascii_whitespace());
        let end = lines + key.len() - key.trailing(|byte| byte.is_ascii_whitespace());
        if is_lines && number < lines && start < end {
            found.push(Span::new(start, end));
        }
    }
    (found, open)
}

/// Returns the value of a member of a JSON Web Key whose colon is at `colon`. The name alone says
/// little, so the value must be generated.
// Its object need not be seen: members stand in any order, and lines are read one by one.
fn jwk_member(text: &[u8], colon: usize) -> Option<Span> {
    let before = text.clamped(colon.saturating_sub(8)..colon);
    let name = before.clamped(..before.len() - before.trailing(|byte| byte == b' '));
    // In a string, the quotation marks have a backslash.
    let name = name.strip_suffix(b"\"")?;
    let name = name.strip_suffix(b"\\").unwrap_or(name);
    let letters = name.trailing(|byte| byte.is_ascii_lowercase());
    let is_quoted = name.clamped(..name.len() - letters).last() == Some(&b'"');
    if !is_quoted || !JWK_MEMBERS.contains(&name.tail(letters)) {
        return None;
    }
    let at = end_of(text, colon + 1, |byte| byte != b' ');
    let quoted = text.clamped(at..at + 2);
    let start = match quoted {
        [b'\\', b'"'] => at + 2,
        [b'"', ..] => at + 1,
        _ => return None,
    };
    let value = text.clamped(start..start + MAX_KEY_LENGTH);
    let length = value.leading(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    let is_ended = matches!(value.get(length), Some(b'"' | b'\\'));
    let is_secret = length >= MIN_MEMBER_LENGTH && is_random(value.part(..length));
    (is_ended && is_secret).then(|| Span::new(start, start + length))
}

/// Returns the texts of the private elements of `<RSAKeyValue>`.
fn xml_elements(text: &[u8]) -> impl Iterator<Item = Span> {
    let has_key = memmem::find(text, b"RSAKeyValue").is_some();
    let ends = has_key.then(|| memmem::find_iter(text, b"</")).into_iter().flatten();
    ends.filter_map(|end| {
        let name = text.clamped(end + 2..end + 12);
        let name = name.part(..name.leading(|byte| byte.is_ascii_alphabetic()));
        let base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/= \r\n\t".contains(&byte);
        let before = text.clamped(end.saturating_sub(MAX_KEY_LENGTH)..end);
        let is_private = XML_ELEMENTS.contains(&name);
        let length = is_private.then(|| before.trailing(base64)).filter(|length| *length > 0)?;
        Some(Span::new(end - length, end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden() {
        const MEMBER: &str = "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE";
        for (text, hidden) in [
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nab+/=\n-----END RSA PRIVATE KEY-----\n",
                "MIIE\nab+/=".to_owned(),
            ),
            ("key: \"-----BEGIN PRIVATE KEY-----\\nMIIE\\n", "\\nMIIE\\n".to_owned()),
            ("-----BEGIN PUBLIC KEY-----\nMIIE\n", String::new()),
            (
                "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ\n=AbCd\n-----END PGP",
                "lQ\n=AbCd".to_owned(),
            ),
            ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ\n=AbCd\n", String::new()),
            (
                "Public-Lines: 1\nAAAA\nPrivate-Lines: 2\nAAAAIL\nx+/=\nPrivate-MAC: 3f1a",
                "AAAAIL\nx+/=".to_owned(),
            ),
            ("the header Private-Lines: and others", String::new()),
            (
                &format!("{{\"kty\":\"EC\", \"x\": \"{MEMBER}\", \"d\" : \"{MEMBER}\"}}"),
                MEMBER.to_owned(),
            ),
            (&format!("'{{\\\"qi\\\":\\\"{MEMBER}\\\"}}'"), MEMBER.to_owned()),
            (&format!("<path d: \"{MEMBER}\"> {{\"id\": \"{MEMBER}\"}}"), String::new()),
            ("{\"d\": \"internationalization-of-documents\"}", String::new()),
            (
                "<RSAKeyValue><Modulus>xA==</Modulus><D>yZ+/==</D></RSAKeyValue>",
                "yZ+/==".to_owned(),
            ),
            ("<D>yZ</D>", String::new()),
        ] {
            let mut found = Vec::new();
            add(text.as_bytes(), &mut found);
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }

    #[test]
    fn what_may_go_on() {
        for (text, expected) in [
            ("a\n-----BEGIN PRIVATE KEY-----\nMIIE\n", Some(2)),
            ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n", None),
            ("-----BEGIN PUBLIC KEY-----\nMIIE\n", None),
            ("Private-Lines: 2\nAAAA\n", Some(0)),
            ("Private-Lines: 2\nAAAA\nPrivate-MAC: 1\n", None),
        ] {
            assert_eq!(open(text.as_bytes()), expected, "{text}");
        }
    }
}
