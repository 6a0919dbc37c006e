//! `--summary`: findings by cause, with the setting that turns off each group.
//!
//! Hundreds of findings usually have few causes: a placeholder that the whole manual uses, a
//! directory of third-party files, a page that was moved. A group is the largest set of findings of
//! one check that have something in common; then the next one, among the rest.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use urigrep::audit::report::{AuditReport, AuditSummary};
use urigrep::audit::{AuditedDocument, Severity};
use urigrep::internal::counted;
use urigrep::internal::output::escape::printable;
use urigrep::internal::output::json::push;
use urigrep::internal::output::report::Report;

use super::StatisticsForm;
use crate::cli::output::TableFormat;
use crate::cli::toml_string::toml_string;

/// Smaller groups are listed with the rest of their check.
const MIN_GROUP: usize = 3;

/// Groups that are searched for, the largest first.
const MAX_GROUPS: usize = 40;

/// Findings that are grouped; more are counted with the rest of their check.
const MAX_ROWS: usize = 200_000;

/// Directories above a document that may be a group.
const MAX_DEPTH: usize = 4;

/// Names of directories whose documents belong to a third party, are wrong on purpose, or are never
/// changed again.
const APART: &str = "\
    __fixtures__ archive archived deps external fixtures i18n node_modules testdata tests third-party third_party \
    translations vendor versioned_docs";

#[derive(Debug)]
pub struct CausesReport {
    form: StatisticsForm,
    rows: Mutex<CauseRows>,
}

#[derive(Debug, Default)]
struct CauseRows {
    rows: Vec<CauseRow>,
    /// Findings beyond [`MAX_ROWS`], by check.
    more: BTreeMap<&'static str, MoreRows>,
    /// Number of documents below each directory.
    documents: HashMap<String, usize>,
}

/// The findings of a check that are counted, but not grouped.
#[derive(Debug)]
struct MoreRows {
    findings: usize,
    documents: usize,
    severity: Severity,
    /// The place of the first that arrived.
    first: String,
    last_path: String,
}

impl CauseRows {
    /// Counts a document in each directory above it.
    fn count(&mut self, path: &str) {
        for directory in directories(path) {
            match self.documents.get_mut(directory) {
                Some(count) => *count += 1,
                None => _ = self.documents.insert(directory.to_owned(), 1),
            }
        }
    }
}

impl MoreRows {
    fn add(&mut self, severity: Severity, path: &str) {
        self.findings += 1;
        self.severity = self.severity.max(severity);
        // The findings of a document arrive together.
        if self.last_path != path {
            self.documents += 1;
            path.clone_into(&mut self.last_path);
        }
    }

    /// Returns a record without their causes.
    fn record<'r>(&'r self, check: &'r str) -> CauseRecord<'r> {
        CauseRecord {
            r#type: "cause",
            check,
            severity: self.severity.name(),
            shape: String::new(),
            findings: self.findings,
            different: self.findings,
            documents: self.documents,
            first: &self.first,
            setting: None,
        }
    }
}

/// One finding.
#[derive(Debug)]
struct CauseRow {
    check: &'static str,
    severity: Severity,
    uri: String,
    message: String,
    path: String,
    place: String,
}

/// The property that the findings of a group share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Shape {
    /// The reference, or the message of findings without one.
    Uri(String),
    Host(String),
    Scheme(String),
    /// The start of rooted references, such as `/docs/`.
    Start(String),
    /// A document in several languages or versions, with `*` in their place.
    Variants(String),
    Document(String),
    /// The document that lacks an anchor. Many documents may have links to it.
    Target(String),
    /// The directory of such documents.
    TargetsIn(String),
    Directory(String),
    Check,
}

#[derive(Serialize)]
struct CauseRecord<'a> {
    r#type: &'static str,
    check: &'a str,
    severity: &'static str,
    shape: String,
    findings: usize,
    different: usize,
    documents: usize,
    first: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    setting: Option<String>,
}

