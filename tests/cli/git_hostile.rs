//! Repositories by strangers that cost git any time or memory, or lead it elsewhere.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{Dir, Ran, command, finish, spawn};

fn checkout() -> Dir {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    dir
}

fn commit(dir: &Dir, message: &str) -> String {
    dir.git(&["add", "-A"]);
    dir.git(&["commit", "-qm", message]);
    dir.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

/// Stores a tree of entries as `git ls-tree` prints them, and returns its name.
fn tree(dir: &Dir, entries: &str) -> String {
    let mut git = Command::new("git");
    git.current_dir(dir.path()).arg("mktree").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut git = git.spawn().expect("git");
    git.stdin.take().expect("a pipe").write_all(entries.as_bytes()).expect("written");
    let ran = git.wait_with_output().expect("git");
    assert!(ran.status.success(), "{ran:?}");
    String::from_utf8_lossy(&ran.stdout).trim().to_owned()
}

/// Stores a commit of ten levels of directories, each of which has the same one ten times.
fn bomb(dir: &Dir, file: &str) -> String {
    let ten = |entry: &str| (0..10).map(|n| format!("{entry}\tn{n}.md\n")).collect::<String>();
    let mut all = tree(dir, &ten(&format!("100644 blob {file}")));
    for _ in 1..10 {
        all = tree(dir, &ten(&format!("040000 tree {all}")));
    }
    dir.git(&["commit-tree", "-m", "bomb", &all]).trim().to_owned()
}

/// Runs the command for at most half of the limit of a run.
#[track_caller]
fn ends(dir: &Dir, arguments: &[&str]) -> Ran {
    let ran = finish(spawn(command(arguments).current_dir(dir.path()).stdin(Stdio::null())));
    assert_eq!(ran.status, Some(2), "{arguments:?}: {ran:?}");
    ran
}

/// A repository of some kilobytes has a commit with 10^10 files. It is no part of what is checked
/// out.
#[test]
fn a_tree_without_end_is_refused() {
    let dir = checkout();
    dir.file("a.md", "[a](gone.md) http://a.example/\n");
    commit(&dir, "small");
    let file = dir.git(&["rev-parse", "HEAD:a.md"]).trim().to_owned();
    let bomb = bomb(&dir, &file);
    for arguments in [
        &["diff", &bomb][..],
        &["--since", &bomb],
        &["audit", "--since", &bomb],
        &["audit", "--new-since", &bomb],
    ] {
        let ran = ends(&dir, arguments);
        assert!(ran.stderr.contains("has more than"), "{arguments:?}: {ran:?}");
    }
}

/// Some megabytes hold one large file many times, which would fill the disk.
#[test]
fn a_tree_is_written_up_to_a_size() {
    let dir = checkout();
    dir.file("a.md", "[a](gone.md)\n");
    commit(&dir, "small");
    let large = std::fs::File::create(dir.join("large")).expect("a file");
    large.set_len(1 << 24).expect("a sparse file");
    let file = dir.git(&["hash-object", "-w", "large"]).trim().to_owned();
    std::fs::remove_file(dir.join("large")).expect("removed");
    let many: String = (0..1100).map(|n| format!("100644 blob {file}\tn{n}\n")).collect();
    let many = tree(&dir, &many);
    let many = dir.git(&["commit-tree", "-m", "many", &many]).trim().to_owned();
    let ran = ends(&dir, &["audit", "--new-since", &many]);
    assert!(ran.stderr.contains("has more than"), "{ran:?}");
}

/// The expression for the heads of hunks looks back at every line before, and takes forever for
/// each.
#[test]
fn an_expression_of_a_checkout_is_not_run() {
    let dir = checkout();
    let head = format!("{}!\n", "a".repeat(3000)).repeat(40);
    dir.file(".gitattributes", "*.md diff=x\n").file("a.md", format!("{head}x\ny\n"));
    commit(&dir, "one");
    dir.file("a.md", format!("{head}http://a.example/\ny\n"));
    for key in ["diff.x.xfuncname", "diff.x.funcname"] {
        dir.git(&["config", key, r"^\(.*\)(.*)(.*)\(.*\)(.*)\1\2(.*)#$"]);
        dir.git(&["config", "diff.x.y.xfuncname", "("]);
    }
    dir.git(&["config", "diff.x.xfuncname", r"^(.*)(.*)(.*)(.*)\1\2\3\4#$"]);
    dir.run(["-IN", "--since", "HEAD"]).is(0, "http://a.example/\n");
    dir.git(&["config", "--unset", "diff.x.xfuncname"]);
    dir.git(&["config", "diff.x.funcname", r"^\(.*\)\(.*\)\(.*\)\(.*\)\1\2\3\4#$"]);
    dir.run(["-IN", "--since", "HEAD"]).is(0, "http://a.example/\n");
}

/// A work tree elsewhere may be all of the file system.
#[cfg(unix)]
#[test]
fn another_work_tree_is_refused() {
    let dir = checkout();
    dir.file("top/a.md", "[a](gone.md)\n");
    dir.git(&["init", "-q", "-b", "main", "top"]);
    let top = dir.join("top");
    dir.git(&["-C", "top", "add", "-A"]);
    dir.git(&["-C", "top", "commit", "-qm", "one"]);
    let since = ["audit", "--since", "HEAD", "top"];
    assert_eq!(dir.run(since).status, Some(0));
    let set = |config: &str, name: &str, value: &str| {
        // Not in the repository, where git itself fails if there is no such directory.
        dir.git(&["config", "--file", config, name, value]);
    };
    for elsewhere in ["/", "../..", "../../gone"] {
        set("top/.git/config", "core.worktree", elsewhere);
        let ran = dir.run(since);
        assert!(ran.stderr.contains("its work tree is elsewhere"), "{elsewhere}: {ran:?}");
    }
    // The own one is not elsewhere, nor is that of a linked tree.
    set("top/.git/config", "core.worktree", &top.display().to_string());
    dir.git(&["-C", "top", "worktree", "add", "-q", "../linked"]);
    assert_eq!(dir.run(since).status, Some(0));
    assert_eq!(dir.run(["audit", "--since", "HEAD", "linked"]).status, Some(0));
    // A directory of a clone may be a bare repository, whose settings are by strangers, too.
    dir.git(&["-C", "top", "config", "--unset", "core.worktree"]);
    dir.git(&["clone", "-q", "--bare", "top", "bare"]);
    set("bare/config", "core.bare", "false");
    set("bare/config", "core.worktree", "/");
    dir.file("bare/a.md", "[a](gone.md)\n");
    let ran = dir.run(["audit", "--since", "HEAD", "bare/a.md"]);
    assert!(ran.stderr.contains("its work tree is elsewhere"), "{ran:?}");
}

/// A link at the place of a submodule leads to another repository, which is not part of this one.
#[cfg(unix)]
#[test]
fn a_link_is_not_a_submodule() {
    let dir = checkout();
    dir.git(&["init", "-q", "-b", "main", "private"]);
    dir.file("private/secret.md", "http://secret.example/\n");
    dir.git(&["-C", "private", "add", "-A"]);
    dir.git(&["-C", "private", "commit", "-qm", "secret"]);
    let id = dir.git(&["-C", "private", "rev-parse", "HEAD"]).trim().to_owned();
    let top = dir.join("top");
    dir.git(&["init", "-q", "-b", "main", "top"]);
    dir.file("top/a.md", "http://a.example/\n");
    dir.file("top/.gitmodules", "[submodule \"x\"]\n\tpath = x/sub\n\turl = x\n");
    let git = |arguments: &[&str]| dir.git(&[&["-C", "top"], arguments].concat());
    git(&["add", "-A"]);
    git(&["update-index", "--add", "--cacheinfo", &format!("160000,{id},x/sub")]);
    git(&["commit", "-qm", "one"]);
    let run = |arguments: &[&str]| {
        finish(spawn(command(arguments).current_dir(&top).stdin(Stdio::null())))
    };
    std::fs::create_dir(top.join("x")).expect("a directory");
    std::os::unix::fs::symlink("../../private", top.join("x/sub")).expect("a link");
    run(&["diff", "HEAD"]).is(0, "");
    run(&["--since", "HEAD", "x"]).is(1, "");
    std::fs::remove_file(top.join("x/sub")).expect("removed");
    std::fs::remove_dir(top.join("x")).expect("removed");
    // So may a directory above it be, and the file that names its repository.
    std::fs::create_dir(dir.join("y")).expect("a directory");
    std::os::unix::fs::symlink("../private", dir.join("y/sub")).expect("a link");
    std::os::unix::fs::symlink("../y", top.join("x")).expect("a link");
    run(&["diff", "HEAD"]).is(0, "");
    std::fs::remove_file(top.join("x")).expect("removed");
    dir.file("top/x/sub/.git", "gitdir: ../../../private/.git\n");
    run(&["diff", "HEAD"]).is(0, "");
    assert!(run(&["audit", "--new-since", "HEAD"]).out().contains("nothing found in 1 document"));
}
