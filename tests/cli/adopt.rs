//! `urigrep audit` in a project that has findings already: causes, revisions, text that is not
//! saved.

use std::fs;

use serde_json::Value;

use crate::support::{Dir, command, finish, pipe, spawn};

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn causes() {
    let dir = Dir::new();
    for language in ["de", "fr", "ja"] {
        dir.file(format!("docs/{language}/a.md"), "[x](gone.md)\n");
    }
    for n in 0..5 {
        dir.file(format!("vendor/{n}.md"), format!("[x](none{n}.md)\n"));
    }
    let ran = dir.run(["audit", "--vendored", "--summary"]);
    assert_eq!(ran.status, Some(1));
    let text = ran.out().to_owned();
    let groups: Vec<&str> = text.lines().filter(|line| line.contains("missing-target")).collect();
    assert_eq!(groups[0], "5  missing-target in `vendor/`");
    assert_eq!(groups[2], "3  missing-target: `gone.md` (1 different)");
    let ran = dir.run(["audit", "--vendored", "--summary", "--json"]);
    let causes: Vec<Value> = ran.out().lines().map(json).collect();
    assert_eq!((&causes[1]["shape"], &causes[1]["different"]), (&": `gone.md`".into(), &1.into()));
    // Each setting turns its group off.
    let settings: Vec<&str> =
        causes.iter().map(|cause| cause["setting"].as_str().unwrap()).collect();
    dir.file("urigrep.toml", settings.join("\n"));
    assert_eq!(dir.run(["audit", "--vendored"]).status, Some(0));
    // So do the lines for people, as they are printed.
    let lines = text.lines().skip_while(|line| !line.contains("[["));
    let lines = lines.filter(|line| line.starts_with("     "));
    dir.file("urigrep.toml", lines.collect::<Vec<_>>().join("\n"));
    assert_eq!(dir.run(["audit", "--vendored"]).status, Some(0));
}

/// A setting for a directory would hide the next fault in its other documents.
#[test]
fn a_directory_of_good_documents_has_no_setting() {
    let dir = Dir::new();
    for n in 0..12 {
        let text = if n < 5 { format!("[x](q{n} w{n}.md)\n") } else { "# A\n".to_owned() };
        dir.file(format!("a/{n}.md"), text);
    }
    for n in 0..3 {
        dir.file(format!("c/{n}.md"), format!("[x](r{n} s{n}.md)\n"));
        dir.file(format!("e/{n}.md"), format!("[x](t{n} u{n}.md)\n"));
    }
    let ran = dir.run(["audit", "--summary", "--json"]);
    let causes: Vec<Value> = ran.out().lines().map(json).collect();
    let shapes: Vec<(&str, bool)> = causes
        .iter()
        .filter(|cause| cause["type"] == "cause")
        .map(|cause| (cause["shape"].as_str().unwrap(), cause["setting"].is_string()))
        .collect();
    assert_eq!(shapes, [(" in `a/`", false), (" in `c/`", true), (" in `e/`", true)]);
}

#[test]
fn failing_level() {
    let dir = Dir::new();
    dir.file("a.md", "[x](b.md#none)\n").file("b.md", "# B\n");
    let status = |args: &[&str]| dir.run(["audit"].iter().chain(args)).status;
    assert_eq!(status(&[]), Some(1));
    assert_eq!(status(&["--fail-on", "error"]), Some(0));
    assert_eq!(status(&["--fail-on", "warning"]), Some(1));
    dir.file("a.md", "[x](none.md)\n");
    assert_eq!(status(&["--fail-on", "error"]), Some(1));
}

#[test]
fn text_that_is_not_saved() {
    let dir = Dir::new();
    dir.file("docs/b.md", "# B\n");
    let run = |path: &str, text: &str| {
        let mut command = command(["audit", "--format=csv", "--stdin-path", path]);
        let mut child = spawn(command.current_dir(dir.path()).stdin(std::process::Stdio::piped()));
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        finish(child)
    };
    let ran = run("docs/new.md", "[good](b.md) [none](c.md) [self](new.md)\n");
    let rows: Vec<&str> = ran.out().lines().collect();
    assert!(rows[1].starts_with("docs/new.md,1,") && rows[1].contains("docs/c.md"), "{rows:?}");
    // A file that does not exist is none.
    assert!(rows[2].contains("docs/new.md"), "{rows:?}");
    assert_eq!(run("docs/b.md", "[good](b.md)").status, Some(0));
    let ran = pipe(["audit", "--stdin-path", "a.md", "b.md"], "");
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.contains("--stdin-path cannot be combined with other paths"),
        "{}",
        ran.stderr
    );
    assert_eq!(pipe(["audit", "--stdin-path", "a.md", "-"], "").status, Some(0));
}

