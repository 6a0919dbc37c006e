//! Renaming, completion, hover, and navigation in the forms that sites and formats have.

use std::fs;

use serde_json::{Value, json};

use super::client::{Client, position};
use crate::support::Dir;

/// Renames a file, and returns a document with its links.
#[track_caller]
fn renamed(files: &[(&str, &str)], [old, new]: [&str; 2], document: &str) -> String {
    let dir = Dir::new();
    for (name, text) in files {
        dir.file(name, text);
    }
    let mut client = Client::start(&dir);
    client.settle();
    let files = json!([{"oldUri": client.uri(old), "newUri": client.uri(new)}]);
    let edit = client.request("workspace/willRenameFiles", json!({"files": files}));
    client.apply(&edit);
    fs::read_to_string(dir.join(document)).unwrap()
}

#[test]
fn links_of_all_sites_follow_a_renamed_file() {
    let mkdocs = ("mkdocs.yml", "site_name: x\n");
    let vault = (".obsidian/app.json", "{}");
    let checkout = (".git/HEAD", "ref: refs/heads/main\n");
    let docusaurus = (
        "docusaurus.config.js",
        "module.exports={title:'x',baseUrl:'/',presets:[['classic',{docs:{}}]]}\n",
    );
    let antora = ("antora.yml", "name: x\nversion: ~\n");
    for (files, names, document, expected) in [
        (
            vec![
                ("mkdocs.yml", "nav:\n  - A: 'sub/a.md' # a.md\n  - B: sub/b.md\n"),
                ("docs/sub/a.md", "# A\n"),
                ("docs/sub/b.md", "# B\n"),
            ],
            ["docs/sub/a.md", "docs/c.md"],
            "mkdocs.yml",
            "nav:\n  - A: 'c.md' # a.md\n  - B: sub/b.md\n",
        ),
        (
            vec![
                ("docs/.vitepress/config.ts", "export default { nav: [{ link: '/sub/a#x' }] }\n"),
                ("docs/sub/a.md", "# X\n"),
            ],
            ["docs/sub/a.md", "docs/sub/c.md"],
            "docs/.vitepress/config.ts",
            "export default { nav: [{ link: '/sub/c#x' }] }\n",
        ),
        (
            vec![
                mkdocs,
                ("docs/index.md", "# I\n"),
                ("docs/sub/b.md", "# B\n\n## H\n"),
                ("docs/a.md", "<a href=\"../sub/b/#h\">b</a> [b](../sub/b/)\n"),
            ],
            ["docs/sub/b.md", "docs/sub/bee.md"],
            "docs/a.md",
            "<a href=\"../sub/bee/#h\">b</a> [b](../sub/bee/)\n",
        ),
        (
            vec![
                mkdocs,
                ("docs/index.md", "# I\n"),
                ("docs/img/p.png", ""),
                ("docs/a.md", "<img src=\"../img/p.png\">\n"),
            ],
            ["docs/img/p.png", "docs/img/q.png"],
            "docs/a.md",
            "<img src=\"../img/q.png\">\n",
        ),
        (
            vec![
                mkdocs,
                ("docs/index.md", "# I\n"),
                ("docs/img/p.png", ""),
                ("docs/a.md", "<img src=\"../img/p.png\">\n"),
            ],
            ["docs/a.md", "docs/sub/a.md"],
            "docs/a.md",
            "<img src=\"../../img/p.png\">\n",
        ),
        (
            vec![checkout, vault, ("a.md", "[[b]] [[b#H|x]]\n"), ("b.md", "# B\n\n## H\n")],
            ["b.md", "bee.md"],
            "a.md",
            "[[bee]] [[bee#H|x]]\n",
        ),
        (
            vec![
                checkout,
                vault,
                ("a.md", "![[p.png]] [[sub/c]]\n"),
                ("p.png", ""),
                ("sub/c.md", ""),
            ],
            ["sub/c.md", "sub/d.md"],
            "a.md",
            "![[p.png]] [[sub/d]]\n",
        ),
        (
            vec![
                docusaurus,
                ("docs/intro.md", "[d](@site/docs/guide/a.md)\n"),
                ("docs/guide/a.md", "# A\n"),
            ],
            ["docs/guide/a.md", "docs/guide/b.md"],
            "docs/intro.md",
            "[d](@site/docs/guide/b.md)\n",
        ),
        (
            vec![
                docusaurus,
                ("docs/intro.md", "[n](/docs/guide/n)\n"),
                ("docs/guide/01-n.md", "# N\n"),
            ],
            ["docs/guide/01-n.md", "docs/guide/01-k.md"],
            "docs/intro.md",
            "[n](/docs/guide/k)\n",
        ),
        (
            vec![
                ("book.toml", "[book]\ntitle='x'\n"),
                ("src/SUMMARY.md", "- [a](a.md)\n- [s](sub/README.md)\n"),
                ("src/a.md", "[s](sub/index.html)\n"),
                ("src/sub/README.md", "# S\n"),
            ],
            ["src/sub", "src/deep"],
            "src/a.md",
            "[s](deep/index.html)\n",
        ),
        (
            vec![
                antora,
                ("modules/ROOT/pages/b.adoc", "= B\n"),
                ("modules/sub/pages/c.adoc", "= C\n\nxref:ROOT:b.adoc[]\n"),
            ],
            ["modules/ROOT/pages/b.adoc", "modules/ROOT/pages/b2.adoc"],
            "modules/sub/pages/c.adoc",
            "= C\n\nxref:ROOT:b2.adoc[]\n",
        ),
        (
            vec![("a.adoc", "= T\n:imgs: img\n\nimage::{imgs}/p.png[]\n"), ("img/p.png", "")],
            ["img/p.png", "img/q.png"],
            "a.adoc",
            "= T\n:imgs: img\n\nimage::{imgs}/q.png[]\n",
        ),
        (
            vec![
                ("conf.py", ""),
                ("index.rst", "I\n=\n\n.. literalinclude:: c.py\n\n:download:`c.py`\n"),
                ("c.py", ""),
            ],
            ["c.py", "c e.py"],
            "index.rst",
            "I\n=\n\n.. literalinclude:: c e.py\n\n:download:`c e.py`\n",
        ),
        (
            vec![("a.org", "[[file:b.org][x]] [[./b.org]]\n"), ("b.org", "* H\n")],
            ["b.org", "c d.org"],
            "a.org",
            "[[file:c d.org][x]] [[./c d.org]]\n",
        ),
        // The editor shows the text without the byte order mark.
        (
            vec![("a.md", "\u{feff}[x](b.md)\n"), ("b.md", "# B\n")],
            ["b.md", "c.md"],
            "a.md",
            "\u{feff}[x](c.md)\n",
        ),
    ] {
        assert_eq!(renamed(&files, names, document), expected, "{names:?}");
    }
}

