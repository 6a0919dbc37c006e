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
    let host = uri.host().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    let mut labels = host.rsplit('.');
    matches!(
        (labels.next(), labels.next()),
        (Some("example" | "invalid" | "test"), _) | (Some("com" | "net" | "org"), Some("example"))
    )
}
