//! `urigrep audit`: reports, what is left out of them, and how it ends.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use super::formats::schema;
use crate::support::{Dir, Ran, command, finish, pipe, spawn};

/// Faults of every severity: a missing file, a misspelled octet, a private host.
const A: &str = "# A\n\nSee [b](b.md#b), [c](missing.md), <http://a.example/%zz> and\n\
                 \t日本 [x](http://192.168.0.1/x).\n";

fn tree() -> Dir {
    let dir = Dir::new();
    dir.file("docs/a.md", A)
        .file("docs/b.md", "# B\n")
        .file("docs/code.rs", "// http://a.example/%zz\n");
    dir
}

fn audit(dir: &Dir, args: &[&str]) -> Ran {
    dir.run(["audit", "--no-config"].iter().chain(args))
}

/// `path:line check` of each finding.
fn found(ran: &Ran) -> Vec<String> {
    let objects = ran.out().lines().map(|line| serde_json::from_str(line).unwrap());
    let findings = objects.filter(|object: &Value| object["type"] == "finding");
    findings
        .map(|object| {
            let text = |name: &str| object[name].as_str().unwrap_or("?").to_owned();
            format!("{}:{} {}", text("path"), object["line"], text("check"))
        })
        .collect()
}

fn summary(ran: &Ran) -> Value {
    let summary: Value = serde_json::from_str(ran.out().lines().last().unwrap()).unwrap();
    assert_eq!(summary["type"], "summary");
    summary
}

