//! Few descriptors and little memory.

use std::process::{Command, Stdio};

use super::tree::Tree;
use crate::support::pack::gzip;
use crate::support::{Ran, finish, spawn};

fn limited(tree: &Tree, ulimit: &str, args: &[&str]) -> Ran {
    let script = format!("ulimit {ulimit}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_urigrep")]);
    finish(spawn(shell.args(args).current_dir(tree.dir.path()).stdin(Stdio::null())))
}

#[test]
fn few_descriptors() {
    let tree = Tree::new();
    for file in 0..100 {
        let name = format!("m-bad/{}/{}/{}/f", file % 5, file % 7, file);
        tree.dir.file(name, "http://bad.example/\n");
    }
    let ran = tree.survives_as(|args| limited(&tree, "-n 16", args), &[], 0, &[]);
    assert_eq!(ran.out().matches("http://bad.example/").count(), 100);
}

/// What needs memory that is not there is an error of its file, or is searched as text.
#[test]
fn little_address_space() {
    let tree = Tree::new();
    // each takes some dozen MiB when it is read as what it is
    tree.dir
        .file("m-bad.md", "[".repeat(500 << 10))
        .file("m-bad.txt.gz", gzip("http://bad.example/ ".repeat(100_000).as_bytes()));
    let needed = [12, 16, 24, 32, 48, 64, 96].into_iter().find(|mib| {
        let probe = limited(&tree, &format!("-v {}", mib << 10), &["-j1", "a.txt"]);
        probe.status == Some(0)
    });
    let needed = needed.expect("96 MiB are enough for a line of text");
    let mut faults = 0;
    for more in [0, 4, 8, 16, 32, 64] {
        let ulimit = format!("-v {}", (needed + more) << 10);
        let ran = limited(&tree, &ulimit, &["-j1", "--sort=path", "-z"]);
        assert!(matches!(ran.status, Some(0 | 2)), "{ulimit}: {ran:?}");
        assert_eq!(ran.status == Some(2), !ran.stderr.is_empty(), "{ulimit}: {ran:?}");
        assert!(
            ran.stderr.lines().all(|line| line.contains("not enough memory")),
            "{ulimit}: {}",
            ran.stderr
        );
        if !ran.stderr.contains("a.txt") {
            assert!(ran.out().starts_with("a.html:"), "{ulimit}: {ran:?}");
        }
        faults += ran.stderr.lines().count();
    }
    assert!(faults > 0, "the limits are too wide to show anything");
}
