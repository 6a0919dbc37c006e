//! Selects the wanted findings.
//!
//! A finding must satisfy every list that is set. One matching item satisfies a list, and a
//! matching exclusion rejects the finding.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use crate::document::{Place, PlaceValue, Role};
use crate::finder::Relative;
use crate::finder::Restriction;
use crate::grammar::HostType;
use crate::search::literals::required_literals;
use crate::search::{Envelope, HitKind};
use crate::{Flag, Kind, Match, Rejected, Uri};

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
    hosts: Wanted<GlobSet>,
    domains: Wanted<HashSet<String>>,
    kinds: Wanted<Vec<HitKind>>,
    flags: Wanted<Vec<Flag>>,
    ports: Wanted<HashSet<String>>,
    host_types: Wanted<Vec<HostType>>,
    /// The restrictions that apply to documents and mail only.
    elements: Wanted<HashSet<String>>,
    places: Wanted<GlobSet>,
    senders: Wanted<GlobSet>,
    dates: Option<DateRange>,
    roles: Option<Vec<Role>>,
    resolvers: Resolvers,
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

/// Builds a [`Selection`].
#[derive(Clone, Debug, Default)]
pub struct SelectionBuilder {
    schemes: Lists<String>,
    nids: Lists<String>,
    hosts: Lists<String>,
    domains: Lists<String>,
    kinds: Lists<HitKind>,
    flags: Lists<Flag>,
    ports: Lists<u16>,
    host_types: Lists<HostType>,
    elements: Lists<String>,
    places: Lists<String>,
    senders: Lists<String>,
    dates: Option<DateRange>,
    roles: Vec<Role>,
    resolvers: Resolvers,
    regexps: Vec<String>,
    regexps_select: Regexps,
    ignore_case: bool,
    size_limit: Option<usize>,
}

/// The included and excluded items of a list.
#[derive(Clone, Debug)]
struct Lists<T> {
    only: Vec<T>,
    not: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { only: Vec::new(), not: Vec::new() }
    }
}

impl<T> Lists<T> {
    fn are_empty(&self) -> bool {
        self.only.is_empty() && self.not.is_empty()
    }

    fn map<U>(self, mut make: impl FnMut(Vec<T>) -> U) -> Wanted<U> {
        let mut list = |items: Vec<T>| (!items.is_empty()).then(|| make(items));
        Wanted { only: list(self.only), not: list(self.not) }
    }
}