#[track_caller]
fn finds(dir: &Dir, args: &[&str], wanted: &[&str]) {
    let ran = dir.run(["audit", "--json"].iter().chain(args));
    assert_eq!(found(&ran), wanted, "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stderr, "");
    assert_eq!(ran.status, Some(i32::from(!wanted.is_empty())), "{args:?}");
}

#[test]
fn text() {
    let dir = tree();
    audit(&dir, &[]).is(
        1,
        "error[missing-target]: no such file: `docs/missing.md`
 --> docs/a.md:3:22
  |
3 | See [b](b.md#b), [c](missing.md), <http://a.example/%zz> and
  |                      ^^^^^^^^^^

warning[percent-encoding]: `%zz` is not a percent-encoded octet
 --> docs/a.md:3:36
  |
3 | See [b](b.md#b), [c](missing.md), <http://a.example/%zz> and
  |                                    ^^^^^^^^^^^^^^^^^^^^
  = help: write `%25` for a percent sign

urigrep: 1 error, 1 warning in 1 of 2 documents; links resolved as on GitHub; 1 fixable with --fix; 1 note hidden; `--severity note` shows it; 1 other file skipped
",
    );
    let ran = audit(&dir, &["--severity", "note", "--check", "private-host"]);
    let out = ran.out();
    assert!(out.starts_with("note[private-host]: "), "{out}");
    assert!(
        out.contains(
            "4 |     日本 [x](http://192.168.0.1/x).\n  |              ^^^^^^^^^^^^^^^^^^^^\n"
        ),
        "{out}"
    );
    let ran = audit(&dir, &["--color", "always", "docs/a.md"]);
    assert!(ran.out().starts_with("\u{1b}[1m\u{1b}[31merror[missing-target]\u{1b}[0m"));
    audit(&dir, &["docs/b.md"])
        .is(0, "urigrep: 0 links in 1 document; links resolved as on GitHub\n");
    audit(&dir, &["-q"]).is(1, "");
    audit(&dir, &["-q", "docs/b.md"]).is(0, "");
}

#[test]
fn json() {
    let dir = tree();
    let ran = audit(&dir, &["--json"]);
    let out = ran.out();
    assert_eq!(
        out.lines().nth(1),
        Some(
            r#"{"type":"finding","check":"percent-encoding","severity":"warning","path":"docs/a.md","line":3,"column":36,"start":40,"end":60,"uri":"http://a.example/%zz","message":"`%zz` is not a percent-encoded octet","hint":"write `%25` for a percent sign","fix":{"safety":"safe","edits":[{"start":40,"end":60,"to":"http://a.example/%25zz"}]}}"#
        )
    );
    let mut summary = summary(&ran);
    summary["seconds"] = Value::Null;
    let bytes = A.len() + "# B\n".len();
    let wanted = serde_json::json!({
        "type": "summary", "files": 2, "skipped": 1, "vendored": 0, "bytes": bytes, "links": 4,
        "judged": 4, "unrooted": 0, "sites": {"github": 2}, "findings": 2,
        "severities": {"error": 1, "warning": 1, "note": 0},
        "suppressed": {"severity": 1, "excluded": 0, "comment": 0, "baseline": 0},
        "unlisted": 0, "stale": 0, "errors": 0, "seconds": null,
    });
    assert_eq!(summary, wanted);
    for line in out.lines().take(2) {
        let finding: Value = serde_json::from_str(line).unwrap();
        let at = |name: &str| finding[name].as_u64().unwrap() as usize;
        let text = &A[at("start")..at("end")];
        assert!(["missing.md", "http://a.example/%zz"].contains(&text), "{text}");
    }
}

/// Directories of others are counted once, and audited if they are named or wanted.
#[test]
fn directories_of_others_are_left_out() {
    let dir = Dir::new();
    for path in ["a.md", "vendor/x/b.md", "tests/data/c.md", "vendor/x/d.go"] {
        dir.file(path, "[none](none.md)\n");
    }
    let ran = audit(&dir, &["--json"]);
    assert_eq!((&summary(&ran)["vendored"], &summary(&ran)["findings"]), (&2.into(), &1.into()));
    let ran = audit(&dir, &[]);
    let end = "; 2 files in test/data/, vendor/ skipped without --vendored\n";
    assert!(ran.out().ends_with(end), "{}", ran.out());
    for (arguments, findings) in
        [(&["--vendored"][..], 3), (&["vendor"], 1), (&["vendor/x/b.md"], 1)]
    {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        assert_eq!(summary(&audit(&dir, &arguments))["findings"], findings, "{arguments:?}");
    }
    dir.file("urigrep.toml", "[audit]\nvendored = true\n");
    assert_eq!(summary(&dir.run(["audit", "--json"]))["findings"], 3);
}

/// `docs` may be a link to where an audit finds the documents: nautobot has `docs -> nautobot/docs`.
#[cfg(unix)]
#[test]
fn content_behind_a_symbolic_link() {
    let dir = Dir::new();
    dir.file("mkdocs.yml", "site_name: A\n");
    dir.file("package/docs/index.md", "## A & b\n\n[a](#a-b) [not of MkDocs](#a--b)\n");
    std::os::unix::fs::symlink("package/docs", dir.join("docs")).unwrap();
    let summary = summary(&dir.run(["audit", "--json"]));
    assert_eq!((&summary["sites"]["mkdocs"], &summary["findings"]), (&1.into(), &1.into()));
}

/// Hidden directories are not audited, and the summary says so.
#[test]
fn tracked_documents_in_hidden_directories_are_counted() {
    let dir = Dir::new();
    for path in ["a.md", ".agents/b.md", "c/.d/e/.f/g.rst", ".agents/h.py", ".i.md", ".github/j.md"]
    {
        dir.file(path, "[none](none.md)\n");
    }
    dir.git(&["init", "-q"]);
    assert_eq!(summary(&audit(&dir, &["--json"]))["hidden"], Value::Null);
    dir.git(&["add", "-A"]);
    let ran = audit(&dir, &["--json"]);
    assert_eq!((&summary(&ran)["hidden"], &summary(&ran)["findings"]), (&2.into(), &2.into()));
    let end = "; 2 documents in .agents/, .d/ skipped without --hidden\n";
    assert!(audit(&dir, &[]).out().ends_with(end));
    for arguments in [&["--hidden"][..], &[".agents"], &["a.md"], &["--untrusted"]] {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        assert_eq!(summary(&audit(&dir, &arguments))["hidden"], Value::Null, "{arguments:?}");
    }
}

/// `.ignore` is for searches too, so the summary says what it leaves out.
#[test]
fn tracked_documents_that_an_ignore_file_names_are_counted() {
    let dir = Dir::new();
    for path in ["a.md", "b/c.md", "b/d.html", "b/e.py", "f/g.rst"] {
        dir.file(path, "none\n");
    }
    dir.file(".ignore", "b/\n");
    dir.file("f/.ignore", "*.rst\n");
    dir.git(&["init", "-q"]);
    dir.git(&["add", "-A"]);
    assert_eq!(summary(&audit(&dir, &["--json"]))["ignored"], 3);
    let end = "; 3 documents named in .ignore skipped without --no-ignore\n";
    assert!(audit(&dir, &[]).out().ends_with(end));
    for arguments in [&["--no-ignore", "--json"][..], &["a.md", "--json"]] {
        assert_eq!(summary(&audit(&dir, arguments))["ignored"], Value::Null, "{arguments:?}");
    }
}

/// Without its extension, the name of a document is an anchor in AsciiDoc.
#[test]
fn an_anchor_with_the_name_of_a_document_is_explained() {
    let dir = Dir::new();
    dir.file("a.adoc", "= A\n\nxref:b[] xref:c[]\n");
    dir.file("b.adoc", "= B\n");
    let ran = audit(&dir, &["a.adoc"]);
    assert_eq!(ran.out().matches("help: write `b.adoc` for the document").count(), 1, "{ran:?}");
}

#[test]
fn github_checkstyle_csv() {
    let dir = tree();
    audit(&dir, &["--format", "github", "--check=percent-encoding"]).is(
        1,
        "::warning file=docs/a.md,line=3,endLine=3,col=36,endColumn=56,title=percent-encoding::`%25zz` is not a \
         percent-encoded octet%0Ahelp: write `%2525` for a percent sign\n\
         urigrep: 1 warning in 1 of 2 documents; links resolved as on GitHub; 1 fixable with --fix; 1 other file skipped\n",
    );
    audit(&dir, &["--format", "checkstyle", "--check=missing-target"]).is(
        1,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n  <file name=\"docs/a.md\">\n    \
         <error line=\"3\" column=\"22\" severity=\"error\" message=\"no such file: `docs/missing.md`\" \
         source=\"urigrep.missing-target\"/>\n  </file>\n</checkstyle>\n",
    );
    audit(&dir, &["--format", "csv", "--severity=note", "--check=private-host"]).is(
        1,
        &format!(
            "path,line,column,start,end,severity,check,uri,message,hint\ndocs/a.md,4,13,{},{},note,private-host,{}\n",
            A.find("http://192").unwrap(),
            A.find("http://192").unwrap() + 20,
            audit(&dir, &["--json", "--severity=note", "--check=private-host"])
                .out()
                .lines()
                .next()
                .map(|line| {
                    let finding: Value = serde_json::from_str(line).unwrap();
                    let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
                    [text("uri"), text("message"), text("hint")].join(",")
                })
                .unwrap(),
        ),
    );
    // a spreadsheet takes no formula from a document
    let dir = Dir::new();
    dir.file("=1+1.md", "[a](=missing.md)\n");
    let ran = audit(&dir, &["--format", "csv"]);
    let row = ran.out().lines().nth(1).unwrap().to_owned();
    assert!(row.starts_with("'=1+1.md,1,5,"), "{row}");
    assert!(row.contains(",'=missing.md,"), "{row}");
}

#[test]
fn a_vault_needs_no_repository() {
    let dir = Dir::new();
    dir.file("v/.obsidian/app.json", "{}")
        .file("v/a.md", "[[b]] [[none]]\n")
        .file("v/b.md", "# B\n");
    let ran = audit(&dir, &["v"]);
    assert!(
        ran.status == Some(1) && ran.out().contains("no page or file is named `none`"),
        "{ran:?}"
    );
    assert!(ran.out().contains("1 warning in 1 of 2"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_to_nothing_is_named() {
    let dir = Dir::new();
    dir.file("a.md", "[a](gone.md)\n");
    std::os::unix::fs::symlink("nowhere.md", dir.path().join("gone.md")).unwrap();
    let ran = audit(&dir, &["a.md"]);
    assert!(
        ran.out().contains("`gone.md` is a symbolic link to a file that does not exist"),
        "{ran:?}"
    );
}

#[test]
fn a_project_says_what_fails_and_reports_name_its_files() {
    let dir = Dir::new();
    dir.file("urigrep.toml", "[audit]\nfail-on = \"error\"\n");
    dir.file("docs/a.md", "# A\n\n[x](#none)\n");
    assert_eq!(dir.run(["audit", "."]).status, Some(0));
    assert_eq!(dir.run(["audit", "--fail-on", "warning", "."]).status, Some(1));
    for format in ["checkstyle", "junit", "markdown"] {
        let ran = dir.run(["audit", "--format", format, "./docs"]);
        assert!(ran.out().contains("docs/a.md") && !ran.out().contains("./docs"), "{ran:?}");
    }
    dir.file("urigrep.toml", "[audit]\nmin-coverage = 90\n");
    dir.file("docs/a.md", "# A\n\n[x](#a) [y](/x.md)\n");
    assert_eq!(dir.run(["audit", "."]).status, Some(1));
    assert_eq!(dir.run(["audit", "--min-coverage", "10", "."]).status, Some(0));
    dir.file("urigrep.toml", "[audit]\nmin-coverage = 101\n");
    let ran = dir.run(["audit", "."]);
    let message = "urigrep.toml:2:16: a percentage is a number from 0 to 100";
    assert!(ran.status == Some(2) && ran.stderr.contains(message), "{ran:?}");
}

#[test]
fn sarif() {
    let dir = tree();
    dir.file("docs/z.md", "[x](y)\n");
    let ran = audit(&dir, &["--format", "sarif", "--severity=note", "docs", "nothing-there"]);
    assert_eq!(ran.status, Some(2));
    let log: Value = serde_json::from_str(ran.out()).unwrap();
    schema(&log);
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let rules: Vec<_> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(rules, ["missing-target", "percent-encoding", "private-host", "missing-target"]);
    assert_eq!(results[2]["level"], "note");
    let region = &results[2]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startColumn"], &region["startLine"]), (&9.into(), &4.into()));
    assert_eq!(region["snippet"]["text"], "http://192.168.0.1/x");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let known = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(known.iter().any(|rule| rule["id"] == "unknown-directive"));
    let clean = audit(&dir, &["--format", "sarif", "docs/b.md"]);
    assert_eq!(clean.status, Some(0));
    schema(&serde_json::from_str(clean.out()).unwrap());
}

#[test]
fn long_lines_control_characters_and_spans_of_lines() {
    let dir = Dir::new();
    let long = "x".repeat(3000);
    dir.file("long.md", format!("{long} [a](gone.md) {long}\n"))
        .file("escape.md", "\u{1b}[2J\u{202e} [a](gone2.md)\n")
        .file("\u{1b}[1m.md", "[a](gone3.md)\n")
        .file("lines.html", "<p>\n  <a\n  href='\n  gone.html\n  '>x</a>\n");
    let out = String::from_utf8(audit(&dir, &[]).stdout).unwrap();
    assert!(!out.contains('\u{1b}') && !out.contains('\u{202e}'), "{out}");
    assert!(out.lines().all(|line| line.chars().count() < 130), "{out}");
    assert!(out.contains("1 | \\x1b[2J\\u{202e} [a](gone2.md)\n"), "{out}");
    assert!(out.contains(" --> \\x1b[1m.md:1:5\n"), "{out}");
    assert!(out.contains("xxx [a](gone.md) xxx"), "{out}");
    assert!(out.contains("  |   ^^^^^^^^^\n"), "{out}");
}

#[test]
fn underlined() {
    let long = "x".repeat(500);
    for (line, shown, marks) in [
        (&b"see [b](b.md) x"[..], "see [b](b.md) x", "        ^^^^"),
        (b"a\t[b](b.md)", "a    [b](b.md)", "         ^^^^"),
        ("日本 [b](b.md)".as_bytes(), "日本 [b](b.md)", "         ^^^^"),
        ("a [b](日本) b".as_bytes(), "a [b](日本) b", "      ^^^^"),
        (b"\x1b[31m[b](b.md)", "\\x1b[31m[b](b.md)", "            ^^^^"),
        ("e\u{301} [b](b.md)".as_bytes(), "e\u{301} [b](b.md)", "      ^^^^"),
        (b"\xff\xfd[b](b.md)", "\\xff\\xfd[b](b.md)", "            ^^^^"),
        (
            format!("{long} [b](b.md) {long}").as_bytes(),
            &format!("…{} [b](b.md) {}…", &long[..35], &long[..52]),
            &format!("{}^^^^", " ".repeat(41)),
        ),
    ] {
        let dir = Dir::new();
        dir.file("a.md", line);
        let ran = audit(&dir, &["--check=missing-target"]);
        let lines: Vec<_> = ran.out().lines().collect();
        assert_eq!((lines[3], lines[4]), (&*format!("1 | {shown}"), &*format!("  | {marks}")));
    }
}

#[test]
fn checks_severities_exclusions() {
    let dir = tree();
    let (missing, percent, private) =
        ("docs/a.md:3 missing-target", "docs/a.md:3 percent-encoding", "docs/a.md:4 private-host");
    finds(&dir, &["--severity=note"], &[missing, percent, private]);
    finds(&dir, &[], &[missing, percent]);
    finds(&dir, &["--severity=error"], &[missing]);
    // A check that is named is shown, whatever its severity.
    finds(&dir, &["--check=percent-encoding,private-host"], &[percent, private]);
    finds(&dir, &["--check=-percent-encoding"], &[missing]);
    finds(&dir, &["--check", "-missing-target"], &[percent]);
    finds(&dir, &["--exclude=a.md"], &[]);
    finds(&dir, &["--exclude=docs/"], &[]);
    finds(&dir, &["--exclude=host:a.*"], &[missing]);
    finds(&dir, &["--exclude=uri:^missing", "--exclude=uri:zz$"], &[]);
    finds(&dir, &["-g", "!a.md"], &[]);
    finds(&dir, &["--all-files"], &[missing, percent, "docs/code.rs:1 percent-encoding"]);
    finds(&dir, &["docs/code.rs"], &["docs/code.rs:1 percent-encoding"]);
    finds(&dir, &["docs", "docs/a.md"], &[missing, percent]);
    let suppressed = &summary(&audit(&dir, &["--json", "--exclude=host:*"]))["suppressed"];
    assert_eq!(suppressed["excluded"], 2);
    for (args, said) in [
        (&["--check=misssing-target"][..], "did you mean `missing-target`?"),
        (&["--check=x"], "--list-checks"),
        (&["--severity=bad"], "note, warning, error"),
        (&["--exclude=uri:("], "unclosed group"),
        (&["--exclude=host:{"], "--exclude"),
        (&["--format=sarif", "-g", "{a"], "--glob"),
        (
            &["--slugs=x"],
            "any, blackfriday, gitbook, github, github-ascii, github-slugger, gitlab, jekyll, mdbook, mkdocs, pandoc, sphinx, vitepress, writerside",
        ),
        (&["--site=x"], "any, github, gitlab, html, antora"),
        (&["--root=nothing-there"], "not a directory"),
        (&["--write-baseline"], "--baseline FILE"),
        (&["--baseline=nothing-there"], "--write-baseline creates it"),
        (&["--config=nothing-there"], "nothing-there: No such file"),
    ] {
        let ran = dir.run(["audit"].iter().chain(args));
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    let list = pipe(["audit", "--list-checks"], "");
    assert!(list.out().contains("missing-target (error): "), "{list:?}");
    assert!(list.out().contains("unknown-directive (warning): "));
}

#[test]
fn standard_input() {
    let ran = pipe(["audit", "--json", "--markup=markdown", "-"], "[a](nothing-there.md)");
    assert_eq!(found(&ran), ["<stdin>:1 missing-target"]);
    // What looks like Markdown is read as such: as text, its links would be silent.
    let ran = pipe(["audit", "--json", "-"], "[a](nothing-there.md)");
    assert_eq!(found(&ran), ["<stdin>:1 missing-target"]);
    let ran = pipe(["audit", "--json", "-"], "http://a.example/%zz");
    assert_eq!(found(&ran), ["<stdin>:1 percent-encoding"]);
}

#[test]
fn settings() {
    let dir = tree();
    let (missing, percent) = ("docs/a.md:3 missing-target", "docs/a.md:3 percent-encoding");
    dir.file(
        "urigrep.toml",
        "[audit]\nseverity = 'note'\n[audit.severities]\nmissing-target = 'note'\n\
         [audit.exclude]\nhosts = ['192.168.*']\npaths = ['/docs/c.md']\n",
    )
    .file("docs/c.md", A);
    finds(&dir, &[], &[missing, percent]);
    // flags come first
    finds(&dir, &["--severity=warning"], &[percent]);
    finds(&dir, &["--check=missing-target"], &[missing]);
    // the file of the directory above holds, wherever the command runs
    let ran = crate::support::finish(crate::support::spawn(
        crate::support::command(["audit", "--json", "a.md"]).current_dir(dir.join("docs")),
    ));
    assert_eq!(found(&ran), ["a.md:3 missing-target", "a.md:3 percent-encoding"]);
    let ran = audit(&dir, &["--json", "docs/c.md"]);
    assert_eq!(found(&ran).len(), 2);
    // a nearer one comes before it
    dir.file("docs/urigrep.toml", "[audit.exclude]\nchecks = ['missing-target']\n");
    finds(&dir, &["docs/a.md"], &[percent]);
    finds(&dir, &["--config=urigrep.toml", "docs/a.md"], &[missing, percent]);
    finds(&dir, &["--check=missing-target", "docs/a.md"], &[missing]);
    dir.file("docs/urigrep.toml", "[audit]\n\nseverty = 'note'\n");
    let ran = dir.run(["audit", "docs"]);
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    assert!(
        ran.stderr
            .contains("docs/urigrep.toml:3:1: unknown key `severty`; did you mean `severity`?"),
        "{ran:?}"
    );
}

#[test]
fn one_check_is_off_for_some_hosts_and_references() {
    let dir = Dir::new();
    dir.file("a.md", "[a](/x/none.md) [b](/y/none.md) http://a.test/%zz http://b.test/%zz\n");
    let (missing, percent) = ("a.md:1 missing-target", "a.md:1 percent-encoding");
    let found = |settings: &str| {
        dir.file("urigrep.toml", settings);
        found(&dir.run(["audit", "--json", "--site=html", "--root=.", "a.md"]))
    };
    assert_eq!(found(""), [missing, missing, percent, percent]);
    let off = "severities = { percent-encoding = 'off', missing-target = 'off' }\n";
    let one = found(&format!("[[audit.override]]\nhosts = ['b.*']\n{off}"));
    assert_eq!(one, [missing, missing, percent]);
    let one = found(&format!("[[audit.override]]\nuris = ['^/x/']\n{off}"));
    assert_eq!(one, [missing, percent, percent]);
    // each list must have a pattern that matches
    let elsewhere = "[[audit.override]]\npaths = ['b.md']\nuris = ['^/x/']\n";
    assert_eq!(found(&format!("{elsewhere}{off}")).len(), 4);
}

/// A link in the footer of every page is one fault.
#[test]
fn a_fault_of_many_pages_is_shown_once() {
    let dir = Dir::new();
    for page in 1..=9 {
        dir.file(format!("docs/{page}.md"), "[a](gone.md)\n");
    }
    let ran = audit(&dir, &["docs"]);
    let out = ran.out();
    assert_eq!(out.matches("error[missing-target]").count(), 1, "{out}");
    let places = "  = also at docs/2.md:1:5, docs/3.md:1:5, docs/4.md:1:5, docs/5.md:1:5 and 4 more places\n";
    assert!(out.contains(places), "{out}");
    let sentence =
        "urigrep: 9 errors (1 different) in 9 of 9 documents; links resolved as on GitHub\n";
    assert!(out.ends_with(sentence), "{out}");
    assert_eq!(audit(&dir, &["--json", "docs"]).out().matches("\"finding\"").count(), 9);
}

#[test]
fn sites_and_what_is_not_checked() {
    let dir = Dir::new();
    dir.file("a.md", "[a](/b.md)\n")
        .file("src/b.md", "[a](/c.html) [b](c.html)\n")
        .file("src/c.md", "");
    let ran = audit(&dir, &[]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.out().contains("no such file: `src/c.html`"), "{ran:?}");
    let unrooted = "; 1 of 3 links judged; 2 references starting with `/` not checked; use --root DIR or --site PROFILE";
    assert!(ran.out().contains(unrooted), "{ran:?}");
    dir.file("book.toml", "[book]\n");
    audit(&dir, &["src"])
        .is(0, "urigrep: nothing found in 2 documents; links resolved as in mdbook\n");
    let ran = audit(&dir, &["--site=github", "--root=src", "src"]);
    assert!(ran.out().contains("urigrep: 2 errors (1 different) in 1 of 2 documents"), "{ran:?}");
    dir.file(
        "urigrep.toml",
        "[audit]\nsite = 'github'\nroot = 'src'\n[[audit.override]]\npaths = ['src/']\nsite = 'mdbook'\n",
    );
    dir.run(["audit", "src"])
        .is(0, "urigrep: nothing found in 2 documents; links resolved as in mdbook\n");
    dir.file("urigrep.toml", "[[audit.override]]\npaths = ['src/']\nsite = 'github'\nseverities = { missing-target = 'off' }\n");
    // Settings may be those of a stranger: what they hide is counted.
    let ran = dir.run(["audit", "src"]);
    assert!(
        ran.out().ends_with("; 1 of checks that are off; filtered by urigrep.toml\n")
            && ran.status == Some(0),
        "{ran:?}"
    );
    dir.file("urigrep.toml", "[audit.severities]\nmissing-target = 'note'\n");
    let ran = dir.run(["audit", "--site=github", "--root=src", "src"]);
    let lowered = "2 notes hidden, 2 with a fix; `--severity note` shows them; \
                   2 with a lowered severity; filtered by urigrep.toml\n";
    assert!(ran.out().ends_with(lowered) && ran.status == Some(0), "{ran:?}");
}

#[test]
fn settings_with_every_key() {
    let dir = tree();
    dir.file(
        "urigrep.toml",
        "[audit]\nseverity = 'note'\nsite = 'hugo'\nslugs = 'mdbook'\nroot = ['docs', '.']\nbase = '/a/'\n\
         baseline = 'b.json'\n\
         [audit.severities]\nplaceholder = 'error'\nlax-uri = 'off'\n\
         [[audit.override]]\npaths = ['old/']\nsite = 'github'\nroot = 'docs'\nbase = '/'\nslugs = 'any'\n\
         severities = { lax-uri = 'note' }\n\
         [audit.exclude]\npaths = ['vendor/']\nhosts = ['*.test']\nuris = ['^x:']\nchecks = ['placeholder']\n\
         [audit.include]\npaths = ['*.md']\n",
    )
    .file("b.json", "{\"version\":1,\"findings\":[]}");
    assert_eq!(dir.run(["audit", "docs"]).status, Some(1));
    for (text, place, said) in [
        ("[audit]\nsevrity = 'note'\n", "2:1", "unknown key `sevrity`; did you mean `severity`?"),
        ("[adit]\n", "1:2", "unknown key `adit`; did you mean `audit`?"),
        ("[audit]\nseverity = 'bad'\n", "2:12", "note, warning, error"),
        ("[audit]\nseverity = 3\n", "2:12", "string"),
        ("[audit]\nsite = 'x'\n", "2:8", "github"),
        ("[audit.severities]\nxyz = 'note'\n", "2:1", "no such check: `xyz`"),
        ("[audit.severities]\nlax-uri = 'x'\n", "2:11", "error, off"),
        ("[[audit.override]]\nsite = 'any'\n", "1:1", "paths"),
        ("[[audit.override]]\nhosts = ['a.test']\nsite = 'any'\n", "1:1", "`paths` only"),
        ("[[audit.override]]\nuris = ['(']\n", "2:9", "unclosed group"),
        ("[[audit.override]]\npaths = ['#']\n", "2:10", "a glob of paths"),
        ("[audit.exclude]\nuris = ['(']\n", "2:9", "unclosed group"),
        ("[audit.exclude]\nhosts = ['{']\n", "2:10", "alternate"),
        ("[audit.exclude]\nchecks = ['xyz']\n", "2:11", "no such check: `xyz`"),
        ("[audit\n", "1:7", ""),
    ] {
        dir.file("urigrep.toml", text);
        let ran = dir.run(["audit", "docs"]);
        assert_eq!(ran.status, Some(2), "{text}");
        let is_said =
            ran.stderr.contains(&format!("urigrep.toml:{place}: ")) && ran.stderr.contains(said);
        assert!(is_said, "{text}: {}", ran.stderr);
    }
}

#[test]
fn baseline() {
    let dir = tree();
    let written = audit(&dir, &["--baseline=known.json", "--write-baseline"]);
    written.is(0, "urigrep: 2 findings written to known.json\n");
    let text = fs::read_to_string(dir.join("known.json")).unwrap();
    assert!(text.contains(r#"{"path":"docs/a.md","check":"missing-target","hash":""#), "{text}");
    assert_eq!(text.lines().count(), 4);
    let with = |args: &[&str]| {
        let all = ["audit", "--json", "--baseline=known.json"].iter().chain(args);
        dir.run(all)
    };
    let ran = with(&[]);
    assert_eq!((ran.status, found(&ran).len()), (Some(0), 0));
    assert_eq!(summary(&ran)["suppressed"]["baseline"], 2);
    // lines move, and one more of the same is new
    dir.file("docs/a.md", format!("\n\n{A}\n[again](missing.md)\n"));
    assert_eq!(found(&with(&[])), ["docs/a.md:8 missing-target"]);
    // what is repaired is no longer there
    dir.file("docs/a.md", "[c](missing.md)");
    assert_eq!(summary(&with(&[]))["stale"], 1);
    assert_eq!(summary(&with(&["--check=missing-target"]))["stale"], 0);
    // from elsewhere, too
    let ran = crate::support::finish(crate::support::spawn(
        crate::support::command(["audit", "--baseline=../known.json", "a.md"])
            .current_dir(dir.join("docs")),
    ));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for (text, said) in [
        ("{}", "not a baseline: missing field `version`"),
        (r#"{"version":2,"findings":[]}"#, "version 2"),
    ] {
        dir.file("known.json", text);
        let ran = with(&[]);
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn comments() {
    let dir = Dir::new();
    dir.file(
        "a.md",
        "[1](gone)\n\n<!-- urigrep-disable-next-line missing-target -- why -->\n[2](gone)\n\n\
         [3](gone)\n\n<!-- urigrep-disable missing-target -->\n\n[4](gone)\n\n<!-- urigrep-enable -->\n\n[5](gone)\n",
    )
    .file("b.html", "<!-- urigrep-disable-file --><a href=gone>x</a>")
    .file("c.md", "<!-- urigrep-disable mising-target -->\n\n[1](gone)\n");
    let wanted = [
        "a.md:1 missing-target",
        "a.md:6 missing-target",
        "a.md:14 missing-target",
        "c.md:1 unknown-directive",
        "c.md:3 missing-target",
    ];
    finds(&dir, &[], &wanted);
    let ran = audit(&dir, &["--json"]);
    assert_eq!(summary(&ran)["suppressed"]["comment"], 3);
    assert!(ran.out().contains("did you mean `missing-target`?"), "{}", ran.out());
}

#[test]
fn statuses() {
    let dir = tree();
    audit(&dir, &["docs/b.md"])
        .is(0, "urigrep: 0 links in 1 document; links resolved as on GitHub\n");
    let ran = audit(&dir, &["--json", "nothing-there.md", "docs"]);
    assert_eq!((ran.status, found(&ran).len()), (Some(2), 2));
    assert!(ran.stderr.starts_with("urigrep: nothing-there.md: No such file"), "{ran:?}");
    assert_eq!(summary(&ran)["errors"], 1);
    assert!(ran.out().contains(r#"{"type":"error","path":"nothing-there.md","#));
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_no_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    dir.file(std::ffi::OsStr::from_bytes(b"a\xff.md"), "[x](gone.md) [y](a%FF.md)\n");
    let ran = audit(&dir, &[]);
    assert!(ran.out().contains(" --> a\\xff.md:1:5\n"), "{ran:?}");
    let ran = audit(&dir, &["--json"]);
    assert!(ran.out().contains(r#""path":{"bytes":"Yf8ubWQ="}"#), "{ran:?}");
    assert_eq!(summary(&ran)["findings"], 1, "{ran:?}");
    for format in ["github", "checkstyle", "csv"] {
        let ran = audit(&dir, &["--format", format]);
        assert!(ran.out().contains("a\\xff.md"), "{ran:?}");
    }
    let ran = audit(&dir, &["--format=sarif"]);
    let log: Value = serde_json::from_str(ran.out()).unwrap();
    schema(&log);
    assert!(log.to_string().contains("a%FF.md"));
    audit(&dir, &["--baseline=known", "--write-baseline"])
        .is(0, "urigrep: 1 finding written to known\n");
    assert_eq!(audit(&dir, &["--baseline=known"]).status, Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_cannot_be_read_stop_nothing() {
    let dir = tree();
    fs::create_dir(dir.join("docs/dir.md")).unwrap();
    // reading it fails, whoever asks
    std::os::unix::fs::symlink("/proc/self/mem", dir.join("mem.md")).unwrap();
    let ran = audit(&dir, &["--json", "mem.md", "docs"]);
    assert_eq!((ran.status, found(&ran).len()), (Some(2), 2));
    assert!(ran.stderr.starts_with("urigrep: mem.md: "), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1);
}

/// By their names, in a directory; a file that is named is read.
#[test]
fn what_is_no_document_is_not_opened() {
    let dir = Dir::new();
    let page = "<!doctype html><a href=gone.html>x</a>\n";
    for name in ["a.py", "b.JSON", "c.tmpl", "d"] {
        dir.file(name, page);
    }
    let ran = audit(&dir, &["."]);
    assert!(ran.out().contains("in 2 of 2 documents"), "{}", ran.out());
    assert!(ran.out().contains("2 other files skipped"), "{}", ran.out());
    assert!(audit(&dir, &["a.py"]).out().contains("no such file: `gone.html`"));
}

#[test]
fn utf_16() {
    let dir = Dir::new();
    let text: Vec<u8> =
        "\u{feff}é [a](gone.md)\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    dir.file("a.md", text);
    let ran = audit(&dir, &["--json"]);
    let finding: Value = serde_json::from_str(ran.out().lines().next().unwrap()).unwrap();
    assert_eq!((&finding["start"], &finding["end"]), (&14.into(), &28.into()));
    assert_eq!((&finding["line"], &finding["column"]), (&1.into(), &15.into()));
}

#[test]
fn any_number_of_threads_reports_the_same() {
    let dir = Dir::new();
    for file in 0..200 {
        let mut text = format!("# T{file}\n\n");
        for line in 0..file * 7 % 20 {
            text += &format!("[x](../f{line}/f{}.md#t{line}) [y](gone{line}.md)\n", line % 3);
        }
        dir.file(format!("f{}/f{file}.md", file % 10), text);
    }
    for format in ["text", "sarif", "checkstyle", "csv", "github"] {
        let run = |threads: &str| audit(&dir, &["--format", format, threads]).stdout;
        let one = run("-j1");
        assert!(one.len() > 10_000);
        for threads in ["-j2", "-j4", "-j0"] {
            assert!(run(threads) == one, "{format} {threads}");
        }
    }
    let ordered = found(&audit(&dir, &["--json"]));
    let mut sorted = ordered.clone();
    sorted.sort_by_key(|finding| finding.split(':').next().unwrap().to_owned());
    assert_eq!(ordered, sorted);
}

/// The audit judges the CSS of a page, so it reads the comments there, too.
#[test]
fn a_comment_in_a_style_element() {
    let dir = Dir::new();
    let style = |end: &str| format!("<style>\na {{ background: url(n.png) }}{end}\n</style>\n");
    dir.file("a.html", style("")).file("b.html", style(" /* urigrep-disable-line */"));
    finds(&dir, &["a.html", "b.html"], &["a.html:2 missing-target"]);
    dir.file("b.html", style(" /* urigrep-disable-lin */"));
    finds(&dir, &["b.html"], &["b.html:2 missing-target", "b.html:2 unknown-directive"]);
}

/// The summary names the way on.
#[test]
fn hints_of_the_summary() {
    let dir = Dir::new();
    dir.file("a.md", "[a](/x)\n").file("mkdocs.yml", "");
    let ran = dir.run(["audit", "--site", "html", "a.md"]);
    assert!(ran.out().contains("use --root DIR;") && !ran.out().contains("--site"), "{ran:?}");
    let answer = "{\"url\":\"https://a.dev/\",\"time\":1,\"redirects\":[{\"status\":301,\"to\":\"https://a.dev/b\"}],\"status\":200}\n";
    dir.file("web.md", "[a](https://a.dev/)\n").file("answers.jsonl", answer);
    let ran = dir.run(["audit", "--offline", "--cache", "answers.jsonl", "web.md"]);
    assert!(ran.out().contains("1 note hidden, 1 with a fix;"), "{ran:?}");
}

#[test]
fn rules_and_checks_explain_themselves() {
    let dir = Dir::new();
    let ran = dir.run(["rule", "missing-anchor"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.out().starts_with("missing-anchor (warning): "), "{ran:?}");
    assert!(ran.out().contains("Fails:\n\n    [needs](install.md#requirement)\n"), "{ran:?}");
    let ran = dir.run(["rule", "D1.3A"]);
    assert!(ran.out().starts_with("D1.3a "), "{ran:?}");
    let ran = dir.run(["rule", "d4.3"]);
    assert!(ran.out().starts_with("D4.3 ") && !ran.out().contains("\nD4.4 "), "{ran:?}");
    // Plain text: the page has links to files that only a clone has.
    assert!(!ran.out().contains("](../corpus/") && !ran.out().contains("```"), "{ran:?}");
    let ran = dir.run(["rule", "missing-ancor"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("did you mean `missing-anchor`?"), "{ran:?}");
    assert!(dir.run(["rule", "4.2"]).stderr.contains("did you mean `D4.2`?"));
    let ran = dir.run(["rule", "maybe-cut"]);
    assert!(ran.out().starts_with("maybe-cut (flag): it may continue"), "{ran:?}");
    assert!(ran.out().contains("\nGiven by D2.2, "), "{ran:?}");
    // It is a check and a flag.
    let ran = dir.run(["rule", "rare-ip"]);
    assert!(
        ran.out().contains("rare-ip (warning)") && ran.out().contains("rare-ip (flag)"),
        "{ran:?}"
    );
    assert!(dir.run(["rule"]).out().contains("\nmaybe-wrapped "));
}

/// A path that does not exist and looks like something else gets advice about that.
#[test]
fn pages_of_the_web_and_globs_are_no_paths() {
    let dir = Dir::new();
    for (path, hint) in [
        ("https://example.org/", "pages of the web are not followed"),
        ("docs/**/*.md", "use -g GLOB"),
        ("^docs$", "use --exclude"),
    ] {
        let ran = dir.run(["audit", path]);
        assert!(ran.status == Some(2) && ran.stderr.contains(hint), "{path}: {}", ran.stderr);
    }
}

/// `zz` and `db` may be languages, but a checkout ends where it ends.
#[test]
fn a_site_beside_the_checkout_is_another() {
    let dir = Dir::new();
    dir.file("zz/a.md", "[x](y.md)\n").file("zz/y.md", "# y\n");
    dir.file("db/mkdocs.yml", "site_name: x\n").file("db/docs/y.md", "# y\n");
    let sites = || {
        let ran = finish(spawn(command(["audit", "--json"]).current_dir(dir.join("zz"))));
        let summary: serde_json::Value =
            serde_json::from_str(ran.out().lines().last().expect("a summary")).expect("JSON");
        summary["sites"].clone()
    };
    for name in ["zz", "db"] {
        dir.git(&["init", "-q", name]);
    }
    assert_eq!(sites(), serde_json::json!({ "github": 2 }));
}

/// In a job, standard input may be anything, so that only an audit of nothing speaks of it.
#[test]
fn standard_input_is_only_read_if_it_is_named() {
    let dir = Dir::new();
    let run = |args: &[&str]| {
        let mut child = spawn(command(args).current_dir(dir.path()).stdin(Stdio::piped()));
        drop(child.stdin.take().map(|mut stdin| stdin.write_all(b"[a](x.md)\n")));
        finish(child)
    };
    let ran = run(&["audit"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let unread = "standard input was not read: `urigrep audit -` reads it";
    let said = format!("urigrep: 0 links in 0 documents; {unread}\n");
    assert_eq!(format!("{}{}", ran.out(), ran.stderr), said);
    assert_eq!(run(&["audit", "-"]).status, Some(1));
    assert_eq!(run(&["audit", "-q"]).stderr, "");
    let ran = dir.run(["audit"]);
    assert_eq!(format!("{}{}", ran.out(), ran.stderr), "urigrep: 0 links in 0 documents\n");
    dir.file("a.md", "# A\n");
    let ran = run(&["audit"]);
    assert!(format!("{}{}", ran.out(), ran.stderr).contains(unread), "{ran:?}");
    // In CI, it may be a pipe without text.
    let open = || finish(spawn(command(["audit"]).current_dir(dir.path()).stdin(Stdio::piped())));
    assert!(!open().out().contains("standard input"));
    fs::remove_file(dir.join("a.md")).unwrap();
    let said = "urigrep: 0 links in 0 documents; `urigrep audit -` reads standard input\n";
    assert_eq!(open().out(), said);
}

/// As a hook does, with the output of `git ls-files`.
#[cfg(unix)]
#[test]
fn a_list_of_all_files_takes_linear_time() {
    let seconds = |count: usize| {
        let dir = Dir::new();
        let mut list = String::new();
        for number in 0..count {
            dir.file(format!("d{}/{number}.md", number % 50), format!("[x]({}.md)\n", number + 50));
            list += &format!("d{}/{number}.md\n", number % 50);
        }
        dir.file("list", list);
        // `times` prints the time of the children on its second line, user and system (POSIX).
        let script = r#""$0" audit -j1 --files-from list >found; times"#;
        let program = command([""; 0]).get_program().to_owned();
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", script]).arg(program).current_dir(dir.path());
        let ran = finish(spawn(shell.stdin(Stdio::null())));
        assert!(fs::read_to_string(dir.join("found")).unwrap().contains(" in 50 of "), "{ran:?}");
        let user = ran.out().lines().nth(1).and_then(|line| line.split(' ').next()).unwrap();
        let (minutes, seconds) = user.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.replace(',', ".").parse::<f64>().unwrap()
    };
    let [small, large] = [2_500, 10_000].map(seconds);
    // Each link was compared with each file of the list.
    assert!(large < 8.0 * small.max(0.1), "{small} s, then {large} s");
}
