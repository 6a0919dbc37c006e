//! Whether what a reference names can be what was meant.

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

/// True for names that RFC 2606 and RFC 6761 keep for examples: `example.com`, `a.example`,
/// `b.test`, `c.invalid`.
fn is_example(uri: &Uri<'_>) -> bool {
    let (above, last) = last_label(uri.host().unwrap_or_default());
    is_one_of(last, &["example", "invalid", "test"])
        || is_one_of(last, &["com", "net", "org"]) && is_one_of(last_label(above).1, &["example"])
}

/// The last label of a host, and what is before its dot. Each link is asked for it, and labels are short.
fn last_label(host: &str) -> (&str, &str) {
    let host = host.strip_suffix('.').unwrap_or(host);
    match host.bytes().rposition(|byte| byte == b'.') {
        Some(dot) => (host.clamped(..dot), host.clamped(dot + 1..)),
        None => ("", host),
    }
}

/// True for one of these words, in any case.
fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}
