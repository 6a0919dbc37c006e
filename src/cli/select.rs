//! Which findings are wanted.
//!
//! Every list that is given has to be satisfied; in a list one item is enough.

use std::borrow::Cow;
use std::collections::HashSet;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{RegexSet, RegexSetBuilder};
use urigrep::container::document::Role;
use urigrep::{Match, Rejected, Relative, Uri};

use super::flags::select::SelectFlags;
use super::flags::values::KindWord;
use super::limits::Limits;

/// What the flags select; everything, without flags.
#[derive(Clone, Debug)]
pub struct Selection {
    matches: Matches,
    schemes: Option<HashSet<String>>,
    nids: Option<HashSet<String>>,
    hosts: Option<GlobSet>,
    kinds: Option<Vec<KindWord>>,
    roles: Option<Vec<Role>>,
    pattern: Option<Pattern>,
}

/// Which matches are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matches {
    All,
    Selected,
}

#[derive(Clone, Debug)]
enum Pattern {
    Any(RegexSet),
    None(RegexSet),
}

impl Selection {
    /// The selection of these flags.
    ///
    /// # Errors
    /// When a glob or the expressions together are too large to compile.
    pub fn new(flags: &SelectFlags, limits: &Limits) -> Result<Self, String> {
        let mut selection = Self {
            matches: Matches::Selected,
            schemes: set(&flags.scheme),
            nids: set(&flags.nid),
            hosts: hosts(&flags.host)?,
            kinds: (!flags.kind.is_empty()).then(|| flags.kind.clone()),
            roles: (!flags.role.is_empty()).then(|| flags.role.clone()),
            pattern: pattern(flags, limits.regexp)?,
        };
        if let Self {
            schemes: None,
            nids: None,
            hosts: None,
            kinds: None,
            pattern: None,
            ..
        } = selection
        {
            selection.matches = Matches::All;
        }
        Ok(selection)
    }

    /// True when the match is wanted.
    #[inline]
    pub fn takes(&self, m: &Match<'_>) -> bool {
        self.matches == Matches::All || self.selects(m)
    }

    fn selects(&self, m: &Match<'_>) -> bool {
        self.takes_kind(KindWord::Of(m.kind()))
            && has(self.schemes.as_ref(), || Some(m.scheme()))
            && has(self.nids.as_ref(), || m.nid())
            && self.hosts.as_ref().is_none_or(|hosts| has_host(hosts, m))
            && self.takes_text(|| m.intended().as_bytes())
    }

    /// True when the relative reference is wanted. It has the scheme and the host of `target`, the
    /// URI that it stands for, if that is known.
    pub fn takes_relative(&self, relative: &Relative<'_>, target: Option<&str>) -> bool {
        let uri = target.and_then(|target| Uri::parse(target).ok());
        let shown = relative.intended();
        self.takes_kind(KindWord::Reference)
            && has(self.schemes.as_ref(), || uri.map(|uri| uri.scheme()))
            && self.nids.is_none()
            && self
                .hosts
                .as_ref()
                .is_none_or(|hosts| uri.is_some_and(|uri| has_name(hosts, uri.host())))
            && self.takes_text(|| target.unwrap_or(&shown).as_bytes())
    }

    /// True when what stands in parts of this role is wanted; a text that is no document is text.
    pub fn takes_role(&self, role: Role) -> bool {
        self.roles
            .as_ref()
            .is_none_or(|roles| roles.contains(&role))
    }

    fn takes_kind(&self, kind: KindWord) -> bool {
        self.kinds
            .as_ref()
            .is_none_or(|kinds| kinds.contains(&kind))
    }

    /// True when the rejected candidate is wanted; its scheme and NID are what stands in their place.
    pub fn takes_rejected(&self, rejected: &Rejected<'_>) -> bool {
        let text = rejected.as_bytes();
        let mut parts = text
            .splitn(3, |&byte| byte == b':')
            .map(|part| std::str::from_utf8(part).ok());
        let scheme = parts.next().flatten();
        let nid = match scheme {
            Some(scheme) if scheme.eq_ignore_ascii_case("urn") => parts.next().flatten(),
            _ => None,
        };
        has(self.schemes.as_ref(), || scheme)
            && has(self.nids.as_ref(), || nid)
            && self.takes_text(|| text)
    }

    fn takes_text<'t>(&self, text: impl FnOnce() -> &'t [u8]) -> bool {
        match &self.pattern {
            None => true,
            Some(Pattern::Any(set)) => set.is_match(text()),
            Some(Pattern::None(set)) => !set.is_match(text()),
        }
    }
}

fn set(names: &[String]) -> Option<HashSet<String>> {
    (!names.is_empty()).then(|| names.iter().cloned().collect())
}

fn has<'t>(set: Option<&HashSet<String>>, name: impl FnOnce() -> Option<&'t str>) -> bool {
    let Some(set) = set else { return true };
    name().is_some_and(|name| set.contains(lower(name).as_ref()))
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

fn hosts(globs: &[String]) -> Result<Option<GlobSet>, String> {
    if globs.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        // A backslash quotes on every system, as in `\[::1\]`.
        let glob = GlobBuilder::new(glob)
            .case_insensitive(true)
            .backslash_escape(true)
            .build();
        set.add(glob.map_err(|error| format!("--host: {error}"))?);
    }
    set.build()
        .map(Some)
        .map_err(|error| format!("--host: {error}"))
}

fn has_host(hosts: &GlobSet, m: &Match<'_>) -> bool {
    has_name(hosts, m.parsed().host())
        || m.iri()
            .and_then(iri_host)
            .is_some_and(|host| hosts.is_match(host))
}

fn has_name(hosts: &GlobSet, host: Option<&str>) -> bool {
    let Some(host) = host else {
        return false;
    };
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    hosts.is_match(host) || bare.is_some_and(|bare| hosts.is_match(bare))
}

/// The host of an IRI as it is written (RFC 3987 §2.2); its URI has a host, so it is a registered name.
fn iri_host(iri: &str) -> Option<&str> {
    let (_, rest) = iri.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    Some(host.split(':').next().unwrap_or(host))
}

fn pattern(flags: &SelectFlags, limit: usize) -> Result<Option<Pattern>, String> {
    if flags.regexp.is_empty() {
        return Ok(None);
    }
    let set = RegexSetBuilder::new(&flags.regexp)
        .case_insensitive(flags.ignore_case)
        .size_limit(limit)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => {
                format!("--regexp: it compiles to more than {limit} bytes; --limit regexp=SIZE allows more")
            }
            error => format!("--regexp: {error}"),
        })?;
    Ok(Some(if flags.invert_match {
        Pattern::None(set)
    } else {
        Pattern::Any(set)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_of_an_iri() {
        assert_eq!(
            iri_host("http://u:p@b\u{fc}cher.example:80/x@y"),
            Some("b\u{fc}cher.example")
        );
        assert_eq!(iri_host("http://\u{e9}.example"), Some("\u{e9}.example"));
        assert_eq!(iri_host("mailto:x"), None);
    }
}
