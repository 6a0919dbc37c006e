//! Percent triplets that are dangerous if they are decoded too early (RFC 3986 §7.3).

use crate::Uri;
use crate::percent::octet;

pub(super) fn has_nul(uri: &Uri<'_>) -> bool {
    octets(uri.as_str()).any(|octet| octet == 0)
}

/// True if decoding a triplet before the URI is split would change the split: `/`, `\` (which
/// browsers treat as `/`), `?` or `#` in the authority or the path, `@` or `:` in the host.
///
/// Only URIs with an authority count: in others, the schemes require such triplets (RFC 6068 §2 for
/// mail addresses, RFC 8141 §2.2 for URNs). The query and the fragment are made for data, where
/// `%23` is common. So is `%40` in a userinfo that is a mail address.
pub(super) fn has_delimiter(uri: &Uri<'_>) -> bool {
    let Some(host) = uri.host() else {
        return false;
    };
    let holds = |text: &str, delimiters: &[u8]| octets(text).any(|o| delimiters.contains(&o));
    holds(uri.userinfo().unwrap_or_default(), b"/\\?#")
        || holds(host, b"/\\?#@:")
        || holds(uri.path(), b"/\\?#")
}

/// Returns the octets of the percent triplets in `text`.
fn octets(text: &str) -> impl Iterator<Item = u8> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'%', bytes).filter_map(|at| octet(bytes, at))
}
