//! A documentation tree of 150 pages with the faults of `corpus/audit/seeded.tsv` in it: an audit
//! finds each of them, once, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use urigrep::Finder;
use urigrep::audit::{self, AuditOptions, CHECKS};

use super::tree::{Memory, format};
use crate::tsv::{root, rows, unescape};

const PAGES: usize = 150;

/// A page without a fault, a line an item.
fn sound(page: usize) -> (PathBuf, Vec<String>) {
    let name = |page: usize| match page % 3 {
        2 => format!("page{page}.html"),
        _ => format!("page{page}.md"),
    };
    let next = name((page + 1) % PAGES);
    let far = name((page * 31 + 7) % PAGES);
    let lines = match page % 3 {
        2 => format!(
            "<!DOCTYPE html>\n<title>Page {page}</title>\n<h1 id=page>Page {page}</h1>\n\n\
             <h2 id=\"usage\">Usage</h2>\n\n<p>See <a href=\"{next}\">the next page</a>, <a href=\"#usage\">usage</a>\n\n\
             and <a href=\"./{far}#usage\">its usage</a>. <img src=\"../images/picture.png\" alt=\"A picture\">\n\n\
             <p>Or <a href=\"https://www.rust-lang.org/learn\">learn</a>, urn:isbn:0451450523, <a href=\"#\">up</a>.\n\n\
             <p>First.\n\n<p>Second.\n\n<p>Third.\n\n<p>Fourth.\n"
        ),
        _ => format!(
            "# Page {page}\n\n[guide]: {far}\n\n## Usage\n\n\
             See [the next page]({next}), [usage](#usage), [its usage]({far}#usage) and [the guide][guide].\n\n\
             ![A picture](../images/picture.png) and <https://www.rust-lang.org/learn> or https://docs.rs/memchr.\n\n\
             The book urn:isbn:0451450523 and `http://joe:hunter42@a.dev/` in code.\n\n\
             First.\n\nSecond.\n\nThird.\n\nFourth.\n"
        ),
    };
    let lines = lines.split('\n').map(str::to_owned).collect();
    (PathBuf::from("docs").join(name(page)), lines)
}

/// A fault: the page, the line, the check.
type Place = (PathBuf, usize, String);

/// The tree, and the faults in it.
fn seeded() -> (Memory, Vec<Place>) {
    let mut pages: BTreeMap<PathBuf, Vec<String>> = (0..PAGES).map(sound).collect();
    let mut faults = Vec::new();
    for row in rows(&root().join("corpus/audit/seeded.tsv"), 4) {
        let [path, line, check, text] = row.try_into().expect("four columns");
        let line: usize = line.parse().expect("a line");
        let page = pages.get_mut(&PathBuf::from(&path)).expect("a page");
        page[line - 1] = unescape(&text);
        faults.push((PathBuf::from(path), line, check));
    }
    let mut tree = Memory::default();
    for (path, lines) in pages {
        tree.files.insert(path, lines.join("\n"));
    }
    tree.files.insert(PathBuf::from("images/picture.png"), String::new());
    (tree, faults)
}

/// What an audit says, in order.
fn audited(tree: &Memory) -> Vec<Place> {
    let options = AuditOptions::new().root("").base("https://this-site.dev/");
    let mut found = Vec::new();
    for (path, text) in &tree.files {
        let Some(format) = format(path) else { continue };
        let facts = audit::read(Some(format), text.as_bytes(), &Finder::new());
        audit::check(path, &facts, &options, tree, &mut |fault| {
            let line = 1 + text[..fault.span.start()].matches('\n').count();
            found.push((path.clone(), line, fault.check.id.to_owned()));
        });
    }
    found.sort();
    found
}

#[test]
fn each_fault_is_found_once_and_nothing_else() {
    let (tree, mut faults) = seeded();
    faults.sort();
    assert_eq!((tree.files.len() - 1, faults.len()), (PAGES, 84));
    for check in CHECKS {
        assert!(faults.iter().any(|(_, _, id)| id == check.id), "no {}", check.id);
    }
    let found = audited(&tree);
    let missed: Vec<_> = faults.iter().filter(|fault| !found.contains(fault)).collect();
    let false_alarms: Vec<_> = found.iter().filter(|fault| !faults.contains(fault)).collect();
    assert!(
        missed.is_empty() && false_alarms.is_empty(),
        "missed {missed:#?}\nfalse {false_alarms:#?}"
    );
    assert_eq!(found, faults);
}

/// The same tree on a disk, and the command.
#[test]
fn the_command_finds_the_same() {
    let Some(command) = option_env!("CARGO_BIN_EXE_urigrep") else {
        eprintln!("SKIPPED: the command was not built");
        return;
    };
    let (tree, mut faults) = seeded();
    faults.sort();
    let dir = std::env::temp_dir().join(format!("urigrep-seeded-{}", std::process::id()));
    for (path, text) in &tree.files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    let ran = Command::new(command)
        .args([
            "audit",
            "--json",
            "--severity",
            "note",
            "--root",
            ".",
            "--base",
            "https://this-site.dev/",
        ])
        .current_dir(&dir)
        .output();
    fs::remove_dir_all(&dir).expect("the directory goes");
    let ran = ran.expect("the command runs");
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let out = String::from_utf8(ran.stdout).expect("UTF-8");
    let objects = out.lines().map(|line| {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        object
    });
    let mut found: Vec<Place> = objects
        .filter(|object| object["type"] == "finding")
        .map(|finding| {
            let path = finding["path"].as_str().expect("a path");
            let path = PathBuf::from(path.strip_prefix("./").unwrap_or(path));
            let line = finding["line"].as_u64().expect("a line") as usize;
            let check = finding["check"].as_str().expect("a check").to_owned();
            (path, line, check)
        })
        .collect();
    found.sort();
    assert_eq!(found, faults);
}
