//! Userinfo that contains a password (RFC 3986 §3.2.1, §7.5) or looks like the host (§7.6).

use super::is_web;
use crate::{Uri, percent, registry};

pub(super) fn has_password(uri: &Uri<'_>) -> bool {
    let password = uri.userinfo().and_then(|userinfo| userinfo.split_once(':'));
    password.is_some_and(|(_, password)| !password.is_empty())
}

/// True for a web URI whose userinfo a hasty reader mistakes for its host. It starts with `www.`,
/// with a domain name under a known top-level domain, with an IPv4 address, or, like a URL, with
/// `//` after a word.
///
/// A mail address as user (`jo%40example.com@`) starts with a name, so it is not misleading.
pub(super) fn is_misleading(uri: &Uri<'_>) -> bool {
    let Some(userinfo) = uri.userinfo().filter(|_| is_web(uri)) else {
        return false;
    };
    let decoded = percent::decode(userinfo);
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'.';
    let (head, rest) = split_at_first(&decoded, |byte| !is_host(byte));
    // `http://www.bank.example%2F%2F@evil.example/` looks like a URL up to the `@` once it is
    // decoded.
    if !head.is_empty() && (rest.starts_with(b"://") || rest.starts_with(b"//")) {
        return true;
    }
    // No user name has one of these, but a reader takes it for the end of a host.
    if head.contains(&b'.') && matches!(rest, [b';' | b',' | b'\'' | b'!' | b'(' | b')' | b'*', ..])
    {
        return true;
    }
    // Decoded, but ASCII: `is_host` accepts only such bytes.
    let head = core::str::from_utf8(head).unwrap_or_default();
    let is_www = head.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    is_www
        || head.parse::<core::net::Ipv4Addr>().is_ok()
        || head
            .trim_end_matches('.')
            .rsplit_once('.')
            .is_some_and(|(name, last)| !name.is_empty() && registry::tld(last))
}

fn split_at_first(bytes: &[u8], is: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    let at = bytes.iter().position(is).unwrap_or(bytes.len());
    bytes.split_at_checked(at).unwrap_or((bytes, &[]))
}