/// Where the address of a page is a directory, `a.md` and `a/index.md` have the same one.
#[test]
fn addresses_of_pages_follow_a_file_that_becomes_an_index_page() {
    let front = "---\ntitle: T\n---\n";
    let sites = [
        (("mkdocs.yml", "site_name: x\n"), "docs/"),
        (("hugo.toml", "baseURL='https://x.example/'\ntheme='t'\n"), "content/"),
        (("_config.yml", "title: x\npermalink: pretty\n"), ""),
        (("eleventy.config.js", "module.exports = function (c) {}\n"), ""),
        (
            (
                "docusaurus.config.js",
                "module.exports={title:'x',baseUrl:'/',\n  trailingSlash: true,\n  presets:[['classic',{docs:{routeBasePath:'/'}}]]}\n",
            ),
            "docs/",
        ),
    ];
    for (settings, root) in sites {
        for (names, document, links, expected) in [
            (["a.md", "a/index.md"], "index.md", "[a](a/) [abs](/a/)", "[a](a/) [abs](/a/)"),
            (["a/index.md", "a.md"], "index.md", "[a](a/) [abs](/a/)", "[a](a/) [abs](/a/)"),
            (["a/index.md", "a/b.md"], "index.md", "[a](a/) [abs](/a/)", "[a](a/b/) [abs](/a/b/)"),
            (["a.md", "a/index.md"], "a.md", "<a href=\"../c/\">c</a>", "<a href=\"../c/\">c</a>"),
            (
                ["a/index.md", "a.md"],
                "a/index.md",
                "<a href=\"../c/\">c</a> <img src=\"../i.png\">",
                "<a href=\"../c/\">c</a> <img src=\"../i.png\">",
            ),
            (
                ["a/index.md", "a/b.md"],
                "a/index.md",
                "[c](../c/) <a href=\"../c/\">c</a> <img src=\"../i.png\">",
                "[c](../../c/) <a href=\"../../c/\">c</a> <img src=\"../../i.png\">",
            ),
        ] {
            let named = |name: &str| format!("{root}{name}");
            let (page, index, other) = (named(names[0]), named("index.md"), named("c/index.md"));
            let picture = named("i.png");
            let mut files = vec![settings, (&page, front), (&index, front), (&other, front)];
            files.push((&picture, ""));
            let (path, text) = (named(document), format!("{front}\n{links}\n"));
            files.push((&path, &text));
            let renamed = renamed(&files, [&page, &named(names[1])], &path);
            assert_eq!(renamed, format!("{front}\n{expected}\n"), "{} {names:?}", settings.0);
        }
    }
}

