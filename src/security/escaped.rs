//! Percent triplets that are dangerous when they are read at the wrong moment (RFC 3986 §7.3).

use crate::Uri;
use crate::percent::octet;

pub(super) fn has_nul(uri: &Uri<'_>) -> bool {
    octets(uri.as_str()).any(|octet| octet == 0)
}

/// True when a triplet, read before the URI is split, would change where it is split: `/`, `\`
/// (which browsers take for `/`), `?` or `#` in the authority or the path, `@` or `:` in the host.
///
/// Only URIs with an authority: in the others those triplets are what their schemes ask for
/// (RFC 6068 §2 for mail addresses, RFC 8141 §2.2 for URNs). The query and the fragment are made
/// for data, a `%23` in them is daily bread, and so is `%40` in a userinfo that is a mail address.
pub(super) fn has_delimiter(uri: &Uri<'_>) -> bool {
    let Some(host) = uri.host() else {
        return false;
    };
    let holds = |text: &str, delimiters: &[u8]| octets(text).any(|o| delimiters.contains(&o));
    holds(uri.userinfo().unwrap_or_default(), b"/\\?#")
        || holds(host, b"/\\?#@:")
        || holds(uri.path(), b"/\\?#")
}

/// What the percent triplets of `text` mean.
fn octets(text: &str) -> impl Iterator<Item = u8> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'%', bytes).filter_map(|at| octet(bytes, at))
}
