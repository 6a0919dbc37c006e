//! Compares hosts with names and globs.
//!
//! Hosts that mean the same are equal here (RFC 3986 §3.2.2, §6.2.2): in either case, with a final
//! dot, or with percent-encoded characters.

use std::borrow::Cow;
use std::collections::HashSet;

use globset::GlobSet;

use super::lowercase;
use crate::slice::lossy;
use crate::{Match, percent};

/// The hosts of a list. Names are looked up; a glob would be a regex, of which thousands are too
/// many for one automaton.
#[derive(Clone, Debug)]
pub(super) struct HostList {
    names: HashSet<String>,
    globs: GlobSet,
}

impl HostList {
    /// Divides a list into names and globs; `compile` compiles the latter.
    pub fn new<E>(
        list: &[String],
        compile: impl FnOnce(&[&String]) -> Result<GlobSet, E>,
    ) -> Result<Self, E> {
        let (names, globs): (Vec<_>, Vec<_>) = list.iter().partition(|host| is_name(host));
        let names = names.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        Ok(Self { names, globs: compile(&globs)? })
    }

    fn is_match(&self, host: &str) -> bool {
        !self.names.is_empty() && self.names.contains(lowercase(host).as_ref())
            || !self.globs.is_empty() && self.globs.is_match(host)
    }
}

/// True for text without wildcards, for which case is that of ASCII.
fn is_name(text: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    !text.is_empty() && text.bytes().all(is_plain)
}

/// Returns the literal that every host matching the glob ends with.
pub(super) fn literal_end(glob: &str) -> Option<String> {
    let end = glob.trim_start_matches('*');
    is_name(end).then(|| end.to_owned())
}

/// Returns the host without its percent-encoding and without the dot that marks a fully qualified
/// name.
fn plain(host: &str) -> Cow<'_, str> {
    let host = host.strip_suffix('.').unwrap_or(host);
    match host.contains('%') {
        true => Cow::Owned(lossy(&percent::decode(host)).trim_end_matches('.').to_owned()),
        false => Cow::Borrowed(host),
    }
}

/// True if the host is one of these names, or a name below one.
pub(super) fn is_below(names: &HashSet<String>, host: Option<&str>) -> bool {
    let Some(host) = host.map(plain) else {
        return false;
    };
    let host = lowercase(&host);
    let above = host.match_indices('.').filter_map(|(dot, _)| host.get(dot + 1..));
    std::iter::once(host.as_ref()).chain(above).any(|name| names.contains(name))
}

pub(super) fn has_host(hosts: &HostList, m: &Match<'_>) -> bool {
    let host = m.parsed().host();
    // `blob:https://…` has no host, and neither does its IRI form.
    let iri = m.iri().filter(|_| host.is_some());
    matches_name(hosts, host) || iri.and_then(iri_host).is_some_and(|host| hosts.is_match(host))
}

pub(super) fn matches_name(hosts: &HostList, host: Option<&str>) -> bool {
    let Some(host) = host else {
        return false;
    };
    // In a glob, brackets are a character class. So an IPv6 address also matches without its
    // brackets.
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let bare = bare.map_or_else(|| plain(host), Cow::Borrowed);
    hosts.is_match(host) || bare != host && hosts.is_match(bare.as_ref())
}

/// The host of an IRI as written (RFC 3987 §2.2). The URI of the IRI has a host, so this is a
/// registered name.
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
