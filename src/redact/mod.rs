//! Removes secrets from URIs: userinfo, credentials in queries and fragments, and tokens.
//!
//! RFC 3986 §7.5: everyone who sees a URI sees the password in it. The same holds for a token in
//! its query. A secret is replaced by `REDACTED`, which any component may contain, so a URI stays a
//! URI. Four things reveal a secret: its place before `@`, the name before its `=`, its own form,
//! and a known address.
//!
//! | file | content |
//! |---|---|
//! | `form_table.rs` | the data: forms of tokens with their sources |
//! | `forms.rs` | what a form is; words with a mark, and addresses, with their sources |
//! | `labels.rs` | values after a colon or a blank: `?password:x`, `Bearer x` |
//! | `names.rs` | names of parameters |
//! | `places.rs` | userinfo, parameters, addresses |
//! | `segments.rs` | segments of a path beside a name |
//! | `shapes.rs` | tells written values from generated ones |
//! | `texts/` | values behind names in texts that are no URIs |
//! | `tokens.rs` | tokens anywhere |
//! | `words.rs` | the data: words in names |
//! | `decode.rs` | percent triplets and other escapes |
//! | `escapes.rs` | escapes and colours directly before a word |
//!
//! URIs in a parameter, a segment or a fragment are searched as well, and so are URIs inside those,
//! regardless of how often they are percent-encoded: the first [`DEPTH`] levels one by one, then
//! all at once.
//!
//! Invariants: takes linear time, and redacting twice gives the same as redacting once.

mod decode;
mod escapes;
pub(crate) mod form_table;
pub(crate) mod forms;
mod labels;
pub(crate) mod names;
mod places;
mod segments;
mod shapes;
#[cfg(feature = "search")]
pub(crate) mod texts;
pub(crate) mod tokens;
mod words;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

use memchr::memchr;

use crate::Span;
use crate::redirect;
use crate::slice::SliceExt;
use places::{Hierarchy, end_of};

/// The replacement for a secret.
const MARK: &[u8] = b"REDACTED";

/// Levels of percent-encoding to decode one by one.
const DEPTH: usize = 3;

/// Maximum depth of nested gateways that are searched.
const GATEWAYS: usize = 2;

/// A text is scanned at most this many times its length, decoded or not. Anything beyond that
/// counts as a secret.
const SCANS: usize = 64;

/// The remaining budget, in bytes.
struct Work(Cell<usize>);

impl Work {
    fn for_text(text: &[u8]) -> Self {
        Self(Cell::new((text.len() + 64) * SCANS))
    }

    /// True if `bytes` more bytes may be scanned. Otherwise the budget is used up.
    fn allows(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.unwrap_or_default());
        left.is_some()
    }
}

/// Redacts a URI, an IRI or a reference: replaces secrets with `REDACTED`.
///
/// Secrets are: the userinfo; the value of a parameter in the query, the fragment or a path segment
/// whose name denotes a secret (`token`, `api_key`, `user[password]`, `X-Amz-Signature`, …; in any
/// case, percent-encoded or not); the value of one whose name may denote a secret (`key`, `auth`),
/// unless it consists of words; a JSON Web Token, a private key, or a token of a well-known
/// service, anywhere; the path of a webhook; and the value of a parameter that contains another URI
/// with any of these. A URI stays a URI.
///
/// ```
/// use urigrep::redact;
/// assert_eq!(
///     redact("https://joe:pw@a.example/b?page=2&access_token=c0ffee#top"),
///     "https://REDACTED@a.example/b?page=2&access_token=REDACTED#top"
/// );
/// assert_eq!(redact("https://a.example/b?page=2&key=value"), "https://a.example/b?page=2&key=value");
/// ```
pub fn redact(text: &str) -> Cow<'_, str> {
    lossy(text, redacted(text.as_bytes(), TextForm::Reference))
}

/// Redacts the secrets in a text that may contain URIs: those of each word and, with the feature
/// `search`, the values after names: `password: …`.
///
/// It is meant for text that is printed next to URIs: the subject of a mail, a message that quotes
/// a URI.
///
/// ```
/// use urigrep::redact_text;
/// assert_eq!(redact_text("Fwd: see <ftp://joe:pw@a.example/>"), "Fwd: see <ftp://REDACTED@a.example/>");
/// assert_eq!(redact_text("a `b?token=c0ffee` c"), "a `b?token=REDACTED` c");
/// assert_eq!(redact_text("AKIAIOSFODNN7EXAMPLE: ok"), "REDACTED: ok");
/// ```
pub fn redact_text(text: &str) -> Cow<'_, str> {
    lossy(text, redacted_text(text.as_bytes()))
}

fn lossy(text: &str, redacted: Option<Vec<u8>>) -> Cow<'_, str> {
    match redacted {
        None => Cow::Borrowed(text),
        Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    Reference,
    /// Meant as one of them, but malformed: a `/`, `?` or `#` may belong to a password.
    Broken,
    /// A word of a text.
    Word,
}

