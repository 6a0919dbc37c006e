//! Defangs URIs for print, as security analysts do: `hxxps://evil[.]example/x` (D4.6).
//!
//! Takes linear time. Relative references and URIs without a host stay unchanged.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::grammar::table::is_scheme_byte;
#[cfg(feature = "search")]
use crate::grammar::{UriParts, offset};
use crate::memmem;
use crate::slice::{ByteRuns, SliceExt};

/// Schemes that programs open, and their defanged spellings of the same length.
const SCHEMES: [(&str, &str); 3] = [("http", "hxxp"), ("https", "hxxps"), ("ftp", "fxp")];

/// Schemes of addresses, which have no `//`.
const ADDRESSES: [&str; 7] = ["mailto", "sip", "sips", "xmpp", "acct", "im", "pres"];

/// A range of the text and its replacement.
struct DrawnFang {
    at: usize,
    len: usize,
    by: &'static str,
}

/// Defangs a URI, an IRI or a reference: `hxxp` for `http`, `[.]` for the dots of hosts, `[@]` for
/// the `@` of addresses. [`Refang::Read`](crate::options::Refang::Read) reads it back.
///
/// URIs inside other URIs are defanged, too. A URI without a host stays unchanged.
///
/// ```
/// use urigrep::defang;
/// assert_eq!(defang("https://cdn.evil.example/a.php"), "hxxps://cdn[.]evil[.]example/a.php");
/// assert_eq!(defang("mailto:jo@evil.example"), "mailto:jo[@]evil[.]example");
/// assert_eq!(defang("urn:isbn:0451450523"), "urn:isbn:0451450523");
/// ```
pub fn defang(text: &str) -> Cow<'_, str> {
    apply(text, &fangs(text.as_bytes()))
}

/// Like [`defang`]; also returns the components at their new offsets.
#[cfg(feature = "search")]
pub(crate) fn defang_parts(text: &str, parts: UriParts) -> (String, UriParts) {
    let fangs = fangs(text.as_bytes());
    let moved = |at: u32| {
        // A component moves by the number of bytes that the replacements before it add.
        let before = fangs.iter().take_while(|fang| fang.at + fang.len <= at as usize);
        at + offset(before.map(|fang| fang.by.len() - fang.len).sum())
    };
    let parts = UriParts {
        hier_start: moved(parts.hier_start),
        host_start: moved(parts.host_start),
        host_end: moved(parts.host_end),
        path_start: moved(parts.path_start),
        path_end: moved(parts.path_end),
        query_end: moved(parts.query_end),
        host_type: parts.host_type,
    };
    (apply(text, &fangs).into_owned(), parts)
}

/// Defangs a host or an address without a scheme, perhaps with a port and a path.
#[cfg(feature = "search")]
pub(crate) fn defang_bare(text: &str) -> String {
    let bytes = text.as_bytes();
    let name = bytes.leading(|b| !b"/?#".contains(&b));
    let mut fangs = Vec::new();
    let start = match memchr::memrchr(b'@', bytes.part(..name)) {
        Some(at) => {
            fangs.push(DrawnFang { at, len: 1, by: "[@]" });
            at + 1
        }
        None => 0,
    };
    dots(bytes, start, name, &mut fangs);
    apply(text, &fangs).into_owned()
}

fn apply<'t>(text: &'t str, fangs: &[DrawnFang]) -> Cow<'t, str> {
    if fangs.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut done) = (String::with_capacity(text.len() + 4 * fangs.len()), 0);
    for &DrawnFang { at, len, by } in fangs {
        out.push_str(text.clamped(done..at));
        out.push_str(by);
        done = at + len;
    }
    out.push_str(text.clamped(done..));
    Cow::Owned(out)
}

