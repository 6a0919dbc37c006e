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

/// As one set, these globs take 2.7 GB to match a hundred names. One by one, they hide what they
/// name.
#[test]
fn very_many_globs() {
    let tree = tree();
    let file = format!("{BAD}/.gitignore");
    let globs: String = (0..2000).map(|at| format!("*a{}*b{at}\n", "?".repeat(at % 15))).collect();
    tree.dir.file(&file, globs);
    for at in 0..100 {
        tree.dir.file(format!("{BAD}/{}", format!("{at:07b}").replace('0', "ab")), "");
    }
    tree.survives(&[], 0, &[]);
}

/// Ordinary rules, many of them: in the root, in a directory, with exceptions, and for `.ignore`.
#[test]
fn many_ordinary_globs_count() {
    for place in ["", "m/"] {
        let dir = Dir::new();
        dir.git(&["init", "-q"]);
        for name in
            ["a.txt", "m/keep.txt", "m/out7.o", "m/n/out8.o", "m/n/kept.o", "m/d1/x.txt", "m/w.txt"]
        {
            dir.file(name, "http://a.example/");
        }
        let globs: String = (0..5000).map(|at| format!("out{at}.?\nd[{at}]/\n")).collect();
        dir.file(format!("{place}.gitignore"), format!("{globs}kep*.o\n!kept.*\n/w.*\n"));
        dir.file("m/n/.ignore", "!out8.*\n");
        let ran = dir.run(["--sort=path", "--files"]);
        let w = if place.is_empty() { "m/w.txt\n" } else { "" };
        let expected = format!("a.txt\nm/keep.txt\nm/n/kept.o\nm/n/out8.o\n{w}");
        assert_eq!((ran.out(), ran.status, ran.stderr.as_str()), (expected.as_str(), Some(0), ""));
    }
}

/// An audit asks the rules about files that are not there.
#[test]
fn rules_that_an_audit_asks() {
    let dir = Dir::new();
    dir.git(&["init", "-q"]);
    dir.file("a.md", "[made](m/out7.o) [gone](m/none.o)\n").file("m/b.txt", "");
    let globs: String = (0..5000).map(|at| format!("out{at}.?\n")).collect();
    dir.file("m/.gitignore", globs);
    let ran = dir.run(["audit", "a.md", "--format=csv"]);
    assert_eq!(ran.out().lines().count(), 2, "{}", ran.out());
    std::fs::remove_file(dir.join("m/.gitignore")).unwrap();
    let made = Command::new("mkfifo").arg(dir.join("m/.gitignore")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let ran = dir.run(["audit", "a.md", "--format=csv"]);
    assert_eq!(ran.out().lines().count(), 3, "{}", ran.out());
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

const OUTSIDE: &str = "a link that leads out of the tree";

/// Checks that an audit says that it does not read these settings, and judges the links.
fn unread_settings(dir: &Dir, name: &str, reason: &str) {
    let ran = dir.run(["audit", "a.md"]);
    let said = format!("urigrep: {name}: {reason}: these settings are not read");
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    assert!(ran.out().contains("missing-target"), "{}", ran.out());
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
}

#[test]
fn settings_of_an_audit() {
    for name in ["_config.yml", "mkdocs.yml", "hugo.toml", "conf.py", "_redirects"] {
        let devices = [("/dev/zero", "not a regular file"), ("/proc/self/pagemap", OUTSIDE)];
        for (device, reason) in devices {
            let dir = Dir::new();
            dir.file("a.md", "[b](b.md)\n");
            symlink(device, dir.join(name)).unwrap();
            unread_settings(&dir, name, reason);
        }
        let dir = Dir::new();
        dir.file("a.md", "[b](b.md)\n").file(name, "#\n".repeat(1 << 20));
        unread_settings(&dir, name, "larger than 1 MiB");
    }
    // 120 kB took 190 MB, or more than a minute.
    let dir = Dir::new();
    dir.file("a.md", "[b](b.md)\n".repeat(1000));
    for (settings, reason) in [
        ("[audit.exclude]\npaths=[".to_owned() + &"\"*a*\",".repeat(1001) + "]", "1,000 globs"),
        ("[[audit.override]]\npaths=[\"a/*\"]\nsite=\"hugo\"\n".repeat(2500), "100 overrides"),
        (
            format!(
                "[audit]\nroot=[{}]\n",
                (0..33).map(|it| format!("\"r{it}\",")).collect::<String>()
            ),
            "32 roots",
        ),
    ] {
        dir.file("urigrep.toml", settings);
        let ran = dir.run(["audit", "a.md"]);
        assert_eq!(ran.status, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    }
    // A file of /proc claims to be empty; a target is read to its end for its anchors.
    let dir = Dir::new();
    dir.file("a.md", "[b](b.md#c)\n");
    symlink("/proc/self/pagemap", dir.join("b.md")).unwrap();
    let ran = dir.run(["audit", "a.md"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.out().contains("missing-anchor"), "{ran:?}");
    let dir = Dir::new();
    dir.file("a.md", "[b](b.md)\n");
    symlink("/dev/zero", dir.join("base.json")).unwrap();
    let ran = dir.run(["audit", "--baseline", "base.json", "a.md"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("base.json: not a regular file"), "{}", ran.stderr);
}
