//! The trees of `corpus/sites/`: an audit finds each fault once, and leaves everything else alone.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use urigrep::audit::{AuditOutcome, Auditor, Filter, Orphans, Severity};

use crate::tsv::root;

/// A tree. In its texts `⟦check|reference⟧` marks a fault, and `⟦check=severity|reference⟧` says
/// how severe it is; notes are compared only where one is marked, `=note`.
/// `⟦check|reference ⇒ safe other⟧` says how it is fixed, and `⟦check|reference ⇒ no fix⟧` that it
/// is not.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    /// As what its documents are read, most of them.
    profile: String,
    /// The address of the remote of its checkout.
    #[serde(default)]
    remote: String,
    /// Report documents that no other one links to.
    #[serde(default)]
    orphans: bool,
    /// Compare the notes, too: none is given that is not marked.
    #[serde(default)]
    all_notes: bool,
    /// Symbolic links, each with the path that it holds.
    #[serde(default)]
    links: BTreeMap<PathBuf, PathBuf>,
    files: BTreeMap<PathBuf, String>,
}

/// A fault: the document, the offset and the check, with what stands there, and its fix.
type Place = (PathBuf, usize, String, String, String);

/// Splits `check=severity`.
fn parts(check: &str) -> (&str, Option<&str>) {
    match check.split_once('=') {
        Some((check, severity)) => (check, Some(severity)),
        None => (check, None),
    }
}

/// The text without its marks, and its faults.
fn unmarked(path: &Path, text: &str) -> (String, Vec<Place>) {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let (mut bare, mut faults) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('⟦') {
        let (mark, after) = after.split_once('⟧').expect("a mark that ends");
        let (check, reference) = mark.split_once('|').expect("a check and a reference");
        let (reference, fix) = reference.split_once(" ⇒ ").unwrap_or((reference, ""));
        bare.push_str(before);
        let [check, written, fix] = [check, reference, fix].map(str::to_owned);
        faults.push((path.to_owned(), bare.len(), check, written, fix));
        bare.push_str(reference);
        rest = after;
    }
    bare.push_str(rest);
    (bare, faults)
}

/// Writes the tree, as a checkout, and gives its faults.
fn write(tree: &Tree, directory: &Path) -> Vec<Place> {
    let mut faults = Vec::new();
    let file = |path: &Path, text: &str| {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    };
    for (path, text) in &tree.files {
        let (text, found) = unmarked(path, text);
        faults.extend(found);
        file(path, &text);
    }
    for (path, to) in &tree.links {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        // Elsewhere, a program may not be allowed to make links.
        #[cfg(unix)]
        std::os::unix::fs::symlink(to, path).expect("a link");
        #[cfg(not(unix))]
        let _ = to;
    }
    let remote = match tree.remote.as_str() {
        "" => String::new(),
        address => format!("[remote \"origin\"]\n\turl = {address}\n"),
    };
    file(Path::new(".git/HEAD"), "ref: refs/heads/main\n");
    file(Path::new(".git/config"), &remote);
    faults.sort();
    faults
}

/// What an audit finds, and as what it reads most documents.
fn audited(directory: &Path, orphans: Orphans) -> (Vec<Place>, String) {
    let mut found = Vec::new();
    let mut profiles: BTreeMap<&str, usize> = BTreeMap::new();
    let mut filter = Filter::default();
    filter.least = Severity::Note;
    let auditor = Auditor::builder().filter(filter).orphans(orphans).build();
    let ran = auditor.run(
        [directory],
        |outcome| outcome,
        |outcome| {
            let AuditOutcome::Audited(document) = outcome else {
                return ControlFlow::Continue(());
            };
            let profile = document.profile().expect("a profile").name();
            *profiles.entry(profile).or_default() += 1;
            let path = document.input().path().expect("a path").strip_prefix(directory);
            let path = path.expect("below the directory");
            for located in document.findings() {
                let finding = &located.finding;
                let fix = finding.fix.as_ref().map_or_else(
                    || "no fix".to_owned(),
                    |fix| format!("{} {}", fix.safety, fix.edits[0].to.text()),
                );
                found.push((
                    path.to_owned(),
                    finding.span.start(),
                    format!("{}={}", finding.check.id, located.severity),
                    finding.uri.clone().unwrap_or_default(),
                    fix,
                ));
            }
            ControlFlow::Continue(())
        },
    );
    ran.expect("no globs");
    found.sort();
    let most = profiles.into_iter().max_by_key(|(_, count)| *count);
    (found, most.map_or_else(String::new, |(profile, _)| profile.to_owned()))
}

