//! Which findings are wanted.
//!
//! Every list that is given has to be satisfied; in a list one item is enough.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{RegexSet, RegexSetBuilder};

use crate::container::document::Role;
use crate::finder::Relative;
use crate::search::query::HitKind;
use crate::{Match, Rejected, Uri};

/// Which findings are wanted; all by default.
///
/// ```
/// use urigrep::Finder;
/// use urigrep::search::Selection;
/// let selection = Selection::builder().schemes(["urn"]).build().unwrap();
/// let finder = Finder::new();
/// let text = b"http://a.example/ urn:isbn:0451450523";
/// let selected: Vec<_> = finder.find_iter(text).filter(|m| selection.selects(m)).collect();
/// assert_eq!(selected.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Nothing but the role may be restricted, so that every match is wanted.
    restricts: Restricts,
    schemes: Option<HashSet<String>>,
    nids: Option<HashSet<String>>,
    hosts: Option<GlobSet>,
    kinds: Option<Vec<HitKind>>,
    roles: Option<Vec<Role>>,
    pattern: Option<Pattern>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Restricts {
    #[default]
    Nothing,
    Matches,
}

#[derive(Clone, Debug)]
enum Pattern {
    Any(RegexSet),
    None(RegexSet),
}

/// Whether a regular expression selects what it matches, or what it does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Regexps {
    /// What one of them matches.
    #[default]
    Match,
    /// What none of them matches.
    DoNotMatch,
}

/// Makes a [`Selection`].
#[derive(Clone, Debug, Default)]
pub struct SelectionBuilder {
    schemes: Vec<String>,
    nids: Vec<String>,
    hosts: Vec<String>,
    kinds: Vec<HitKind>,
    roles: Vec<Role>,
    regexps: Vec<String>,
    regexps_select: Regexps,
    ignore_case: bool,
    size_limit: Option<usize>,
}

/// Why a selection could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionError {
    /// A glob of hosts makes no sense.
    Host(String),
    /// A regular expression makes no sense.
    Regexp(String),
    /// The regular expressions compile to more bytes than this.
    RegexpTooLarge(usize),
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(message) | Self::Regexp(message) => f.write_str(message),
            Self::RegexpTooLarge(limit) => write!(f, "it compiles to more than {limit} bytes"),
        }
    }
}

impl std::error::Error for SelectionError {}

fn strings<S: Into<String>>(values: impl IntoIterator<Item = S>) -> impl Iterator<Item = String> {
    values.into_iter().map(Into::into)
}

impl SelectionBuilder {
    /// Only URIs of one of these schemes, in either case.
    #[must_use]
    pub fn schemes<S: Into<String>>(mut self, schemes: impl IntoIterator<Item = S>) -> Self {
        self.schemes.extend(strings(schemes));
        self
    }

    /// Only URNs with one of these namespace identifiers, in either case (RFC 8141 §2.1).
    #[must_use]
    pub fn nids<S: Into<String>>(mut self, nids: impl IntoIterator<Item = S>) -> Self {
        self.nids.extend(strings(nids));
        self
    }

    /// Only URIs whose host matches one of these globs, in either case.
    #[must_use]
    pub fn hosts<S: Into<String>>(mut self, globs: impl IntoIterator<Item = S>) -> Self {
        self.hosts.extend(strings(globs));
        self
    }

    /// Only matches of one of these kinds.
    #[must_use]
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = HitKind>) -> Self {
        self.kinds.extend(kinds);
        self
    }

    /// Only what has one of these roles in its document; outside of documents everything is text.
    #[must_use]
    pub fn roles(mut self, roles: impl IntoIterator<Item = Role>) -> Self {
        self.roles.extend(roles);
        self
    }

    /// Only URIs that one of these regular expressions matches.
    #[must_use]
    pub fn regexps<S: Into<String>>(mut self, regexps: impl IntoIterator<Item = S>) -> Self {
        self.regexps.extend(strings(regexps));
        self
    }

    /// Whether that is turned around.
    #[must_use]
    pub fn regexps_select(mut self, select: Regexps) -> Self {
        self.regexps_select = select;
        self
    }

    /// Matches letters of either case by the regular expressions.
    #[must_use]
    pub fn ignore_case(mut self, ignore_case: bool) -> Self {
        self.ignore_case = ignore_case;
        self
    }

    /// What the regular expressions may compile to, in bytes; 10 MiB by default.
    #[must_use]
    pub fn size_limit(mut self, bytes: usize) -> Self {
        self.size_limit = Some(bytes);
        self
    }

    /// The selection.
    ///
    /// # Errors
    /// When a glob or a regular expression makes no sense, or is too large.
    pub fn build(self) -> Result<Selection, SelectionError> {
        let has_list = [&self.schemes, &self.nids, &self.hosts, &self.regexps]
            .into_iter()
            .any(|list| !list.is_empty());
        Ok(Selection {
            restricts: match has_list || !self.kinds.is_empty() {
                true => Restricts::Matches,
                false => Restricts::Nothing,
            },
            hosts: self.host_globs()?,
            pattern: self.pattern()?,
            schemes: lowercase_set(self.schemes),
            nids: lowercase_set(self.nids),
            kinds: Some(self.kinds).filter(|kinds| !kinds.is_empty()),
            roles: Some(self.roles).filter(|roles| !roles.is_empty()),
        })
    }

    fn host_globs(&self) -> Result<Option<GlobSet>, SelectionError> {
        if self.hosts.is_empty() {
            return Ok(None);
        }
        let error = |error: globset::Error| SelectionError::Host(error.to_string());
        let mut set = GlobSetBuilder::new();
        for glob in &self.hosts {
            // A backslash quotes on every system, as in `\[::1\]`.
            let glob = GlobBuilder::new(glob).case_insensitive(true).backslash_escape(true).build();
            set.add(glob.map_err(error)?);
        }
        set.build().map(Some).map_err(error)
    }

    fn pattern(&self) -> Result<Option<Pattern>, SelectionError> {
        if self.regexps.is_empty() {
            return Ok(None);
        }
        let mut builder = RegexSetBuilder::new(&self.regexps);
        builder.case_insensitive(self.ignore_case);
        if let Some(limit) = self.size_limit {
            builder.size_limit(limit);
        }
        let set = builder.build().map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => SelectionError::RegexpTooLarge(limit),
            error => SelectionError::Regexp(error.to_string()),
        })?;
        Ok(Some(match self.regexps_select {
            Regexps::Match => Pattern::Any(set),
            Regexps::DoNotMatch => Pattern::None(set),
        }))
    }
}

