//! `urigrep.toml`: the settings of a whole tree.
//!
//! The file is searched in the directory of the first PATH and in those above it. An unknown key is
//! an error, and every error names its place.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use urigrep::audit::{AuditOptions, Filter, Patterns, Severities, Severity};
use urigrep::internal::paths;
use urigrep::internal::{MAX_SETTINGS_BYTES, read_regular_text};
use urigrep::options::UnknownName;
use urigrep::search::describe;

#[cfg(feature = "online")]
use super::online_settings;
use crate::cli::error::CliError;
use crate::cli::flags::checks;
#[cfg(feature = "online")]
use crate::cli::flags::online::OnlineFlags;
use crate::cli::settings_file::SettingsError;

const NAME: &str = "urigrep.toml";
/// Most overrides: the path of each document and target is compared with all of them.
const MAX_OVERRIDES: usize = 100;
/// Most roots of one site: a link that starts with `/` is looked up below all of them.
const MAX_ROOTS: usize = 32;

#[derive(Debug, Default)]
pub struct AuditSettings {
    pub severity: Option<Severity>,
    pub fail_on: Option<Severity>,
    pub min_coverage: Option<u8>,
    pub options: AuditOptions,
    /// The options of documents at some paths.
    pub by_path: Vec<(Patterns, AuditOptions)>,
    pub baseline: Option<PathBuf>,
    /// True if directories of other projects and of test data are audited, too.
    pub vendored: bool,
    pub filter: Filter,
    /// The file, if it may hide findings or lower their severities.
    pub filtering_file: Option<PathBuf>,
    /// Defaults of the flags for `--online`.
    #[cfg(feature = "online")]
    pub online: OnlineFlags,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    #[serde(default)]
    audit: AuditTable,
    /// The defaults of a search do not affect an audit.
    #[serde(default, rename = "search")]
    _search: toml::Table,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AuditTable {
    severity: Option<Spanned<String>>,
    #[serde(rename = "fail-on")]
    fail_on: Option<Spanned<String>>,
    #[serde(rename = "min-coverage")]
    min_coverage: Option<Spanned<u8>>,
    site: Option<Spanned<String>>,
    slugs: Option<Spanned<String>>,
    root: Option<Spanned<OneOrMore>>,
    base: Option<String>,
    baseline: Option<Spanned<PathBuf>>,
    #[serde(default)]
    vendored: bool,
    #[serde(default)]
    severities: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default, deserialize_with = "patterns_table")]
    exclude: PatternsTable,
    #[serde(default, deserialize_with = "patterns_table")]
    include: PatternsTable,
    #[serde(default)]
    r#override: Vec<Spanned<OverrideTable>>,
    /// Flags of `--online`. Builds that never ask the web accept them: a project has one file.
    #[cfg_attr(not(feature = "online"), allow(dead_code))]
    #[serde(default)]
    online: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

/// The overrides for documents at some paths, and for findings of some hosts or URIs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OverrideTable {
    #[serde(default)]
    paths: Vec<Spanned<String>>,
    #[serde(default)]
    hosts: Vec<Spanned<String>>,
    #[serde(default)]
    uris: Vec<Spanned<String>>,
    site: Option<Spanned<String>>,
    slugs: Option<Spanned<String>>,
    root: Option<Spanned<OneOrMore>>,
    base: Option<String>,
    #[serde(default)]
    severities: BTreeMap<Spanned<String>, Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(PathBuf),
    More(Vec<PathBuf>),
}

impl OneOrMore {
    fn paths(self) -> Vec<PathBuf> {
        match self {
            Self::One(path) => vec![path],
            Self::More(paths) => paths,
        }
    }
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

/// Reads a table of patterns. serde would take a list for the values of its keys in order, and then
/// complain about the first one.
fn patterns_table<'de, D: Deserializer<'de>>(table: D) -> Result<PatternsTable, D::Error> {
    struct TableVisitor;

    impl<'de> Visitor<'de> for TableVisitor {
        type Value = PatternsTable;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table with lists, such as `[audit.exclude]` and `paths = [\"vendor/\"]`")
        }

        fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<PatternsTable, M::Error> {
            PatternsTable::deserialize(MapAccessDeserializer::new(map))
        }
    }

