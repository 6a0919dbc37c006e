//! What holds for every document: short lines, paths and links that lead somewhere, and the form of
//! decisions.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use regex::Regex;

use super::{name, root};
use crate::support::{command, finish, spawn};

const LINE_COLUMNS: usize = 100;
const README_BYTES: usize = 7 << 10;
const DECISION_LINES: usize = 40;

/// All Markdown that people read; the files of the guide are examples with faults.
fn documents() -> Vec<PathBuf> {
    let single = [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "capi/README.md",
        "python/README.md",
        "js/README.md",
        "corpus/README.md",
        "tests/faults/README.md",
        "docs/delimiting.md",
        "docs/SUMMARY.md",
    ];
    let mut documents: Vec<_> = single.iter().map(|path| root().join(path)).collect();
    for folder in ["guide", "reference", "decisions", "measurements"] {
        documents.extend(pages_of(folder));
    }
    documents
}

fn pages_of(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs").join(folder)).expect("a folder of docs/");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|is| is == "md")).collect();
    pages.sort();
    assert!(pages.len() > 4, "{folder} has hardly any page");
    pages
}

/// The lines of a document outside of fenced blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

#[test]
fn lines_are_short() {
    let mut wrong = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        for (number, line) in prose(&text) {
            // rows of tables, and vectors with what they give
            let is_whole = line.trim_start().starts_with('|') || line.starts_with("[`");
            if line.chars().count() > LINE_COLUMNS && !is_whole {
                wrong.push(format!("{}:{number}", name(&path)));
            }
        }
    }
    assert!(wrong.is_empty(), "over {LINE_COLUMNS} columns: {}", wrong.join(" "));
}

#[test]
fn readme_is_read_in_a_minute() {
    let text = fs::read_to_string(root().join("README.md")).expect("README.md");
    assert!(text.len() <= README_BYTES, "{} bytes", text.len());
}

/// Measurements are logs, and name what there was; the page about audits names paths of sites. NAME
/// stands for any name.
#[test]
fn paths_exist() {
    let path = Regex::new(
        r"`((?:src|tests|corpus|benches|fuzz|examples|docs|python|capi|\.ci)/[A-Za-z0-9_./-]+)`",
    )
    .unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    let is_ours = |path: &&PathBuf| {
        let path = name(path);
        !path.contains("measurements")
            && !path.ends_with("guide/audit.md")
            && !path.ends_with("reference/generators.md")
    };
    for document in documents().iter().filter(is_ours) {
        let text = fs::read_to_string(document).expect("a document");
        for (number, line) in prose(&text) {
            for found in path.captures_iter(line) {
                count += 1;
                if !found[1].contains("NAME") && !root().join(&found[1]).exists() {
                    wrong.push(format!("{}:{number}: {}", name(document), &found[1]));
                }
            }
        }
    }
    assert!(count > 30, "hardly any path was found: {count}");
    assert!(wrong.is_empty(), "there is no\n{}", wrong.join("\n"));
}

#[test]
fn decisions_have_one_form() {
    let index = fs::read_to_string(root().join("docs/decisions/README.md")).expect("an index");
    for path in pages_of("decisions").iter().filter(|path| !path.ends_with("README.md")) {
        let (name, text) = (name(path), fs::read_to_string(path).expect("a decision"));
        assert!(text.lines().count() <= DECISION_LINES, "{name} is too long");
        let headings: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, ["Context", "Decision", "Consequences", "Revisit when"], "{name}");
        let file = path.file_name().expect("a name").to_string_lossy();
        assert!(
            index.contains(&format!("({file})")) && text.starts_with(&format!("# {}", &file[..4])),
            "{name}"
        );
    }
}

#[test]
fn the_summary_names_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("docs/SUMMARY.md");
    for folder in ["guide", "reference", "decisions", "measurements"] {
        for page in pages_of(folder) {
            let path = name(&page);
            assert!(summary.contains(&format!("({})", &path["docs/".len()..])), "{path}");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let documents = documents().iter().map(|path| name(path)).collect::<Vec<_>>();
    let mut args = vec!["audit", "--no-config", "--color", "never"];
    args.extend(documents.iter().map(String::as_str));
    let ran = finish(spawn(command(args).current_dir(root())));
    assert_eq!(ran.status, Some(0), "{}{}", ran.out(), ran.stderr);
}

/// The schemes that are found without `//`, by the table in src/.
#[test]
fn schemes_are_those_of_the_table() {
    let source = fs::read_to_string(root().join("src/registry/mod.rs")).expect("the table");
    let table = Regex::new(r"(?s)OPAQUE: \[&str; (\d+)\] = \[(.*?)\];").unwrap();
    let table = table.captures(&source).expect("the table");
    let quoted = Regex::new(r#""([a-z0-9-]+)""#).unwrap();
    let names: BTreeSet<_> =
        quoted.captures_iter(&table[2]).map(|name| name[1].to_owned()).collect();
    assert_eq!(names.len().to_string(), table[1]);

    let page = fs::read_to_string(root().join("docs/reference/formats.md")).expect("a page");
    let list = Regex::new(r"(?s)These (\d+) schemes .*?syntax: (.*?)\.\n").unwrap();
    let list = list.captures(&page).expect("the list of schemes");
    let words = list[2].split([',', ' ', '\n']).filter(|word| !word.is_empty() && *word != "and");
    assert_eq!(words.map(str::to_owned).collect::<BTreeSet<_>>(), names);
    assert_eq!(list[1], table[1]);

    for document in ["README.md", "CHANGELOG.md"] {
        let text = fs::read_to_string(root().join(document)).expect("a document");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("{} schemes without", &table[1])), "{document}");
    }
}
