//! Selects the reported findings and their severities: [`Filter`].

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use globset::{ErrorKind, Glob, GlobBuilder, GlobMatcher};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use regex::{Regex, RegexBuilder};

use super::paths;
use crate::audit::{AuditFinding, Check, Severity};

/// Decision about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterVerdict {
    /// Report it with this severity.
    Reported(Severity),
    /// Below the minimum severity.
    Mild,
    /// Excluded, or not included.
    Excluded,
    /// Its check is turned off.
    Off,
}

/// Severities by check id; `None` turns a check off.
pub type Severities = HashMap<&'static str, Option<Severity>>;

/// Selects findings.
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
    /// Least severity to report; [`Severity::Warning`] by default.
    pub least: Severity,
    /// Severities that replace those of the checks, by check id.
    pub severities: Severities,
    /// Severities for findings of some paths, hosts, or URIs; of several matches, the last wins. A
    /// finding must match one pattern of each list that is not empty.
    pub by_path: Vec<(Patterns, Severities)>,
    /// Findings that match any of these are not reported.
    pub exclude: Patterns,
    /// A finding must match one pattern of each list that is not empty.
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

/// Patterns for paths, hosts, URIs, and checks.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Patterns {
    paths: Vec<PathGlob>,
    hosts: Vec<GlobMatcher>,
    uris: Vec<Regex>,
    /// The part of the limits that these and the earlier lists use.
    used: Used,
    /// Ids of checks.
    pub checks: Vec<&'static str>,
}

/// The part of the limits that all lists of the settings use together.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    /// Number of globs of paths, and of hosts.
    paths: usize,
    hosts: usize,
    /// Bytes of compiled expressions.
    compiled: usize,
}

/// Least memory that is counted for a compiled regular expression.
const LEAST_COMPILED: usize = 16 << 10;
/// Most memory for the compiled expressions of all lists. Settings may be those of a hostile tree:
/// 2,000 expressions such as `\w{1,50}` took 6 GB.
const MAX_COMPILED: usize = 32 << 20;
/// Most memory for the cache of one expression and thread.
const MAX_CACHED: usize = 128 << 10;
/// Most globs of paths, and of hosts, in all lists. Each takes 15 kB, and is compared with each
/// document or finding.
const MAX_GLOBS: usize = 1000;
const TOO_MANY_PATHS: &str = "more than 1,000 globs of paths; use fewer, such as `vendor/`";
const TOO_MANY_HOSTS: &str = "more than 1,000 globs of hosts; use fewer, such as `*.example`";
const TOO_LARGE: &str =
    "the regular expressions take more than 32 MiB of memory; use fewer or simpler ones";