    table.deserialize_map(TableVisitor)
}

pub fn find(path: &Path) -> Option<PathBuf> {
    let path = paths::absolute(path);
    let first = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
    let candidates = first?.ancestors().map(|directory| directory.join(NAME));
    candidates.into_iter().find(|file| file.is_file())
}

/// Reads a file.
///
/// # Errors
/// If it can't be read or is invalid; the message names the place.
pub fn read(path: &Path) -> Result<AuditSettings, CliError> {
    let text = read_regular_text(path, MAX_SETTINGS_BYTES)
        .map_err(|error| CliError::file(path, describe(&error)))?;
    let read = parsed(&text, &paths::parent(path)).map_err(|mut error| {
        if is_of_other_checker(path) {
            error.message += "; for the settings of another checker, use --import-config";
        }
        error.in_file(path, &text)
    });
    let mut settings = read?;
    let filters = settings.severity.is_some() || settings.filter.selects();
    settings.filtering_file = filters.then(|| path.to_owned());
    Ok(settings)
}

/// True for names that settings of other link checkers have.
pub fn is_of_other_checker(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains("lychee.toml")
        || name.contains("markdown-link-check")
        || matches!(path.extension().and_then(OsStr::to_str), Some("yml" | "yaml"))
}

/// Adds the place of the value to an error.
fn at<T>(span: Range<usize>, result: Result<T, impl ToString>) -> Result<T, SettingsError> {
    result.map_err(|error| SettingsError::new(span, error.to_string()))
}

fn named<T: FromStr<Err = UnknownName>>(word: &Spanned<String>) -> Result<T, SettingsError> {
    at(word.span(), word.as_ref().parse())
}

/// Returns the path of a baseline. `--write-baseline` writes it, so the settings of a tree may not
/// name a file outside of it.
fn baseline(file: &Spanned<PathBuf>, directory: &Path) -> Result<PathBuf, SettingsError> {
    let path: &Path = file.as_ref();
    let is_inside = |part: Component<'_>| match part {
        // Git reads files there, such as hooks. On some systems, `.GIT` names the same directory.
        Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
        part => part == Component::CurDir,
    };
    let joined = directory.join(path);
    // A directory on the path may be a link to the outside. A missing directory can't be written
    // to.
    let leaves = match (fs::canonicalize(directory), fs::canonicalize(paths::parent(&joined))) {
        (Ok(directory), Ok(parent)) => !parent.starts_with(directory),
        _ => false,
    };
    if path.components().all(is_inside) && !leaves {
        Ok(joined)
    } else {
        Err(SettingsError::new(
            file.span(),
            "a baseline named here must be below the directory of this file; use --baseline"
                .to_owned(),
        ))
    }
}

