//! The examples of the documents: every command is run, and must print what the page shows.
//!
//! A fenced block ```` ```console ```` holds commands (`$
//! …`) and their output, standard error included. A line `…` stands for any number of lines. All commands of a page run in one copy of docs/guide/files, in order. A block ```` ```sh
//! ```` holds commands alone: each must print something, succeed, and report no error.
//!
//! A word behind a comma says what a block needs: `needs=jq` runs it only where `jq` is installed;
//! `network`, `python`, `install`, and `other` are not run. The test prints how many there are of
//! each.
//!
//! `URIGREP_UPDATE_DOCS=1 cargo test --test command guide::` writes the output of today into the
//! pages.

mod page;
mod sandbox;
mod style;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use page::{Block, Need, Page};
use sandbox::Sandbox;

use crate::support::has;

/// Pages that consist of Rust, Python, or JavaScript, which other tests run, and one that is
/// generated.
const WITHOUT_COMMANDS: [&str; 6] = [
    "docs/guide/spark.md",
    "docs/guide/library.md",
    "docs/guide/python.md",
    "docs/guide/javascript.md",
    "docs/guide/README.md",
    "docs/reference/conformance.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md, the rules, and all pages of the guide and the reference.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("docs/delimiting.md")];
    for folder in ["docs/guide", "docs/reference"] {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of docs/");
        let files = entries.map(|entry| entry.expect("an entry").path());
        pages.extend(
            files.filter(|path| path.extension().is_some_and(|extension| extension == "md")),
        );
    }
    pages.sort();
    pages
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned()
}

/// Whether a block is run here; counts it by what it needs.
fn is_run(block: &Block, counts: &mut BTreeMap<String, usize>) -> bool {
    let (is_run, word) = match &block.need {
        Need::Nothing => (true, "run"),
        Need::Program(program) if has(program) => (true, "run"),
        Need::Program(_) => (false, "without a program that they need"),
        Need::NotRun(word) => (false, word.as_str()),
    };
    *counts.entry(word.to_owned()).or_default() += block.examples.len();
    is_run
}

#[test]
fn commands_print_what_the_pages_show() {
    let update = std::env::var_os("URIGREP_UPDATE_DOCS").is_some();
    let (mut counts, mut wrong) = (BTreeMap::new(), Vec::new());
    for path in pages() {
        let mut page = Page::read(&path);
        let (sandbox, name) = (Sandbox::new(&root().join("docs/guide/files")), name(&path));
        let mut shown = 0;
        for block in &mut page.blocks {
            if !is_run(block, &mut counts) {
                continue;
            }
            for example in &mut block.examples {
                shown += 1;
                if let Err(problem) = sandbox.check(example, block.has_output, update) {
                    wrong
                        .push(format!("{name}:{}: $ {}\n{problem}", example.line, example.command));
                }
            }
        }
        if update {
            page.write(&path);
        }
        if name.starts_with("docs/guide/") && !WITHOUT_COMMANDS.contains(&name.as_str()) {
            assert!(shown > 0, "{name} shows no command");
        }
    }
    println!("commands: {counts:?}");
    assert!(
        counts.get("run").is_some_and(|count| *count > 80),
        "hardly any command was found: {counts:?}"
    );
    assert!(
        wrong.is_empty(),
        "{}\n\nsee tests/guide/mod.rs for how to update them",
        wrong.join("\n\n")
    );
}

/// The picture of the README is what the commands print today.
#[test]
fn the_picture_is_what_commands_print() {
    if !has("python3") {
        eprintln!("SKIPPED: no python3");
        return;
    }
    let picture = root().join("docs/images/screen.svg");
    let script = root().join("docs/images/screen");
    let drawn = std::process::Command::new(script).arg(env!("CARGO_BIN_EXE_urigrep")).output();
    let drawn = drawn.expect("it runs").stdout;
    if std::env::var_os("URIGREP_UPDATE_DOCS").is_some() {
        fs::write(&picture, &drawn).expect("a picture");
    }
    assert!(drawn.len() < 7 << 10, "{} bytes", drawn.len());
    let kept = fs::read(&picture).expect("a picture");
    assert!(kept == drawn, "docs/images/screen writes another picture");
}
