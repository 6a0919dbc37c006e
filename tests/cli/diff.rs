//! `urigrep diff` and `--since`: what two trees or revisions differ in.

use serde_json::Value;

use crate::support::{Dir, command, finish, pipe, spawn};

/// A checkout with one commit, and changes that are not committed.
fn checkout() -> Dir {
    let dir = Dir::new();
    dir.file(
        "docs/a.md",
        "# A\n[x](http://a.dev/x)\n[y](HTTP://A.dev:80/y)\nhttp://a.dev/z http://a.dev/z\n[r](b.md)\n",
    );
    dir.file(".github/x.md", "http://hidden.dev/").file(".gitignore", "build/\n");
    dir.file("build/kept.md", "http://ignored.dev/");
    dir.git(&["init", "-q", "-b", "main"]);
    dir.git(&["add", "-f", "."]);
    dir.git(&["commit", "-qm", "one"]);
    dir.file(
        "docs/a.md",
        "# A\n\n[y](http://a.dev/y)\nhttp://a.dev/z\nhttp://new.dev/?token=c0ffee1234abcd\n[r](b.md)\n",
    );
    dir.file("docs/sub/c.md", "see http://a.dev/x\n[r](b.md)\n");
    dir
}

const CHANGES: &str = "- docs/a.md:4:http://a.dev/z\n\
                       + docs/a.md:5:http://new.dev/?token=c0ffee1234abcd\n\
                       ~ docs/sub/c.md:1:http://a.dev/x (from docs/a.md:2)\n\
                       + docs/sub/c.md:2:b.md\n";

/// `./` before a path is no move.
#[test]
fn the_same_directory_in_two_spellings() {
    let dir = Dir::new();
    dir.file("a/1.txt", "http://a.example/\n");
    let ran = dir.run(["diff", "a", "./a"]);
    assert_eq!((ran.out(), ran.status), ("", Some(0)), "{}", ran.stderr);
}

/// In trees, another directory is a difference; only archives wrap their files in one.
#[test]
fn another_directory_at_the_top() {
    let dir = Dir::new();
    dir.file("old/v1/a.txt", "http://a.example/\n").file("new/v2/a.txt", "http://a.example/\n");
    let ran = dir.run(["diff", "old", "new"]);
    ran.is(1, "~ new/v2/a.txt:1:http://a.example/ (from old/v1/a.txt:1)\n");
}

/// An identifier is the same in all spellings, as for `--unique`.
#[test]
fn identifiers_have_one_spelling() {
    let dir = Dir::new();
    dir.file("a.txt", "ISBN 0-306-40615-2 doi:10.1000/ABC doi:10.1000/1\n");
    dir.file("b.txt", "ISBN 978-0-306-40615-7 https://doi.org/10.1000/abc doi:10.1000/2\n");
    let ran = dir.run(["diff", "--identifiers", "a.txt", "b.txt"]);
    ran.is(1, "- a.txt:1:doi:10.1000/1\n+ b.txt:1:doi:10.1000/2\n");
}