impl CausesReport {
    pub fn new(form: StatisticsForm) -> Self {
        Self { form, rows: Mutex::default() }
    }
}

impl AuditReport for CausesReport {
    fn document(&self, document: &AuditedDocument, _: &mut Vec<u8>) {
        let path = path_of(document);
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.count(&path);
        for located in document.findings() {
            let finding = &located.finding;
            if rows.rows.len() >= MAX_ROWS {
                let more = rows.more.entry(finding.check.id).or_insert_with(|| MoreRows {
                    findings: 0,
                    documents: 0,
                    severity: located.severity,
                    first: format!("{path}:{}", printable(located.shown_place().as_bytes())),
                    last_path: String::new(),
                });
                more.add(located.severity, &path);
                continue;
            }
            rows.rows.push(CauseRow {
                check: finding.check.id,
                severity: located.severity,
                uri: finding
                    .uri
                    .as_deref()
                    .map_or_else(String::new, |uri| printable(uri.as_bytes())),
                message: printable(finding.message.as_bytes()),
                path: path.clone(),
                place: format!("{path}:{}", printable(located.shown_place().as_bytes())),
            });
        }
    }

    fn passed(&self, document: &AuditedDocument) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.count(&path_of(document));
    }
}

/// The columns in order; append new ones.
const COLUMNS: [&str; 8] =
    ["check", "severity", "shape", "findings", "different", "documents", "first", "setting"];

/// Returns the path of a document as settings have it.
fn path_of(document: &AuditedDocument) -> String {
    let path = printable(document.input().display_path());
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

impl Report<AuditSummary> for CausesReport {
    fn open(&self, out: &mut Vec<u8>) {
        self.form.heading(&COLUMNS, out);
    }

    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        // Documents arrive in the order of the threads.
        rows.rows.sort_by(|a, b| (&a.path, a.check, &a.place).cmp(&(&b.path, b.check, &b.place)));
        let groups = groups(&rows.rows);
        let digits = groups.first().map_or(1, |(_, members)| members.len().to_string().len());
        for ((check, shape), members) in &groups {
            let Some(first) = members.first() else { continue };
            let record = CauseRecord::new(check, shape, members, first, &rows.documents);
            if !self.record(&record, out) {
                out.extend_from_slice(record.text(&first.message, digits).as_bytes());
            }
        }
        for (check, more) in &rows.more {
            if !self.record(&more.record(check), out) {
                out.extend_from_slice(format!("{} more of {check}\n", more.findings).as_bytes());
            }
        }
        if matches!(self.form, StatisticsForm::Text) {
            if !groups.is_empty() {
                out.push(b'\n');
            }
            out.extend_from_slice(format!("urigrep: {}\n", summary.sentence).as_bytes());
        }
    }
}

impl CausesReport {
    /// Writes a record for programs; false if the form is text.
    fn record(&self, record: &CauseRecord<'_>, out: &mut Vec<u8>) -> bool {
        match self.form {
            StatisticsForm::Text => return false,
            StatisticsForm::Json => push(record, out),
            StatisticsForm::Csv(escaping) => {
                let numbers = [record.findings, record.different, record.documents];
                let [findings, different, documents] = numbers.map(|number| number.to_string());
                let cells: [&str; COLUMNS.len()] = [
                    record.check,
                    record.severity,
                    &record.shape,
                    &findings,
                    &different,
                    &documents,
                    record.first,
                    record.setting.as_deref().unwrap_or_default(),
                ];
                TableFormat::Csv.row(escaping, cells.map(str::as_bytes), out);
            }
        }
        true
    }
}