#[test]
fn new_since_a_revision() {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    dir.file("a.md", "[old](none.md) [page](page.md)\n").file("page.md", "# Page\n");
    dir.file("moved.md", "[old](gone.md)\n");
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "first"]);
    let found = |args: &[&str]| {
        let ran = dir.run(["audit", "--format=csv"].iter().chain(args));
        assert_eq!(ran.stderr, "");
        ran.out()
            .lines()
            .skip(1)
            .map(|row| row.split(',').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&[]).len(), 2);
    assert_eq!(found(&["--new-since", "HEAD"]), [""; 0]);
    // A rename breaks a link in a file that did not change, and takes its own findings along.
    fs::rename(dir.join("page.md"), dir.join("other.md")).unwrap();
    fs::create_dir(dir.join("sub")).unwrap();
    fs::rename(dir.join("moved.md"), dir.join("sub/moved.md")).unwrap();
    dir.git(&["add", "."]);
    assert_eq!(found(&["--new-since", "HEAD"]), ["a.md"]);
    assert_eq!(found(&["--new-since", "HEAD", "sub"]), [""; 0]);
    dir.file("new.md", "[x](none.md)\n");
    assert_eq!(found(&["--new-since", "HEAD"]), ["a.md", "new.md"]);
    let ran = dir.run(["audit", "--new-since", "nothing-such"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("no such revision"), "{ran:?}");
    let shown = dir.run(["audit", "--new-since", "HEAD"]);
    assert!(shown.out().contains("already in `HEAD`"), "{}", shown.out());
}

/// The old text of a document is that of the revision, whatever standard input holds.
#[test]
fn new_in_text_that_is_not_saved() {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    dir.file("docs/a.md", "[old](none.md)\n").file("docs/b.md", "[other](gone.md)\n");
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "first"]);
    for path in ["docs/a.md".into(), dir.join("docs/a.md")] {
        let mut command = command(["audit", "--format=csv", "--new-since", "HEAD"]);
        command.current_dir(dir.path()).arg("--stdin-path").arg(path);
        let mut child = spawn(command.stdin(std::process::Stdio::piped()));
        let text = b"# A\n\n[old](none.md)\n[new](c.md)\n";
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text).unwrap();
        let ran = finish(child);
        let lines: Vec<_> = ran.out().lines().skip(1).map(|row| row.split(',').nth(1)).collect();
        assert_eq!(lines, [Some("4")], "{}{}", ran.out(), ran.stderr);
    }
}

#[test]
fn comments_that_are_not_html() {
    let dir = Dir::new();
    dir.file("a.mdx", "[a](none) {/* urigrep-disable-line */}\n\n{/* urigrep-disable-next-line -- b */}\n[b](none)\n\n[c](none)\n");
    dir.file("b.md", "[//]: # (urigrep-disable missing-target)\n\n[a](none)\n\n%% urigrep-enable %%\n\n[b](none)\n");
    let ran = dir.run(["audit", "--format=csv"]);
    let rows =
        ran.out().lines().skip(1).map(|row| row.split(',').take(2).collect::<Vec<_>>().join(":"));
    assert_eq!(rows.collect::<Vec<_>>(), ["a.mdx:6", "b.md:7"], "{}", ran.out());
}

#[test]
fn services_get_paths_in_the_checkout() {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    dir.file("docs/a.md", "[x](none.md)\n");
    let from_docs = |format: &str| {
        finish(spawn(command(["audit", "--format", format]).current_dir(dir.join("docs"))))
    };
    assert!(from_docs("github").out().starts_with("::error file=docs/a.md,"));
    assert_eq!(json(from_docs("gitlab").out())[0]["location"]["path"], "docs/a.md");
    let log = json(from_docs("sarif").out());
    let place =
        &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&place["uri"], &place["uriBaseId"]), (&"docs/a.md".into(), &"%SRCROOT%".into()));
}

#[test]
fn an_address_needs_a_host() {
    let dir = Dir::new();
    for base in ["https://", "https:///docs/", "ftp://a.example/"] {
        let ran = dir.run(["audit", "--base", base]);
        assert!(ran.status == Some(2) && ran.stderr.contains("--base"), "{base}: {ran:?}");
    }
    assert_eq!(dir.run(["audit", "--base", "/docs/"]).status, Some(0));
}

#[test]
fn tracked_files_are_audited_although_ignored() {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    dir.file(".gitignore", "docs/\n")
        .file("docs/a.md", "[x](../none.md)\n")
        .file("docs/b.md", "[y](../none.md)\n");
    dir.git(&["add", "-f", "docs/a.md"]);
    let ran = dir.run(["audit", "--format=csv"]);
    let rows: Vec<&str> = ran.out().lines().skip(1).collect();
    assert!(rows.len() == 1 && rows[0].starts_with("docs/a.md,1,"), "{rows:?}");
    assert_eq!(dir.run(["audit", "--format=csv", "."]).out().lines().count(), 2);
}

/// The menu of a site is in every clone, too.
#[test]
fn tracked_menus_are_audited_although_ignored() {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    dir.file(".gitignore", "mkdocs.yml\n")
        .file("mkdocs.yml", "site_name: A\nnav:\n  - A: index.md\n  - B: none.md\n")
        .file("docs/index.md", "# A\n");
    let rows = || dir.run(["audit", "--format=csv"]).out().lines().skip(1).count();
    assert_eq!(rows(), 0);
    dir.git(&["add", "-f", "."]);
    assert_eq!(rows(), 1);
}
