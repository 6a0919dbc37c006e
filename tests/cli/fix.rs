//! `urigrep audit --fix`, `--diff`, `--since`, and the reports.

use std::fs;

use serde_json::Value;

use crate::support::{Dir, command, finish, spawn};

/// A tree with a fault of each kind that can be fixed safely, and three that need a look.
fn tree() -> Dir {
    let dir = Dir::new();
    dir.file(
        "README.md",
        "# Project\n\n## Getting Started\n\n[a](docs/Setup.md) [b](docs/install) [c](docs/tutorial.md \"t\")\n\
         [d](#getting_started) [e](https://a.dev/page,) [f](https://a.dev/50%-off)\n[g](https://a.dev/b|c)\n\n\
         [x](docs/usge.md) [y](#geting-started) [z](htpps://a.dev/)\n",
    );
    dir.file("docs/setup.md", "# Setup\n").file("docs/install.md", "# Install\n");
    dir.file("docs/guide/tutorial.md", "# T\n").file("docs/usage.md", "# U\n");
    dir.file(
        "page.html",
        "<a href=\"docs/Setup.md\">x</a> <img src='docs/Logo.png?a=1&amp;b'>\r\n",
    );
    dir.file("docs/logo.png", "");
    dir
}

const SAFE: &str = "# Project\n\n## Getting Started\n\n[a](docs/setup.md) [b](docs/install.md) \
                    [c](docs/guide/tutorial.md \"t\")\n[d](#getting-started) [e](https://a.dev/page) \
                    [f](https://a.dev/50%25-off)\n[g](https://a.dev/b%7Cc)\n\n";

