//! Hostile settings and parts of sites, which an audit reads beside the documents: they change
//! nothing outside of the tree, and cost no more than their size.

use std::fs;

use crate::support::{Dir, pack};

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
