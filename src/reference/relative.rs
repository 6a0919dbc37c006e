//! Normalizes relative references without their base (RFC 3986 §4.2, §5.2.4).
//!
//! Invariant: resolved against any base, the result is the same URI, up to normalization.

use alloc::borrow::Cow;
use alloc::string::String;

use super::normalize::{Fragment, Normalizer};
use super::scheme_rules::Family;
use super::spell::{LetterCase, SpellingRules, Triplets, spell};
use crate::grammar::{Uri, UriRef};
use crate::slice::SliceExt as _;

/// With a scheme that has no rules of its own, a relative reference is a URI with the same parts.
const STAND_IN: &str = "relative:";

impl Normalizer {
    /// Returns the normal spelling of a reference; borrowed if it already has it.
    ///
    /// A relative reference stays one, because its base may be any: only dot segments that have a
    /// segment to remove go, and `../` at the start stays. Rules of schemes do not apply, and
    /// neither does [`Tracking`](super::Tracking).
    ///
    /// ```
    /// use urigrep::UriRef;
    /// use urigrep::reference::Normalizer;
    /// for (reference, normal) in [
    ///     ("./a/../b?c=%7e#d", "b?c=~#d"),
    ///     ("../../a/./b/..", "../../a/"),
    ///     ("a/..", "./"),
    ///     ("./a:b", "./a:b"),
    ///     ("/../a", "/a"),
    ///     ("//A.example/./b", "//a.example/b"),
    ///     ("HTTP://A.example", "http://a.example/"),
    /// ] {
    ///     assert_eq!(Normalizer::new().normalize_reference(UriRef::parse(reference)?), normal);
    /// }
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn normalize_reference<'a>(&self, reference: UriRef<'a>) -> Cow<'a, str> {
        if let Some(uri) = reference.to_uri() {
            return self.normalize(uri);
        }
        let mut stand_in = String::with_capacity(STAND_IN.len() + reference.as_str().len());
        stand_in.push_str(STAND_IN);
        stand_in.push_str(reference.as_str());
        // Every relative reference is what may follow a scheme (RFC 3986 §4.2), so the other arm is
        // unreachable.
        let Ok(uri) = Uri::parse(&stand_in) else { return Cow::Borrowed(reference.as_str()) };
        let mut out = String::with_capacity(reference.as_str().len() + 4);
        let spelling = SpellingRules::new(Triplets::Decoded, LetterCase::Kept);
        let has_authority = self.authority(uri, Family::Unknown, spelling, &mut out);
        match uri.path() {
            path if has_authority || path.starts_with('/') => {
                self.path(path, Family::Unknown, spelling, has_authority, &mut out);
            }
            // The path of the base (§5.2.2).
            "" => {}
            path => write_rootless(path, spelling, &mut out),
        }
        if let Some(query) = uri.query() {
            out.push('?');
            spell(query, spelling, &mut out);
        }
        if let Some(fragment) = uri.fragment().filter(|_| self.keeps_fragments()) {
            out.push('#');
            spell(fragment, spelling, &mut out);
        }
        if out == reference.as_str() { Cow::Borrowed(reference.as_str()) } else { Cow::Owned(out) }
    }

    fn keeps_fragments(&self) -> bool {
        self.fragment == Fragment::Kept
    }
}

/// Writes a path that starts with a segment, in linear time: each byte is written once and removed
/// at most once.
fn write_rootless(path: &str, spelling: SpellingRules, out: &mut String) {
    // The end of the `../` at the start, which leave the directory of the base.
    let mut kept = out.len();
    let start = kept;
    for piece in path.split_inclusive('/') {
        let at = out.len();
        spell(piece, spelling, out);
        match out.part(at..) {
            "./" | "." => out.truncate(at),
            "../" | ".." => match out.part(kept..at).strip_suffix('/') {
                Some(before) => {
                    let previous = kept + before.rfind('/').map_or(0, |slash| slash + 1);
                    out.truncate(previous);
                }
                None => {
                    if !out.ends_with('/') {
                        out.push('/');
                    }
                    kept = out.len();
                }
            },
            _ => {}
        }
    }
    let written = out.part(start..);
    let first = written.split('/').next().unwrap_or_default();
    // Without the `./`, it would be the document itself (§4.4), have a root or a host, or its first
    // segment would read as a scheme (§4.2).
    if first.is_empty() || first.as_bytes().contains(&b':') {
        out.insert_str(start, "./");
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::reference::resolve;

    /// All paths of up to five of these segments lead to the same URI as before, from documents at
    /// any depth.
    #[test]
    fn a_normal_reference_leads_to_the_same_uri() {
        let segments = ["", ".", "..", "a", "b:c", "%2e%2E"];
        let mut paths = vec![String::new()];
        let mut last = paths.clone();
        for _ in 0..5 {
            last = last
                .iter()
                .flat_map(|path| segments.map(|segment| format!("{path}/{segment}")))
                .collect();
            paths.extend(last.iter().map(|path| path[1..].to_string()));
        }
        let bases = ["http://h/d", "http://h/d/e", "http://h/d/e/f/g/h/i"];
        let bases: Vec<Uri<'_>> = bases.iter().map(|base| Uri::parse(base).unwrap()).collect();
        let mut read = 0;
        for path in paths.iter().flat_map(|path| [path.clone(), format!("/{path}")]) {
            let Ok(reference) = UriRef::parse(&path) else { continue };
            if reference.scheme().is_some() || reference.host().is_some() {
                continue;
            }
            read += 1;
            let normal = Normalizer::new().normalize_reference(reference).into_owned();
            let normal_ref = UriRef::parse(&normal).unwrap();
            assert_eq!(normal_ref.scheme(), None, "{path} -> {normal}");
            assert_eq!(Normalizer::new().normalize_reference(normal_ref), normal, "{path}");
            for base in &bases {
                let led = |reference: &str| {
                    let uri = resolve(*base, UriRef::parse(reference).unwrap());
                    Normalizer::new().normalize(uri.as_uri()).into_owned()
                };
                // Triplets are decoded first (§6.2.2.2), and a dot segment may be one.
                let decoded = path.replace("%2e%2E", "..");
                assert_eq!(led(&normal), led(&decoded), "{path} -> {normal} in {base:?}");
            }
        }
        assert!(read > 10_000, "{read}");
    }
}
