//! Each check has a file of texts in which it fires, at the marks and nowhere else, and of texts
//! in which nothing does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

use serde::Deserialize;
use urigrep::Finder;
use urigrep::audit::{self, AuditOptions, CHECKS, Site};

use super::tree::{Memory, format};
use crate::tsv::root;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    fires: Vec<Case>,
    silent: Vec<Case>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// With `⟦` and `⟧` around each fault.
    text: String,
    #[serde(default = "in_markdown")]
    path: PathBuf,
    /// What else is in the tree.
    #[serde(default)]
    files: BTreeMap<PathBuf, String>,
    root: Option<PathBuf>,
    slugs: Option<String>,
    base: Option<String>,
    site: Option<String>,
}

fn in_markdown() -> PathBuf {
    PathBuf::from("a.md")
}

/// The text without its marks, and what stood between them.
fn unmarked(text: &str) -> (String, Vec<Range<usize>>) {
    let (mut bare, mut ranges) = (String::new(), Vec::new());
    for c in text.chars() {
        match c {
            '⟦' => ranges.push(bare.len()..bare.len()),
            '⟧' => ranges.last_mut().unwrap().end = bare.len(),
            c => bare.push(c),
        }
    }
    (bare, ranges)
}

impl Case {
    /// What is wrong with what an audit says.
    fn run(&self, check: &str) -> Option<String> {
        let (text, marks) = unmarked(&self.text);
        let mut options = AuditOptions::new();
        options.profile = self.site.as_deref().map(|site| site.parse().expect("a profile"));
        options.slugs =
            self.slugs.as_deref().map(|slugs| slugs.parse().expect("the name of rules"));
        if let Some(root) = &self.root {
            options = options.root(root);
        }
        if let Some(base) = &self.base {
            options = options.base(base);
        }
        let mut files: BTreeMap<_, _> = self.files.clone();
        files.insert(self.path.clone(), text.clone());
        let tree = Memory { files, slugs: Site::new(&options).slugs };
        let facts = audit::read(format(&self.path), text.as_bytes(), &Finder::new());
        let mut found = Vec::new();
        audit::check(&self.path, &facts, &options, &tree, &mut |fault| found.push(fault));
        let expected: Vec<_> = marks.into_iter().map(|range| (check, range)).collect();
        let got: Vec<_> = found.iter().map(|f| (f.check.id, f.span.range())).collect();
        (expected != got).then(|| format!("{}: expected {expected:?}, found {found:?}", self.name))
    }
}

#[test]
fn every_check_fires_where_it_must() {
    let mut report = String::new();
    for check in CHECKS {
        let path = root().join(format!("corpus/audit/{}.toml", check.id));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let fixture: Fixture =
            toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(!fixture.fires.is_empty() && !fixture.silent.is_empty(), "{}", check.id);
        for case in fixture.fires.iter().chain(&fixture.silent) {
            if let Some(wrong) = case.run(check.id) {
                writeln!(report, "{} / {wrong}\n", check.id).unwrap();
            }
        }
        let marked = fixture.fires.iter().all(|case| case.text.contains('⟦'));
        assert!(marked, "{}: a text that fires has no mark", check.id);
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn every_fixture_is_of_a_check() {
    let all = std::fs::read_dir(root().join("corpus/audit")).unwrap();
    for path in all.map(|entry| entry.unwrap().path()) {
        if path.extension() == Some("toml".as_ref()) {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            assert!(CHECKS.iter().any(|check| check.id == stem), "{stem}");
        }
    }
}

#[test]
fn checks_have_words() {
    let mut ids: Vec<&str> = CHECKS.iter().map(|check| check.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), CHECKS.len());
    for check in CHECKS {
        let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(check.id.chars().all(is_word), "{}", check.id);
        assert!(!check.summary.ends_with('.') && check.rationale.ends_with('.'), "{}", check.id);
        assert!(!check.rationale.contains("  "), "{}", check.id);
    }
}

/// The tree in which the examples of checks are.
fn around() -> BTreeMap<PathBuf, String> {
    let files =
        [("README.md", "# Start\n"), ("install.md", "# Requirements\n"), ("guide/start.html", "")];
    files.map(|(path, text)| (PathBuf::from(path), text.to_owned())).into()
}

#[test]
fn examples_of_checks_fail_and_pass() {
    for check in CHECKS {
        let found = |text: &str| {
            let mut files = around();
            files.insert("a.md".into(), text.to_owned());
            let tree = Memory { files, slugs: Default::default() };
            let facts = audit::read(format(&in_markdown()), text.as_bytes(), &Finder::new());
            let mut found = Vec::new();
            let mut options = AuditOptions::new();
            if check.id == "own-site" {
                // Only the address and the root of a site make a URL its own.
                options = options.root("").base("https://this-site.dev/");
            }
            audit::check(&in_markdown(), &facts, &options, &tree, &mut |fault| {
                found.push(fault.check.id);
            });
            found
        };
        assert_eq!(found(check.fails), [check.id], "{}", check.fails);
        assert_eq!(found(check.passes), [""; 0], "{}", check.passes);
    }
}

/// `URIGREP_WRITE=1` writes the table.
#[test]
fn the_table_of_checks_is_current() {
    let file = root().join("docs/reference/checks.md");
    let text = std::fs::read_to_string(&file).expect("docs/reference/checks.md");
    let heading = "| check | severity | for example |\n|---|---|---|\n";
    let (before, after) = text.split_once(heading).expect("the table of checks");
    let rest = after.lines().skip_while(|line| line.starts_with('|'));
    let rest: String = rest.map(|line| format!("{line}\n")).collect();
    let mut table = String::new();
    let web = audit::WEB_CHECKS.iter().copied();
    for check in
        CHECKS.iter().copied().chain([&audit::UNKNOWN_DIRECTIVE, &audit::ORPHAN]).chain(web)
    {
        let example = check.fails.replace("\n\n", "\n").replace('\n', "`, `").replace('|', "\\|");
        writeln!(table, "| `{}` | {} | `{example}` |", check.id, check.severity).unwrap();
    }
    let current = format!("{before}{heading}{table}{rest}");
    if std::env::var_os("URIGREP_WRITE").is_some() {
        std::fs::write(&file, &current).expect("docs/reference/checks.md");
    }
    assert_eq!(text, current, "run it with URIGREP_WRITE=1");
}