impl<'r> CauseRecord<'r> {
    /// `all` is the number of documents below each directory.
    fn new(
        check: &'r str,
        shape: &Shape,
        members: &[&CauseRow],
        first: &'r CauseRow,
        all: &HashMap<String, usize>,
    ) -> Self {
        let documents: BTreeSet<&str> = members.iter().map(|row| row.path.as_str()).collect();
        let different: BTreeSet<_> = members.iter().map(|row| row.fault()).collect();
        let severity = members.iter().map(|row| row.severity).max().unwrap_or(first.severity);
        Self {
            r#type: "cause",
            check,
            severity: severity.name(),
            shape: shape.phrase(),
            findings: members.len(),
            different: different.len(),
            documents: documents.len(),
            first: &first.place,
            setting: shape.setting(check).filter(|_| shape.is_most_of(documents.len(), all)),
        }
    }

    /// Returns the lines for people; `digits` is the width of the count.
    fn text(&self, message: &str, digits: usize) -> String {
        let Self { check, shape, findings, different, documents, first, .. } = self;
        let same = match different {
            different if different < findings => format!(" ({different} different)"),
            _ => String::new(),
        };
        let more = match documents {
            1 => String::new(),
            _ => format!(", in {}", counted(*documents as u64, "document")),
        };
        let mut text = format!("{findings:>digits$}  {check}{shape}{same}\n");
        text += &format!("{:digits$}  first at {first}: {message}{more}\n", "");
        if let Some(setting) = &self.setting {
            text += &format!("{:digits$}  turn off:\n", "");
            // Indented lines of TOML mean the same, so that these can be pasted.
            for line in setting.lines() {
                text += &format!("{:digits$}    {line}\n", "");
            }
        }
        text
    }
}

impl CauseRow {
    /// Equal for the same fault in several languages or versions.
    fn fault(&self) -> (String, &str) {
        let about = if self.uri.is_empty() { &self.message } else { &self.uri };
        (variants(&self.path).unwrap_or_else(|| self.path.clone()), about)
    }

    /// Returns the other document that lacks an anchor, which the message starts with.
    fn target(&self) -> Option<&str> {
        let target = self.message.strip_prefix('`').filter(|_| self.check == "missing-anchor")?;
        target.split_once('`').map(|(target, _)| target)
    }

    /// Returns everything that other findings may have in common with this one.
    fn shapes(&self) -> Vec<Shape> {
        let mut shapes = vec![Shape::Check, Shape::Document(self.path.clone())];
        let about = if self.uri.is_empty() { &self.message } else { &self.uri };
        shapes.push(Shape::Uri(about.clone()));
        shapes.extend(variants(&self.path).map(Shape::Variants));
        if let Some(target) = self.target() {
            shapes.push(Shape::Target(target.to_owned()));
            let directory = target.rsplit_once('/').map(|(directory, _)| format!("{directory}/"));
            shapes.extend(directory.map(Shape::TargetsIn));
        }
        shapes.extend(directories(&self.path).map(|it| Shape::Directory(it.to_owned())));
        match self.uri.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => match rest.strip_prefix("//") {
                Some(rest) => {
                    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
                    let host = authority.rsplit('@').next().unwrap_or_default();
                    // An IPv6 address contains colons, between brackets.
                    let port = host.rfind(':').filter(|&colon| !host[colon..].contains(']'));
                    let host = &host[..port.unwrap_or(host.len())];
                    shapes.extend((!host.is_empty()).then(|| Shape::Host(host.to_lowercase())));
                }
                None => shapes.push(Shape::Scheme(scheme.to_lowercase())),
            },
            _ => {
                // `/a/b/c` starts with `/a/` and with `/a/b/`; `../../x` with the steps up.
                let steps = self.uri.match_indices('/').skip(1).take(2);
                let starts = steps.map(|(at, _)| Shape::Start(self.uri[..=at].to_owned()));
                shapes.extend(starts.filter(|_| self.uri.starts_with('/')));
            }
        }
        shapes
    }
}

impl Shape {
    /// Order in which groups are looked for: a place explains only findings that no reference
    /// explains.
    fn rank(&self) -> u8 {
        match self {
            Self::Directory(path) if is_apart(last_name(path)) => 0,
            Self::Uri(_) | Self::Host(_) | Self::Scheme(_) | Self::Variants(_) => 1,
            Self::Document(_) | Self::Target(_) | Self::TargetsIn(_) => 2,
            Self::Start(_) => 3,
            Self::Directory(_) => 4,
            Self::Check => 5,
        }
    }

