//! Takes secrets out of URIs: userinfo, and what queries and fragments hand over to be let in.
//!
//! RFC 3986 §7.5: a password in a URI is shown to everybody who sees the URI. So is the token in its query.
//! What is taken out is replaced by `REDACTED`, which any component may hold: what was a URI is one after.
//! Three things give a secret away: its place before `@`, the name before its `=`, and its own form.
//!
//! Invariants: linear in the text; what was redacted stays as it is when it is redacted again.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memmem, memrchr};

use crate::percent::octet;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// What replaces a secret.
const MARK: &[u8] = b"REDACTED";

/// Names of parameters whose values are secrets: in lower case, without punctuation.
#[rustfmt::skip]
const NAMES: [&str; 22] = [
    "assertion", "auth", "authcode", "bearer", "code", "cookie", "hmac", "key", "otp", "pass",
    "passcode", "pin", "psk", "pw", "samlresponse", "sess", "session", "sid", "sig", "sso",
    "ticket", "accesskeyid",
];

/// What the names of others end in, whatever a vendor writes before it: `X-Amz-Security-Token`.
#[rustfmt::skip]
const ENDINGS: [&str; 23] = [
    "accesskey", "accesskeyid", "apikey", "appkey", "authkey", "authorization", "credential",
    "credentials", "jwt", "passphrase", "passwd", "password", "privatekey", "pwd", "secret",
    "secretkey", "sessid", "sessionid", "sharedkey", "signature", "subscriptionkey", "token",
    "verifier",
];

/// Secrets that say what they are: how they start, and how many characters follow at least. In this order:
/// identifiers of access keys of Amazon, keys of Google, GitHub, GitLab, Slack and Stripe, and JSON Web Tokens
/// (RFC 7519), which are the base64 of `{"` and have a dot (see `token_end`).
#[rustfmt::skip]
const SHAPES: [(&[u8], usize); 17] = [
    (b"AKIA", 16), (b"ASIA", 16), (b"AIza", 30), (b"ghp_", 30), (b"gho_", 30), (b"ghu_", 30),
    (b"ghs_", 30), (b"ghr_", 30), (b"github_pat_", 30), (b"glpat-", 20), (b"xoxa-", 10),
    (b"xoxb-", 10), (b"xoxp-", 10), (b"xoxs-", 10), (b"sk_live_", 10), (b"rk_live_", 10),
    (b"eyJ", 10),
];

/// The text, which is a URI, an IRI or a reference, with `REDACTED` in place of secrets.
///
/// Secrets are: the userinfo; the value of a parameter of the query, the fragment or a path segment whose
/// name says so (`token`, `api_key`, `X-Amz-Signature`, ...; in any case and percent-encoded or not); what
/// has the form of a JSON Web Token or of an access key of a well-known service, wherever it is; and the
/// value of a parameter that holds another URI with any of these. What was a URI is one afterwards.
///
/// ```
/// use urigrep::redact;
/// assert_eq!(
///     redact("https://joe:pw@a.example/b?page=2&access_token=c0ffee#top"),
///     "https://REDACTED@a.example/b?page=2&access_token=REDACTED#top"
/// );
/// assert_eq!(redact("https://a.example/b?page=2"), "https://a.example/b?page=2");
/// ```
pub fn redact(text: &str) -> Cow<'_, str> {
    match redacted(text.as_bytes(), TextForm::Reference) {
        None => Cow::Borrowed(text),
        Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    Reference,
    /// None of them, but meant to be: a `/`, `?` or `#` may belong to a password.
    Broken,
}

/// The text without its secrets; `None` when it has none.
pub(crate) fn redacted(text: &[u8], form: TextForm) -> Option<Vec<u8>> {
    let plain = replaced(text, &secrets(text, form));
    let rest = plain.as_deref().unwrap_or(text);
    replaced(rest, &encoded_secrets(rest)).or(plain)
}