/// The reason why a selection can't be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionError {
    /// A glob of hosts is invalid.
    Host(String),
    /// A glob of places is invalid.
    Place(String),
    /// A regular expression is invalid.
    Regexp(String),
    /// The regular expressions compile to more bytes than this.
    RegexpTooLarge(usize),
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(message) | Self::Place(message) | Self::Regexp(message) => {
                f.write_str(message)
            }
            Self::RegexpTooLarge(limit) => {
                write!(f, "the regex compiles to more than {limit} bytes")
            }
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
        self.schemes.only.extend(strings(schemes));
        self
    }

    /// No URIs of these schemes.
    #[must_use]
    pub fn schemes_not<S: Into<String>>(mut self, schemes: impl IntoIterator<Item = S>) -> Self {
        self.schemes.not.extend(strings(schemes));
        self
    }

    /// Only URNs with one of these namespace identifiers, in either case (RFC 8141 §2.1).
    #[must_use]
    pub fn nids<S: Into<String>>(mut self, nids: impl IntoIterator<Item = S>) -> Self {
        self.nids.only.extend(strings(nids));
        self
    }

    /// No URNs with these namespace identifiers.
    #[must_use]
    pub fn nids_not<S: Into<String>>(mut self, nids: impl IntoIterator<Item = S>) -> Self {
        self.nids.not.extend(strings(nids));
        self
    }

    /// Only URIs whose host matches one of these globs, in either case.
    #[must_use]
    pub fn hosts<S: Into<String>>(mut self, globs: impl IntoIterator<Item = S>) -> Self {
        self.hosts.only.extend(strings(globs));
        self
    }

    /// No URIs whose host matches one of these globs.
    #[must_use]
    pub fn hosts_not<S: Into<String>>(mut self, globs: impl IntoIterator<Item = S>) -> Self {
        self.hosts.not.extend(strings(globs));
        self
    }

    /// Only URIs whose host is one of these names or below it, in either case.
    ///
    /// ```
    /// use urigrep::search::Selection;
    /// let selection = Selection::builder().domains(["example.com"]).build().unwrap();
    /// let text = b"http://example.com http://www.Example.com/ http://myexample.com/";
    /// let finder = urigrep::Finder::new();
    /// assert_eq!(finder.find_iter(text).filter(|m| selection.selects(m)).count(), 2);
    /// ```
    #[must_use]
    pub fn domains<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.domains.only.extend(strings(names));
        self
    }

    /// No URIs whose host is one of these names or below it.
    #[must_use]
    pub fn domains_not<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.domains.not.extend(strings(names));
        self
    }

    /// Only matches of one of these kinds.
    #[must_use]
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = HitKind>) -> Self {
        self.kinds.only.extend(kinds);
        self
    }

    /// No matches of these kinds.
    #[must_use]
    pub fn kinds_not(mut self, kinds: impl IntoIterator<Item = HitKind>) -> Self {
        self.kinds.not.extend(kinds);
        self
    }

    /// Only matches with one of these flags.
    #[must_use]
    pub fn flags(mut self, flags: impl IntoIterator<Item = Flag>) -> Self {
        self.flags.only.extend(flags);
        self
    }

    /// No matches with one of these flags.
    #[must_use]
    pub fn flags_not(mut self, flags: impl IntoIterator<Item = Flag>) -> Self {
        self.flags.not.extend(flags);
        self
    }

    /// Only URIs that have one of these ports written in them.
    #[must_use]
    pub fn ports(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.ports.only.extend(ports);
        self
    }

    /// No URIs that have one of these ports written in them.
    #[must_use]
    pub fn ports_not(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.ports.not.extend(ports);
        self
    }

    /// Only URIs whose host has one of these types.
    #[must_use]
    pub fn host_types(mut self, types: impl IntoIterator<Item = HostType>) -> Self {
        self.host_types.only.extend(types);
        self
    }

    /// No URIs whose host has one of these types.
    #[must_use]
    pub fn host_types_not(mut self, types: impl IntoIterator<Item = HostType>) -> Self {
        self.host_types.not.extend(types);
        self
    }

    /// Only findings that belong to one of these elements of a document, in either case.
    #[must_use]
    pub fn elements<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.elements.only.extend(strings(names));
        self
    }

    /// No findings that belong to one of these elements of a document.
    #[must_use]
    pub fn elements_not<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.elements.not.extend(strings(names));
        self
    }

    /// Only findings in places of documents that match one of these globs, in either case: as the
    /// place is printed (`page 3`), or one of its names (`Links` of `Links!B7`, `loc` of
    /// `urlset/url/loc`).
    #[must_use]
    pub fn places<S: Into<String>>(mut self, globs: impl IntoIterator<Item = S>) -> Self {
        self.places.only.extend(strings(globs));
        self
    }

    /// No findings in places of documents that match one of these globs.
    #[must_use]
    pub fn places_not<S: Into<String>>(mut self, globs: impl IntoIterator<Item = S>) -> Self {
        self.places.not.extend(strings(globs));
        self
    }

    /// Only findings in mail whose sender matches one of these globs, in either case.
    #[must_use]
    pub fn senders<S: Into<String>>(mut self, globs: impl IntoIterator<Item = S>) -> Self {
        self.senders.only.extend(strings(globs));
        self
    }

    /// No findings in mail whose sender matches one of these globs.
    #[must_use]
    pub fn senders_not<S: Into<String>>(mut self, globs: impl IntoIterator<Item = S>) -> Self {
        self.senders.not.extend(strings(globs));
        self
    }

    /// Only findings in mail of these dates.
    #[must_use]
    pub fn dates(mut self, dates: DateRange) -> Self {
        self.dates = Some(dates);
        self
    }

    /// Only findings with one of these roles in their document. Outside of documents, everything
    /// has the role of text.
    #[must_use]
    pub fn roles(mut self, roles: impl IntoIterator<Item = Role>) -> Self {
        self.roles.extend(roles);
        self
    }

    /// Sets how [`schemes`](Self::schemes) and [`nids`](Self::nids) read resolver URLs and other
    /// spellings of an identifier.
    ///
    /// ```
    /// use urigrep::search::{Resolvers, Selection};
    /// let builder = Selection::builder().schemes(["doi"]);
    /// let selection = builder.resolvers(Resolvers::AsIdentifiers).build().unwrap();
    /// let finder = urigrep::Finder::new();
    /// assert!(selection.selects(&finder.find(b"https://doi.org/10.1000/182").unwrap()));
    /// ```
    #[must_use]
    pub fn resolvers(mut self, resolvers: Resolvers) -> Self {
        self.resolvers = resolvers;
        self
    }

    /// Only URIs that one of these regular expressions matches.
    #[must_use]
    pub fn regexps<S: Into<String>>(mut self, regexps: impl IntoIterator<Item = S>) -> Self {
        self.regexps.extend(strings(regexps));
        self
    }

    /// Chooses whether matches of the regular expressions are selected or excluded.
    #[must_use]
    pub fn regexps_select(mut self, select: Regexps) -> Self {
        self.regexps_select = select;
        self
    }

    /// Makes the regular expressions ignore case.
    #[must_use]
    pub fn ignore_case(mut self, ignore_case: bool) -> Self {
        self.ignore_case = ignore_case;
        self
    }

    /// The largest compiled size of the regular expressions in bytes; 10 MiB by default.
    #[must_use]
    pub fn size_limit(mut self, bytes: usize) -> Self {
        self.size_limit = Some(bytes);
        self
    }

    /// Builds the selection.
    ///
    /// # Errors
    /// If a glob or a regular expression is invalid or too large.
    pub fn build(self) -> Result<Selection, SelectionError> {
        let names = [&self.schemes, &self.nids, &self.hosts, &self.domains];
        let has_list = names.into_iter().any(|lists| !lists.are_empty());
        Ok(Selection {
            restricts: has_list
                || !self.kinds.are_empty()
                || !self.regexps.is_empty()
                || !self.flags.are_empty()
                || !self.ports.are_empty()
                || !self.host_types.are_empty(),
            pattern: self.pattern()?,
            host_ends: self
                .hosts
                .only
                .iter()
                .map(|glob| literal_end(glob))
                .collect::<Option<_>>()
                .filter(|ends: &Vec<String>| !ends.is_empty()),
            literals: match self.regexps_select {
                Regexps::Match => required_literals(&self.regexps),
                // Inverted, wanted URIs need not contain any literal of the expressions.
                Regexps::DoNotMatch => None,
            },
            hosts: Wanted { only: globs(&self.hosts.only)?, not: globs(&self.hosts.not)? },
            schemes: self.schemes.map(lowercase_set),
            nids: self.nids.map(lowercase_set),
            domains: self.domains.map(lowercase_set),
            kinds: self.kinds.map(|kinds| kinds),
            flags: self.flags.map(|flags| flags),
            ports: self.ports.map(|ports| ports.iter().map(u16::to_string).collect()),
            host_types: self.host_types.map(|types| types),
            elements: self.elements.map(lowercase_set),
            places: Wanted {
                only: place_globs(&self.places.only)?,
                not: place_globs(&self.places.not)?,
            },
            senders: Wanted { only: globs(&self.senders.only)?, not: globs(&self.senders.not)? },
            dates: self.dates,
            resolvers: self.resolvers,
            roles: Some(self.roles).filter(|roles| !roles.is_empty()),
        })
    }

    fn pattern(&self) -> Result<Option<Pattern>, SelectionError> {
        /// The builders have the same setters, but no trait.
        macro_rules! built {
            ($builder:expr) => {{
                let mut builder = $builder;
                builder.case_insensitive(self.ignore_case);
                if let Some(limit) = self.size_limit {
                    builder.size_limit(limit);
                }
                builder.build()
            }};
        }
        let expressions = match self.regexps.as_slice() {
            [] => return Ok(None),
            [one] => built!(RegexBuilder::new(one)).map(Expressions::One),
            all => built!(RegexSetBuilder::new(all)).map(Expressions::Set),
        };
        let expressions = expressions.map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => SelectionError::RegexpTooLarge(limit),
            error => SelectionError::Regexp(error.to_string()),
        })?;
        Ok(Some(match self.regexps_select {
            Regexps::Match => Pattern::Any(expressions),
            Regexps::DoNotMatch => Pattern::None(expressions),
        }))
    }
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
        if has_names && self.resolvers == Resolvers::AsIdentifiers {
            return None;
        }
        if self.nids.only.is_some() || self.kinds.only.as_ref().is_some_and(is_urn) {
            return Some(Restriction::Schemes(vec!["urn".to_owned()]));
        }
        if let Some(schemes) = &self.schemes.only {
            return Some(Restriction::Schemes(schemes.iter().cloned().collect()));
        }
        if let Some(ends) = &self.host_ends {
            return Some(Restriction::HostEnds(ends.clone()));
        }
        if let Some(domains) = &self.domains.only {
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
            && self.hosts.takes(|hosts| has_host(hosts, m))
            && self.domains.takes(|domains| is_below(domains, m.parsed().host()))
            && self.flags.takes(|flags| flags.iter().any(|&flag| m.flags().contains(flag)))
            && self.ports.takes(|ports| m.parsed().port().is_some_and(|port| ports.contains(port)))
            && self.host_types.takes(|types| has_type(types, m.parsed().host_type()))
            && self.has_text(|| m.intended_bytes())
    }

    /// True if the relative reference is wanted. Its scheme and host are those of `target`, the URI
    /// that it resolves to, if that is known.
    pub fn selects_relative(&self, relative: &Relative<'_>, target: Option<&str>) -> bool {
        let uri = target.and_then(|target| Uri::parse(target).ok());
        let intended = relative.intended();
        let host = uri.and_then(|uri| uri.host());
        self.has_kind(HitKind::Reference)
            && self.schemes.takes(|schemes| contains(schemes, uri.map(|uri| uri.scheme())))
            && self.nids.takes(|_| false)
            && self.hosts.takes(|hosts| matches_name(hosts, host))
            && self.domains.takes(|domains| is_below(domains, host))
            && self.flags.takes(|flags| flags.iter().any(|&flag| relative.flags().contains(flag)))
            && self.ports.takes(|ports| {
                uri.and_then(|uri| uri.port()).is_some_and(|port| ports.contains(port))
            })
            && self.host_types.takes(|types| has_type(types, uri.and_then(|uri| uri.host_type())))
            && self.has_text(|| target.unwrap_or(&intended).as_bytes())
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

    /// True if places or roles are asked for, which plain text does not have.
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

    /// True if the scheme and the namespace are wanted: those of the URI or those of its identifier.
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

fn has_type(types: &[HostType], host_type: Option<HostType>) -> bool {
    host_type.is_some_and(|host_type| types.contains(&host_type))
}

/// A range of dates, both ends included: `2024`, `2024-05..`, `2024-01..2024-06-15`. A date is that of the sender.
///
/// ```
/// use urigrep::search::DateRange;
/// let range: DateRange = "2024-02..2024-03".parse().unwrap();
/// assert!(range.contains("2024-03-31T23:59:59+00:00") && !range.contains("2024-04-01"));
/// assert!("yesterday".parse::<DateRange>().is_err() && "2024-13".parse::<DateRange>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateRange {
    from: String,
    to: String,
}

