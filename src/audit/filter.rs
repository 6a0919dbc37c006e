//! Which findings are reported, and how bad they are: [`Filter`].

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use regex::Regex;

use super::finding::{AuditFinding, Check, Severity};
use super::paths;

/// What becomes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is reported, as this bad.
    Reported(Severity),
    /// It is not bad enough.
    Mild,
    /// Something about it is excluded, or not included.
    Excluded,
    /// Its check is not wanted at all.
    Off,
}

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
    pub severities: HashMap<&'static str, Severity>,
    /// A finding that one of these matches is not reported.
    pub exclude: Patterns,
    /// Of each list that is not empty, one has to match.
    pub include: Patterns,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            least: Severity::Warning,
            severities: HashMap::new(),
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

/// A glob of paths below a directory.
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

    fn has_path(&self, path: &Path) -> bool {
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

    /// What becomes of a finding of a document that is audited.
    pub fn verdict(&self, finding: &AuditFinding) -> Verdict {
        if !self.takes_check(finding.check) {
            return Verdict::Off;
        }
        let uri = finding.uri.as_deref();
        let include = &self.include;
        if !include.hosts.is_empty() && !include.has_host(uri)
            || !include.uris.is_empty() && !include.has_uri(uri)
            || self.exclude.has_host(uri)
            || self.exclude.has_uri(uri)
        {
            return Verdict::Excluded;
        }
        match self.severity(finding.check) {
            severity if severity < self.least => Verdict::Mild,
            severity => Verdict::Reported(severity),
        }
    }

    /// How bad a fault that this check finds is here.
    pub fn severity(&self, check: &Check) -> Severity {
        let severity = self.severities.get(check.id);
        severity.copied().unwrap_or(check.severity)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::CHECKS;
    use crate::span::Span;

    fn finding(uri: &str) -> AuditFinding {
        let check = CHECKS.iter().find(|check| check.severity == Severity::Warning);
        AuditFinding {
            check: check.unwrap(),
            span: Span::new(0, 1),
            uri: Some(uri.to_owned()),
            message: String::new(),
            hint: None,
        }
    }

    #[test]
    fn paths() {
        let mut filter = Filter::default();
        assert!(filter.takes_path(Path::new("/x/a.md")));
        filter.exclude.add_path(Path::new("/x"), "vendor/").unwrap();
        filter.exclude.add_path(Path::new("/x"), "/top.md").unwrap();
        filter.include.add_path(Path::new("/"), "*.md").unwrap();
        for (path, taken) in [
            ("/x/a.md", true),
            ("/x/a.html", false),
            ("/x/b/vendor/c/a.md", false),
            ("/x/top.md", false),
            ("/x/b/top.md", true),
            ("/y/vendor/a.md", true),
        ] {
            assert_eq!(filter.takes_path(Path::new(path)), taken, "{path}");
        }
        assert!(filter.exclude.add_path(Path::new("/"), "# x").is_err());
    }

    #[test]
    fn hosts() {
        for (uri, wanted) in [
            ("http://a.test/%zz", Some("a.test")),
            ("//u:p@a.test:80?x", Some("a.test")),
            ("http://[::1]:8/", Some("::1")),
            ("file:///x", Some("")),
            ("a/b://c", None),
            ("mailto:a@b", None),
            ("", None),
        ] {
            assert_eq!(host(uri), wanted, "{uri}");
        }
    }

    #[test]
    fn findings() {
        let reported = Verdict::Reported(Severity::Warning);
        let mut filter = Filter::default();
        assert_eq!(filter.verdict(&finding("http://a.test/")), reported);
        filter.exclude.add_host("*.TEST").unwrap();
        filter.exclude.add_host("::1").unwrap();
        filter.exclude.add_uri("/x$").unwrap();
        for (uri, verdict) in [
            ("http://a.test/", Verdict::Excluded),
            ("http://[::1]/", Verdict::Excluded),
            ("http://b/x", Verdict::Excluded),
            ("http://b/xy", reported),
            ("../x", Verdict::Excluded),
        ] {
            assert_eq!(filter.verdict(&finding(uri)), verdict, "{uri}");
        }
        filter.include.add_uri("^http:").unwrap();
        assert_eq!(filter.verdict(&finding("../y")), Verdict::Excluded);
        assert_eq!(filter.verdict(&finding("http://b/")), reported);
        filter.least = Severity::Error;
        assert_eq!(filter.verdict(&finding("http://b/")), Verdict::Mild);
        let id = finding("").check.id;
        filter.severities.insert(id, Severity::Error);
        let verdict = filter.verdict(&finding("http://b/"));
        assert_eq!(verdict, Verdict::Reported(Severity::Error));
        filter.exclude.checks.push(id);
        assert_eq!(filter.verdict(&finding("http://b/")), Verdict::Off);
    }
}