/// Returns the bytes of [`redact_text`], or `None` if they contain no secret.
pub(crate) fn redacted_text(text: &[u8]) -> Option<Vec<u8>> {
    #[cfg(feature = "search")]
    if let Some(rest) = texts::without_values(text) {
        return Some(redacted_words(&rest).unwrap_or(rest));
    }
    redacted_words(text)
}

/// Returns a text without the secrets in its words, or `None` if they have none.
fn redacted_words(text: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    for (word, redacted) in secret_words(text) {
        let out = out.get_or_insert_default();
        out.extend_from_slice(text.part(at..word.start()));
        out.extend_from_slice(&redacted);
        at = word.end();
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(text.clamped(at..));
    }
    out
}

/// Returns the words of a text that contain secrets, each with its redacted form.
pub(crate) fn secret_words(text: &[u8]) -> impl Iterator<Item = (Span, Vec<u8>)> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"`\"<>".contains(byte);
    let mut start = 0;
    core::iter::from_fn(move || {
        while start < text.len() {
            let word = Span::new(start, end_of(text, start, |byte| is_end(&byte)));
            start = word.end() + 1;
            if let Some(redacted) = redacted(text.part(word.range()), TextForm::Word) {
                return Some((word, redacted));
            }
        }
        None
    })
}

/// Returns the text without its secrets, or `None` if it has none.
pub(crate) fn redacted(text: &[u8], form: TextForm) -> Option<Vec<u8>> {
    let work = Work::for_text(text);
    let mut out: Option<Vec<u8>> = None;
    // The order matters. Plain secrets are replaced one by one and keep most of the URI readable.
    // What is left is replaced in larger and larger pieces, and only if a decoding step still shows
    // a secret in it.
    for pass in [secrets, encoded_parts, encoded_whole, escaped] {
        let rest = out.as_deref().unwrap_or(text);
        let found = pass(rest, form, &work);
        out = replaced(rest, &found).or(out);
    }
    out
}

fn replaced(text: &[u8], secrets: &[Span]) -> Option<Vec<u8>> {
    if secrets.is_empty() {
        return None;
    }
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    for secret in secrets {
        // Secrets may overlap, for example a token inside a parameter. One `REDACTED` replaces
        // both.
        if secret.start() >= at {
            out.extend_from_slice(text.part(at..secret.start()));
            out.extend_from_slice(MARK);
        }
        at = at.max(secret.end());
    }
    out.extend_from_slice(text.clamped(at..));
    Some(out)
}

/// The secrets found in a text. Nested gateways are searched up to `depth`.
struct Scan<'w> {
    found: Vec<Span>,
    depth: usize,
    work: &'w Work,
}

impl<'w> Scan<'w> {
    fn new(depth: usize, work: &'w Work) -> Self {
        Self { found: Vec::new(), depth, work }
    }

    /// Finds the unencoded secrets, sorted by start.
    fn run(text: &[u8], form: TextForm, depth: usize, work: &'w Work) -> Self {
        let mut scan = Self::new(depth, work);
        let Hierarchy { host, path } = places::hierarchy(text);
        let (host, path) = match form {
            // In a malformed URI, the end of the host is not known: a delimiter may belong to a
            // password. So values and tokens are searched for from its first byte.
            TextForm::Broken => (0, 0),
            _ => (host, path),
        };
        places::authorities(text, form, &mut scan);
        places::values(text, host, path, &mut scan);
        labels::find(text, &mut scan);
        // RFC 8959 §2: everything after the scheme is the secret.
        let is_secret = text.part(..path).eq_ignore_ascii_case(b"secret-token:");
        if is_secret {
            scan.push(text, path, text.len());
        }
        let from = if form == TextForm::Word && !is_secret { 0 } else { path };
        for (token, _) in tokens::tokens_from(text, from, path) {
            scan.push(text, token.start(), token.end());
        }
        let path_end = end_of(text, path, |byte| matches!(byte, b'?' | b'#'));
        // The fragment of a single-page application is a path: `#/reset/…`.
        let mark = end_of(text, path_end, |byte| byte == b'#');
        let fragment = (mark + 1).min(text.len());
        let route = end_of(text, fragment, |byte| byte == b'?');
        // In a base64 payload (RFC 2397), the text between two slashes may look like a name.
        let is_data = text.part(..path).eq_ignore_ascii_case(b"data:");
        for (from, to) in [(if is_data { path_end } else { path }, path_end), (fragment, route)] {
            for segment in segments::behind_names(text.part(from..to)) {
                scan.push(text, from + segment.start(), from + segment.end());
            }
        }
        places::mailbox(text, path, &mut scan);
        scan.found.sort_unstable_by_key(|secret| secret.start());
        scan
    }

    /// Adds a secret, unless it is empty or already redacted.
    fn push(&mut self, text: &[u8], start: usize, end: usize) {
        let secret = text.part(start..end);
        if !secret.is_empty() && secret != MARK {
            self.found.push(Span::new(start, end));
        }
    }
}

fn secrets(text: &[u8], form: TextForm, work: &Work) -> Vec<Span> {
    Scan::run(text, form, GATEWAYS, work).found
}

