//! `urigrep.toml`: what is decided for a whole tree, once.
//!
//! It is looked for in the directory of the first PATH and in those above it. A key that is not
//! known is an error, and every error says where it is.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;
use urigrep::audit::{Filter, Patterns, Severity, Slugs, paths};
use urigrep::options::UnknownName;
use urigrep::search::describe;

use crate::cli::flags::checks;

const NAME: &str = "urigrep.toml";

/// What the file says, when it says something.
#[derive(Debug, Default)]
pub struct AuditSettings {
    /// The least severity that is reported.
    pub severity: Option<Severity>,
    /// Whose rules make anchors of headings.
    pub slugs: Option<Slugs>,
    /// The directory that `/` stands for.
    pub root: Option<PathBuf>,
    /// The file of the findings that are known.
    pub baseline: Option<PathBuf>,
    /// What is reported, and as what.
    pub filter: Filter,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    #[serde(default)]
    audit: AuditTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AuditTable {
    severity: Option<Spanned<String>>,
    slugs: Option<Spanned<String>>,
    root: Option<PathBuf>,
    baseline: Option<PathBuf>,
    #[serde(default)]
    severities: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    exclude: PatternsTable,
    #[serde(default)]
    include: PatternsTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternsTable {
    #[serde(default)]
    paths: Vec<Spanned<String>>,
    #[serde(default)]
    hosts: Vec<Spanned<String>>,
    #[serde(default)]
    uris: Vec<Spanned<String>>,
    #[serde(default)]
    checks: Vec<Spanned<String>>,
}

/// The file that holds for this path.
pub fn find(path: &Path) -> Option<PathBuf> {
    let path = paths::absolute(path);
    let first = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
    let candidates = first?.ancestors().map(|directory| directory.join(NAME));
    candidates.into_iter().find(|file| file.is_file())
}

/// Reads a file.
///
/// # Errors
/// When it can't be read, or makes no sense; the message says where.
pub fn read(path: &Path) -> Result<AuditSettings, String> {
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| format!("{shown}: {}", describe(&error)))?;
    settings(&text, &paths::parent(path)).map_err(|error| {
        let before = text.get(..error.at).unwrap_or(&text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{shown}:{line}:{column}: {}", error.message)
    })
}

/// What is wrong, and at which byte of the text.
#[derive(Debug)]
struct SettingsError {
    at: usize,
    message: String,
}

/// Puts the place of the value to what is wrong with it.
fn at<T>(span: Range<usize>, result: Result<T, impl ToString>) -> Result<T, SettingsError> {
    result.map_err(|error| SettingsError { at: span.start, message: error.to_string() })
}

/// The variant of an enum with this name.
fn named<T: FromStr<Err = UnknownName>>(word: &Spanned<String>) -> Result<T, SettingsError> {
    at(word.span(), word.as_ref().parse())
}

fn settings(text: &str, directory: &Path) -> Result<AuditSettings, SettingsError> {
    let document: SettingsFile = toml::from_str(text).map_err(|error| SettingsError {
        at: error.span().map_or(0, |span| span.start),
        message: error.message().replace('\n', " "),
    })?;
    let table = document.audit;
    let mut filter = Filter::default();
    for (id, word) in &table.severities {
        let check = at(id.span(), checks::required(id.as_ref()))?;
        filter.severities.insert(check.id, named(word)?);
    }
    filter.exclude = patterns(&table.exclude, directory)?;
    filter.include = patterns(&table.include, directory)?;
    Ok(AuditSettings {
        severity: table.severity.as_ref().map(named).transpose()?,
        slugs: table.slugs.as_ref().map(named).transpose()?,
        root: table.root.map(|root| directory.join(root)),
        baseline: table.baseline.map(|baseline| directory.join(baseline)),
        filter,
    })
}

fn patterns(table: &PatternsTable, directory: &Path) -> Result<Patterns, SettingsError> {
    let mut patterns = Patterns::default();
    for glob in &table.paths {
        at(glob.span(), patterns.add_path(directory, glob.as_ref()))?;
    }
    for host in &table.hosts {
        at(host.span(), patterns.add_host(host.as_ref()))?;
    }
    for uri in &table.uris {
        at(uri.span(), patterns.add_uri(uri.as_ref()))?;
    }
    for id in &table.checks {
        let check = at(id.span(), checks::required(id.as_ref()))?;
        patterns.checks.push(check.id);
    }
    Ok(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (usize, String) {
        let error = settings(text, Path::new("/x")).unwrap_err();
        (error.at, error.message)
    }

    #[test]
    fn every_key() {
        let id = checks::all().next().unwrap().id;
        let text = format!(
            "[audit]\nseverity = 'note'\nslugs = 'mdbook'\nroot = 'public'\nbaseline = 'b.json'\n\
             [audit.severities]\n{id} = 'error'\n\
             [audit.exclude]\npaths = ['vendor/']\nhosts = ['*.test']\nuris = ['^x:']\nchecks = ['{id}']\n\
             [audit.include]\npaths = ['*.md']\n"
        );
        let settings = settings(&text, Path::new("/x")).unwrap();
        assert_eq!(settings.severity, Some(Severity::Note));
        assert_eq!(settings.slugs, Some(Slugs::Mdbook));
        assert_eq!(settings.root, Some(PathBuf::from("/x/public")));
        assert_eq!(settings.baseline, Some(PathBuf::from("/x/b.json")));
        assert_eq!(settings.filter.severities.get(id), Some(&Severity::Error));
        assert_eq!(settings.filter.exclude.checks, [id]);
    }

    #[test]
    fn errors_have_a_place() {
        for (text, offset, said) in [
            ("[audit]\nsevrity = 'note'\n", 8, "unknown field `sevrity`"),
            ("[adit]\n", 1, "unknown field `adit`"),
            ("[audit]\nseverity = 'bad'\n", 19, "note, warning, error"),
            ("[audit]\nseverity = 3\n", 19, "string"),
            ("[audit.severities]\nxyz = 'note'\n", 19, "no check `xyz`"),
            ("[audit.exclude]\nuris = ['(']\n", 24, "unclosed group"),
            ("[audit.exclude]\nhosts = ['{']\n", 25, "alternate"),
            ("[audit.exclude]\nchecks = ['xyz']\n", 26, "no check `xyz`"),
            ("[audit\n", 6, ""),
        ] {
            let (at, message) = error(text);
            assert!(at == offset && message.contains(said), "{text}: {at} {message}");
        }
    }
}