/// Returns the replacements, in order.
fn fangs(text: &[u8]) -> Vec<DrawnFang> {
    let mut fangs = Vec::new();
    let mut done = 0;
    for slashes in memmem::find_iter(text, b"//") {
        // A `//` inside a path.
        if slashes < done || !matches!(text.part(..slashes), [] | [.., b':']) {
            continue;
        }
        let scheme = text.part(done..slashes.saturating_sub(1).max(done));
        // Only the characters of a scheme directly before the colon count.
        let scheme = scheme.tail(scheme.trailing(is_scheme_byte));
        scheme_fang(scheme, slashes.saturating_sub(1), &mut fangs);
        let authority = text.part(slashes + 2..);
        let length = authority.leading(|b| !b"/?#\\".contains(&b) && !b.is_ascii_whitespace());
        let userinfo = memchr::memrchr(b'@', authority.part(..length)).map_or(0, |at| at + 1);
        done = slashes + 2 + length;
        dots(text, slashes + 2 + userinfo, done, &mut fangs);
    }
    // No `//` was found, so it can only be an address.
    if done == 0
        && let Some(colon) = memchr::memchr(b':', text)
    {
        let is = |scheme: &&str| scheme.as_bytes().eq_ignore_ascii_case(text.part(..colon));
        if ADDRESSES.iter().any(is) {
            address(text, colon + 1, &mut fangs);
        }
    }
    fangs
}

/// Adds the replacement of `http` in any case, also after a `+`. `colon` directly follows the
/// scheme.
fn scheme_fang(scheme: &[u8], colon: usize, fangs: &mut Vec<DrawnFang>) {
    // In `git+https`, the part after the `+` is the scheme that a program would open.
    let last = scheme.rsplit(|&b| b == b'+').next().unwrap_or_default();
    let known = SCHEMES.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(last));
    fangs.extend(known.map(|(name, by)| DrawnFang { at: colon - name.len(), len: name.len(), by }));
}

fn dots(text: &[u8], start: usize, end: usize, fangs: &mut Vec<DrawnFang>) {
    let found = memchr::memchr_iter(b'.', text.part(start..end)).map(|at| start + at);
    // A rejected candidate may already be defanged in part.
    let found = found.filter(|&at| !is_drawn(text, at));
    fangs.extend(found.map(|at| DrawnFang { at, len: 1, by: "[.]" }));
}

/// True if a bracket opens directly before the character at `text[at]`.
fn is_drawn(text: &[u8], at: usize) -> bool {
    matches!(text.part(..at), [.., b'[' | b'(' | b'{'])
}

/// Adds the replacements for the comma-separated addresses of a URI whose path starts at `start`.
fn address(text: &[u8], start: usize, fangs: &mut Vec<DrawnFang>) {
    let path = text.part(start..).leading(|b| !b"?#".contains(&b));
    let mut at = start;
    for one in text.part(start..start + path).split(|&b| b == b',') {
        let sign = memchr::memrchr(b'@', one);
        if let Some(sign) = sign.filter(|&sign| !is_drawn(one, sign)) {
            fangs.push(DrawnFang { at: at + sign, len: 1, by: "[@]" });
            dots(text, at + sign + 1, at + one.len(), fangs);
        }
        at += one.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (text, expected) in [
            ("HTTP://A.example:80/b.c?d=e.f", "hxxp://A[.]example:80/b.c?d=e.f"),
            ("ftp://u.v@a.example", "fxp://u.v@a[.]example"),
            ("git+https://a.example/", "git+hxxps://a[.]example/"),
            ("https://w.example/http://a.example/", "hxxps://w[.]example/hxxp://a[.]example/"),
            ("ssh://a.example//b.c", "ssh://a[.]example//b.c"),
            ("//a.example/b.c", "//a[.]example/b.c"),
            (
                "mailto:a.b@c.example,d@e.example?cc=x",
                "mailto:a.b[@]c[.]example,d[@]e[.]example?cc=x",
            ),
            ("b/c.html", "b/c.html"),
            ("file:///a.b", "file:///a.b"),
            ("", ""),
        ] {
            assert_eq!(defang(text), expected, "{text}");
            assert_eq!(defang(expected), expected);
        }
    }

    #[cfg(feature = "search")]
    #[test]
    fn parts_move() {
        use crate::Uri;

        for text in ["http://u@a.b.example:80/c.d?e#f", "mailto:a@b.example?c", "ftp://a.b"] {
            let uri = Uri::parse(text).unwrap();
            let (drawn, parts) = defang_parts(text, uri.parts());
            let part = |range: Option<core::ops::Range<usize>>| range.map(|range| &drawn[range]);
            assert_eq!(drawn, defang(text));
            assert_eq!(
                part(parts.host()),
                uri.host().map(|host| host.replace('.', "[.]")).as_deref()
            );
            assert_eq!((part(parts.port()), part(parts.query())), (uri.port(), uri.query()));
            assert_eq!(part(parts.userinfo()), uri.userinfo());
            assert_eq!(part(parts.fragment(drawn.len())), uri.fragment());
        }
    }
}