impl Selection {
    /// A builder; without restrictions it selects everything.
    pub fn builder() -> SelectionBuilder {
        SelectionBuilder::default()
    }

    /// True when the match is wanted.
    #[inline]
    pub fn selects(&self, m: &Match<'_>) -> bool {
        self.restricts == Restricts::Nothing || self.satisfies(m)
    }

    fn satisfies(&self, m: &Match<'_>) -> bool {
        self.has_kind(HitKind::Uri(m.kind()))
            && contains(self.schemes.as_ref(), || Some(m.scheme()))
            && contains(self.nids.as_ref(), || m.nid())
            && self.hosts.as_ref().is_none_or(|hosts| has_host(hosts, m))
            && self.has_text(|| m.intended().as_bytes())
    }

    /// True when the relative reference is wanted. It has the scheme and the host of `target`, the
    /// URI that it resolves to, if that is known.
    pub fn selects_relative(&self, relative: &Relative<'_>, target: Option<&str>) -> bool {
        let uri = target.and_then(|target| Uri::parse(target).ok());
        let intended = relative.intended();
        let has_host = |hosts: &GlobSet| uri.is_some_and(|uri| matches_name(hosts, uri.host()));
        self.has_kind(HitKind::Reference)
            && contains(self.schemes.as_ref(), || uri.map(|uri| uri.scheme()))
            && self.nids.is_none()
            && self.hosts.as_ref().is_none_or(has_host)
            && self.has_text(|| target.unwrap_or(&intended).as_bytes())
    }

    /// True when the rejected candidate is wanted; its scheme and NID are what is written in their place.
    pub fn selects_rejected(&self, rejected: &Rejected<'_>) -> bool {
        let text = rejected.as_bytes();
        let mut parts =
            text.splitn(3, |&byte| byte == b':').map(|part| std::str::from_utf8(part).ok());
        let scheme = parts.next().flatten();
        let nid = match scheme {
            Some(scheme) if scheme.eq_ignore_ascii_case("urn") => parts.next().flatten(),
            _ => None,
        };
        contains(self.schemes.as_ref(), || scheme)
            && contains(self.nids.as_ref(), || nid)
            && self.has_text(|| text)
    }

    /// True when parts of this role are searched.
    pub fn selects_role(&self, role: Role) -> bool {
        let roles = self.roles.as_ref();
        roles.is_none_or(|roles| roles.contains(&role))
    }

    fn has_kind(&self, kind: HitKind) -> bool {
        let kinds = self.kinds.as_ref();
        kinds.is_none_or(|kinds| kinds.contains(&kind))
    }

    fn has_text<'t>(&self, text: impl FnOnce() -> &'t [u8]) -> bool {
        match &self.pattern {
            None => true,
            Some(Pattern::Any(set)) => set.is_match(text()),
            Some(Pattern::None(set)) => !set.is_match(text()),
        }
    }
}

fn lowercase_set(names: Vec<String>) -> Option<HashSet<String>> {
    let lower = |name: String| name.to_ascii_lowercase();
    (!names.is_empty()).then(|| names.into_iter().map(lower).collect())
}

fn contains<'t>(set: Option<&HashSet<String>>, name: impl FnOnce() -> Option<&'t str>) -> bool {
    let Some(set) = set else { return true };
    name().is_some_and(|name| set.contains(lowercase(name).as_ref()))
}

fn lowercase(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}

fn has_host(hosts: &GlobSet, m: &Match<'_>) -> bool {
    matches_name(hosts, m.parsed().host())
        || m.iri().and_then(iri_host).is_some_and(|host| hosts.is_match(host))
}

fn matches_name(hosts: &GlobSet, host: Option<&str>) -> bool {
    let Some(host) = host else {
        return false;
    };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    hosts.is_match(host) || bare.is_some_and(|bare| hosts.is_match(bare))
}

/// The host of an IRI as it is written (RFC 3987 §2.2); its URI has a host, so it is a registered name.
fn iri_host(iri: &str) -> Option<&str> {
    let (_, rest) = iri.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    Some(host.split(':').next().unwrap_or(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_of_an_iri() {
        assert_eq!(iri_host("http://u:p@b\u{fc}cher.example:80/x@y"), Some("b\u{fc}cher.example"));
        assert_eq!(iri_host("http://\u{e9}.example"), Some("\u{e9}.example"));
        assert_eq!(iri_host("mailto:x"), None);
    }
}
