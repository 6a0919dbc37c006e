//! Hostile settings and parts of sites, which an audit reads beside the documents: they change
//! nothing outside of the tree, and cost no more than their size.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Dir, Ran, command, finish, pack, spawn};

/// Runs the command with this many MiB of addresses.
fn within(mib: usize, dir: &Dir, args: &[&str]) -> Ran {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", mib << 10);
    let binary = command([""; 0]).get_program().to_owned();
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).arg(binary).args(args);
    finish(spawn(shell.current_dir(dir.path()).stdin(Stdio::null())))
}

/// A site that shows documents in hidden directories as parts of others.
fn with_parts() -> Dir {
    let dir = Dir::new();
    dir.file(".vitepress/config.js", "export default { markdown: 'markdown-it-include' }\n");
    dir
}

#[cfg(unix)]
#[test]
fn a_hidden_part_that_is_a_link_is_not_audited() {
    let outside = Dir::new();
    outside.file("x.md", "[x](Other.md)\n").file("part/b.md", "[x](Other.md)\n");
    let dir = with_parts();
    dir.file("a.md", "# A\n\n{% x \".p/b.md\" %}\n{% x \".q/b.md\" %}\n").file("other.md", "# B\n");
    dir.file(".p/c.md", "");
    std::os::unix::fs::symlink(outside.join("x.md"), dir.join(".p/b.md")).unwrap();
    std::os::unix::fs::symlink(outside.join("part"), dir.join(".q")).unwrap();
    let ran = dir.run(["audit", "--unsafe-fixes"]);
    assert_eq!(ran.status, Some(0), "{}{}", ran.out(), ran.stderr);
    assert!(!ran.out().contains("Other.md"), "{}", ran.out());
    for name in ["x.md", "part/b.md"] {
        assert_eq!(fs::read_to_string(outside.join(name)).unwrap(), "[x](Other.md)\n");
    }
}

