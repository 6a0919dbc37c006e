//! `FROM` and `TO`: the start of URIs, and its replacement.

use std::borrow::Cow;

use urigrep::change::Refusal;
use urigrep::reference::Normalizer;
use urigrep::{Iri, IriRef, Uri};

use crate::cli::flags::values::hosts;

/// Positions at which the start of a URI is compared, at most.
const MAX_BOUNDARIES: usize = 64;

/// A start of URIs, in normal form, and its replacement.
#[derive(Clone, Debug)]
pub struct PrefixRule {
    /// The normal form of FROM, without a final slash.
    stem: String,
    /// True if FROM ends with a slash, so that one must follow.
    needs_slash: bool,
    /// The component in which FROM ends.
    ends_in: PrefixComponent,
    /// True if FROM is a relative reference.
    pub is_relative: bool,
    to: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PrefixComponent {
    Authority,
    Path,
    Query,
    Fragment,
}

impl PrefixRule {
    /// # Errors
    /// If one of them is not a URI reference; the message names it.
    pub fn new(from: &str, to: &str) -> Result<Self, String> {
        IriRef::parse(from).map_err(|error| format!("FROM: {error}: `{from}`"))?;
        IriRef::parse(to).map_err(|error| format!("TO: {error}: `{to}`"))?;
        if from.is_empty() {
            return Err("FROM is empty".to_owned());
        }
        if to.is_empty() {
            return Err("TO is empty, and the rest of a URI is not a URI".to_owned());
        }
        for text in [from, to] {
            // `https://` is a URI reference with an empty host, whose normal form is `https:///`,
            // and no URI starts with that.
            if let Some(scheme) = text.strip_suffix("//")
                && scheme.ends_with(':')
            {
                return Err(format!("`{text}` has no host; for all hosts, use `{scheme}`"));
            }
        }
        let is_relative = Iri::parse(from).is_err();
        let normal = normal(from).unwrap_or_else(|| from.to_owned());
        let ends_in = if from.contains('#') {
            PrefixComponent::Fragment
        } else if from.contains('?') {
            PrefixComponent::Query
        } else if is_bare_authority(from) {
            PrefixComponent::Authority
        } else {
            PrefixComponent::Path
        };
        let is_path = matches!(ends_in, PrefixComponent::Authority | PrefixComponent::Path);
        // With its slash, FROM would leave a rest that starts within a path, such as `x` of
        // `/dir/x`, where `is_boundary` finds no delimiter.
        let stem = if is_path { normal.trim_end_matches('/') } else { &normal }.to_owned();
        if stem.ends_with(':') && is_bare_authority(to) && !to.ends_with('/') {
            return Err(format!(
                "what follows `{from}` would be part of the host of TO; write `{to}/`"
            ));
        }
        Ok(Self {
            needs_slash: is_path && from.ends_with('/'),
            stem: if stem.is_empty() { normal } else { stem },
            ends_in,
            is_relative,
            to: to.to_owned(),
        })
    }

    /// Returns the new URI for one that starts with FROM, else `None`.
    ///
    /// # Errors
    /// If TO ends in a component after which the rest of the URI has no place.
    pub fn apply(&self, written: &str) -> Result<Option<String>, Refusal> {
        let normal_form = normal(written).unwrap_or_else(|| written.to_owned());
        let Some(rest) = normal_form.strip_prefix(&self.stem) else { return Ok(None) };
        if !self.is_boundary(rest) {
            return Ok(None);
        }
        // As written where possible, so that only the start changes.
        let rest = self.written_rest(written).map_or(Cow::Borrowed(rest), Cow::Borrowed);
        // A URI has one query. But TO may be a gateway, whose query ends in another URI.
        let query = self.to.split_once('?').map(|(_, query)| query);
        let has_plain_query = query.is_some_and(|query| !query.contains("://"));
        let rest = match rest.chars().next() {
            // A fragment takes everything after it (RFC 3986 §3.5), so the rest would change its
            // meaning.
            Some(_) if self.to.contains('#') => return Err(Refusal::Components),
            Some('?') if has_plain_query => Cow::Owned(rest.replacen('?', "&", 1)),
            _ => rest,
        };
        // `https://a.example/` and `https://a.example` are the same, so the slash of the root is no
        // rest that TO must take.
        let is_all = rest.is_empty() || *rest == *"/" && !is_bare_authority(&self.to);
        let to = match is_all {
            true => return Ok(Some(self.to.clone())),
            // Else `https://b.example/` and `/x` would become `https://b.example//x`.
            false if rest.starts_with('/') => self.to.strip_suffix('/').unwrap_or(&self.to),
            false => &self.to,
        };
        Ok(Some(format!("{to}{rest}")))
    }

    /// True if a component or segment ends before `rest`.
    fn is_boundary(&self, rest: &str) -> bool {
        let Some(next) = rest.chars().next() else { return !self.needs_slash };
        match self.ends_in {
            _ if self.needs_slash => next == '/',
            PrefixComponent::Authority => matches!(next, '/' | '?' | '#'),
            // The segments of a URN are divided by colons, and `@` ends the name of an address.
            // `doi:` and `urn:isbn:` end with the delimiter themselves.
            PrefixComponent::Path if self.stem.ends_with(':') => true,
            PrefixComponent::Path if !self.stem.contains("//") && !self.is_relative => {
                matches!(next, '/' | '?' | '#' | ':' | '@')
            }
            PrefixComponent::Path => matches!(next, '/' | '?' | '#'),
            // HTML 4.01 appendix B.2.2 recommends `;` between the pairs of a query, and some
            // servers still use it.
            PrefixComponent::Query => matches!(next, '&' | ';' | '#'),
            PrefixComponent::Fragment => matches!(next, '/' | '&' | ';'),
        }
    }