/// Moving a file adds no URIs, but may break its relative links.
#[test]
fn a_renamed_file_has_not_changed() {
    let dir = Dir::new();
    let text =
        "# A\n\n[x](b.md)\nhttp://a.example/1 and more words\nhttp://a.example/2 and others\n";
    dir.file("a.md", text).file("b.md", "# B\n").file("c.md", text);
    dir.git(&["init", "-q", "-b", "main"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    dir.git(&["rm", "-q", "c.md"]);
    dir.git(&["mv", "a.md", "renamed.md"]);
    dir.run(["--since", "HEAD"]).is(1, "");
    dir.file("renamed.md", format!("{text}http://a.example/3\n"));
    dir.run(["--since", "HEAD", "-I"]).is(0, "http://a.example/3\n");
    let ran = dir.run(["audit", "--since", "HEAD", "-q"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    std::fs::create_dir(dir.join("sub")).expect("a directory");
    dir.git(&["mv", "renamed.md", "sub/renamed.md"]);
    dir.run(["--since", "HEAD", "-I"]).is(0, "http://a.example/3\n");
    let ran = dir.run(["audit", "--since", "HEAD", "--format", "csv"]);
    assert!(ran.out().contains("missing-target"), "{}{}", ran.out(), ran.stderr);
}

#[test]
fn a_revision_and_the_working_tree() {
    let dir = checkout();
    for args in [&["diff", "main"][..], &["diff", "HEAD:", "."], &["diff", "HEAD:docs", "docs"]] {
        let ran = dir.run(args);
        assert_eq!((ran.status, ran.out()), (Some(1), CHANGES), "{args:?} {}", ran.stderr);
    }
    // In a subdirectory, the revision of that directory is meant.
    let ran = finish(spawn(command(["diff", "HEAD"]).current_dir(dir.join("docs"))));
    assert_eq!(ran.out(), CHANGES.replace("docs/", ""));
    let ran = dir.run(["diff", "--only", "removed,moved", "--host", "a.dev", "--redact", "HEAD"]);
    assert_eq!(
        ran.out(),
        "- docs/a.md:4:http://a.dev/z\n~ docs/sub/c.md:1:http://a.dev/x (from docs/a.md:2)\n"
    );
    let ran = dir.run(["diff", "--redact", "--only", "added", "HEAD", "-e", "token"]);
    ran.is(1, "+ docs/a.md:5:http://new.dev/?token=REDACTED\n");
    dir.run(["diff", "-g", "*.txt", "HEAD"]).is(0, "");
    dir.run(["diff", "-q", "HEAD"]).is(1, "");
    let ran = dir.run(["diff", "--hidden", "--no-ignore", "HEAD", "HEAD"]);
    ran.is(0, "");
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "two"]);
    dir.run(["diff", "HEAD"]).is(0, "");
    dir.run(["diff", "HEAD~1..HEAD"]).is(1, CHANGES);
    dir.run(["diff", "HEAD~1..."]).is(1, CHANGES);
    dir.file("docs/.ignore", "sub/\n");
    let ran = dir.run(["diff", "HEAD~1", "HEAD"]);
    assert!(!ran.out().contains("sub/"), "{}", ran.out());
    dir.run(["diff", "HEAD"]).is(0, "");
    let ran = dir.run(["diff", "nothing"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.ends_with("`nothing`; a file of a revision is REV:PATH\n"),
        "{}",
        ran.stderr
    );
    let outside = Dir::new();
    let ran = outside.run(["diff", "main"]);
    let message = "no such file or git revision: `main`; `.` is not in a git checkout\n";
    assert!(ran.status == Some(2) && ran.stderr.ends_with(message), "{}", ran.stderr);
}

#[test]
fn json_has_places_and_a_summary() {
    let dir = checkout();
    let ran = dir.run(["diff", "--json", "HEAD"]);
    let records: Vec<Value> =
        ran.out().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let types: Vec<&str> = records.iter().filter_map(|it| it["type"].as_str()).collect();
    assert_eq!(types, ["removed", "added", "moved", "added", "summary"]);
    let moved = &records[2];
    assert_eq!((&moved["path"], &moved["line"]), (&"docs/sub/c.md".into(), &1.into()));
    assert_eq!((&moved["from"]["path"], &moved["from"]["line"]), (&"docs/a.md".into(), &2.into()));
    let summary = &records[4];
    let counts = ["removed", "added", "moved", "same", "errors"].map(|name| summary[name].as_u64());
    assert_eq!(counts, [1, 2, 1, 3, 0].map(Some));
}

#[test]
fn files_archives_and_standard_input() {
    let dir = checkout();
    dir.git(&["archive", "--prefix=p-1/", "-o", "old.tar", "HEAD"]);
    dir.git(&["add", "docs"]);
    dir.git(&["commit", "-qm", "two"]);
    dir.git(&["archive", "--prefix=p-2/", "-o", "new.tar.gz", "HEAD"]);
    let ran = dir.run(["diff", "old.tar", "new.tar.gz"]);
    let expected = CHANGES.replace("(from docs", "(from old.tar!/p-1/docs");
    let expected = expected.replace("- docs", "- old.tar!/p-1/docs");
    let expected = expected.replace("+ docs", "+ new.tar.gz!/p-2/docs");
    let expected = expected.replace("~ docs", "~ new.tar.gz!/p-2/docs");
    ran.is(1, &expected);
    // The tree has no hidden files, the archive has.
    let ran = dir.run(["diff", "--only", "added", "old.tar", "docs/sub/c.md"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    dir.file("a.txt", "http://a.dev/1\nhttp://a.dev/2 http://a.dev/3\n");
    dir.file("b.txt", "http://a.dev/2\nhttp://a.dev/1 http://a.dev/4\n");
    let ran = dir.run(["diff", "a.txt", "b.txt"]);
    ran.is(1, "- a.txt:2:http://a.dev/3\n+ b.txt:2:http://a.dev/4\n");
    let path = dir.join("a.txt");
    let ran = pipe(["diff".as_ref(), path.as_os_str(), "-".as_ref()], "http://a.dev/1");
    assert_eq!(ran.out().lines().count(), 2, "{}", ran.out());
    let ran = dir.run(["diff", "-", "-"]);
    assert_eq!(ran.status, Some(2));
}

#[test]
fn a_part_of_the_current_directory_is_not_compared_with_it() {
    let dir = Dir::new();
    dir.file("o", "http://a.dev/x\n").file("docs/p", "http://a.dev/y\n");
    for old in ["o", "docs", "./docs/p", ".."] {
        let ran = dir.run(["diff", old]);
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{old}: {ran:?}");
        assert!(ran.stderr.contains("name NEW"), "{old}: {}", ran.stderr);
    }
    dir.run(["diff", "."]).is(0, "");
    dir.run(["diff", "o", "o"]).is(0, "");
    let other = Dir::new();
    let path = other.file("o", "http://a.dev/x\n").file("docs/p", "").path().to_owned();
    dir.run(["diff".as_ref(), path.as_os_str()]).is(1, "+ docs/p:1:http://a.dev/y\n");
}

#[test]
fn a_search_of_changed_lines() {
    let dir = checkout();
    dir.file("binary.md", b"\0 http://binary.dev/");
    let ran = dir.run(["-n", "--since", "HEAD", "--sort", "path", "--kind", "!reference"]);
    ran.is(
        0,
        "docs/a.md:3:http://a.dev/y\ndocs/a.md:4:http://a.dev/z\n\
         docs/a.md:5:http://new.dev/?token=c0ffee1234abcd\ndocs/sub/c.md:1:http://a.dev/x\n",
    );
    let ran = dir.run(["--since", "HEAD", "--count", "--sort", "path"]);
    ran.is(0, "docs/a.md:3\ndocs/sub/c.md:2\n");
    let ran = dir.run(["--since", "HEAD", "--stats", "--json", "--scheme", "http"]);
    let summary: Value =
        serde_json::from_str(ran.out().lines().last().expect("a summary")).expect("JSON");
    assert_eq!((summary["matches"].as_u64(), summary["unique"].as_u64()), (Some(4), Some(4)));
    dir.run(["--since", "HEAD", "-m1", "-I", "docs/a.md"]).is(0, "http://a.dev/y\n");
    let ran = dir.run(["--since", "HEAD", "-C0", "-n", "--host", "a.dev", "docs/a.md"]);
    ran.is(0, "3:[y](http://a.dev/y)\n4:http://a.dev/z\n");
    dir.run(["--since", "HEAD", "-q", ".github/x.md"]).is(1, "");
    let ran = dir.run(["--since", "HEAD", "-"]);
    assert_eq!(ran.stderr, "urigrep: --since: standard input has no revisions\n");
    // A list may end its paths with NUL.
    dir.file("list", "docs/a.md\0docs/sub/c.md\0");
    let ran = dir.run(["--files-from", "list", "--since", "HEAD", "-c"]);
    ran.is_sorted(0, &["docs/a.md:3", "docs/sub/c.md:2"]);
}

/// A path of a revision alone is compared with the same path here.
#[test]
fn a_path_of_a_revision_alone() {
    let dir = checkout();
    let alone = dir.run(["diff", "HEAD:docs"]);
    let both = dir.run(["diff", "HEAD:docs", "docs"]);
    assert_eq!((alone.out(), alone.status), (both.out(), Some(1)), "{}", alone.stderr);
}

/// `REV:PATH` is a path from the top of the checkout (gitrevisions(7)), `REV:./PATH` one from here.
#[test]
fn a_path_of_a_revision_in_a_subdirectory() {
    let dir = checkout();
    let changes = [
        "- a.md:2:http://a.dev/x",
        "- a.md:4:http://a.dev/z",
        "+ a.md:5:http://new.dev/?token=c0ffee1234abcd",
    ];
    let below = |args: &[&str]| {
        let mut ran = command(args);
        finish(spawn(ran.current_dir(dir.join("docs"))))
    };
    for revision in ["HEAD:docs/a.md", "HEAD:./a.md"] {
        let ran = below(&["diff", revision]);
        assert_eq!(ran.out().lines().collect::<Vec<_>>(), changes, "{revision}: {}", ran.stderr);
    }
    let ran = below(&["diff", "HEAD:.github/x.md"]);
    assert_eq!((ran.out(), ran.status), ("", Some(0)), "{}", ran.stderr);
    std::fs::remove_file(dir.join(".github/x.md")).expect("a file");
    let ran = below(&["diff", "HEAD:.github/x.md"]);
    let said =
        "`../.github/x.md` is no longer there; name what to compare `HEAD:.github/x.md` with";
    assert!(ran.stderr.contains(said) && ran.status == Some(2), "{}", ran.stderr);
}

/// A path that one of two revisions lacks is compared with nothing, wherever git would know it.
#[test]
fn a_path_that_one_side_lacks() {
    let dir = checkout();
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "two"]);
    dir.file("new/n.md", "http://new.dev/\n");
    dir.run(["diff", "HEAD", "new"]).is(1, "+ new/n.md:1:http://new.dev/\n");
    dir.git(&["add", "new"]);
    dir.git(&["commit", "-qm", "three"]);
    for args in [["HEAD~1", "HEAD:new"], ["HEAD~1", "HEAD:./new"]] {
        dir.run(["diff"].iter().chain(&args)).is(1, "+ new/n.md:1:http://new.dev/\n");
    }
    dir.git(&["rm", "-rq", "new"]);
    dir.git(&["commit", "-qm", "four"]);
    for args in [["HEAD~1", "HEAD:new"], ["HEAD~1:new", "HEAD:new"], ["HEAD~1", "new"]] {
        dir.run(["diff"].iter().chain(&args)).is(1, "- new/n.md:1:http://new.dev/\n");
    }
    let ran = dir.run(["diff", "HEAD~1", "HEAD:nwe"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("`HEAD:nwe`"), "{}", ran.stderr);
    // What git ignores is no part of the revision: a release, say.
    dir.file(".gitignore", "release/\n").file("release/docs/a.md", "http://r.dev/\n");
    let ran = dir.run(["diff", "HEAD", "release", "--no-ignore"]);
    assert!(
        ran.out().contains("- docs/") || ran.out().contains("- release/docs/"),
        "{}",
        ran.out()
    );
}

/// A file that is the same on both sides has one problem; two files have two.
#[test]
fn a_problem_of_an_unchanged_file_is_said_once() {
    let dir = Dir::new();
    dir.file("a/x.pdf", "%PDF-1.4 broken").file("b/x.pdf", "%PDF-1.4 broken");
    dir.git(&["init", "-q"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    for args in [&["diff", "HEAD"][..], &["diff", "a", "b"]] {
        let ran = dir.run(args);
        assert_eq!(ran.stderr.matches("x.pdf: it is damaged").count(), 2, "{}", ran.stderr);
    }
}