/// A text that is not a range of dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidDateRange;

impl fmt::Display for InvalidDateRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a range of dates is YEAR[-MONTH[-DAY]], or two of them with `..` between, such as 2024-01..2024-06")
    }
}

impl std::error::Error for InvalidDateRange {}

impl FromStr for DateRange {
    type Err = InvalidDateRange;

    fn from_str(text: &str) -> Result<Self, InvalidDateRange> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let is_valid = |date: &str| date.is_empty() || is_date(date);
        match is_valid(from) && is_valid(to) && !(from.is_empty() && to.is_empty()) {
            true => Ok(Self { from: from.to_owned(), to: to.to_owned() }),
            false => Err(InvalidDateRange),
        }
    }
}

/// `YYYY`, `YYYY-MM`, or `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let number = |(index, part): (usize, &str)| {
        let digits = if index == 0 { 4 } else { 2 };
        let fits = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let numbers: Option<Vec<u32>> = text.split('-').enumerate().map(number).collect();
    match numbers.as_deref() {
        Some([_]) => true,
        Some([_, month]) => (1..=12).contains(month),
        Some(&[year, month, day]) => (1..=days_in(year, month)).contains(&day),
        _ => false,
    }
}

/// Returns the number of days in a month; 0 if there is no such month.
fn days_in(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

impl DateRange {
    /// True if a date of RFC 3339 is in the range.
    pub fn contains(&self, date: &str) -> bool {
        // Dates in this form sort like their text. A shorter bound stands for all dates that start
        // with it.
        let start = date.get(..self.to.len()).unwrap_or(date);
        date >= self.from.as_str() && (self.to.is_empty() || start <= self.to.as_str())
    }
}

fn globs(globs: &[String]) -> Result<Option<GlobSet>, SelectionError> {
    if globs.is_empty() {
        return Ok(None);
    }
    let error = |error: globset::Error| SelectionError::Host(error.to_string());
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        // A backslash quotes on every system, as in `\[::1\]`.
        let glob = GlobBuilder::new(glob).case_insensitive(true).backslash_escape(true).build();
        set.add(glob.map_err(error)?);
    }
    set.build().map(Some).map_err(error)
}

