//! Compares hosts with names and globs.
//!
//! Hosts that mean the same are equal here (RFC 3986 §3.2.2, §6.2.2, §7.4): in either case, with a
//! final dot, with percent-encoded characters, also of an IDN, and addresses in any form.

use std::borrow::Cow;
use std::collections::HashSet;
use std::net::Ipv6Addr;

use globset::GlobSet;

use super::lowercase;
use crate::options::HostMapping;
use crate::slice::lossy;
use crate::{Iri, Match, percent, security};

/// The hosts of a list. Names are looked up in a set: as globs they would be regexes, and thousands
/// of these are too many for one automaton.
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
        let (mut names, mut globs) = (HashSet::new(), Vec::new());
        for host in list {
            match address_v6(host) {
                Some(address) => drop(names.insert(address)),
                None if is_name(host) => drop(names.insert(host.to_ascii_lowercase())),
                None => globs.push(host),
            }
        }
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
    // `127.0.0.1` is also `0x7f.1`.
    let is_address = || end.ends_with(|c: char| c.is_ascii_digit());
    (is_name(end) && !is_address()).then(|| end.to_owned())
}

/// Returns an IPv6 address, in brackets or not, in the form of RFC 5952.
fn address_v6(host: &str) -> Option<String> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    Some(bare.parse::<Ipv6Addr>().ok()?.to_string())
}

/// Returns an address in its usual form, in whichever form it is written.
fn address(host: &str) -> Option<String> {
    let is_number = || host.starts_with(|c: char| c.is_ascii_digit() || c == '%');
    match host.starts_with('[') {
        true => address_v6(host),
        false if is_number() => Some(security::address(&percent::decode(host))?.to_string()),
        false => None,
    }
}

/// Returns the host without its percent-encoding, and without the dot that marks a fully qualified
/// name. To a browser, an IDN with percent-encoded characters is the same as its ASCII form.
fn plain(host: &str) -> Cow<'_, str> {
    let host = host.strip_suffix('.').unwrap_or(host);
    if !host.contains('%') {
        return Cow::Borrowed(host);
    }
    let decoded = lossy(&percent::decode(host)).into_owned();
    let ascii = (!decoded.is_ascii()).then(|| ascii_form(&decoded)).flatten();
    Cow::Owned(ascii.unwrap_or(decoded).trim_end_matches('.').to_owned())
}

/// Returns the name that the DNS uses for an IDN.
fn ascii_form(host: &str) -> Option<String> {
    let iri = format!("http://{host}/");
    let uri = Iri::parse(&iri).ok()?.to_uri_with(HostMapping::idna().ok()?).ok()?;
    Some(uri.strip_prefix("http://")?.strip_suffix('/')?.to_owned())
}

/// True if the host is one of these names, or a name below one.
pub(super) fn is_below(names: &HashSet<String>, host: Option<&str>) -> bool {
    let Some(host) = host else {
        return false;
    };
    let name = plain(host);
    let name = lowercase(&name);
    let above = name.match_indices('.').filter_map(|(dot, _)| name.get(dot + 1..));
    std::iter::once(name.as_ref()).chain(above).any(|name| names.contains(name))
        || address(host).is_some_and(|address| names.contains(&address))
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
    hosts.is_match(host)
        || bare != host && hosts.is_match(bare.as_ref())
        || address(host).is_some_and(|address| hosts.is_match(&address))
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