#[test]
fn safe_fixes_leave_what_needs_a_look() {
    let dir = tree();
    let before = fs::read_to_string(dir.join("README.md")).expect("a file");
    let diff = dir.run(["audit", "--diff"]);
    assert_eq!(diff.status, Some(1));
    assert!(diff.out().contains("+[a](docs/setup.md) [b](docs/install.md)"), "{}", diff.out());
    assert_eq!(fs::read_to_string(dir.join("README.md")).expect("a file"), before);
    let ran = dir.run(["audit", "--fix"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.stderr, "urigrep: fixed 9 links in 2 files\n");
    let read = |name: &str| fs::read_to_string(dir.join(name)).expect("a file");
    let rest = "[x](docs/usge.md) [y](#geting-started) [z](htpps://a.dev/)\n";
    assert_eq!(read("README.md"), format!("{SAFE}{rest}"));
    assert_eq!(
        read("page.html"),
        "<a href=\"docs/setup.md\">x</a> <img src='docs/logo.png?a=1&amp;b'>\r\n"
    );
    assert!(ran.out().contains("3 fixable with --unsafe-fixes"), "{}", ran.out());
    let again = dir.run(["audit", "--fix"]);
    assert_eq!(again.stderr, "urigrep: fixed 0 links in 0 files\n");
    let rest = "[x](docs/usage.md) [y](#getting-started) [z](https://a.dev/)\n";
    let ran = dir.run(["audit", "--unsafe-fixes"]);
    assert_eq!((ran.status, read("README.md")), (Some(0), format!("{SAFE}{rest}")));
}

#[test]
fn fixes_are_in_the_reports() {
    let dir = tree();
    let json = dir.run(["audit", "--json"]);
    let records: Vec<Value> =
        json.out().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |uri: &str| records.iter().find(|it| it["uri"] == uri).expect("a finding");
    assert_eq!(of("docs/Setup.md")["fix"]["safety"], "safe");
    assert_eq!(of("docs/Setup.md")["fix"]["edits"][0]["to"], "docs/setup.md");
    assert_eq!(of("docs/usge.md")["fix"]["safety"], "unsafe");
    let sarif: Value =
        serde_json::from_str(dir.run(["audit", "--format=sarif"]).out()).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    let change = &result["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "docs/setup.md");
    assert_eq!(result["partialFingerprints"]["urigrep/v1"].as_str().map(str::len), Some(16));
}

#[test]
fn no_flag_of_a_diff_is_ignored() {
    let dir = tree();
    assert_eq!(dir.run(["audit", "--diff"]).status, Some(1));
    assert_eq!(dir.run(["audit", "--diff", "--exit-zero"]).status, Some(0));
    for flag in ["--output=d.patch", "--report=r.html"] {
        let ran = dir.run(["audit", "--diff", flag]);
        assert!(ran.status == Some(2) && ran.stderr.contains("cannot be combined"), "{ran:?}");
    }
    dir.file("lychee.toml", "timeout = 3\n");
    let ran = dir.run(["audit", "--import-config", "lychee.toml", "--output", "x.toml"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--import-config"), "{ran:?}");
}

#[test]
fn reports_of_all_formats_are_complete() {
    let dir = tree();
    let gitlab: Value =
        serde_json::from_str(dir.run(["audit", "--format=gitlab"]).out()).expect("JSON");
    let records = gitlab.as_array().expect("an array");
    assert_eq!((records.len(), &records[0]["location"]["path"]), (12, &"README.md".into()));
    let fingerprints: std::collections::HashSet<_> =
        records.iter().map(|it| it["fingerprint"].as_str()).collect();
    assert_eq!(fingerprints.len(), records.len());
    let junit = dir.run(["audit", "--format=junit"]);
    assert!(junit.out().contains("tests=\"12\" failures=\"12\""), "{}", junit.out());
    let markdown = dir.run(["audit", "--format=markdown"]);
    assert!(markdown.out().starts_with("### ❌ Links\n\n"), "{}", markdown.out());
    assert!(
        markdown.out().contains("| README.md:5 | 🔴 no such file: `docs/Setup.md` (target-case) |")
    );
    let statistics = dir.run(["audit", "--statistics", "--exit-zero"]);
    assert_eq!(statistics.status, Some(0));
    assert!(statistics.out().starts_with("3  missing-target"), "{}", statistics.out());
    let ran = dir.run(["audit", "-q", "--report", "report.html", "--output", "x.txt"]);
    assert_eq!((ran.status, ran.out()), (Some(1), ""));
    let page = fs::read_to_string(dir.join("report.html")).expect("a page");
    let data = page.split("id=\"findings\">").nth(1).and_then(|it| it.split("</script>").next());
    let rows: Value = serde_json::from_str(data.expect("data")).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(12));
    dir.file("clean/a.md", "# A\n");
    let clean = dir.run(["audit", "--format=gitlab", "clean"]);
    assert_eq!(serde_json::from_str::<Value>(clean.out()).expect("JSON"), Value::Array(Vec::new()));
    let page = dir.run(["audit", "--format=html", "clean"]);
    assert!(page.out().contains("id=\"findings\">[]</script>"), "{}", page.out());
}

#[test]
fn only_lines_that_changed_since_a_revision() {
    let dir = Dir::new();
    dir.file("a b.md", "[x](old.md)\n\nb\n").file("c.md", "[y](old.md)\n");
    dir.git(&["init", "-q"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    dir.file("a b.md", "[x](old.md)\n\nb\n[z](new.md) http://a.dev/\n")
        .file("d.md", "[w](newer.md)\n");
    let ran = dir.run(["audit", "--since", "HEAD", "--format", "csv"]);
    let lines: Vec<&str> =
        ran.out().lines().skip(1).map(|line| line.split(',').next().unwrap_or("")).collect();
    assert_eq!((lines, ran.status), (vec!["a b.md", "d.md"], Some(1)));
    let ran = dir.run(["audit", "--since", "nothing"]);
    assert_eq!(ran.stderr, "urigrep: --since: no such revision: `nothing`\n");
    dir.file("list", "c.md\n");
    let ran = dir.run(["audit", "--files-from", "list", "--format", "csv"]);
    assert_eq!(ran.out().lines().count(), 2);
    let ran = dir.run(["replace", "--since", "HEAD", "--set", "host=b.dev", "."]);
    assert!(ran.out().contains("+[z](new.md) http://b.dev/"), "{}{}", ran.out(), ran.stderr);
}

#[test]
fn git_knows_where_a_file_went() {
    let dir = Dir::new();
    dir.file("a.md", "[x](old-name.md#usage)\n");
    dir.file("old-name.md", "# Old\n\n## Usage\n\nEnough text, so that git sees a rename here.\n");
    dir.git(&["init", "-q"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    fs::create_dir(dir.join("docs")).expect("a directory");
    dir.git(&["mv", "old-name.md", "docs/new-name.md"]);
    dir.git(&["commit", "-qm", "two"]);
    let ran = dir.run(["audit", "--fix"]);
    assert_eq!(ran.status, Some(0), "{}", ran.out());
    assert_eq!(
        fs::read_to_string(dir.join("a.md")).expect("a file"),
        "[x](docs/new-name.md#usage)\n"
    );
}

/// The more files are moved, the more links of a form lead nowhere. Each of them is still certain.
#[test]
fn moved_files_are_errors_however_many_they_are() {
    let dir = Dir::new();
    let text =
        |title: &str| format!("# {title}\n\nEnough text about {title}, so that git sees it.\n");
    dir.file("index.md", "[a](api/index.md) [u](usage.md) [s](setup.md)\n");
    for (path, title) in
        [("api/index.md", "Interfaces"), ("usage.md", "Usage"), ("setup.md", "Setup")]
    {
        dir.file(path, text(title));
    }
    dir.git(&["init", "-q"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    fs::create_dir(dir.join("guide")).expect("a directory");
    dir.git(&["mv", "usage.md", "guide/usage.md"]);
    dir.git(&["mv", "api/index.md", "api/start.md"]);
    let ran = dir.run(["audit", "--severity", "error", "--format", "csv"]);
    assert_eq!(ran.out().matches("missing-target").count(), 2, "{}", ran.out());
    assert_eq!(ran.status, Some(1));
}

/// A file of the same name elsewhere, such as its translation, is not where it went.
#[test]
fn git_knows_where_a_file_went_before_the_commit() {
    let dir = Dir::new();
    dir.file("a.md", "[x](core/state.md)\n");
    dir.file("core/state.md", "# State\n\nEnough text, so that git sees a rename here.\n");
    dir.file("zh/core/state.md", "# Zustand\n\nAnother text, which is the translation.\n");
    dir.git(&["init", "-q"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    dir.git(&["mv", "core/state.md", "core/the-state.md"]);
    dir.run(["audit", "--fix"]);
    let fixed = fs::read_to_string(dir.join("a.md")).expect("a file");
    assert_eq!(fixed, "[x](core/the-state.md)\n");
}

/// Of a page that is gone, its translation and its older version are no new place. Somebody who
/// asks for it gets the version, but nobody means a page in another language.
#[test]
fn a_translation_is_no_new_place() {
    for (page, missing, other, twin) in [
        ("docs/a.md", "docs/b.md", "docs/zh/b.md", "docs/zh/a.md"),
        ("docs/a.md", "docs/core/b.md", "zh/core/b.md", "docs/core/other.md"),
        (
            "docs/a.md",
            "docs/b.md",
            "versioned_docs/version-1/b.md",
            "versioned_docs/version-1/a.md",
        ),
        ("docs/a.md", "docs/en/b.md", "docs/de/b.md", "docs/de/other.md"),
        ("docs/a.md", "docs/v2/b.md", "docs/v1/b.md", "docs/v1/other.md"),
    ] {
        let dir = Dir::new();
        let link = missing.strip_prefix("docs/").expect("a path");
        let text = format!("[x]({link})\n");
        dir.file(page, &text).file(other, "# B\n").file(twin, "# Twin\n");
        dir.run(["audit", "--fix"]);
        let fixed = fs::read_to_string(dir.join(page)).expect("a file");
        assert_eq!(fixed, text, "{other}");
        dir.run(["audit", "--fix", "--unsafe-fixes"]);
        let fixed = fs::read_to_string(dir.join(page)).expect("a file");
        let is_of_language = other.split('/').any(|name| matches!(name, "de" | "zh"));
        assert_eq!(fixed == text, is_of_language, "{other}");
    }
}

#[test]
fn a_percent_sign_is_encoded_only_for_a_file_that_is_there() {
    let dir = Dir::new();
    dir.file("a.md", "[x](my%file.md) [y](your%file.md)\n").file("your%file.md", "");
    dir.run(["audit", "--fix"]);
    let fixed = fs::read_to_string(dir.join("a.md")).expect("a file");
    assert_eq!(fixed, "[x](my%file.md) [y](your%25file.md)\n");
}

/// From a directory of the checkout, a fix goes to the other file on the shortest way.
#[test]
fn paths_of_fixes_stay_in_the_directory() {
    let dir = Dir::new();
    dir.file("docs/guide/a.md", "[x](b.md)\n").file("docs/core/b.md", "# B\n");
    dir.git(&["init", "-q"]);
    finish(spawn(command(["audit", "--fix"]).current_dir(dir.join("docs"))));
    let fixed = fs::read_to_string(dir.join("docs/guide/a.md")).expect("a file");
    assert_eq!(fixed, "[x](../core/b.md)\n");
}

/// Names of documents have no extension, and directives are no links of the reader.
#[test]
fn names_of_documents_follow_a_moved_file() {
    let dir = Dir::new();
    dir.file("conf.py", "extensions = ['myst_parser']\n").file("a/.keep", "");
    dir.file(
        "index.rst",
        "Title\n=====\n\n.. toctree::\n\n   a/old\n   Named <a/old>\n   a/md\n\n:doc:`/a/old`\n",
    );
    dir.file("a/old.rst", "Old\n===\n\nEnough text, so that git sees a rename here.\n");
    dir.file("a/md.md", "# Md\n\n{doc}`old` [x](old.rst)\n\n```{toctree}\nold\n```\n");
    dir.git(&["init", "-q"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    fs::create_dir(dir.join("b")).expect("a directory");
    dir.git(&["mv", "a/old.rst", "b/new.rst"]);
    dir.git(&["commit", "-qm", "two"]);
    let ran = dir.run(["audit", "--fix"]);
    assert_eq!(ran.status, Some(0), "{}", ran.out());
    let read = |name: &str| fs::read_to_string(dir.join(name)).expect("a file");
    assert_eq!(
        read("index.rst"),
        "Title\n=====\n\n.. toctree::\n\n   b/new\n   Named <b/new>\n   a/md\n\n:doc:`/b/new`\n"
    );
    assert_eq!(
        read("a/md.md"),
        "# Md\n\n{doc}`../b/new` [x](../b/new.rst)\n\n```{toctree}\n../b/new\n```\n"
    );
}

/// The dialect of a site decides what is a link: in MDX, indented text is no code.
#[test]
fn links_of_a_dialect_are_fixed() {
    let dir = Dir::new();
    dir.file("setup.md", "# Setup\n").file("a.mdx", "<B>\n\n\t\t[x](Setup.md)\n\n</B>\n");
    let ran = dir.run(["audit", "--fix", "."]);
    assert_eq!(ran.status, Some(0), "{}", ran.out());
    let text = fs::read_to_string(dir.join("a.mdx")).expect("a file");
    assert_eq!(text, "<B>\n\n\t\t[x](setup.md)\n\n</B>\n");
}

/// Antora looks for pages by their ids, which are no paths from the document.
#[test]
fn ids_of_resources_are_fixed() {
    let dir = Dir::new();
    let pages = "modules/ROOT/pages";
    dir.file("antora.yml", "name: a\nversion: 1\n").file(format!("{pages}/b/d.adoc"), "= D\n");
    dir.file("modules/m/pages/e.adoc", "= E\n").file("modules/ROOT/partials/p.adoc", "x\n");
    let text = |d: &str| format!("= C\n\nxref:b/{d}.adoc[d] xref:m:e.adoc[e]\n");
    dir.file(format!("{pages}/b/c.adoc"), text("D"));
    let ran = dir.run(["audit", "--fix", "."]);
    assert_eq!(ran.status, Some(0), "{}", ran.out());
    assert_eq!(
        fs::read_to_string(dir.join(format!("{pages}/b/c.adoc"))).expect("a file"),
        text("d")
    );
}

/// A directory with a repository in which files were committed, then moved, and committed again.
fn moved(files: &[(&str, &str)], moves: &[(&str, &str)]) -> Dir {
    let dir = Dir::new();
    for (name, text) in files {
        dir.file(name, text);
    }
    dir.git(&["init", "-q"]);
    dir.git(&["add", "."]);
    dir.git(&["commit", "-qm", "one"]);
    for (from, to) in moves {
        fs::create_dir_all(dir.join(to).parent().expect("a directory")).expect("a directory");
        dir.git(&["mv", from, to]);
    }
    dir.git(&["commit", "-qm", "two"]);
    dir
}

/// What the links of a moved document led to is where it was, seen from the old place.
#[test]
fn links_of_a_moved_document_follow_it() {
    let text =
        "# A\n\n[x](b.md#b) [y](sub/c) ![z](img/p.png) [w](./sub/)\n\n[v](gone.md) [u](index.md)\n";
    let dir = moved(
        &[
            ("book.toml", "[book]\n"),
            ("src/a.md", text),
            ("src/b.md", "# B\n"),
            ("src/index.md", "# Index\n"),
            ("src/sub/c.md", "# C\n"),
            ("src/sub/d.md", "# D\n"),
            ("src/img/p.png", "p"),
        ],
        &[("src/a.md", "src/part/deep/a.md"), ("src/sub/c.md", "src/other/c-two.md")],
    );
    dir.run(["audit", "--fix", "."]);
    let fixed = fs::read_to_string(dir.join("src/part/deep/a.md")).expect("a file");
    let expected = "# A\n\n[x](../../b.md#b) [y](../../other/c-two) ![z](../../img/p.png) [w](../../sub/)\n\n\
                    [v](gone.md) [u](../../index.md)\n";
    assert_eq!(fixed, expected);
}

/// The link may be older or younger than the move of its document. If that decides what it leads
/// to, only somebody who asks for it gets it.
#[test]
fn two_moves_that_disagree_are_no_safe_fix() {
    let text = "# A\n\n[x](b.md)\n";
    let dir = moved(
        &[
            ("old/a.md", text),
            ("old/b.md", "# B of the old place\n"),
            ("new/b.md", "# B of the new place, which is another text.\n"),
        ],
        &[("old/a.md", "new/a.md"), ("new/b.md", "new/c.md")],
    );
    dir.run(["audit", "--fix", "."]);
    assert_eq!(fs::read_to_string(dir.join("new/a.md")).expect("a file"), text);
    dir.run(["audit", "--fix", "--unsafe-fixes", "."]);
    assert_ne!(fs::read_to_string(dir.join("new/a.md")).expect("a file"), text);
}

/// `a.html` is the page of `a.md` (mdBook), and follows it.
#[test]
fn addresses_of_pages_follow_a_moved_file() {
    let page = "# B\n\n## Usage\n\nEnough text, so that git sees a rename here.\n";
    for (from, to) in [("src/b.md", "src/part/b.md"), ("src/b.md", "src/part/other.md")] {
        let dir = moved(
            &[("book.toml", "[book]\n"), ("src/a.md", "[x](b.html#usage)\n"), ("src/b.md", page)],
            &[(from, to)],
        );
        dir.run(["audit", "--fix", "."]);
        let fixed = fs::read_to_string(dir.join("src/a.md")).expect("a file");
        let to = to.replace("src/", "").replace(".md", ".html");
        assert_eq!(fixed, format!("[x]({to}#usage)\n"));
    }
    // Without a history, the only file with the name counts.
    let dir = Dir::new();
    dir.file("book.toml", "[book]\n").file("src/a.md", "[x](b.html)\n").file("src/p/b.md", "# B\n");
    dir.run(["audit", "--fix", "."]);
    assert_eq!(fs::read_to_string(dir.join("src/a.md")).expect("a file"), "[x](p/b.html)\n");
}

/// With other projects (intersphinx), a name may be of one of them, unless git knows the file.
#[test]
fn names_that_may_be_of_other_projects_follow_a_moved_file() {
    let page = |title: &str| format!("{title}\n====\n\nEnough text, so that git sees a rename.\n");
    let index = "Home\n====\n\n:doc:`apache` :doc:`elsewhere`\n\n.. toctree::\n\n   sub/none\n";
    let guide = format!("{}\n:doc:`apache` :doc:`elsewhere`\n", page("Guide"));
    let dir = moved(
        &[
            (
                "conf.py",
                "extensions = ['sphinx.ext.intersphinx']\nintersphinx_mapping = {'a': 1}\n",
            ),
            ("index.rst", index),
            ("apache.rst", &page("Apache")),
            ("guide.rst", &guide),
        ],
        &[("apache.rst", "deploying/apache.rst"), ("guide.rst", "start/guide.rst")],
    );
    dir.run(["audit", "--fix", "."]);
    let read = |name: &str| fs::read_to_string(dir.join(name)).expect("a file");
    assert_eq!(read("index.rst"), index.replace("`apache`", "`deploying/apache`"));
    assert_eq!(read("start/guide.rst"), guide.replace("`apache`", "`../deploying/apache`"));
}

/// MyST writes paths with a scheme of its own, which a fix keeps.
#[test]
fn paths_with_a_scheme_follow_a_moved_file() {
    let dir = moved(
        &[
            ("conf.py", "extensions = ['myst_parser']\n"),
            ("a.md", "# A\n\n[x](path:b.txt) <project:c.md>\n"),
            ("b.txt", "Enough text, so that git sees a rename here.\n"),
            ("c.md", "# C\n\nEnough text, so that git sees another rename here.\n"),
        ],
        &[("b.txt", "sub/b.txt"), ("c.md", "sub/d.md")],
    );
    dir.run(["audit", "--fix", "."]);
    let fixed = fs::read_to_string(dir.join("a.md")).expect("a file");
    assert_eq!(fixed, "# A\n\n[x](path:sub/b.txt) <project:sub/d.md>\n");
}

/// A picture has no address with a slash at the end, even where pages have.
#[test]
fn a_picture_gets_no_slash() {
    let dir = Dir::new();
    dir.file("mkdocs.yml", "site_name: x\n").file("docs/img/p.png", "p");
    dir.file("docs/a.md", "# A\n\n![x](../img/p.png)\n");
    dir.run(["audit", "--fix", "."]);
    let fixed = fs::read_to_string(dir.join("docs/a.md")).expect("a file");
    assert_eq!(fixed, "# A\n\n![x](img/p.png)\n");
}

/// The slash at the end of a directory is the style of the author.
#[test]
fn a_directory_keeps_its_slash() {
    let dir = Dir::new();
    dir.file("a.md", "[x](Guide/) [y](Guide)\n").file("guide/README.md", "# B\n");
    dir.run(["audit", "--fix", "."]);
    let fixed = fs::read_to_string(dir.join("a.md")).expect("a file");
    assert_eq!(fixed, "[x](guide/) [y](guide)\n");
}

/// What is left without the junk must exist.
#[test]
fn junk_after_a_missing_file_is_no_safe_fix() {
    let dir = Dir::new();
    dir.file("a.md", "[x](b.md,) [y](c.md,)\n").file("b.md", "# B\n");
    dir.run(["audit", "--fix", "."]);
    let fixed = fs::read_to_string(dir.join("a.md")).expect("a file");
    assert_eq!(fixed, "[x](b.md) [y](c.md,)\n");
}

/// Settings of Hugo may show a directory of documents at `/`.
#[test]
fn addresses_below_a_mount_follow_a_moved_file() {
    let settings = "[[module.mounts]]\nsource = 'content/en'\ntarget = 'content'\n";
    let page = "# B\n\nEnough text, so that git sees a rename here.\n";
    let dir = moved(
        &[
            ("hugo.toml", settings),
            ("content/en/_index.md", "# Home\n\n[x](/settings/cascade/) [y](/settings/none/)\n"),
            ("content/en/settings/cascade.md", page),
            ("content/en/settings/all.md", "# All\n"),
            ("content/en/glossary/cascade.md", "# Glossary\n"),
            ("content/en/glossary/none.md", "# None\n"),
        ],
        &[("content/en/settings/cascade.md", "content/en/manual/the-cascade.md")],
    );
    dir.run(["audit", "--fix", "."]);
    let fixed = fs::read_to_string(dir.join("content/en/_index.md")).expect("a file");
    // The last word of an address is no proof.
    assert_eq!(fixed, "# Home\n\n[x](/manual/the-cascade/) [y](/settings/none/)\n");
}

/// The next version of Docusaurus shows the same documents at another address, which no link means.
#[test]
fn addresses_of_another_version_are_not_written() {
    let page = "# B\n\nEnough text, so that git sees a rename here.\n";
    let dir = moved(
        &[
            ("docusaurus.config.js", "module.exports = {};\n"),
            ("docs/a.md", "# A\n\n[x](/docs/old/b)\n"),
            ("docs/old/b.md", page),
            ("docs/old/c.md", "# C\n"),
        ],
        &[("docs/old/b.md", "docs/new/b.md")],
    );
    dir.run(["audit", "--fix", "."]);
    let fixed = fs::read_to_string(dir.join("docs/a.md")).expect("a file");
    assert_eq!(fixed, "# A\n\n[x](/docs/new/b)\n");
}

/// A file that no round can change is named once.
#[test]
#[cfg(unix)]
fn what_cannot_be_written_is_named_once() {
    let dir = Dir::new();
    dir.file("a.md", "[x](B.md)\n").file("b.md", "# b\n").file("c.md", "[x](B.md)\n");
    fs::hard_link(dir.join("a.md"), dir.join("linked.md")).expect("a link");
    let ran = dir.run(["audit", "--fix"]);
    assert_eq!(ran.status, Some(2));
    for name in ["a.md", "linked.md"] {
        let lines =
            ran.stderr.lines().filter(|line| line.contains(&format!(" {name}: not changed")));
        assert_eq!(lines.count(), 1, "{name}: {}", ran.stderr);
    }
    assert!(ran.stderr.contains("fixed 1 link in 1 file"), "{}", ran.stderr);
}

/// What `--fix` does is stated; what only may be right is a question.
#[test]
fn safe_fixes_are_no_questions() {
    let dir = tree();
    let ran = dir.run(["audit", "--json"]);
    let mut safe = 0;
    for line in ran.out().lines() {
        let finding: Value = serde_json::from_str(line).expect("JSON");
        if finding["fix"]["safety"] == "safe" {
            safe += 1;
            let hint = finding["hint"].as_str().unwrap_or_default();
            assert!(!hint.contains("did you mean"), "{hint}");
        }
    }
    assert!(safe >= 9, "{}", ran.out());
    assert!(ran.out().contains("did you mean `usage.md`?"), "{}", ran.out());
}

/// mdBook replaces `{{#include file}}` by the file, in code, too. Elsewhere, it is a block of
/// Handlebars.
#[test]
fn includes_of_a_book_follow_their_files() {
    let dir = Dir::new();
    let page = |file: &str| {
        format!(
            "# A\n\n{{{{#include {file}:3}}}} \\{{{{#include gone.rs}}}}\n\n```rust\n// http://localhost/\n\
             {{{{#rustdoc_include {file}}}}}\nlet x = 1; // [a](gone.md)\n```\n"
        )
    };
    dir.file("book.toml", "[book]\ntitle = \"x\"\n").file("src/SUMMARY.md", "- [A](a.md)\n");
    dir.file("src/a.md", page("../code/x.rs")).file("code/x.rs", "fn main() {}\n");
    for args in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "one"]] {
        dir.git(args);
    }
    assert_eq!(dir.run(["audit"]).status, Some(0));
    fs::create_dir(dir.join("listings")).expect("a directory");
    dir.git(&["mv", "code/x.rs", "listings/y.rs"]);
    dir.git(&["commit", "-qm", "two"]);
    let ran = dir.run(["audit", "--fix"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), "urigrep: fixed 2 links in 1 file\n"));
    let read = || fs::read_to_string(dir.join("src/a.md")).expect("a file");
    assert_eq!(read(), page("../listings/y.rs"));
    // A moved document takes its includes with it.
    fs::create_dir(dir.join("src/b")).expect("a directory");
    dir.git(&["commit", "-qam", "three"]);
    dir.git(&["mv", "src/a.md", "src/b/a.md"]);
    dir.git(&["commit", "-qm", "four"]);
    assert_eq!(dir.run(["audit", "--fix"]).status, Some(0));
    assert!(
        fs::read_to_string(dir.join("src/b/a.md"))
            .is_ok_and(|it| it == page("../../listings/y.rs"))
    );
    // No book.
    fs::remove_file(dir.join("book.toml")).expect("a file");
    fs::remove_file(dir.join("src/SUMMARY.md")).expect("a file");
    dir.git(&["commit", "-qam", "five"]);
    dir.file("src/b/a.md", page("none.rs"));
    let ran = dir.run(["audit", "--severity", "warning"]);
    assert_eq!(ran.status, Some(0), "{}", ran.out());
}
