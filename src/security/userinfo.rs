//! Userinfo that contains a password (RFC 3986 §3.2.1, §7.5) or looks like the host (§7.6).

use alloc::borrow::Cow;
use alloc::string::String;

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
    let decoded = String::from_utf8_lossy(&decoded);
    let decoded = read(&decoded);
    let end = decoded.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.')));
    let (head, rest) = decoded.split_at_checked(end.unwrap_or(decoded.len())).unwrap_or_default();
    // `http://www.bank.example%2F%2F@evil.example/` looks like a URL up to the `@` once it is
    // decoded.
    if !head.is_empty() && (rest.starts_with("://") || rest.starts_with("//")) {
        return true;
    }
    // No user name has one of these, but a reader takes it for the end of a host.
    if head.as_bytes().contains(&b'.') && rest.starts_with([';', ',', '\'', '!', '(', ')', '*']) {
        return true;
    }
    let is_www = head.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    is_www
        || head.parse::<core::net::Ipv4Addr>().is_ok()
        || head
            .trim_end_matches('.')
            .rsplit_once('.')
            .is_some_and(|(name, last)| !name.is_empty() && registry::tld(last))
}

/// Returns a text as a reader takes it: full-width characters look like those of ASCII.
fn read(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |c: char| match c {
        '\u{3002}' | '\u{ff61}' => '.',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    };
    Cow::Owned(text.chars().map(plain).collect())
}