/// Writes each tree, and hands its name and directory to `work`; faults are left in without their
/// marks.
pub fn for_each_tree(purpose: &str, mut work: impl FnMut(&str, &Path)) {
    for (name, tree) in trees() {
        let directory = format!("urigrep-{purpose}-{}-{name}", std::process::id());
        let directory = std::env::temp_dir().join(directory);
        write(&tree, &directory);
        work(&name, &directory);
        fs::remove_dir_all(&directory).expect("the directory goes");
    }
}

fn trees() -> Vec<(String, Tree)> {
    let trees = fs::read_dir(root().join("corpus/sites")).expect("trees");
    let mut trees: Vec<_> = trees
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("text");
            let tree = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, tree)
        })
        .collect();
    trees.sort_by(|(a, _), (b, _)| a.cmp(b));
    trees
}

#[test]
fn each_fault_of_a_site_is_found_once_and_nothing_else() {
    let mut report = String::new();
    let (mut sites, mut faults_of_all, mut references) = (0, 0, 0);
    for (name, tree) in trees() {
        let directory = format!("urigrep-sites-{}-{name}", std::process::id());
        let directory = std::env::temp_dir().join(directory);
        let faults = write(&tree, &directory);
        let orphans = if tree.orphans { Orphans::Reported } else { Orphans::Ignored };
        let (found, profile) = audited(&directory, orphans);
        fs::remove_dir_all(&directory).expect("the directory goes");
        // The reader of AsciiDoc inserts values of attributes, marks ids, and keeps the names of attributes for their version. Of
        // an expression of Liquid, the path is left.
        let is_written = |written: &String, uri: &String| {
            written == uri
                || Some(&*written.replace(['{', '}'], "")) == uri.strip_prefix("./")
                || written.starts_with("{{") && written.contains(uri)
                || written.split_once('{').is_some_and(|(before, rest)| {
                    let after = rest.split_once('}').map_or("", |(_, after)| after);
                    uri.starts_with(before) && uri.ends_with(after)
                })
        };
        // Most faults say nothing about their severity.
        let is_same = |fault: &Place, found: &Place| {
            let ((check, severity), (id, actual)) = (parts(&fault.2), parts(&found.2));
            (&fault.0, fault.1, check) == (&found.0, found.1, id)
                && is_written(&fault.3, &found.3)
                && (severity.is_none() || severity == actual)
                && (fault.4.is_empty() || fault.4 == found.4)
        };
        let is_marked = |it: &Place| faults.iter().any(|fault| is_same(fault, it));
        let is_compared = |it: &Place| tree.all_notes || !it.2.ends_with("=note") || is_marked(it);
        let found: Vec<Place> = found.into_iter().filter(is_compared).collect();
        let missed = faults.iter().filter(|fault| !found.iter().any(|it| is_same(fault, it)));
        let alarms = found.iter().filter(|it| !faults.iter().any(|fault| is_same(fault, it)));
        missed.for_each(|fault| report += &format!("{name}: missed {fault:?}\n"));
        alarms.for_each(|fault| report += &format!("{name}: false alarm {fault:?}\n"));
        if found.len() != faults.len() {
            report += &format!("{name}: {} faults, {} findings\n", faults.len(), found.len());
        }
        if profile != tree.profile {
            report += &format!("{name}: read as {profile}\n");
        }
        sites += 1;
        faults_of_all += faults.len();
        references +=
            tree.files.values().map(|text| text.matches(['(', '=']).count()).sum::<usize>();
    }
    assert!(report.is_empty(), "{report}");
    assert!(sites >= 7 && faults_of_all >= 60 && references > 200, "{sites} {faults_of_all}");
}