    /// Returns the part of a URI after FROM, as it is written.
    fn written_rest<'w>(&self, written: &'w str) -> Option<&'w str> {
        let slashes = self.stem.matches('/').count();
        let ends = written.char_indices().map(|(at, _)| at).chain([written.len()]);
        let is_end = |&at: &usize| {
            let (start, rest) = written.split_at(at);
            // An IRI is shorter than its normal form, but by less than four times: a byte becomes
            // `%XX`, and `ü` in a host `xn--tda`.
            start.len() >= self.stem.len() / 4
                && start.matches('/').count() == slashes
                && self.is_boundary(rest)
        };
        let mut ends = ends.filter(is_end).take(MAX_BOUNDARIES);
        let end = ends.find(|&at| {
            let start = written.get(..at).unwrap_or_default();
            let normal = normal(start);
            normal.as_deref().unwrap_or(start).trim_end_matches('/') == self.stem
        })?;
        written.get(end..)
    }
}

/// True for a URI without path, query, and fragment, such as `https://a.example`.
fn is_bare_authority(text: &str) -> bool {
    let rest = text.split_once("//").filter(|(scheme, _)| !scheme.contains(['/', '?', '#']));
    rest.is_some_and(|(_, rest)| !rest.trim_end_matches('/').contains(['/', '?', '#']))
}

/// Returns the normal form of a URI or IRI; `None` for a reference.
fn normal(text: &str) -> Option<String> {
    if let Ok(uri) = Uri::parse(text) {
        return Some(Normalizer::new().normalize(uri).into_owned());
    }
    let mapped = Iri::parse(text).ok()?.to_uri_with(hosts()).ok()?.into_owned();
    let uri = Uri::parse(&mapped).ok()?;
    Some(Normalizer::new().normalize(uri).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts() {
        for (from, to, written, expected) in [
            (
                "https://old.dev",
                "https://new.dev",
                "https://old.dev/a?b#c",
                Some("https://new.dev/a?b#c"),
            ),
            (
                "https://old.dev",
                "https://new.dev",
                "HTTPS://OLD.dev:443/a",
                Some("https://new.dev/a"),
            ),
            ("https://old.dev", "https://new.dev", "https://old.dev", Some("https://new.dev")),
            ("https://old.dev", "https://new.dev", "https://old.dev/", Some("https://new.dev/")),
            ("https://old.dev/", "https://new.dev/", "https://old.dev", Some("https://new.dev/")),
            (
                "https://old.dev",
                "https://new.dev/x/",
                "https://old.dev/a",
                Some("https://new.dev/x/a"),
            ),
            ("https://old.dev", "https://new.dev", "https://old.dev.evil.dev/", None),
            ("https://old.dev", "https://new.dev", "https://old.dev:8443/", None),
            ("https://old.dev", "https://new.dev", "http://old.dev/", None),
            ("http://a/doc", "http://a/b", "http://a/docs", None),
            ("http://a/doc", "http://a/b", "http://a/doc/%7ex", Some("http://a/b/%7ex")),
            ("http://a/doc/", "http://a/b", "http://a/doc/x", Some("http://a/b/x")),
            ("http://a/doc/", "http://a/b", "http://a/doc", None),
            ("http://a/doc", "http://a/b", "http://a/x/../doc/y", Some("http://a/b/y")),
            ("http://a/p?x=1", "http://a/q?y=2", "http://a/p?x=1&z=3", Some("http://a/q?y=2&z=3")),
            ("http://a/p?x=1", "http://a/q", "http://a/p?x=12", None),
            ("http://a/x", "http://b/y?a=1", "http://a/x?b=2#c", Some("http://b/y?a=1&b=2#c")),
            ("http://a/x", "http://b/y?a=1", "http://a/x#c", Some("http://b/y?a=1#c")),
            (
                "http://a/",
                "http://b/?u=http://a/",
                "http://a/x?c",
                Some("http://b/?u=http://a/x?c"),
            ),
            ("urn:a1:b", "urn:c1:d", "urn:a1:b:e", Some("urn:c1:d:e")),
            ("mailto:jo", "mailto:joe", "mailto:jo@a.example", Some("mailto:joe@a.example")),
            ("http://a/%7Ejo", "http://b/jo", "http://a/~jo/\u{e9}", Some("http://b/jo/\u{e9}")),
            ("doi:", "https://doi.org/", "DOI:10.1000/182", Some("https://doi.org/10.1000/182")),
            ("urn:isbn:", "x:i/", "urn:isbn:0-395-36341-1", Some("x:i/0-395-36341-1")),
            ("http:", "https:", "http://a/b", Some("https://a/b")),
            ("old.md", "new.md", "old.md#x", Some("new.md#x")),
            ("old.md", "new.md", "sold.md", None),
            ("docs", "guide", "docs/a.md", Some("guide/a.md")),
        ] {
            let rule = PrefixRule::new(from, to).expect("references");
            let new = rule.apply(written).expect("no refusal");
            assert_eq!(new.as_deref(), expected, "{from} {to} {written}");
        }
        let fault = PrefixRule::new("doi:", "https://doi.org").expect_err("a longer host");
        assert!(fault.contains("write `https://doi.org/`"), "{fault}");
        let rule = PrefixRule::new("http://a/x", "http://b/y#s").expect("references");
        assert_eq!(rule.apply("http://a/x?b=2"), Err(Refusal::Components));
        assert_eq!(rule.apply("http://a/x"), Ok(Some("http://b/y#s".to_owned())));
        assert!(PrefixRule::new("", "a").is_err());
        assert!(PrefixRule::new("http://a b", "c").is_err());
    }
}
