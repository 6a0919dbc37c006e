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

/// True for names that RFC 2606 and RFC 6761 keep for examples: `example.com`, `a.example`,
/// `b.test`, `c.invalid`.
fn is_example(uri: &Uri<'_>) -> bool {
    let host = uri.host().unwrap_or_default().trim_end_matches('.');
    let mut labels = host.rsplit('.');
    let last = labels.next().unwrap_or_default();
    let is =
        |label: &str, names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(label));
    is(last, &["example", "invalid", "test"])
        || is(last, &["com", "net", "org"]) && is(labels.next().unwrap_or_default(), &["example"])
}
