//! Unwraps Proofpoint URL Defense, all three versions, and Cisco's gateway, which put the target
//! into the path.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::is_below;
use crate::{Uri, memmem, percent};

const HOSTS: [&str; 3] = ["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"];

/// True for a host of URL Defense.
pub(crate) fn is_defended(host: &[u8]) -> bool {
    let host = core::str::from_utf8(host).unwrap_or_default().to_ascii_lowercase();
    HOSTS.iter().any(|domain| is_below(&host, domain))
}

/// Returns the target of a URL Defense link, and its range in `rest`, the text after the host.
pub(crate) fn defended(rest: &[u8]) -> Option<(Range<usize>, Vec<u8>)> {
    let rest = core::str::from_utf8(rest).ok()?;
    if let Some(text) = rest.strip_prefix("/v3/__") {
        return Some((4..rest.len(), version_3(text)?));
    }
    let start = memmem::find(rest.as_bytes(), b"/url?")? + 5;
    let mut at = start;
    for field in rest.get(start..)?.split(['&', '#']) {
        if let Some(value) = field.strip_prefix("u=") {
            return Some((at + 2..at + field.len(), version_2(value)));
        }
        at += field.len() + 1;
    }
    None
}

pub(super) fn inner<'u>(host: &str, uri: Uri<'u>) -> Option<Cow<'u, [u8]>> {
    if is_below(host, "secure-web.cisco.com") {
        return cisco(uri.path());
    }
    HOSTS.iter().find(|domain| is_below(host, domain))?;
    match uri.path() {
        // Version 1 only percent-encodes the target.
        "/v1/url" => Some(percent::decode(parameter(uri)?)),
        "/v2/url" => Some(Cow::Owned(version_2(parameter(uri)?))),
        path if path.starts_with("/v3/") => {
            // Take the text from the whole URI. The target may contain `?` and `#`, and does not
            // end with the path.
            let (_, rest) = memmem::split_once(uri.as_str(), "/v3/__")?;
            version_3(rest).map(Cow::Owned)
        }
        _ => None,
    }
}

fn parameter(uri: Uri<'_>) -> Option<&str> {
    let mut fields = uri.query()?.split('&');
    fields.find_map(|field| field.strip_prefix("u="))
}

/// Decodes version 2: `-` means `%`, and `_` means `/`.
fn version_2(value: &str) -> Vec<u8> {
    let spelled: String = value
        .chars()
        .map(|c| match c {
            // Unambiguous: version 2 encodes a `-` of the target as `-2D`, and a `_` as `-5F`.
            '-' => '%',
            '_' => '/',
            c => c,
        })
        .collect();
    percent::decode(&spelled).into_owned()
}

/// Decodes version 3: `url "__;" base64url "!" …`. Each `*` stands for the next encoded character,
/// and `**` with a character after it for a run of them.
fn version_3(rest: &str) -> Option<Vec<u8>> {
    let (url, rest) = memmem::split_once(rest, "__;")?;
    let (encoded, _) = rest.split_once('!')?;
    let replaced = String::from_utf8(base64url(encoded)?).ok()?;
    let mut replaced = replaced.chars();
    let mut out = String::with_capacity(url.len());
    let mut chars = url.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '*' {
            out.push(c);
        } else if chars.next_if_eq(&'*').is_some() {
            let count = run(chars.next()?)?;
            // A run has at most 65 characters, and the link itself must hold each of them: a short
            // link cannot make a long text.
            for _ in 0..count {
                out.push(replaced.next()?);
            }
        } else {
            out.push(replaced.next()?);
        }
    }
    Some(with_slashes(out).into_bytes())
}

/// Returns the length of a run: `A` is 2, `B` is 3, and so on through the alphabet of base64url.
fn run(c: char) -> Option<usize> {
    Some(usize::from(sextet(u8::try_from(c).ok()?)?) + 2)
}

/// Restores the second slash, since some hosts on the way collapse `//` to `/`.
fn with_slashes(url: String) -> String {
    match memmem::split_once(&url, ":/") {
        Some((scheme, rest)) if !rest.starts_with('/') => format!("{scheme}://{rest}"),
        _ => url,
    }
}

/// Decodes base64url (RFC 4648 §5), with or without padding.
pub(crate) fn base64url(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        // At most 7 bits are pending, and 6 are added. The mask drops the bits that were output.
        bits = (bits << 6 | u32::from(sextet(byte)?)) & 0xffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Some(out)
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    })
}

/// Decodes `/` hash `/` URI, where the URI is percent-encoded including its slashes.
fn cisco(path: &str) -> Option<Cow<'_, [u8]>> {
    let (_, encoded) = path.strip_prefix('/')?.split_once('/')?;
    Some(percent::decode(encoded))
}