/// Compiles globs of places, in which `*` stays within one name of a path.
fn place_globs(globs: &[String]) -> Result<Option<GlobSet>, SelectionError> {
    if globs.is_empty() {
        return Ok(None);
    }
    let error = |error: globset::Error| SelectionError::Place(error.to_string());
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let mut builder = GlobBuilder::new(glob);
        builder.case_insensitive(true).literal_separator(true).backslash_escape(true);
        set.add(builder.build().map_err(error)?);
    }
    set.build().map(Some).map_err(error)
}

/// True if a glob matches a place as text output names it, one of the names in it (the column of a
/// table, the number of a page), or the last name of a path.
fn is_at(globs: &GlobSet, place: &Place<'_>) -> bool {
    let has_name = |text: &str| {
        let last = text.rsplit_once('/').map(|(_, last)| last);
        globs.is_match(text) || last.is_some_and(|last| globs.is_match(last))
    };
    globs.is_match(place.to_string())
        || place.members().any(|(_, value)| match value {
            PlaceValue::Text(text) => has_name(text),
            PlaceValue::Number(number) => globs.is_match(number.to_string()),
        })
}

/// Returns the literal that every host matching the glob ends with.
fn literal_end(glob: &str) -> Option<String> {
    let end = glob.trim_start_matches('*');
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    (!end.is_empty() && end.bytes().all(is_plain)).then(|| end.to_owned())
}

