//! A fault of urigrep itself: it ends the work on one file, as an error of it. The variable that
//! provokes one is known to debug builds only.
#![cfg(debug_assertions)]

use super::tree::Tree;
use crate::support::pack::gzip;
use crate::support::{Ran, command, finish, spawn};

const MARK: &str = "http://panic.example/";

fn provoked(tree: &Tree, args: &[&str]) -> Ran {
    let mut command = command(args);
    command.env("URIGREP_TEST_PANIC", MARK).current_dir(tree.dir.path());
    finish(spawn(command.stdin(std::process::Stdio::null())))
}

const SAID: &str = "this is a fault of urigrep, please report it: provoked (src/";

#[test]
fn in_one_file_of_a_search() {
    let tree = Tree::new();
    tree.dir.file("m-bad/x", format!("http://before.example/ {MARK} http://after.example/"));
    tree.dir.file("m-bad/y.gz", gzip(format!("http://packed.example/ {MARK}").as_bytes()));
    let said = ["x", "y.gz"].map(|name| format!("urigrep: m-bad/{name}: {SAID}*"));
    let said = said.each_ref().map(String::as_str);
    let ran = tree.survives_as(|args| provoked(&tree, args), &[], 2, &said);
    // whole records come before it, and nothing of the one that broke
    for (uri, count) in [("before", 1), ("packed", 1), ("panic", 0), ("after", 0)] {
        assert_eq!(ran.out().matches(&format!("http://{uri}.example/\n")).count(), count, "{uri}");
    }
}

/// A large file is searched by all threads; one of them panics.
#[test]
fn in_a_thread_that_helps() {
    let tree = Tree::new();
    let line = "http://a.example/ and some words that follow it\n";
    let text = line.repeat(100_000) + MARK + "\n" + &line.repeat(100_000);
    tree.dir.file("m-bad", text);
    let said = format!("urigrep: m-bad: {SAID}*");
    tree.survives_as(|args| provoked(&tree, args), &[], 2, &[&said]);
    let ran = provoked(&tree, &["-j4", "m-bad"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("src/search/panics.rs"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1);
}

#[test]
fn in_an_audit() {
    let tree = Tree::new();
    tree.dir
        .file("m-bad.md", format!("[x]({MARK}) [y](missing.md)"))
        .file("zz.md", "[y](missing.md)");
    for flags in [&["-j1"][..], &["-j4"], &["-j4", "--json"]] {
        let ran = provoked(&tree, &[&["audit"][..], flags, &["."]].concat());
        assert_eq!(ran.status, Some(2), "{flags:?}");
        assert!(ran.stderr.contains(SAID) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
        assert!(ran.out().contains("zz.md") && !ran.out().contains("[y](missing.md) "), "{ran:?}");
    }
}
