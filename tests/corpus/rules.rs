//! docs/delimiting.md against the code and the corpus.
//!
//! The document has a heading for each rule. Code cites rules by number, vectors name the rule they
//! show, and the document's examples are vectors. An example is a fenced block with the marked
//! text, and a line that links its vector:
//!
//! ```text
//! [`name`](../corpus/delimiting/file.toml), options `strict`, `uri` `http://…`, rejected `lax`
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::{Case, cases, corpus, files};

const RULE: &str = r"\bD[1-7](?:\.[0-9]+[a-z]?)?\b";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document() -> String {
    fs::read_to_string(root().join("docs/delimiting.md")).expect("docs/delimiting.md")
}

/// Each heading of a rule, with the text up to the next one.
fn sections(document: &str) -> Vec<(String, String)> {
    let heading = Regex::new(&format!(r"(?m)^##+ ({RULE})")).unwrap();
    let starts: Vec<_> = heading.captures_iter(document).collect();
    let start = |at: usize| starts[at].get(0).unwrap().start();
    let end = |at: usize| {
        if at + 1 < starts.len() { start(at + 1) } else { document.len() }
    };
    (0..starts.len())
        .map(|at| (starts[at][1].to_owned(), document[start(at)..end(at)].to_owned()))
        .collect()
}

/// A group has rules of its own numbers: `D4` of `D4.2`.
fn is_group(rule: &str, rules: &BTreeSet<String>) -> bool {
    let prefix = format!("{rule}.");
    rules.iter().any(|other| other.starts_with(&prefix))
}

/// The rules that src/ cites, each with a file that does.
fn cited() -> BTreeMap<String, PathBuf> {
    let rule = Regex::new(RULE).unwrap();
    let mut cited = BTreeMap::new();
    for path in files(&root().join("src"), ".rs") {
        let text = fs::read_to_string(&path).expect("a source file");
        for found in rule.find_iter(&text) {
            cited.insert(found.as_str().to_owned(), path.clone());
        }
    }
    cited
}

/// The rules that the vectors show.
fn shown() -> BTreeMap<String, String> {
    let rule = Regex::new(&format!("^{RULE}$")).unwrap();
    let cases = cases().into_iter().map(|(_, case)| case);
    let cases = cases.filter(|case| rule.is_match(&case.rule));
    cases.map(|case| (case.rule, case.name)).collect()
}

#[test]
fn rules_are_documented_cited_and_shown() {
    let (sections, cited, shown) = (sections(&document()), cited(), shown());
    let rules: BTreeSet<String> = sections.iter().map(|(rule, _)| rule.clone()).collect();
    assert_eq!(rules.len(), sections.len(), "two headings for one rule");
    let mut wrong = Vec::new();
    for (rule, path) in cited.iter().filter(|(rule, _)| !rules.contains(*rule)) {
        wrong.push(format!("{rule}, cited in {}, is not documented", path.display()));
    }
    for (rule, name) in shown.iter().filter(|(rule, _)| !rules.contains(*rule)) {
        wrong.push(format!("{rule}, shown by {name}, is not documented"));
    }
    for rule in rules.iter().filter(|rule| !is_group(rule, &rules)) {
        if !cited.contains_key(rule) {
            wrong.push(format!("{rule} is cited nowhere in src/"));
        }
        if !shown.contains_key(rule) {
            wrong.push(format!("{rule} is shown by no vector of corpus/"));
        }
    }
    println!("{} headings, {} rules cited, {} shown", rules.len(), cited.len(), shown.len());
    assert!(
        rules.len() > 30 && cited.len() > 30 && shown.len() > 30,
        "hardly any rules were found"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the document should say of a vector.
fn example(path: &Path, case: &Case) -> String {
    let file = path.strip_prefix(corpus()).expect("a file of corpus/");
    let mut lines = format!(
        "```text\n{}\n```\n[`{}`](../corpus/{})",
        case.text.trim_end_matches('\n'),
        case.name,
        file.display()
    );
    let mut list = |what: &str, items: &[String]| {
        if !items.is_empty() {
            let items: Vec<_> = items.iter().map(|item| format!("`{item}`")).collect();
            lines.push_str(&format!(", {what} {}", items.join(" ")));
        }
    };
    list("options", &case.options);
    list("`uri`", case.uri.as_deref().unwrap_or_default());
    list("rejected", case.reject.as_deref().unwrap_or_default());
    lines
}

#[test]
fn rules_have_examples_that_are_vectors() {
    let cases: BTreeMap<String, (PathBuf, Case)> =
        cases().into_iter().map(|(path, case)| (case.name.clone(), (path, case))).collect();
    let (document, vector) = (document(), Regex::new(r"(?m)^\[`([a-z0-9-]+)`\]").unwrap());
    let sections = sections(&document);
    let rules: BTreeSet<String> = sections.iter().map(|(rule, _)| rule.clone()).collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (rule, text) in &sections {
        let names: Vec<_> = vector.captures_iter(text).map(|name| name[1].to_owned()).collect();
        count += names.len();
        if names.is_empty() && !is_group(rule, &rules) {
            wrong.push(format!("{rule} has no example"));
        }
        if text.matches("```text\n").count() != names.len() {
            wrong.push(format!(
                "{rule} has a block that names no vector, or a vector without a block"
            ));
        }
        for name in names {
            match cases.get(&name) {
                None => wrong.push(format!("{rule}: there is no vector {name}")),
                Some((path, case)) => {
                    let expected = example(path, case);
                    if !text.contains(&format!("{expected}\n")) {
                        wrong.push(format!("{rule}: {name} should read\n{expected}"));
                    }
                }
            }
        }
    }
    println!("{count} examples in {} sections", sections.len());
    assert!(count > 0, "docs/delimiting.md has no example");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