fn replaced(text: &[u8], secrets: &[Span]) -> Option<Vec<u8>> {
    if secrets.is_empty() {
        return None;
    }
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    for secret in secrets {
        // Secrets that overlap become one.
        if secret.start() >= at {
            out.extend_from_slice(text.part(at..secret.start()));
            out.extend_from_slice(MARK);
        }
        at = at.max(secret.end());
    }
    out.extend_from_slice(text.clamped(at..));
    Some(out)
}

/// The secrets that are not encoded, by their starts.
fn secrets(text: &[u8], form: TextForm) -> Vec<Span> {
    let mut found = Vec::new();
    userinfos(text, form, &mut found);
    let from = match form {
        TextForm::Reference => path_start(text),
        TextForm::Broken => 0,
    };
    values(text, from, &mut found);
    shapes(text, from, &mut found);
    found.sort_unstable_by_key(|secret| secret.start());
    found
}

/// Where the path starts: behind the scheme and the authority, when there are any (RFC 3986 §3).
fn path_start(text: &[u8]) -> usize {
    let colon = end_of(text, 0, |byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(&byte));
    let hier = match text.get(colon) {
        Some(b':') => colon + 1,
        _ => 0,
    };
    match text.get(hier..) {
        Some([b'/', b'/', ..]) => end_of(text, hier + 2, |byte| b"/?#".contains(&byte)),
        _ => hier,
    }
}

/// The first byte from `start` on for which `ends` is true.
fn end_of(text: &[u8], start: usize, ends: impl Fn(u8) -> bool) -> usize {
    start + text.part(start..).leading(|byte| !ends(byte))
}

/// `//userinfo@` (RFC 3986 §3.2.1): of the URI, and of those in its path, query and fragment.
fn userinfos(text: &[u8], form: TextForm, found: &mut Vec<Span>) {
    let query = end_of(text, 0, |byte| b"?#".contains(&byte));
    let mut from = 0;
    while let Some(slashes) = text.get(from..).and_then(|rest| memmem::find(rest, b"//")) {
        let before = from + slashes;
        let start = before + 2;
        from = start;
        let end = match form {
            TextForm::Broken => end_of(text, start, |byte| byte.is_ascii_whitespace()),
            TextForm::Reference if before > 0 && text[before - 1] != b':' => continue,
            // Behind `?`, an `&` starts the next parameter.
            TextForm::Reference if start > query => {
                end_of(text, start, |byte| b"/?#&".contains(&byte))
            }
            TextForm::Reference => end_of(text, start, |byte| b"/?#".contains(&byte)),
        };
        let authority = text.part(start..end);
        if let Some(length) = memrchr(b'@', authority) {
            push(text, start, start + length, found);
        }
        from = end;
    }
}

/// `name=value`, where the name says that the value is a secret.
fn values(text: &[u8], from: usize, found: &mut Vec<Span>) {
    let query = end_of(text, from, |byte| b"?#".contains(&byte));
    let mut from = from;
    while let Some(length) = text.get(from..).and_then(|rest| memchr(b'=', rest)) {
        let equals = from + length;
        let name = unescaped(text.part(from..equals));
        from = equals + 1;
        if is_secret(&name) {
            let stops: &[u8] = if equals < query { b"/?#&" } else { b"#&" };
            let end = value_end(text, from, stops);
            push(text, from, end, found);
            from = end;
        }
    }
}

/// The end of a value: one of the stops, or a `;` with the next `name=` behind it.
fn value_end(text: &[u8], start: usize, stops: &[u8]) -> usize {
    let mut at = start;
    while let Some(&byte) = text.get(at) {
        if stops.contains(&byte) {
            break;
        }
        if byte == b';' {
            let name = end_of(text, at + 1, |byte| !is_name(byte));
            if name > at + 1 && text.get(name) == Some(&b'=') {
                break;
            }
        }
        at += 1;
    }
    at
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.[]$%".contains(&byte)
}

