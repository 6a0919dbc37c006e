//! Hostile trees of which two parts multiplied: twice the tree takes about twice the time.

use std::time::{Duration, Instant};

use crate::support::Dir;

/// Fails for what is quadratic: of its four-fold tree, sixteen-fold time.
#[track_caller]
fn takes_linear_time(few: usize, write: impl Fn(&Dir, usize)) {
    let fastest = |number: usize| {
        let dir = Dir::new();
        write(&dir, number);
        let run = || {
            let start = Instant::now();
            let ran = dir.run(["audit", "--severity", "note", "--format", "json"]);
            assert!(ran.status < Some(2), "{}", ran.stderr);
            start.elapsed()
        };
        (0..2).map(|_| run()).min().unwrap_or_default()
    };
    let (short, long) = (fastest(few), fastest(4 * few));
    assert!(long < short * 10 + Duration::from_millis(200), "{short:?}, then {long:?}");
}

/// Each of its lines has a number.
fn lines(number: usize, line: impl Fn(usize) -> String) -> String {
    (0..number).map(line).collect()
}

#[test]
fn anchors_that_many_documents_miss() {
    takes_linear_time(120, |dir, n| {
        for document in 0..n {
            let text = lines(60, |it| format!("[a](#x{document}k{it})\n"));
            dir.file(format!("d{document}.md"), text);
        }
    });
}

#[test]
fn links_of_a_page_with_a_long_address() {
    takes_linear_time(400, |dir, n| {
        let links = lines(n, |it| format!("[a](b{it}.md)\n"));
        dir.file("_config.yml", "title: x\n");
        dir.file("index.md", format!("---\npermalink: /{}\n---\n{links}", "a/".repeat(n)));
    });
}

#[test]
fn labels_of_a_file_that_pages_include_often() {
    takes_linear_time(8, |dir, n| {
        dir.file("_config.yml", "title: x\n");
        dir.file("_includes/p.md", "[lab]: x\n".repeat(10_000));
        let tags = "{% include p.md %}\n".repeat(64);
        for page in 0..n {
            dir.file(format!("p{page}.md"), format!("---\nt: x\n---\n{tags}[A b][cc]\n"));
        }
    });
}

#[test]
fn anchors_that_a_template_may_add() {
    takes_linear_time(500, |dir, n| {
        dir.file("_config.yml", "title: x\n");
        dir.file("_includes/part.njk", "<p>x</p>\n".repeat(12 * n));
        let links = lines(n, |it| format!("[a](#b{it})\n"));
        dir.file("index.md", format!("---\nt: x\n---\n# T\n{{% render \"part.njk\" %}}\n{links}"));
    });
}

#[test]
fn links_of_a_part_that_many_pages_show() {
    takes_linear_time(150, |dir, n| {
        dir.file("mkdocs.yml", "site_name: x\n");
        for page in 0..n {
            dir.file(format!("docs/p{page}/a.md"), "--8<-- \"docs/part.md\"\n");
        }
        dir.file("docs/part.md", lines(n, |it| format!("[a](b{it}.md)\n")));
    });
}

#[test]
fn wikilinks_to_files_of_one_name() {
    takes_linear_time(300, |dir, n| {
        dir.file(".obsidian/x", "");
        for directory in 0..n {
            dir.file(format!("d{directory}/a.md"), "[[a]]\n");
        }
        dir.file("z.md", lines(n, |it| format!("[[d{it}/a]] [[a]]\n")));
    });
}

#[test]
fn comments_and_anchors_of_contributors() {
    takes_linear_time(1_500, |dir, n| {
        let links = lines(n, |it| format!("[a](#doc-{it})\n\n"));
        dir.file("README.md", format!("# T\n{}{links}", "<!-- urigrep-x -->\n".repeat(n)));
    });
}

#[test]
fn missing_files_whose_names_many_start_with() {
    takes_linear_time(800, |dir, n| {
        for file in 0..n {
            dir.file(format!("a-{file}.txt"), "");
        }
        dir.file("z.md", "[x](a.md)\n".repeat(n));
    });
}

#[test]
fn keys_of_pages_and_words_of_anchors() {
    takes_linear_time(200, |dir, n| {
        let keys = lines(n, |it| format!("k{it}: x\n"));
        for page in 0..3 {
            let links = lines(2 * n, |it| format!("[a](#w{}-{page}{})\n", it / 2, it % 2));
            dir.file(format!("a{page}.md"), format!("---\n{keys}---\n# T\n{links}"));
        }
        for page in 0..20 {
            dir.file(format!("b{page}.md"), "---\nz: x\n---\n# T\n");
        }
    });
}

/// 250 languages with 250 mounts: 62,500 places of each link took 50 ms.
#[test]
fn languages_and_mounts() {
    let dir = Dir::new();
    let name =
        |it: usize| format!("{}{}", (b'a' + it as u8 / 26) as char, (b'a' + it as u8 % 26) as char);
    let languages =
        lines(250, |it| format!("[languages.{0}]\ncontentDir=\"content/{0}\"\n", name(it)));
    let mounts =
        lines(250, |it| format!("[[module.mounts]]\nsource=\"m{it}\"\ntarget=\"content\"\n"));
    dir.file("hugo.toml", format!("title=\"x\"\n[languages]\n{languages}{mounts}"));
    for it in 0..250 {
        dir.file(format!("m{it}/x"), "").file(format!("content/{}/x.md", name(it)), "");
    }
    dir.file("content/aa/a.md", lines(300, |it| format!("[a](b{it}.png) [c](/d{it}.png)\n")));
    let start = Instant::now();
    dir.run(["audit"]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