/// Renames the heading in the first line of a document, and returns another document.
#[track_caller]
fn renamed_heading(files: &[(&str, &str)], name: &str, new: &str, document: &str) -> String {
    let dir = Dir::new();
    for (name, text) in files {
        dir.file(name, text);
    }
    let mut client = Client::start(&dir);
    client.open(name);
    client.settle();
    let mut params = client.at(name, 0, 3);
    params["newName"] = json!(new);
    let edit = client.request("textDocument/rename", params);
    client.apply(&edit);
    client
        .texts
        .get(document)
        .cloned()
        .unwrap_or_else(|| fs::read_to_string(dir.join(document)).unwrap())
}

#[test]
fn names_of_headings_follow_them() {
    for (files, name, document, expected) in [
        (
            vec![
                (".git/HEAD", "ref: refs/heads/main\n"),
                (".obsidian/app.json", "{}"),
                ("a.md", "[[b#Old|x]] [[b]]\n"),
                ("b.md", "## Old\n"),
            ],
            "b.md",
            "a.md",
            "[[b#New|x]] [[b]]\n",
        ),
        (
            vec![("a.org", "[[file:b.org::*Old][x]]\n"), ("b.org", "* Old\n")],
            "b.org",
            "a.org",
            "[[file:b.org::*New][x]]\n",
        ),
        (
            vec![
                ("conf.py", "extensions=['sphinx.ext.autosectionlabel']\n"),
                ("index.rst", "Old\n===\n\n:ref:`Old` :ref:`x <Old>`\n"),
            ],
            "index.rst",
            "index.rst",
            "New\n===\n\n:ref:`New` :ref:`x <New>`\n",
        ),
        (
            vec![("a.md", "## Old <a id=\"my\"></a>\n")],
            "a.md",
            "a.md",
            "## New <a id=\"my\"></a>\n",
        ),
    ] {
        assert_eq!(renamed_heading(&files, name, "New", document), expected, "{name}");
    }
}

/// Returns the texts that the completions at `‸` make, by label.
fn completed(files: &[&str], name: &str, text: &str) -> Vec<[String; 2]> {
    let dir = Dir::new();
    for name in files {
        dir.file(name, "# Über uns\n");
    }
    let at = text.find('‸').unwrap();
    let bare = text.replace('‸', "");
    dir.file(name, &bare);
    let mut client = Client::start(&dir);
    client.open(name);
    client.settle();
    let position = position(&bare, at);
    let mut params = client.document(name);
    params["position"] = position;
    let list = client.request("textDocument/completion", params);
    let items = list["items"].as_array().unwrap().clone();
    let complete = |item: &Value| {
        let uri = client.uri(name);
        let edit = json!({"changes": {uri: [item["textEdit"].clone()]}});
        client.apply(&edit);
        let text = client.texts[name].trim().to_owned();
        client.set(name, &bare);
        [item["filterText"].as_str().unwrap().to_owned(), text]
    };
    items.iter().map(complete).collect()
}

