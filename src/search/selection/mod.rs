//! Selects the wanted findings.
//!
//! A finding must satisfy every list that is set. One matching item satisfies a list, and a
//! matching exclusion rejects the finding.

mod builder;
mod dates;
mod hosts;

use std::borrow::Cow;
use std::collections::HashSet;

use globset::GlobSet;
use regex::bytes::{Regex, RegexSet};

pub use builder::{SelectionBuilder, SelectionError};
pub use dates::{DateRange, InvalidDateRange};

use hosts::HostList;

use crate::document::{Place, PlaceValue, Role};
use crate::finder::{Relative, Restriction};
use crate::grammar::HostType;
use crate::search::{Envelope, HitKind};
use crate::{Flag, Kind, Match, Rejected, Uri, UriRef};

/// Most ends of hosts by which candidates are told apart before they are read.
const MAX_HOST_ENDS: usize = 128;

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
    /// False if at most the role is restricted, so that every match is wanted.
    restricts: bool,
    schemes: Wanted<HashSet<String>>,
    nids: Wanted<HashSet<String>>,
    hosts: Wanted<HostList>,
    domains: Wanted<HashSet<String>>,
    kinds: Wanted<Vec<HitKind>>,
    flags: Wanted<Vec<Flag>>,
    // Numbers: in text, `080` and `80` would differ (RFC 3986 §3.2.3 allows zeros in front).
    ports: Wanted<HashSet<u16>>,
    host_types: Wanted<Vec<HostType>>,
    /// The restrictions that apply to documents and mail only.
    elements: Wanted<HashSet<String>>,
    places: Wanted<GlobSet>,
    senders: Wanted<GlobSet>,
    dates: Option<DateRange>,
    roles: Option<Vec<Role>>,
    resolvers: Resolvers,
    /// True if only findings with secrets are wanted.
    only_secrets: bool,
    pattern: Option<Pattern>,
    /// Every wanted host ends with one of these, if the globs imply that.
    host_ends: Option<Vec<String>>,
    /// Every match of the regular expressions contains one of these, in any case.
    literals: Option<Vec<Vec<u8>>>,
}

/// The restriction by one list.
#[derive(Clone, Debug)]
struct Wanted<T> {
    /// Items of which one is required.
    only: Option<T>,
    /// Items that are excluded.
    not: Option<T>,
}

impl<T> Default for Wanted<T> {
    fn default() -> Self {
        Self { only: None, not: None }
    }
}

impl<T> Wanted<T> {
    fn restrict(&self) -> bool {
        self.only.is_some() || self.not.is_some()
    }

    fn takes(&self, is_in: impl Fn(&T) -> bool) -> bool {
        self.only.as_ref().is_none_or(&is_in) && !self.not.as_ref().is_some_and(&is_in)
    }
}

#[derive(Clone, Debug)]
enum Pattern {
    Any(Expressions),
    None(Expressions),
}

#[derive(Clone, Debug)]
enum Expressions {
    /// One expression, the most frequent case. The regex crate searches a single literal with a
    /// literal searcher only as a `Regex`, not as a `RegexSet`.
    One(Regex),
    Set(RegexSet),
}

impl Expressions {
    /// True if one of the expressions matches.
    fn is_match(&self, text: &[u8]) -> bool {
        match self {
            Self::One(regex) => regex.is_match(text),
            Self::Set(set) => set.is_match(text),
        }
    }
}

/// The effect of a match of a regular expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Regexps {
    /// Selects URIs that match one of them.
    #[default]
    Match,
    /// Selects URIs that match none of them.
    DoNotMatch,
}

/// The reading of resolver URLs, such as `https://doi.org/10.1000/182`, in lists of schemes and
/// namespaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Resolvers {
    /// They are URLs.
    #[default]
    AsUrls,
    /// They are also what they [identify](crate::Identifier): the list `doi` includes DOIs in
    /// every spelling.
    AsIdentifiers,
}

impl Selection {
    /// Returns a builder. Without restrictions, it selects everything.
    pub fn builder() -> SelectionBuilder {
        SelectionBuilder::default()
    }