    /// Returns the words after the name of the check.
    fn phrase(&self) -> String {
        match self {
            Self::Uri(uri) => format!(": `{uri}`"),
            Self::Host(host) => format!(": host `{host}`"),
            Self::Scheme(scheme) => format!(": scheme `{scheme}`"),
            Self::Start(start) => format!(": `{start}…`"),
            Self::Variants(path) | Self::Document(path) | Self::Directory(path) => {
                format!(" in `{path}`")
            }
            Self::Target(path) => format!(" of `{path}`"),
            Self::TargetsIn(path) => format!(" of documents in `{path}`"),
            Self::Check => String::new(),
        }
    }

    /// True unless the group is a directory most of whose documents have no such finding: a setting
    /// would hide the next fault in them. The documents of third parties are nobody's concern.
    fn is_most_of(&self, documents: usize, all: &HashMap<String, usize>) -> bool {
        match self {
            Self::Directory(path) if !is_apart(last_name(path)) => {
                2 * documents > all.get(path).copied().unwrap_or_default()
            }
            _ => true,
        }
    }

    /// Returns the setting that turns the group off, as lines of `urigrep.toml`. A file may have any
    /// number of such tables, and the other checks of these links stay on.
    fn setting(&self, check: &str) -> Option<String> {
        let only = |list: &str, pattern: &str| {
            let pattern = toml_string(pattern);
            format!(
                "[[audit.override]]\n{list} = [{pattern}]\nseverities = {{ {check} = \"off\" }}"
            )
        };
        Some(match self {
            // Messages are not settings.
            Self::Uri(uri) if uri.contains(' ') => return None,
            Self::Uri(uri) => only("uris", &format!("^{}$", expression(uri))),
            Self::Host(host) => only("hosts", &glob(host)),
            Self::Scheme(scheme) => only("uris", &format!("^{}:", expression(scheme))),
            Self::Start(start) => only("uris", &format!("^{}", expression(start))),
            Self::Variants(path) | Self::Document(path) | Self::Directory(path) => {
                // The stars of variants are wildcards.
                let path = match self {
                    Self::Variants(path) => glob(path).replace("\\*", "*"),
                    _ => glob(path),
                };
                only("paths", &format!("/{}", path.trim_start_matches('/')))
            }
            // These have nothing in common, so each must be examined.
            Self::Check => return None,
            // The links to it are in any documents.
            Self::Target(_) | Self::TargetsIn(_) => return None,
        })
    }
}

/// Returns the directories above a document, the outermost first, with their slashes.
fn directories(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').take(MAX_DEPTH).map(|(at, _)| &path[..=at])
}

/// Returns the name of a directory, whose path ends with a slash.
fn last_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

fn is_apart(name: &str) -> bool {
    APART.split_ascii_whitespace().any(|apart| apart == name)
}

/// Returns a regular expression for a text. Only characters that mean something outside of a class
/// are escaped.
fn expression(text: &str) -> String {
    escaped(text, r"\.+*?()|[]{}^$")
}

/// Returns a glob that matches a text: Next.js has directories such as `[id]`.
fn glob(text: &str) -> String {
    escaped(text, r"\*?[]{}!")
}

/// Puts a backslash before these characters.
fn escaped(text: &str, special: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if special.contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Returns the path with `*` for languages and versions; `None` if it has none.
fn variants(path: &str) -> Option<String> {
    let (directories, file) = path.rsplit_once('/')?;
    let is_variant = |name: &&str| is_language(name) || is_version(name);
    if !directories.split('/').any(|name| is_variant(&name)) {
        return None;
    }
    let names = directories.split('/').map(|name| if is_variant(&name) { "*" } else { name });
    Some(names.chain([file]).collect::<Vec<_>>().join("/"))
}

/// True for `de`, `pt-br`, `zh-CN`, and `zh_Hans`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    language.len() == 2
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        // A region has two letters, and a script four (RFC 5646 §2.2).
        && (region.is_empty() || matches!(region.len(), 2 | 4))
        && region.bytes().all(|byte| byte.is_ascii_alphabetic())
        // Words of two letters that are not languages.
        && !matches!(name, "ci" | "db" | "go" | "js" | "md" | "ts" | "ui" | "v1")
}