#[test]
fn completions_are_readable_and_replace_the_name() {
    let file = &["é.md", "c d.md"];
    for (name, text, expected) in [
        ("a.md", "[x](é‸)", ["é.md", "[x](é.md)"]),
        ("a.md", "[x](é.md#ü‸)", ["über-uns", "[x](é.md#über-uns)"]),
        ("a.md", "[x](c‸)", ["c d.md", "[x](c%20d.md)"]),
        ("a.md", "[x](<c ‸>)", ["c d.md", "[x](<c d.md>)"]),
        ("a.md", "[x](<c d.md#‸>)", ["über-uns", "[x](<c d.md#über-uns>)"]),
        ("a.md", "[x](c%2‸0d.md) y", ["c%20d.md", "[x](c%20d.md) y"]),
        ("a.org", "[[file:‸]]", ["c d.md", "[[file:c d.md]]"]),
        ("a.rst", ":doc:`‸`", ["c d", ":doc:`c d`"]),
    ] {
        let all = completed(file, name, text);
        assert!(all.iter().any(|it| *it == expected), "{text}: {all:?}");
    }
    assert_eq!(completed(file, "a.org", "[[file:é.md::‸]]"), [["", ""]; 0]);
}

#[test]
fn headings_of_org_are_completed() {
    let dir = Dir::new();
    dir.file("d/b.org", "* TODO [#A] The [1st] part [1/2] :t:\n** Über uns [50%]\n** über uns\n");
    for (text, expected) in [
        ("[[file:d/b.org::*‸]]", vec!["The [1st] part", "Über uns"]),
        ("[[./d/b.org::*Über u‸ns]]", vec!["The [1st] part", "Über uns"]),
        ("* Own\n[[*‸", vec!["Own"]),
        ("* Own\n[[*O‸wn part][x]]", vec!["Own"]),
        ("* Own\n[[#‸]]", vec![]),
        ("[[file:none.org::*‸]]", vec![]),
    ] {
        let at = text.find('‸').unwrap();
        let bare = text.replace('‸', "");
        dir.file("a.org", &bare);
        let mut client = Client::start(&dir);
        client.open("a.org");
        client.settle();
        let mut params = client.document("a.org");
        params["position"] = position(&bare, at);
        let list = client.request("textDocument/completion", params);
        let items = list["items"].as_array().unwrap();
        let labels: Vec<&str> = items.iter().map(|it| it["label"].as_str().unwrap()).collect();
        assert_eq!(labels, expected, "{text}");
        let Some(item) = items.first() else { continue };
        let edit = json!({"changes": {client.uri("a.org"): [item["textEdit"].clone()]}});
        client.apply(&edit);
        client.settle();
        let shown = client.shown("a.org");
        assert!(shown.is_empty() || !text.ends_with("]]"), "{shown:?}: {}", client.texts["a.org"]);
    }
}

#[test]
fn a_hover_is_text_of_the_document() {
    let dir = Dir::new();
    let text = "[x](b.md#a%60!%5Bi%5D(https://evil.example/p.png)%60)\n";
    dir.file("a.md", text).file("b.md", "");
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.settle();
    let params = client.at("a.md", 0, 6);
    let contents = client.request("textDocument/hover", params)["contents"].take();
    let value = contents["value"].as_str().unwrap();
    assert_eq!(contents["kind"], "markdown");
    let mut events = pulldown_cmark::Parser::new(value);
    let is_active = |event: pulldown_cmark::Event<'_>| {
        use pulldown_cmark::{Event, Tag};
        matches!(
            event,
            Event::Start(Tag::Image { .. } | Tag::Link { .. })
                | Event::Html(_)
                | Event::InlineHtml(_)
        )
    };
    assert!(!events.any(is_active), "{value}");

    let capabilities = json!({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}});
    let mut client = Client::start_with(&dir, &[], json!({"capabilities": capabilities}));
    client.open("a.md");
    client.settle();
    let params = client.at("a.md", 0, 6);
    let contents = client.request("textDocument/hover", params)["contents"].take();
    assert_eq!(contents["kind"], "plaintext");
    assert!(!contents["value"].as_str().unwrap().contains("`b.md`\n"), "{contents}");
}

