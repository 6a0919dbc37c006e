//! Ignore files and settings that are not what they seem: a hostile tree brings them along.

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::faults::tree::{BAD, Tree};
use crate::support::Dir;

/// What is said of a directory whose rules are not read.
fn said(file: &str, reason: &str) -> String {
    format!("urigrep: {file}: {reason}: no ignore rules are applied in this directory")
}

/// A tree of git, with one directory more, in which everything is found whatever its rules are.
fn tree() -> Tree {
    let tree = Tree::new();
    tree.dir.file(format!("{BAD}/.keep"), "");
    tree
}

#[test]
fn a_device_behind_a_link() {
    for name in [".gitignore", ".ignore"] {
        for target in ["/dev/zero", "/proc/self/pagemap", "/etc/passwd"] {
            let tree = tree();
            let file = format!("{BAD}/{name}");
            symlink(target, tree.dir.join(&file)).unwrap();
            tree.survives(&[], 2, &[&said(&file, "a link that leads out of the tree")]);
        }
    }
}

#[test]
fn a_fifo() {
    let tree = tree();
    let file = format!("{BAD}/.ignore");
    let made = Command::new("mkfifo").arg(tree.dir.join(&file)).status();
    assert!(made.is_ok_and(|status| status.success()));
    tree.survives(&[], 2, &[&said(&file, "not a regular file")]);
}

#[test]
fn a_large_file() {
    let tree = tree();
    let file = format!("{BAD}/.gitignore");
    tree.dir.file(&file, "a\n".repeat(1 << 20));
    tree.survives(&[], 2, &[&said(&file, "larger than 1048576 bytes")]);
}

/// As one set, these globs take 2.7 GB to match a hundred names.
#[test]
fn very_many_globs() {
    let tree = tree();
    let file = format!("{BAD}/.gitignore");
    let globs: String = (0..2000).map(|at| format!("*a{}*b{at}\n", "?".repeat(at % 15))).collect();
    tree.dir.file(&file, globs);
    for at in 0..100 {
        tree.dir.file(format!("{BAD}/{}", format!("{at:07b}").replace('0', "ab")), "");
    }
    tree.survives(&[], 2, &[&said(&file, "too many globs, with those above")]);
}

/// Nothing is hidden by rules that are not read, and the walk goes on as deep as it should.
#[test]
fn what_is_below_is_found_in_order() {
    let dir = Dir::new();
    for name in ["a.txt", "m/a.txt", "m/n/b.txt", "m/n/o/c.txt", "z.txt"] {
        dir.file(name, format!("http://{name}.example/"));
    }
    symlink("/dev/zero", dir.join("m/.ignore")).unwrap();
    let ran = dir.run(["-j2", "--sort=path", "--files"]);
    assert_eq!(ran.out(), "a.txt\nm/a.txt\nm/n/b.txt\nm/n/o/c.txt\nz.txt\n");
    let ran = dir.run(["-j1", "--sort=path", "--files", "--max-depth=3"]);
    assert_eq!(ran.out(), "a.txt\nm/a.txt\nm/n/b.txt\nz.txt\n");
    let ran = dir.run(["-j1", "--sort=path", "--files", "--no-ignore"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

/// A link to rules of the same tree is read, as ever.
#[test]
fn a_link_within_the_tree() {
    let dir = Dir::new();
    dir.file("rules", "*.skip\n")
        .file("m/a.txt", "http://a.example/")
        .file("m/b.skip", "http://b.example/");
    symlink("../rules", dir.join("m/.ignore")).unwrap();
    let ran = dir.run(["--files", "--sort=path"]);
    assert_eq!((ran.out(), ran.status), ("m/a.txt\nrules\n", Some(0)));
}

#[test]
fn settings_of_an_audit() {
    for name in ["_config.yml", "mkdocs.yml", "hugo.toml", "conf.py", "_redirects"] {
        let dir = Dir::new();
        dir.file("a.md", "[b](b.md)\n");
        symlink("/proc/self/pagemap", dir.join(name)).unwrap();
        let ran = dir.run(["audit", "a.md"]);
        assert_eq!(ran.status, Some(1), "{name}: {}", ran.stderr);
    }
    let dir = Dir::new();
    dir.file("a.md", "[b](b.md)\n");
    symlink("/dev/zero", dir.join("base.json")).unwrap();
    let ran = dir.run(["audit", "--baseline", "base.json", "a.md"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("base.json: not a regular file"), "{}", ran.stderr);
}