fn lowercase_set(names: Vec<String>) -> HashSet<String> {
    names.into_iter().map(|name| name.to_ascii_lowercase()).collect()
}

fn contains(set: &HashSet<String>, name: Option<&str>) -> bool {
    name.is_some_and(|name| set.contains(lowercase(name).as_ref()))
}

/// True if the host is one of these names, or a name below one.
fn is_below(names: &HashSet<String>, host: Option<&str>) -> bool {
    // A trailing dot marks a fully qualified name; it names the same host (RFC 3986 §3.2.2).
    let Some(host) = host.map(|host| host.strip_suffix('.').unwrap_or(host)) else {
        return false;
    };
    let host = lowercase(host);
    let above = host.match_indices('.').filter_map(|(dot, _)| host.get(dot + 1..));
    std::iter::once(host.as_ref()).chain(above).any(|name| names.contains(name))
}

fn lowercase(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}

/// True if a field of senders, or an address in it, matches: `Joe <joe@a.example>` (RFC 5322 §3.4).
fn is_sender(globs: &GlobSet, field: &str) -> bool {
    let words = field.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | ',' | ';'));
    let mut addresses = words.filter(|word| word.contains('@'));
    globs.is_match(field) || addresses.any(|address| globs.is_match(address))
}

fn has_host(hosts: &GlobSet, m: &Match<'_>) -> bool {
    let host = m.parsed().host();
    // `blob:https://…` has no host, and neither does its IRI form.
    let iri = m.iri().filter(|_| host.is_some());
    matches_name(hosts, host) || iri.and_then(iri_host).is_some_and(|host| hosts.is_match(host))
}

fn matches_name(hosts: &GlobSet, host: Option<&str>) -> bool {
    let Some(host) = host else {
        return false;
    };
    // In a glob, brackets are a character class. So an IPv6 address also matches without its
    // brackets.
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    // The same host without the dot that marks a fully qualified name (RFC 3986 §3.2.2).
    let bare = bare.or_else(|| host.strip_suffix('.'));
    hosts.is_match(host) || bare.is_some_and(|bare| hosts.is_match(bare))
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