    /// Returns a condition that every wanted match satisfies, if one is known.
    pub(crate) fn clue(&self) -> Option<Restriction> {
        let is_urn =
            |kinds: &Vec<HitKind>| kinds.iter().all(|kind| *kind == HitKind::Uri(Kind::Urn));
        let has_names = self.nids.only.is_some() || self.schemes.only.is_some();
        // A URL of any host may contain the wanted identifier, as `https://doi.org/10.1000/182`
        // contains a DOI.
        if has_names && self.resolvers == Resolvers::AsIdentifiers {
            return None;
        }
        if self.nids.only.is_some() || self.kinds.only.as_ref().is_some_and(is_urn) {
            return Some(Restriction::Schemes(vec!["urn".to_owned()]));
        }
        if let Some(schemes) = &self.schemes.only {
            return Some(Restriction::Schemes(schemes.iter().cloned().collect()));
        }
        // Each candidate is compared with each end, so a long list costs more than it saves.
        let are_few = |count: usize| count <= MAX_HOST_ENDS;
        if let Some(ends) = self.host_ends.as_ref().filter(|ends| are_few(ends.len())) {
            return Some(Restriction::HostEnds(ends.clone()));
        }
        if let Some(domains) = self.domains.only.as_ref().filter(|names| are_few(names.len())) {
            return Some(Restriction::HostEnds(domains.iter().cloned().collect()));
        }
        self.literals.clone().map(Restriction::Literals)
    }

    /// True if the match is wanted.
    #[inline]
    pub fn selects(&self, m: &Match<'_>) -> bool {
        !self.restricts || self.satisfies(m)
    }

    fn satisfies(&self, m: &Match<'_>) -> bool {
        self.has_kind(HitKind::Uri(m.kind()))
            && self.has_name(m)
            && self.hosts.takes(|hosts| hosts::has_host(hosts, m))
            && self.domains.takes(|domains| hosts::is_below(domains, m.parsed().host()))
            && self.flags.takes(|flags| flags.iter().any(|&flag| m.flags().contains(flag)))
            && self.ports.takes(|ports| has_port(ports, m.parsed().port_number()))
            && self.host_types.takes(|types| has_type(types, m.parsed().host_type()))
            && self.has_text(|| m.intended_bytes())
            && (!self.only_secrets || m.redacted().is_some())
    }

    /// True if the relative reference is wanted. Its scheme and host are those of `target`, the URI
    /// that it resolves to, if that is known; otherwise, `//a.example/b` has a host of its own (RFC
    /// 3986 §4.2).
    pub fn selects_relative(&self, relative: &Relative<'_>, target: Option<&str>) -> bool {
        let uri = target.and_then(|target| Uri::parse(target).ok());
        let intended = relative.intended();
        // Asked only where a list restricts it: most references have no host.
        let by = || uri.map(UriRef::from).or_else(|| UriRef::parse(&intended).ok());
        let host = || by()?.host();
        self.has_kind(HitKind::Reference)
            && self.schemes.takes(|schemes| contains(schemes, uri.map(|uri| uri.scheme())))
            && self.nids.takes(|_| false)
            && self.hosts.takes(|hosts| hosts::matches_name(hosts, host()))
            && self.domains.takes(|domains| hosts::is_below(domains, host()))
            && self.flags.takes(|flags| flags.iter().any(|&flag| relative.flags().contains(flag)))
            && self.ports.takes(|ports| has_port(ports, by().and_then(|it| it.port_number())))
            && self.host_types.takes(|types| has_type(types, by().and_then(|it| it.host_type())))
            && self.has_text(|| target.unwrap_or(&intended).as_bytes())
            && (!self.only_secrets || relative.redacted().is_some())
    }

    /// True if the rejected candidate is wanted. Its scheme and NID are taken from the text.
    pub fn selects_rejected(&self, rejected: &Rejected<'_>) -> bool {
        let text = rejected.as_bytes();
        let mut parts =
            text.splitn(3, |&byte| byte == b':').map(|part| std::str::from_utf8(part).ok());
        let scheme = parts.next().flatten();
        let nid = match scheme {
            Some(scheme) if scheme.eq_ignore_ascii_case("urn") => parts.next().flatten(),
            _ => None,
        };
        self.schemes.takes(|schemes| contains(schemes, scheme))
            && self.nids.takes(|nids| contains(nids, nid))
            && self.has_text(|| text)
            && (!self.only_secrets || rejected.redacted().is_some())
    }

    /// True if only hits in some elements or some mail are wanted, so that plain text holds none.
    pub(crate) fn restricts_place(&self) -> bool {
        self.elements.only.is_some()
            || self.elements.not.is_some()
            || self.places.only.is_some()
            || self.places.not.is_some()
            || self.senders.only.is_some()
            || self.senders.not.is_some()
            || self.dates.is_some()
    }

