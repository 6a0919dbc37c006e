//! Checks of the identity in a reference: its scheme, namespace, host, and secrets.

pub mod credentials;
pub mod mixed;
pub mod name;
pub mod namespace;
pub mod placeholder;
pub mod private;
pub mod rare_ip;
pub mod scheme;
pub mod text;
pub mod userinfo;

use crate::Uri;
use crate::slice::SliceExt as _;

/// True for names reserved for examples by RFC 2606 and RFC 6761: `example.com`, `a.example`,
/// `b.test`, `c.invalid`.
pub(super) fn is_example(uri: &Uri<'_>) -> bool {
    let (above, last) = last_label(uri.host().unwrap_or_default());
    is_one_of(last, &["example", "invalid", "test"])
        || is_one_of(last, &["com", "net", "org"]) && is_one_of(last_label(above).1, &["example"])
}

/// Splits off the last label of a host. This runs for every link, and labels are short, so a plain
/// loop beats a vector search.
fn last_label(host: &str) -> (&str, &str) {
    let host = host.strip_suffix('.').unwrap_or(host);
    match host.bytes().rposition(|byte| byte == b'.') {
        Some(dot) => (host.clamped(..dot), host.clamped(dot + 1..)),
        None => ("", host),
    }
}

/// True if `word` is one of these words, ignoring ASCII case.
fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}
