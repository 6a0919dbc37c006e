//! Which findings are reported, and how bad they are: [`Filter`].

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use regex::Regex;

use super::paths;
use crate::audit::{AuditFinding, Check, Severity};

/// What becomes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterVerdict {
    /// It is reported, as this bad.
    Reported(Severity),
    /// It is not bad enough.
    Mild,
    /// Something about it is excluded, or not included.
    Excluded,
    /// Its check is not wanted at all.
    Off,
}

/// Severities by the ids of checks; `None` turns a check off.
pub type Severities = HashMap<&'static str, Option<Severity>>;

/// Which findings are reported.
///
/// ```
/// use urigrep::audit::{Filter, Severity};
/// let mut filter = Filter::default();
/// filter.least = Severity::Note;
/// filter.exclude.add_host("*.test")?;
/// # Ok::<(), urigrep::audit::PatternError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Filter {
    /// The least severity; [`Severity::Warning`] by default.
    pub least: Severity,
    /// Severities of checks that differ from their own, by the ids of the checks.
    pub severities: Severities,
    /// The same for the documents of some paths; of several, the last counts.
    pub by_path: Vec<(Patterns, Severities)>,
    /// A finding that one of these matches is not reported.
    pub exclude: Patterns,
    /// Of each list that is not empty, one has to match.
    pub include: Patterns,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            least: Severity::Warning,
            severities: Severities::new(),
            by_path: Vec::new(),
            exclude: Patterns::default(),
            include: Patterns::default(),
        }
    }
}

/// What findings are about: paths, hosts, URIs and checks.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Patterns {
    paths: Vec<PathGlob>,
    hosts: Vec<GlobMatcher>,
    uris: Vec<Regex>,
    /// Checks by their ids.
    pub checks: Vec<&'static str>,
}

/// A glob or regular expression that makes no sense; it says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(String);

impl PatternError {
    fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

#[derive(Clone, Debug)]
struct PathGlob {
    directory: PathBuf,
    glob: Gitignore,
}

impl Patterns {
    /// Adds a glob by the rules of .gitignore, for paths below `directory`.
    ///
    /// # Errors
    /// When it makes no sense.
    pub fn add_path(&mut self, directory: &Path, glob: &str) -> Result<(), PatternError> {
        let directory = paths::absolute(directory);
        let mut builder = GitignoreBuilder::new("");
        builder.add_line(None, glob).map_err(PatternError::new)?;
        let glob = builder.build().map_err(PatternError::new)?;
        if glob.is_empty() {
            return Err(PatternError::new(
                "a glob of paths is like a line of .gitignore, such as `vendor/` or `*.svg`",
            ));
        }
        self.paths.push(PathGlob { directory, glob });
        Ok(())
    }

    /// Adds a glob of hosts, in either case.
    ///
    /// # Errors
    /// When it makes no sense.
    pub fn add_host(&mut self, glob: &str) -> Result<(), PatternError> {
        let glob = GlobBuilder::new(glob)
            .case_insensitive(true)
            .backslash_escape(true)
            .build()
            .map_err(|error| PatternError::new(error.kind()))?;
        self.hosts.push(glob.compile_matcher());
        Ok(())
    }

    /// Adds a regular expression of URIs and references.
    ///
    /// # Errors
    /// When it makes no sense.
    pub fn add_uri(&mut self, expression: &str) -> Result<(), PatternError> {
        let regex = Regex::new(expression).map_err(|error| {
            // The lines before show the expression.
            let message = error.to_string();
            let last = message.lines().last().unwrap_or_default();
            PatternError::new(last.strip_prefix("error: ").unwrap_or(last))
        })?;
        self.uris.push(regex);
        Ok(())
    }

    pub(super) fn has_path(&self, path: &Path) -> bool {
        self.paths.iter().any(|glob| {
            paths::below(&glob.directory, path)
                .is_some_and(|path| glob.glob.matched_path_or_any_parents(path, false).is_ignore())
        })
    }

    fn has_host(&self, uri: Option<&str>) -> bool {
        let host = uri.and_then(host);
        host.is_some_and(|host| self.hosts.iter().any(|glob| glob.is_match(host)))
    }

    fn has_uri(&self, uri: Option<&str>) -> bool {
        uri.is_some_and(|uri| self.uris.iter().any(|regex| regex.is_match(uri)))
    }

    fn has_check(&self, check: &Check) -> bool {
        self.checks.contains(&check.id)
    }
}

impl Filter {
    /// True when the document of this path is audited.
    pub fn takes_path(&self, path: &Path) -> bool {
        (self.include.paths.is_empty() || self.include.has_path(path))
            && (self.exclude.paths.is_empty() || !self.exclude.has_path(path))
    }

    /// True when findings of the check are wanted.
    pub fn takes_check(&self, check: &Check) -> bool {
        (self.include.checks.is_empty() || self.include.has_check(check))
            && !self.exclude.has_check(check)
    }

    /// What becomes of a finding of the audited document at `path`.
    pub fn verdict(&self, finding: &AuditFinding, path: &Path) -> FilterVerdict {
        if !self.takes_check(finding.check) {
            return FilterVerdict::Off;
        }
        let uri = finding.uri.as_deref();
        let include = &self.include;
        if !include.hosts.is_empty() && !include.has_host(uri)
            || !include.uris.is_empty() && !include.has_uri(uri)
            || self.exclude.has_host(uri)
            || self.exclude.has_uri(uri)
        {
            return FilterVerdict::Excluded;
        }
        match self.severity(finding.check, path) {
            None => FilterVerdict::Off,
            Some(severity) => match severity.min(milder(finding)) {
                severity if severity < self.least => FilterVerdict::Mild,
                severity => FilterVerdict::Reported(severity),
            },
        }
    }

    /// How bad a fault that this check finds is in the document at `path`; `None` when the check is off there.
    pub fn severity(&self, check: &Check, path: &Path) -> Option<Severity> {
        let here = self.by_path.iter().rev().filter(|(paths, _)| paths.has_path(path));
        let mut severities = here.map(|(_, severities)| severities).chain([&self.severities]);
        let severity = severities.find_map(|severities| severities.get(check.id));
        severity.copied().unwrap_or(Some(check.severity))
    }
}

/// How bad a finding is at most, where it is milder than its check.
fn milder(finding: &AuditFinding) -> Severity {
    match finding.severity < finding.check.severity {
        true => finding.severity,
        false => Severity::Error,
    }
}

/// The host of a reference, which need not be valid: what is wrong with it is why it is asked for.
/// Split as by the expression of RFC 3986 Appendix B; without the brackets of an IP literal.
fn host(uri: &str) -> Option<&str> {
    let rest = match uri.split_once([':', '/', '?', '#']) {
        Some((scheme, rest)) if uri[scheme.len()..].starts_with(':') => rest,
        _ => uri,
    };
    let authority = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.strip_prefix('[') {
        Some(literal) => literal.split(']').next(),
        None => host.split(':').next(),
    }
}