    /// True if places or roles are wanted, which plain text does not have.
    pub(crate) fn needs_documents(&self) -> bool {
        self.restricts_place() || self.roles.is_some()
    }

    /// True if hits of this element, place, and message are wanted.
    pub(crate) fn selects_place(
        &self,
        element: Option<&str>,
        place: Option<&Place<'_>>,
        mail: Option<&Envelope>,
    ) -> bool {
        let sender = mail.and_then(|mail| mail.from.as_deref());
        let date = mail.and_then(|mail| mail.date.as_deref());
        self.elements.takes(|elements| contains(elements, element))
            && self.places.takes(|globs| place.is_some_and(|place| is_at(globs, place)))
            && self.senders.takes(|globs| sender.is_some_and(|sender| is_sender(globs, sender)))
            && self.dates.as_ref().is_none_or(|dates| date.is_some_and(|date| dates.contains(date)))
    }

    /// True if plain text is searched.
    pub(crate) fn selects_text(&self) -> bool {
        // Lists of exclusions do not matter here: plain text has no element and no sender to be
        // excluded by.
        let needs_document = self.elements.only.is_some()
            || self.places.only.is_some()
            || self.senders.only.is_some()
            || self.dates.is_some();
        self.selects_role(Role::Text) && !needs_document
    }

    /// True if parts of this role are searched.
    pub fn selects_role(&self, role: Role) -> bool {
        let roles = self.roles.as_ref();
        roles.is_none_or(|roles| roles.contains(&role))
    }

    /// True if the scheme and the namespace are wanted: those of the URI or those of its
    /// identifier.
    fn has_name(&self, m: &Match<'_>) -> bool {
        if !self.schemes.restrict() && !self.nids.restrict() {
            return true;
        }
        let identifier = match self.resolvers {
            Resolvers::AsUrls => None,
            Resolvers::AsIdentifiers => m.identifier(),
        };
        let mut parts = identifier.iter().flat_map(|identifier| identifier.canonical().split(':'));
        let scheme = parts.next();
        let nid = parts.next().filter(|_| scheme == Some("urn"));
        self.schemes.takes(|schemes| {
            contains(schemes, Some(m.scheme_as_written())) || contains(schemes, scheme)
        }) && self.nids.takes(|nids| contains(nids, m.nid()) || contains(nids, nid))
    }

    fn has_kind(&self, kind: HitKind) -> bool {
        self.kinds.takes(|kinds| kinds.contains(&kind))
    }

    fn has_text<'t>(&self, text: impl FnOnce() -> &'t [u8]) -> bool {
        match &self.pattern {
            None => true,
            Some(Pattern::Any(set)) => set.is_match(text()),
            Some(Pattern::None(set)) => !set.is_match(text()),
        }
    }
}

fn has_port(ports: &HashSet<u16>, port: Option<u16>) -> bool {
    port.is_some_and(|port| ports.contains(&port))
}

fn has_type(types: &[HostType], host_type: Option<HostType>) -> bool {
    host_type.is_some_and(|host_type| types.contains(&host_type))
}

/// True if a glob matches a place as text output names it, all of what it is in (`cell 3`, `row 2`),
/// one of the names in it (the column of a table, the number of a page), or the last name of a path.
fn is_at(globs: &GlobSet, place: &Place<'_>) -> bool {
    let separator = if matches!(place, Place::Key(_)) { '.' } else { '/' };
    let has_name = |text: &str| {
        let last = text.rsplit_once(separator).map(|(_, last)| last);
        globs.is_match(text) || last.is_some_and(|last| globs.is_match(last))
    };
    globs.is_match(place.to_string())
        || place.group().is_some_and(|group| globs.is_match(group))
        || place.members().any(|(_, value)| match value {
            PlaceValue::Text(text) => has_name(text),
            PlaceValue::Number(number) => globs.is_match(number.to_string()),
        })
}

/// True if a field of senders, or an address in it, matches: `Joe <joe@a.example>` (RFC 5322 §3.4).
fn is_sender(globs: &GlobSet, field: &str) -> bool {
    let words = field.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | ',' | ';'));
    let mut addresses = words.filter(|word| word.contains('@'));
    globs.is_match(field) || addresses.any(|address| globs.is_match(address))
}

fn contains(set: &HashSet<String>, name: Option<&str>) -> bool {
    name.is_some_and(|name| set.contains(lowercase(name).as_ref()))
}

fn lowercase(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}