/// True for `1.0`, `v2`, `version-3.1`, `next`, and `latest`.
fn is_version(name: &str) -> bool {
    let number = name.strip_prefix("version-").unwrap_or(name);
    let number = number.strip_prefix('v').unwrap_or(number);
    matches!(name, "next" | "latest")
        || number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
            && (name.contains('.') || name.starts_with('v'))
}

/// Splits findings into groups, the largest first; within each, in order.
fn groups(rows: &[CauseRow]) -> Vec<((&'static str, Shape), Vec<&CauseRow>)> {
    let mut by_shape: HashMap<(&'static str, Shape), Vec<u32>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        for shape in row.shapes() {
            by_shape.entry((row.check, shape)).or_default().push(index as u32);
        }
    }
    let of_check = |check| by_shape.get(&(check, Shape::Check)).map_or(0, Vec::len);
    // A directory or document with most findings of a check says no more than the check itself.
    // Directories of third parties are a cause in any case.
    let says_something = |check: &'static str, shape: &Shape, count: usize| match shape {
        Shape::Check => false,
        Shape::Directory(path) => is_apart(last_name(path)) || 2 * count < of_check(check),
        Shape::Start(_) => count < of_check(check),
        _ => true,
    };
    let mut candidates: Vec<(&(&'static str, Shape), &Vec<u32>)> = by_shape
        .iter()
        .filter(|((check, shape), members)| {
            members.len() >= MIN_GROUP && says_something(check, shape, members.len())
        })
        .collect();
    candidates.sort_by(|(a, of_a), (b, of_b)| {
        (a.1.rank(), of_b.len()).cmp(&(b.1.rank(), of_a.len())).then_with(|| a.cmp(b))
    });
    let mut is_taken = vec![false; rows.len()];
    let mut groups = Vec::new();
    for ((check, shape), members) in candidates {
        if groups.len() == MAX_GROUPS {
            break;
        }
        let left: Vec<u32> =
            members.iter().copied().filter(|&index| !is_taken[index as usize]).collect();
        // Most of the group must remain, or its name would mislead.
        if left.len() < MIN_GROUP || 2 * left.len() < members.len() {
            continue;
        }
        left.iter().for_each(|&index| is_taken[index as usize] = true);
        let left = left.into_iter().map(|index| &rows[index as usize]).collect();
        groups.push(((*check, shape.clone()), left));
    }
    let mut rest: BTreeMap<&'static str, Vec<&CauseRow>> = BTreeMap::new();
    for (row, _) in rows.iter().zip(&is_taken).filter(|(_, is_taken)| !**is_taken) {
        rest.entry(row.check).or_default().push(row);
    }
    groups.extend(rest.into_iter().map(|(check, rows)| ((check, Shape::Check), rows)));
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(check: &'static str, uri: &str, path: &str) -> CauseRow {
        let (uri, path) = (uri.to_owned(), path.to_owned());
        let message = format!("about `{uri}`");
        CauseRow {
            check,
            severity: Severity::Error,
            uri,
            message,
            place: format!("{path}:1:1"),
            path,
        }
    }

    #[test]
    fn causes_are_found() {
        let mut rows = Vec::new();
        rows.extend((0..9).map(|n| row("placeholder", "<VERSION>", &format!("docs/a{n}.md"))));
        rows.extend(
            (0..5).map(|n| row("missing-target", &format!("x{n}"), &format!("vendor/{n}.md"))),
        );
        rows.extend(
            ["de", "fr", "ja"].map(|it| row("missing-target", "c.md", &format!("docs/{it}/b.md"))),
        );
        rows.push(row("missing-target", "other", "docs/z.md"));
        let groups = groups(&rows);
        let shown = groups
            .iter()
            .map(|((check, shape), rows)| format!("{} {check}{}", rows.len(), shape.phrase()));
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "9 placeholder: `<VERSION>`",
                "5 missing-target in `vendor/`",
                "3 missing-target: `c.md`",
                "1 missing-target",
            ]
        );
        let settings: Vec<_> =
            groups.iter().filter_map(|((check, it), _)| it.setting(check)).collect();
        let of_version =
            "[[audit.override]]\nuris = [\"^<VERSION>$\"]\nseverities = { placeholder = \"off\" }";
        assert_eq!(settings[0], of_version);
        assert!(settings[1].contains("paths = [\"/vendor/\"]"));
        toml::from_str::<toml::Table>(&settings.join("\n")).unwrap();
        let faults: BTreeSet<_> = groups[2].1.iter().map(|row| row.fault()).collect();
        assert_eq!(faults.len(), 1);
    }

    #[test]
    fn anchors_of_one_target_are_one_cause() {
        let to = |n: usize, target: &str| {
            let row = row("missing-anchor", &format!("{target}#x{n}"), &format!("docs/a{n}.md"));
            CauseRow { message: format!("`{target}` has no anchor `x{n}`"), ..row }
        };
        let mut rows: Vec<_> = (0..4).map(|n| to(n, "api/b.md")).collect();
        rows.extend((4..7).map(|n| to(n, &format!("ref/c{n}.md"))));
        rows.extend((7..9).map(|n| row("missing-anchor", "#x", &format!("docs/a{n}.md"))));
        let groups = groups(&rows);
        let phrases: Vec<_> = groups.iter().map(|((_, shape), _)| shape.phrase()).collect();
        assert_eq!(phrases, [" of `api/b.md`", " of documents in `ref/`", ""]);
    }

    #[test]
    fn settings_mean_what_they_say() {
        let shapes = |uri: &str| row("private-host", uri, "a.md").shapes();
        assert!(shapes("http://[::1]:8080/x").contains(&Shape::Host("[::1]".into())));
        assert!(shapes("http://u@A.example:80/x").contains(&Shape::Host("a.example".into())));
        let setting = |shape: Shape| shape.setting("x").unwrap();
        assert!(setting(Shape::Host("[::1]".into())).contains("hosts = ['\\[::1\\]']\nsev"));
        assert!(setting(Shape::Scheme("git+ssh".into())).contains(r"uris = ['^git\+ssh:']"));
        let path = setting(Shape::Document("docs/[id]/{a}.md".into()));
        assert!(path.contains(r"paths = ['/docs/\[id\]/\{a\}.md']"), "{path}");
        assert!(setting(Shape::Variants("*/b[1].md".into())).contains(r"paths = ['/*/b\[1\].md']"));
        let path = setting(Shape::Document("it's \u{301}\t.md".into()));
        assert!(path.contains("paths = [\"/it's \u{301}\\t.md\"]"), "{path}");
        let all = HashMap::from([("a/".to_owned(), 9), ("vendor/".to_owned(), 9)]);
        let is_most = |path: &str, found| Shape::Directory(path.to_owned()).is_most_of(found, &all);
        assert!(is_most("a/", 5) && !is_most("a/", 4) && is_most("vendor/", 1));
    }

    #[test]
    fn languages_and_versions() {
        let all =
            ["a/de/b.md", "pt-br/b.md", "versioned_docs/version-1.0/a.md", "v2/a.md", "next/a.md"];
        let stars = ["a/*/b.md", "*/b.md", "versioned_docs/*/a.md", "*/a.md", "*/a.md"];
        assert_eq!(all.map(|it| variants(it).unwrap()), stars);
        assert_eq!(variants("docs/ui/a.md"), None);
    }
}