/// True if a decoded URI contains secrets, encoded or not.
fn has_secret(text: &[u8], form: TextForm, depth: usize, work: &Work) -> bool {
    // A text that uses up the budget counts as secret. Otherwise nested encodings could make
    // redaction slow, or could hide a secret beyond the limit.
    !work.allows(text.len())
        || !Scan::run(text, form, depth, work).found.is_empty()
        || hides_secret(text, depth, work)
}

/// Returns parameters and segments that contain secrets once their percent triplets are decoded.
fn encoded_parts(text: &[u8], _: TextForm, work: &Work) -> Vec<Span> {
    let mut scan = Scan::new(0, work);
    let path = places::hierarchy(text).path;
    let query = end_of(text, path, |byte| matches!(byte, b'?' | b'#'));
    let mut start = path;
    while start < text.len() {
        let in_path = start < query;
        let end = end_of(text, start, |byte| {
            matches!(byte, b'?' | b'#' | b'&') || in_path && byte == b'/'
        });
        let piece = text.part(start..end);
        if hides_secret(piece, GATEWAYS, work) {
            // Keep the text before `=` if it is not part of the secret.
            let value = memchr(b'=', piece)
                .filter(|&equals| !hides_secret(piece.part(..equals), GATEWAYS, work))
                .map_or(start, |equals| start + equals + 1);
            scan.push(text, value, end);
        }
        start = end + 1;
    }
    scan.found
}

/// Returns paths, queries and fragments that contain secrets only as a whole, once their percent
/// triplets are decoded: `http:%2F/joe:pw@h`.
fn encoded_whole(text: &[u8], _: TextForm, work: &Work) -> Vec<Span> {
    let mut scan = Scan::new(0, work);
    let path = places::hierarchy(text).path;
    let mut start = path + usize::from(text.get(path) == Some(&b'/'));
    while start < text.len() {
        let end = end_of(text, start, |byte| matches!(byte, b'?' | b'#'));
        if hides_secret(text.part(start..end), GATEWAYS, work) {
            scan.push(text, start, end);
        }
        start = end + 1;
    }
    scan.found
}

/// True if a part of a URI contains a percent-encoded secret, or the base64 of a URI with one.
fn hides_secret(piece: &[u8], depth: usize, work: &Work) -> bool {
    let is_secret = |text: &[u8]| {
        let scan = || Scan::run(text, TextForm::Reference, depth, work);
        !work.allows(text.len()) || !scan().found.is_empty()
    };
    // Each of the first levels is checked by itself. Deeper ones are decoded at once, which bounds
    // the number of scans.
    let mut inner = Cow::Borrowed(piece);
    for _ in 0..DEPTH {
        match decode::once(&inner) {
            Some(next) => inner = Cow::Owned(next),
            None => return in_base64(&inner, depth, work),
        }
        if is_secret(&inner) {
            return true;
        }
    }
    is_secret(&decode::decoded(&inner)) || in_base64(&inner, depth, work)
}

/// True for the base64 of a web URI that contains a secret: `aHR0c` is `http`.
fn in_base64(piece: &[u8], depth: usize, work: &Work) -> bool {
    let start = memchr(b'=', piece).map_or(0, |equals| equals + 1);
    let values = [0, start].into_iter().filter_map(|start| piece.get(start..));
    let mut uris = values.filter(|value| value.starts_with(b"aHR0c"));
    uris.any(|value| {
        let text = core::str::from_utf8(value).ok().and_then(redirect::base64url);
        // Each base64 layer uses up a level of depth. That bounds the recursion through
        // `has_secret`.
        let depth = depth.checked_sub(1);
        match (text, depth) {
            (Some(text), Some(depth)) => has_secret(&text, TextForm::Broken, depth, work),
            _ => false,
        }
    })
}

/// For a malformed URI or a word of a text: returns everything after the scheme if it contains
/// secrets once escapes other than percent triplets are decoded.
fn escaped(text: &[u8], form: TextForm, work: &Work) -> Vec<Span> {
    let is_secret = |plain: Vec<u8>| has_secret(&plain, form, GATEWAYS, work);
    if form == TextForm::Reference || !decode::plain(text).is_some_and(is_secret) {
        return Vec::new();
    }
    let colon = memchr(b':', text).map_or(0, |colon| colon + 1);
    let start = end_of(text, colon, |byte| byte != b'/' && byte != b'\\');
    let mut scan = Scan::new(0, work);
    scan.push(text, start, text.len());
    scan.found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken() {
        let shown = |text: &str| {
            redacted(text.as_bytes(), TextForm::Broken).map(|out| String::from_utf8(out).unwrap())
        };
        for (text, expected) in [
            ("http://joe:p/w#@a.example/", "http://REDACTED@a.example/"),
            ("http://a:x/?token=1 b", "http://a:x/?token=REDACTED"),
            ("hxxps://joe:pw[at]a.example", "hxxps://REDACTED"),
            ("https:\\/\\/joe:pw\\u0040h", "https:\\/\\/REDACTED"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
            assert_eq!(shown(expected), None, "{text}");
        }
        assert_eq!(shown("http://a.example:99999999x/"), None);
    }
}