/// Parses the text of such a file in a directory.
///
/// # Errors
/// If it is invalid; the error has the place.
pub fn parsed(text: &str, directory: &Path) -> Result<AuditSettings, SettingsError> {
    let document: SettingsFile =
        toml::from_str(text).map_err(|error| SettingsError::parsing(&error))?;
    let table = document.audit;
    let mut filter = Filter::default();
    filter.severities = severities(&table.severities)?;
    filter.exclude = patterns(&table.exclude, directory, &Patterns::default())?;
    filter.include = patterns(&table.include, directory, &filter.exclude)?;
    let mut last = Patterns::sharing_limits_with(&filter.include);
    let mut options = AuditOptions::new();
    options.profile = table.site.as_ref().map(named).transpose()?;
    options.slugs = table.slugs.as_ref().map(named).transpose()?;
    options.roots = roots(table.root, directory)?;
    options.base = table.base;
    let mut by_path = Vec::new();
    if let Some(first) = table.r#override.get(MAX_OVERRIDES) {
        let message = format!("more than {MAX_OVERRIDES} overrides; name more paths in each");
        return Err(SettingsError::new(first.span(), message));
    }
    for other in table.r#override {
        let other = checked(other)?;
        let mut paths = Patterns::sharing_limits_with(&last);
        for glob in &other.paths {
            at(glob.span(), paths.add_path(directory, glob.as_ref()))?;
        }
        let mut findings = paths.clone();
        for glob in &other.hosts {
            at(glob.span(), findings.add_host(glob.as_ref()))?;
        }
        for expression in &other.uris {
            at(expression.span(), findings.add_uri(expression.as_ref()))?;
        }
        last = Patterns::sharing_limits_with(&findings);
        filter.by_path.push((findings, severities(&other.severities)?));
        if !other.hosts.is_empty() || !other.uris.is_empty() {
            continue;
        }
        // An override inherits the general options, and replaces only those that it names.
        let mut options = options.clone();
        options.profile = other.site.as_ref().map(named).transpose()?.or(options.profile);
        options.slugs = other.slugs.as_ref().map(named).transpose()?.or(options.slugs);
        options.base = other.base.or(options.base);
        if other.root.is_some() {
            options.roots = roots(other.root, directory)?;
        }
        by_path.push((paths, options));
    }
    Ok(AuditSettings {
        severity: table.severity.as_ref().map(named).transpose()?,
        fail_on: table.fail_on.as_ref().map(named).transpose()?,
        min_coverage: table.min_coverage.map(percentage).transpose()?,
        options,
        by_path,
        baseline: table.baseline.map(|file| baseline(&file, directory)).transpose()?,
        vendored: table.vendored,
        filter,
        filtering_file: None,
        #[cfg(feature = "online")]
        online: online_settings::online(table.online.iter())?,
    })
}

/// Checks that an override selects something. Options of a site need paths, because hosts and URIs
/// select findings.
fn checked(other: Spanned<OverrideTable>) -> Result<OverrideTable, SettingsError> {
    let span = other.span();
    let other = other.into_inner();
    let OverrideTable { paths, hosts, uris, site, slugs, root, base, .. } = &other;
    let of_documents = site.is_some() || slugs.is_some() || root.is_some() || base.is_some();
    match (paths.is_empty(), hosts.is_empty() && uris.is_empty()) {
        (true, true) => {
            Err(SettingsError::new(span, "an override needs `paths`, `hosts`, or `uris`"))
        }
        (_, false) if of_documents => Err(SettingsError::new(
            span,
            "`site`, `slugs`, `root`, and `base` are for all links of documents; name `paths` only",
        )),
        _ => Ok(other),
    }
}

/// Checks the percentage of links that must be judged.
fn percentage(number: Spanned<u8>) -> Result<u8, SettingsError> {
    match *number.as_ref() {
        percent @ 0..=100 => Ok(percent),
        _ => Err(SettingsError::new(number.span(), "a percentage is a number from 0 to 100")),
    }
}

/// Returns the roots without duplicates.
fn roots(
    roots: Option<Spanned<OneOrMore>>,
    directory: &Path,
) -> Result<Vec<PathBuf>, SettingsError> {
    let Some(roots) = roots else { return Ok(Vec::new()) };
    let span = roots.span();
    let mut distinct = Vec::new();
    for root in roots.into_inner().paths() {
        let root = directory.join(root);
        if distinct.contains(&root) {
            continue;
        }
        if distinct.len() == MAX_ROOTS {
            return Err(SettingsError::new(span, format!("more than {MAX_ROOTS} roots")));
        }
        distinct.push(root);
    }
    Ok(distinct)
}

/// Severities by check; `off` turns one off.
fn severities(
    table: &BTreeMap<Spanned<String>, Spanned<String>>,
) -> Result<Severities, SettingsError> {
    let mut severities = Severities::new();
    for (id, word) in table {
        let check = at(id.span(), checks::required(id.as_ref()))?;
        let severity = match word.as_ref().as_str() {
            "off" => None,
            _ => Some(named(word).map_err(|error| SettingsError {
                message: format!("{}, off", error.message),
                ..error
            })?),
        };
        severities.insert(check.id, severity);
    }
    Ok(severities)
}

fn patterns(
    table: &PatternsTable,
    directory: &Path,
    before: &Patterns,
) -> Result<Patterns, SettingsError> {
    let mut patterns = Patterns::sharing_limits_with(before);
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
