//! Unwraps redirectors: URIs that mail gateways and mail readers put around those of the author.
//!
//! Such a URI contains its target in some encoding, so no network access is needed. There is one
//! file per encoding.

mod parameter;
mod urldefense;

pub(crate) use urldefense::{base64url, defended, is_defended};

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::delimit::{self, Decision, ExactText};
use crate::grammar::HostMapping;
use crate::options::Options;
use crate::{Uri, UriRef};

/// The most nested redirectors that are removed, and the longest URI that is inspected.
const DEPTH: usize = 8;
const MAX_LENGTH: usize = 64 << 10;

/// Returns the URI inside `uri` if that belongs to a redirector: Outlook Safe Links, Proofpoint URL
/// Defense (v1, v2, v3), Google, Facebook, archives of mailing lists and others that carry the URI
/// in a parameter.
///
/// Up to eight nested redirectors are removed. The result is an owned, valid URI by RFC 3986,
/// repaired if needed. Returns `None` if `uri` does not wrap an absolute URI.
///
/// ```
/// use urigrep::redirect::unwrap;
/// use urigrep::Uri;
/// let uri = Uri::parse("https://www.google.com/url?q=http://a.example/b%3Fc&sa=D")?;
/// assert_eq!(unwrap(uri).as_deref(), Some("http://a.example/b?c"));
/// assert_eq!(unwrap(Uri::parse("http://a.example/?url=http://b.example")?), None);
/// # Ok::<(), urigrep::ParseError>(())
/// ```
pub fn unwrap(uri: Uri<'_>) -> Option<String> {
    unwrap_with(uri, HostMapping::default())
}

/// Like [`unwrap`], but maps the host of an IRI as `hosts` specifies.
///
/// ```
/// use urigrep::Uri;
/// use urigrep::options::HostMapping;
/// let uri = Uri::parse("https://www.google.com/url?q=http://%C3%A9.example/")?;
/// let inner = urigrep::redirect::unwrap_with(uri, HostMapping::PERCENT_ENCODED);
/// assert_eq!(inner.as_deref(), Some("http://%C3%A9.example/"));
/// # Ok::<(), urigrep::ParseError>(())
/// ```
pub fn unwrap_with(uri: Uri<'_>, hosts: HostMapping) -> Option<String> {
    let options = Options { hosts, ..Options::default() };
    let mut inner: Option<String> = None;
    // Each round parses up to `MAX_LENGTH` bytes, so this bounds the work for a URI that a stranger
    // wrote.
    for _ in 0..DEPTH {
        let outer = match &inner {
            None => uri,
            Some(inner) => Uri::parse(inner).ok()?,
        };
        match once(outer, &options) {
            Some(next) => inner = Some(next),
            None => break,
        }
    }
    inner
}

fn once(uri: Uri<'_>, options: &Options) -> Option<String> {
    // A quick test of the length rules out schemes other than http and https.
    if !matches!(uri.scheme().len(), 4 | 5) || uri.as_str().len() > MAX_LENGTH {
        return None;
    }
    let is_web = ["http", "https"].iter().any(|scheme| uri.scheme().eq_ignore_ascii_case(scheme));
    let host = uri.host().filter(|_| is_web)?;
    // Hosts are compared without case (RFC 3986 §3.2.2). Most are in lower case already and need no
    // copy.
    let host = if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    };
    let inner = urldefense::inner(&host, uri).or_else(|| parameter::inner(&host, uri))?;
    absolute(&inner, options)
}

// The target is read like a link in a document, so it is repaired and mapped in the same way.
fn absolute(text: &[u8], options: &Options) -> Option<String> {
    let ExactText::Absolute(Decision::Found(found)) = delimit::read_exact(text, options) else {
        return None;
    };
    let uri = match found.derived {
        Some(made) => made.uri,
        None => core::str::from_utf8(text.get(found.span.range())?).ok()?.to_owned(),
    };
    // `q=data:x` and `u=a:b` are not links.
    UriRef::parse(&uri).ok()?.authority()?;
    Some(uri)
}

/// True for `domain` and its subdomains.
fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