#[test]
fn references_by_label_and_wikilinks_are_followed() {
    let dir = Dir::new();
    dir.file(".git/HEAD", "ref: refs/heads/main\n").file(".obsidian/app.json", "{}");
    dir.file("b.md", "# B\n\n## H\n").file("b.rst", "B\n=\n");
    dir.file("b.org", "* A b\n");
    for (name, text, line) in [
        ("a.md", "[x][r‸] [r]\n\n[r]: b.md#h\n", 2),
        ("a.md", "[x][r] [r‸]\n\n[r]: b.md#h\n", 2),
        ("a.md", "[[b#H‸]]\n", 2),
        ("a.rst", "T\n=\n\nsee one‸_\n\n.. _one: b.rst\n", 0),
        ("a.org", "[[file:b.org::*A‸ b]]\n", 0),
    ] {
        let at = text.find('‸').unwrap();
        let bare = text.replace('‸', "");
        dir.file(name, &bare);
        let mut client = Client::start(&dir);
        client.open(name);
        client.settle();
        let mut params = client.document(name);
        params["position"] = position(&bare, at);
        let place = client.request("textDocument/definition", params);
        assert!(place["uri"].as_str().is_some_and(|uri| uri.contains("/b.")), "{text}: {place}");
        assert_eq!(place["range"]["start"]["line"], line, "{text}");
    }
}

#[test]
fn only_absolute_links_are_shown() {
    let dir = Dir::new();
    dir.file("a.org", "[[file:none.org]] [[file:b.org]]\n").file("b.org", "");
    let mut client = Client::start(&dir);
    client.open("a.org");
    let params = client.document("a.org");
    let links = client.request("textDocument/documentLink", params);
    assert_eq!(links.as_array().unwrap().len(), 1, "{links}");
    assert_eq!(links[0]["target"], client.uri("b.org"));
}

#[test]
fn a_document_outside_of_all_folders_is_audited() {
    let dir = Dir::new();
    dir.file("a.md", "[x](none.md) [y](b.md)\n").file("b.md", "[z](none.md)\n");
    let mut client = Client::start_with(&dir, &[], json!({"rootUri": null}));
    client.open("a.md");
    client.settle();
    assert_eq!(client.shown("a.md"), ["0:4 missing-target"]);
    // The others of its directory are not.
    assert_eq!(client.shown("b.md"), [""; 0]);
    client.close("a.md");
    client.settle();
    assert_eq!(client.shown("a.md"), [""; 0]);
}

#[test]
fn old_settings_are_forgotten() {
    let dir = Dir::new();
    let mut client = Client::start(&dir);
    for settings in [json!({"severity": "bogus"}), json!({"nope": 1})] {
        client.messages.clear();
        client.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
        client.settle();
        assert_eq!(client.messages.len(), 1, "{:?}", client.messages);
    }
}

#[test]
fn names_are_not_decoded_where_no_program_does() {
    let dir = Dir::new();
    dir.file("docs/conf.py", "").file("docs/c d.py", "").file("c d.org", "");
    dir.file("docs/index.rst", "I\n=\n\n:download:`c%20d.py` :download:`c d.py`\n");
    dir.file("a.org", "[[file:c%20d.org]] [[file:c d.org]]\n");
    dir.file("docs/c d.rst", "C\n=\n");
    dir.file("docs/e.rst", ":doc:`c%20d` :doc:`c d`\n\n.. toctree::\n\n   x <c%20d>\n   c d\n");
    dir.file("m.tex", "\\documentclass{article}\n\\href{run:movie.mp4}{x}\n");
    let ran = dir.run(["audit", "--json"]);
    assert_eq!(
        ran.out().lines().filter(|line| line.contains("\"missing-target\"")).count(),
        4,
        "{}",
        ran.out()
    );
    assert!(!ran.out().contains("unregistered-scheme"), "{}", ran.out());
}
