//! Builds selections: checks and compiles the requested lists and expressions.

use std::collections::HashSet;
use std::fmt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{RegexBuilder, RegexSetBuilder};

use super::hosts::HostList;
use super::{DateRange, Expressions, Pattern, Regexps, Resolvers, Selection, Wanted, hosts};
use crate::Flag;
use crate::document::Role;
use crate::grammar::HostType;
use crate::search::HitKind;
use crate::search::literals::required_literals;

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
    only_secrets: bool,
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

    /// Only findings with [secrets](crate::redact): passwords, tokens, and keys.
    ///
    /// ```
    /// use urigrep::search::Selection;
    /// let selection = Selection::builder().only_secrets().build().unwrap();
    /// let text = b"http://a.example/?token=x1 http://a.example/?page=2";
    /// let finder = urigrep::Finder::new();
    /// let selected = finder.find_iter(text).filter(|m| selection.selects(m));
    /// assert_eq!(selected.count(), 1);
    /// ```
    #[must_use]
    pub fn only_secrets(mut self) -> Self {
        self.only_secrets = true;
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
                || !self.host_types.are_empty()
                || self.only_secrets,
            pattern: self.pattern()?,
            host_ends: self
                .hosts
                .only
                .iter()
                .map(|glob| hosts::literal_end(glob))
                // One glob without such an end allows any host, so the ends of the others rule out
                // nothing.
                .collect::<Option<_>>()
                .filter(|ends: &Vec<String>| !ends.is_empty()),
            literals: match self.regexps_select {
                Regexps::Match => required_literals(&self.regexps),
                // Inverted, wanted URIs need not contain any literal of the expressions.
                Regexps::DoNotMatch => None,
            },
            hosts: Wanted { only: host_list(&self.hosts.only)?, not: host_list(&self.hosts.not)? },
            schemes: self.schemes.map(lowercase_set),
            nids: self.nids.map(lowercase_set),
            domains: self.domains.map(lowercase_set),
            kinds: self.kinds.map(|kinds| kinds),
            flags: self.flags.map(|flags| flags),
            ports: self.ports.map(|ports| ports.into_iter().collect()),
            host_types: self.host_types.map(|types| types),
            elements: self.elements.map(lowercase_set),
            places: Wanted {
                only: place_globs(&self.places.only)?,
                not: place_globs(&self.places.not)?,
            },
            senders: Wanted { only: globs(&self.senders.only)?, not: globs(&self.senders.not)? },
            dates: self.dates,
            resolvers: self.resolvers,
            only_secrets: self.only_secrets,
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

fn host_list(list: &[String]) -> Result<Option<HostList>, SelectionError> {
    (!list.is_empty()).then(|| HostList::new(list, glob_set)).transpose()
}

fn globs(globs: &[String]) -> Result<Option<GlobSet>, SelectionError> {
    (!globs.is_empty()).then(|| glob_set(&globs.iter().collect::<Vec<_>>())).transpose()
}

fn glob_set(globs: &[&String]) -> Result<GlobSet, SelectionError> {
    let error = |error: globset::Error| SelectionError::Host(error.to_string());
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        // A backslash quotes on every system, as in `\[::1\]`.
        let glob = GlobBuilder::new(glob).case_insensitive(true).backslash_escape(true).build();
        set.add(glob.map_err(error)?);
    }
    set.build().map_err(error)
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

fn lowercase_set(names: Vec<String>) -> HashSet<String> {
    names.into_iter().map(|name| name.to_ascii_lowercase()).collect()
}