/// An invalid glob or regular expression, with the reason.
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
    /// Returns an empty list that shares its limits of memory and work with the earlier lists.
    /// Without that, a hundred overrides, each within the limits, took gigabytes.
    #[doc(hidden)]
    #[must_use]
    pub fn sharing_limits_with(before: &Self) -> Self {
        Self { used: before.used, ..Self::default() }
    }

    /// Adds a glob in .gitignore syntax for paths below `directory`.
    ///
    /// # Errors
    /// If the glob is invalid.
    pub fn add_path(&mut self, directory: &Path, glob: &str) -> Result<(), PatternError> {
        if self.used.paths >= MAX_GLOBS {
            return Err(PatternError::new(TOO_MANY_PATHS));
        }
        self.used.paths += 1;
        let directory = paths::absolute(directory);
        // Without a root: paths are made relative to `directory` before they are matched.
        let mut builder = GitignoreBuilder::new("");
        builder.add_line(None, glob).map_err(PatternError::new)?;
        // In an ignore file, git accepts such a text, which matches nothing.
        if let Err(error) = Glob::new(glob)
            && matches!(error.kind(), ErrorKind::UnclosedClass)
        {
            return Err(PatternError::new(error));
        }
        let glob = builder.build().map_err(PatternError::new)?;
        if glob.is_empty() {
            return Err(PatternError::new(
                "a glob of paths is like a line of .gitignore, such as `vendor/` or `*.svg`",
            ));
        }
        self.paths.push(PathGlob { directory, glob });
        Ok(())
    }

    /// Adds a glob of hosts; case is ignored.
    ///
    /// # Errors
    /// If the glob is invalid or empty.
    pub fn add_host(&mut self, glob: &str) -> Result<(), PatternError> {
        if glob.is_empty() {
            return Err(PatternError::new("the glob of hosts is empty"));
        }
        if self.used.hosts >= MAX_GLOBS {
            return Err(PatternError::new(TOO_MANY_HOSTS));
        }
        self.used.hosts += 1;
        let glob = GlobBuilder::new(glob)
            .case_insensitive(true)
            .backslash_escape(true)
            .build()
            .map_err(|error| PatternError::new(error.kind()))?;
        self.hosts.push(glob.compile_matcher());
        Ok(())
    }

    /// Adds a regular expression for URIs and references.
    ///
    /// # Errors
    /// If the expression is invalid or empty. An empty one matches every URI, so an unset variable
    /// would turn the audit off.
    pub fn add_uri(&mut self, expression: &str) -> Result<(), PatternError> {
        if expression.is_empty() {
            return Err(PatternError::new("the expression is empty; `.` matches every URI"));
        }
        let regex = self.compile(expression)?;
        self.uris.push(regex);
        Ok(())
    }

    /// Compiles an expression within the remaining memory for expressions.
    fn compile(&mut self, expression: &str) -> Result<Regex, PatternError> {
        // A compiled expression does not say how large it is, but compiling stops at a limit. So
        // the limit is doubled until it suffices, which costs at most twice the work.
        let mut limit = LEAST_COMPILED;
        loop {
            if self.used.compiled + limit > MAX_COMPILED {
                return Err(PatternError::new(TOO_LARGE));
            }
            let mut builder = RegexBuilder::new(expression);
            match builder.size_limit(limit).dfa_size_limit(MAX_CACHED).build() {
                Ok(regex) => {
                    self.used.compiled += limit;
                    return Ok(regex);
                }
                Err(regex::Error::CompiledTooBig(_)) => limit *= 2,
                Err(error) => {
                    // The lines before the last repeat the expression.
                    let message = error.to_string();
                    let last = message.lines().last().unwrap_or_default();
                    return Err(PatternError::new(last.strip_prefix("error: ").unwrap_or(last)));
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        let Self { paths, hosts, uris, checks, .. } = self;
        paths.is_empty() && hosts.is_empty() && uris.is_empty() && checks.is_empty()
    }

    pub(super) fn has_path(&self, path: &Path) -> bool {
        !self.paths.is_empty() && self.has_absolute_path(&paths::absolute(path))
    }

    /// Compares an absolute path. Many lists may be compared with one path, and making it absolute
    /// takes longer than the comparison.
    pub(super) fn has_absolute_path(&self, path: &Path) -> bool {
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
    /// Sets the least severity to report.
    ///
    /// ```
    /// use urigrep::audit::{Auditor, Filter, Severity};
    /// let auditor = Auditor::builder().filter(Filter::default().least(Severity::Note)).build();
    /// assert_eq!(auditor.filter().least, Severity::Note);
    /// ```
    #[must_use]
    pub fn least(self, least: Severity) -> Self {
        Self { least, ..self }
    }

    /// True if the filter may hide findings or documents, or change severities, apart from `least`.
    #[doc(hidden)]
    pub fn selects(&self) -> bool {
        let changes = |severities: &Severities| !severities.is_empty();
        changes(&self.severities)
            || self.by_path.iter().any(|(_, severities)| changes(severities))
            || !self.exclude.is_empty()
            || !self.include.is_empty()
    }

    /// True if the filter gives a finding a lower severity than its own.
    pub(crate) fn lowers(&self, finding: &AuditFinding, path: &Path) -> bool {
        let own = finding.check.severity.min(finding.severity);
        self.severity_of(finding, path).is_some_and(|severity| severity < own)
    }

    /// True if the document at this path is audited.
    pub fn takes_path(&self, path: &Path) -> bool {
        (self.include.paths.is_empty() || self.include.has_path(path))
            && (self.exclude.paths.is_empty() || !self.exclude.has_path(path))
    }

    /// True if findings of the check may be reported.
    pub fn takes_check(&self, check: &Check) -> bool {
        (self.include.checks.is_empty() || self.include.has_check(check))
            && !self.exclude.has_check(check)
    }

    /// Decides about a finding in the document at `path`.
    pub fn verdict(&self, finding: &AuditFinding, path: &Path) -> FilterVerdict {
        // Checks are tested first: a finding of an unwanted check must not use up a baseline entry.
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
        match self.severity_of(finding, path) {
            None => FilterVerdict::Off,
            Some(severity) => match severity.min(milder(finding)) {
                severity if severity < self.least => FilterVerdict::Mild,
                severity => FilterVerdict::Reported(severity),
            },
        }
    }

    /// Returns the severity of a check in the document at `path`; `None` if it is off there.
    /// Findings of some hosts or URIs may have another.
    pub fn severity(&self, check: &Check, path: &Path) -> Option<Severity> {
        self.severity_with(check, path, None)
    }

    fn severity_of(&self, finding: &AuditFinding, path: &Path) -> Option<Severity> {
        self.severity_with(finding.check, path, finding.uri.as_deref())
    }

    fn severity_with(&self, check: &Check, path: &Path, uri: Option<&str>) -> Option<Severity> {
        let absolute = if self.by_path.is_empty() { PathBuf::new() } else { paths::absolute(path) };
        let by_path = self.by_path.iter().rev();
        let here = by_path.filter(|(patterns, _)| {
            (patterns.paths.is_empty() || patterns.has_absolute_path(&absolute))
                && (patterns.hosts.is_empty() || patterns.has_host(uri))
                && (patterns.uris.is_empty() || patterns.has_uri(uri))
        });
        let mut severities = here.map(|(_, severities)| severities).chain([&self.severities]);
        let severity = severities.find_map(|severities| severities.get(check.id));
        severity.copied().unwrap_or(Some(check.severity))
    }
}

/// Returns an upper bound for the severity of a finding. A finding milder than its check keeps its
/// own severity, even if the configuration raises that of the check.
fn milder(finding: &AuditFinding) -> Severity {
    if finding.severity < finding.check.severity { finding.severity } else { Severity::Error }
}

/// Returns the host of a reference, without the brackets of an IP literal. The reference may be
/// invalid, since that may be the fault being filtered. So it is split as by the expression of RFC
/// 3986 Appendix B instead of parsed.
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