/// Whether the text before a `=` ends in the name of a secret; other words do not matter.
fn is_secret(text: &[u8]) -> bool {
    let start = text
        .iter()
        .rposition(|&byte| !is_name(byte) && !byte.is_ascii_whitespace())
        .map_or(0, |at| at + 1);
    let letters = text.clamped(start..).iter();
    let name: Vec<u8> =
        letters.filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    NAMES.iter().any(|secret| name == secret.as_bytes())
        || ENDINGS.iter().any(|ending| name.ends_with(ending.as_bytes()))
}

/// Words that are secrets by their own form.
fn shapes(text: &[u8], from: usize, found: &mut Vec<Span>) {
    let mut at = from;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let begins = at == 0 || !is_word(text[at - 1]);
        let shape = |(prefix, _): &&(&[u8], usize)| rest.starts_with(prefix);
        let end = SHAPES
            .iter()
            .find(shape)
            .filter(|_| begins)
            .and_then(|&(prefix, least)| token_end(text, at, prefix, least));
        match end {
            Some(end) => {
                push(text, at, end, found);
                at = end;
            }
            None => at += 1,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Where the token ends that starts so; `None` when it is too short.
fn token_end(text: &[u8], start: usize, prefix: &[u8], least: usize) -> Option<usize> {
    let end = end_of(text, start, |byte| !is_word(byte));
    if end - start < prefix.len() + least {
        return None;
    }
    if prefix != b"eyJ" {
        return Some(end);
    }
    let whole = end_of(text, end, |byte| !is_word(byte) && byte != b'.');
    (whole > end + 1).then_some(whole)
}

/// Parameters and segments that hold secrets once their percent triplets are read, over and over.
fn encoded_secrets(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    let from = path_start(text);
    let query = end_of(text, from, |byte| b"?#".contains(&byte));
    let mut start = from;
    while start < text.len() {
        let stops: &[u8] = if start < query { b"/?#&" } else { b"?#&" };
        let end = end_of(text, start, |byte| stops.contains(&byte));
        let piece = text.part(start..end);
        if piece.contains(&b'%') && hides_secret(piece) {
            // The text before `=` stays, when it has no part in it.
            let value = memchr(b'=', piece)
                .filter(|&equals| !hides_secret(&piece[..equals]))
                .map_or(start, |equals| start + equals + 1);
            push(text, value, end, &mut found);
        }
        start = end + 1;
    }
    found
}

fn hides_secret(piece: &[u8]) -> bool {
    let inner = unescaped(piece);
    inner != piece && !secrets(&inner, TextForm::Reference).is_empty()
}

/// The text with its percent triplets read, and those that come of it: `%2540` becomes `@`.
fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'%') {
        return Cow::Borrowed(text);
    }
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for &byte in text {
        out.push(byte);
        // What a triplet becomes may end another.
        while let Some(at) = out.len().checked_sub(3)
            && let Some(read) = octet(&out, at)
        {
            out.truncate(at);
            out.push(read);
        }
    }
    Cow::Owned(out)
}

/// Adds a secret, unless it is empty or was taken out before.
fn push(text: &[u8], start: usize, end: usize, found: &mut Vec<Span>) {
    let secret = text.part(start..end);
    if !secret.is_empty() && secret != MARK {
        found.push(Span::new(start, end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets_of_triplets() {
        assert_eq!(&*unescaped(b"a%252540b%"), b"a@b%");
        assert_eq!(&*unescaped(b"%%34%30"), b"@");
        assert_eq!(&*unescaped(b"%zz"), b"%zz");
    }

    #[test]
    fn broken() {
        let shown = |text: &str| {
            redacted(text.as_bytes(), TextForm::Broken).map(|out| String::from_utf8(out).unwrap())
        };
        assert_eq!(
            shown("http://joe:p/w#@a.example/"),
            Some("http://REDACTED@a.example/".to_owned())
        );
        assert_eq!(shown("http://a.example:99999999x/"), None);
        assert_eq!(shown("http://a:x/?token=1 b"), Some("http://a:x/?token=REDACTED".to_owned()));
    }

    #[test]
    fn tables_are_normal() {
        for name in NAMES.iter().chain(&ENDINGS) {
            let normal =
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            assert!(normal, "{name}");
        }
    }
}