/// Each of eight levels names the next one eight times: 8^8 documents, if each name were read.
#[test]
fn a_part_is_read_once() {
    let dir = with_parts();
    dir.file("a.md", "{% x \".p/b0.md\" %}\n".repeat(8));
    for level in 0..9 {
        let next = format!("{{% x \"b{}.md\" %}}\n", level + 1).repeat(8);
        dir.file(format!(".p/b{level}.md"), format!("{next}[x](none.md)\n"));
    }
    let ran = dir.run(["audit", "--format", "json"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(ran.out().matches("missing-target").count(), 8, "{}", ran.out());
}

/// Settings of 200 kB took gigabytes, and minutes: each name was filled in at each place.
#[test]
fn values_that_settings_repeat_are_bounded() {
    let long = "s".repeat(200);
    let cases = [
        (
            "_redirects",
            format!("/x/* /{}\n", ":splat".repeat(30_000)),
            "docusaurus.config.js",
            "docs",
        ),
        (
            "static/_redirects",
            format!("/{} /b\n", "a/".repeat(100_000)),
            "docusaurus.config.js",
            "docs",
        ),
        (
            "_config.yml",
            format!(
                "permalink: /:year/{}/\ncollections:\n  {}:\n    permalink: /{}/:title/\n",
                ":title".repeat(30_000),
                "c".repeat(100_000),
                ":collection".repeat(10_000)
            ),
            "Gemfile",
            "_posts",
        ),
        (
            "hugo.yaml",
            format!(
                "permalinks:\n  {}: /{}/:title/\n  content: /{}\n",
                "s".repeat(100_000),
                ":section".repeat(10_000),
                ":slug/".repeat(30_000)
            ),
            "a.txt",
            "content/content",
        ),
        (
            "astro.config.mjs",
            "import redirects from './r.mjs'\n".repeat(6_000) + "export default { redirects }\n",
            "package.json",
            "src/content/docs",
        ),
    ];
    for (name, settings, marker, documents) in cases {
        let dir = Dir::new();
        dir.file(marker, "").file(name, settings);
        dir.file("r.mjs", "export default {\n".to_owned() + &"'/a/':'/b/',\n".repeat(15_000) + "}");
        for number in 0..40 {
            let text = format!(
                "---\nslug: {}\n---\n[x](/x/{}) [y](/none/)\n",
                long.repeat(50),
                "y".repeat(20_000)
            );
            dir.file(format!("{documents}/2020-01-02-{long}{number}.md"), text);
        }
        let ran = dir.run(["audit", "-q"]);
        assert!(ran.status.is_some(), "{name}: {}", ran.stderr);
    }
}

/// A hundred overrides were each within the limits.
#[test]
fn overrides_share_their_limits() {
    let dir = Dir::new();
    let expressions = (0..8).map(|it| format!("'\\w{{1,60}}x{it}'")).collect::<Vec<_>>().join(", ");
    let one = format!(
        "[[audit.override]]\nuris = [{expressions}]\nseverities = {{ missing-target = 'off' }}\n"
    );
    dir.file("urigrep.toml", one.repeat(30)).file("a.md", "");
    let ran = dir.run(["audit"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("more than 32 MiB of memory"), "{}", ran.stderr);
    let hosts = (0..200).map(|it| format!("'h{it}.example'")).collect::<Vec<_>>().join(", ");
    let one = format!(
        "[[audit.override]]\nhosts = [{hosts}]\nseverities = {{ missing-target = 'off' }}\n"
    );
    dir.file("urigrep.toml", one.repeat(5));
    assert_eq!(dir.run(["audit"]).status, Some(0));
    dir.file("urigrep.toml", one.repeat(6));
    let ran = dir.run(["audit"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("more than 1,000 globs of hosts"), "{}", ran.stderr);
}

#[test]
fn an_audit_obeys_the_limits_of_what_it_unpacks() {
    let dir = Dir::new();
    let members = [("a.md", b"[x](none.md)".to_vec()), ("b.md", b"[x](none.md)".to_vec())];
    dir.file("a.tar", pack::tar(&members));
    let ran = dir.run(["audit", "a.tar", "--format", "json"]);
    assert!(ran.out().contains("\"links\":2"), "{}", ran.out());
    let ran = dir.run(["audit", "--limit", "members=1", "a.tar", "--format", "json"]);
    assert_eq!(ran.status, Some(2), "{}", ran.out());
    assert!(ran.out().contains("\"links\":1"), "{}", ran.out());
}

/// Settings in UTF-16, as editors of Windows write them.
#[test]
fn settings_in_utf_16_are_read() {
    let dir = Dir::new();
    let text = "site_name: x\nnav:\n  - none.md\n";
    let bytes: Vec<u8> =
        "\u{feff}".chars().chain(text.chars()).flat_map(|it| (it as u16).to_le_bytes()).collect();
    dir.file("mkdocs.yml", bytes).file("docs/index.md", "# A\n");
    let ran = dir.run(["audit"]);
    assert!(ran.out().contains("docs/none.md"), "{}{}", ran.out(), ran.stderr);
}

/// What a tree names outside of its checkout is not read, by `..` or by symbolic links. So it makes
/// no link right. Each case is a file outside, and the files of a tree beside it.
#[cfg(unix)]
#[test]
fn files_outside_of_the_tree_are_not_read() {
    type Case<'c> = ((&'c str, &'c str), &'c [(&'c str, &'c str)], Option<(&'c str, &'c str)>);
    let cfg = ("writerside.cfg", "<ihp><topics dir=\"topics\"/></ihp>");
    let lib = ("lib.topic", "<topic><p id=\"secret\"/></topic>");
    let eleventy = "export default {}\n";
    let cases: [Case<'_>; 6] = [
        (
            lib,
            &[cfg, ("topics/a.md", "<include from=\"../../lib.topic\"/>\n\n[x](#secret)\n")],
            None,
        ),
        (
            lib,
            &[cfg, ("topics/a.md", "<include from=\"in.topic\"/>\n\n[x](#secret)\n")],
            Some(("topics/in.topic", "../../lib.topic")),
        ),
        (
            ("data.json", "{\"permalink\": \"/secret/\"}"),
            &[("eleventy.config.js", eleventy), ("b/a.md", "[x](/secret/)\n"), ("c.md", "# C\n")],
            Some(("b/b.json", "../../data.json")),
        ),
        (
            ("out/secret.md", "# A\n"),
            &[
                (
                    "docusaurus.config.js",
                    "export default { presets: [['classic', { docs: { path: '../out' } }]] }\n",
                ),
                ("docs/a.md", "[x](/secret)\n"),
            ],
            None,
        ),
        (
            ("out/_redirects", "/secret /a\n"),
            &[("docusaurus.config.js", "export default {}\n"), ("docs/a.md", "[x](/secret)\n")],
            Some(("static", "../out")),
        ),
        (
            ("r.mjs", "export const redirects = {\n'/secret': '/a',\n}\n"),
            &[
                (
                    "astro.config.mjs",
                    "import redirects from '../r.mjs'\nexport default { redirects }\n",
                ),
                ("src/content/docs/a.md", "[x](/secret)\n"),
            ],
            None,
        ),
    ];
    for (number, ((name, text), files, link)) in cases.into_iter().enumerate() {
        let dir = Dir::new();
        dir.file(name, text).file("tree/.git/HEAD", "");
        for (name, text) in files {
            dir.file(format!("tree/{name}"), text);
        }
        if let Some((link, to)) = link {
            std::os::unix::fs::symlink(to, dir.join(format!("tree/{link}"))).unwrap();
        }
        let ran = dir.run(["audit", "tree", "--format", "json", "--severity", "note"]);
        assert!(ran.out().contains("\"missing-"), "{number}: {}{}", ran.out(), ran.stderr);
    }
}

/// Labels of a file outside of the checkout define nothing in it.
#[test]
fn an_included_file_outside_of_the_tree_is_not_read() {
    let dir = Dir::new();
    dir.file("secret.md", "[cc]: x\n").file("tree/.git/HEAD", "");
    dir.file("tree/_config.yml", "title: x\n").file("tree/_includes/inside.md", "[dd]: x\n");
    let tags = "{% include ../../secret.md %}\n{% include inside.md %}\n";
    dir.file("tree/index.md", format!("---\nt: x\n---\n{tags}\n[A b][cc] [A b][dd]\n"));
    let ran = dir.run(["audit", "tree", "--format", "json", "--severity", "note"]);
    assert!(ran.out().contains("[cc]") && !ran.out().contains("[dd]"), "{}", ran.out());
}

/// A topic includes 40 libraries of 20,000 ids: each is read once, and up to 2 MiB of all. Which
/// others there are is not known then.
#[test]
fn included_libraries_are_bounded() {
    let dir = Dir::new();
    dir.file("writerside.cfg", "<ihp><topics dir=\"topics\"/></ihp>");
    let mut topic = String::new();
    for library in 0..40 {
        let ids: String = (0..20_000).map(|it| format!(" id=\"{library}x{it}\"")).collect();
        dir.file(format!("topics/l{library}.topic"), format!("<topic>{ids}</topic>"));
        topic.push_str(&format!("<include from=\"l{library}.topic\"/>\n"));
    }
    dir.file("topics/b.md", "<include from=\"l1.topic\"/>\n\n[x](#1x7) [y](#none)\n");
    dir.file("topics/a.md", topic + "\n[x](#none)\n");
    let ran = dir.run(["audit", "--format", "json"]);
    assert_eq!(ran.out().matches("missing-anchor").count(), 1, "{}{}", ran.out(), ran.stderr);
    assert!(ran.out().contains("topics/b.md"), "{}", ran.out());
}

/// Calls that copy files: each of 256 in a row read the same object, and a list kept its room.
/// Roots beside each other: each read the redirects of the directory around them.
#[test]
fn settings_that_are_named_often_are_read_once() {
    let copied = "//addPassthroughCopy({\n".repeat(256) + &"\"a\":\"b\",".repeat(1_300) + "})\n";
    let roots: String = (0..32).map(|it| format!("root: c/r{it}\n")).collect();
    let redirects: String = (0..80_000).map(|it| format!("/b{it} /c\n")).collect();
    let dir = Dir::new();
    for site in 0..20 {
        dir.file(format!("e{site}/eleventy.config.js"), &copied)
            .file(format!("e{site}/a.md"), "[x](no.md)\n");
    }
    for site in 0..2 {
        dir.file(format!("g{site}/.gitbook.yaml"), &roots);
        dir.file(format!("g{site}/c/_redirects"), &redirects);
        for root in 0..32 {
            dir.file(format!("g{site}/c/r{root}/a.md"), "[x](no.md)\n[y](/b7)\n");
        }
    }
    let ran = within(400, &dir, &["audit", "--format", "json"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(ran.out().matches("missing-target").count(), 20 + 128, "{}", ran.out());
}

/// A template of 300 kB: each expression looked for a mark in the rest, and each page had a copy.
#[test]
fn templates_of_data_files_are_bounded() {
    let dir = Dir::new();
    dir.file("eleventy.config.js", "export default {}\n");
    let template = "{{page.fileSlug}}".repeat(18_000);
    dir.file("d/d.json", format!("{{\"permalink\": \"{template}\"}}"));
    for page in 0..400 {
        dir.file(format!("d/index.{page}.md"), "[x](no.md)\n");
    }
    let ran = dir.run(["audit", "-q"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
}

/// N links by one name, and N files of that name: each link was compared with all.
#[test]
fn files_of_a_name_are_looked_up_once() {
    let dir = Dir::new();
    dir.file("w/writerside.cfg", "<ihp><topics dir=\"topics\"/></ihp>");
    dir.file("w/topics/a.md", "![p](q.png)\n".repeat(2_000) + "![p](r.png)\n");
    dir.file("h/config.toml", "baseURL = 'https://s.dev/'\n").file("h/themes/x.toml", "");
    let links = (0..2_000).map(|it| format!("![p](/y{it}/q.png)\n")).collect::<String>();
    dir.file("h/content/a.md", links + "![p](/x7/q.png)\n");
    for number in 0..2_000 {
        dir.file(format!("x{number}/q.png"), "x");
    }
    dir.file("w/topics/deep/r.png", "x");
    let ran = dir.run(["audit", "--format", "json", "w", "h"]);
    assert!(!ran.out().contains("r.png"), "{}{}", ran.out(), ran.stderr);
}

/// An answer about a site that is larger than its cache was made again for each link.
#[test]
fn large_answers_are_kept() {
    let dir = Dir::new();
    dir.file("h/hugo.toml", "baseURL = 'https://s.dev/'\n");
    for page in 0..300 {
        let aliases: String = (0..1_000).map(|it| format!("- /{page}/{it}\n")).collect();
        let text = format!("---\naliases:\n{aliases}---\n[x](/none/)\n");
        dir.file(format!("h/content/{page}.md"), text);
    }
    let ran = dir.run(["audit", "-q"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
}

/// Each slug of a sidebar stands below each route, and links gave the file many names.
#[test]
fn addresses_of_sidebars_are_bounded() {
    let dir = Dir::new();
    let routes: String =
        (0..32).map(|it| format!("{{ path: 'd{it}', routeBasePath: 'r{it}' }},\n")).collect();
    dir.file("docusaurus.config.js", format!("module.exports = {{ plugins: [\n{routes}] }}\n"));
    for route in 0..32 {
        dir.file(format!("d{route}/a.md"), "[x](/none/)\n");
    }
    for number in 0..4 {
        dir.file(format!("sidebars{number}.js"), "slug: '1'\n".repeat(40_000));
    }
    let ran = within(400, &dir, &["audit", "-q"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
}
