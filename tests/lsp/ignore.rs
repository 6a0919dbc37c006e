//! `Ignore … here`: the comment changes nothing but the findings.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use pulldown_cmark::{Event, Options, Parser, TagEnd};
use serde_json::{Value, json};

use super::client::Client;
use crate::support::Dir;

const NEXT: &str = "urigrep-disable-next-line missing-target";
const LINE: &str = "urigrep-disable-line missing-target";
const OFF: &str = "urigrep-disable missing-target";
const ON: &str = "urigrep-enable missing-target";

fn is_ignore(action: &Value) -> bool {
    action["title"].as_str().is_some_and(|title| title.starts_with("Ignore"))
}

/// Applies the action for the first finding of `missing-target`.
#[track_caller]
fn ignored(name: &str, text: &str) -> String {
    let dir = Dir::new();
    dir.file(name, text).file("b.md", "");
    let mut client = Client::start(&dir);
    client.open(name);
    client.settle();
    let before = client.shown(name).len();
    let actions = client.actions(name);
    let action = actions.iter().find(|it| is_ignore(it));
    let action = action.unwrap_or_else(|| panic!("{name}: {text}: {actions:?}"));
    client.apply(&action["edit"].clone());
    client.settle();
    let after = client.shown(name).len();
    assert!(after < before, "{name}: {before} and {after}: {}", client.texts[name]);
    client.texts[name].clone()
}

/// Each comment is proven by an audit of the whole document.
#[test]
fn a_large_selection_has_no_comments() {
    let dir = Dir::new();
    dir.file("a.md", "[x](none.md)\n\n".repeat(16)).file("b.md", "[x](none.md)\n\n".repeat(17));
    let mut client = Client::start(&dir);
    for (name, comments) in [("a.md", 16), ("b.md", 0)] {
        client.open(name);
        client.settle();
        let actions = client.actions(name);
        assert_eq!(actions.iter().filter(|it| is_ignore(it)).count(), comments, "{actions:?}");
    }
}

#[test]
fn a_comment_is_where_the_document_stays_the_same() {
    for (name, text, expected) in [
        (
            "definition.md",
            "[r]: none.md\n[s]: b.md\n\nsee [r] [s]\n",
            format!("<!-- {NEXT} -->\n\n[r]: none.md\n[s]: b.md\n\nsee [r] [s]\n"),
        ),
        (
            "second.md",
            "[s]: b.md\n[r]: none.md\n\nsee [r] [s]\n",
            format!("[s]: b.md\n<!-- {NEXT} -->\n[r]: none.md\n\nsee [r] [s]\n"),
        ),
        (
            "row.md",
            "| a | b |\n|---|---|\n| [x](none.md) | y |\n| c | d |\n",
            format!("| a | b |\n|---|---|\n| [x](none.md) | y <!-- {LINE} --> |\n| c | d |\n"),
        ),
        (
            "header.md",
            "| [x](none.md) | b |\n|---|---|\n| c | d |\n",
            format!("| [x](none.md) | b <!-- {LINE} --> |\n|---|---|\n| c | d |\n"),
        ),
        (
            "tag.html",
            "<p>\n<a\n  href=\"none.html\"\n  class=\"y\">x</a>\n</p>\n",
            format!(
                "<p>\n<!-- {OFF} --><a\n  href=\"none.html\"\n  class=\"y\"><!-- {ON} -->x</a>\n</p>\n"
            ),
        ),
        (
            "tag.md",
            "<a\n  href=\"none.html\"\n  class=\"y\">x</a>\n\nb\n",
            format!(
                "<!-- {OFF} -->\n\n<a\n  href=\"none.html\"\n  class=\"y\">x</a>\n\n<!-- {ON} -->\n\nb\n"
            ),
        ),
        ("text.mdx", "t [x](none.md) y\n", format!("{{/* {NEXT} */}}\n\nt [x](none.md) y\n")),
        (
            "import.mdx",
            "import X from \"./none.md\"\n\nt\n",
            format!("{{/* {NEXT} */}}\n\nimport X from \"./none.md\"\n\nt\n"),
        ),
        (
            "image.rst",
            "T\n=\n\n.. image:: none.png\n   :alt: q\n",
            format!("T\n=\n\n.. {NEXT}\n.. image:: none.png\n   :alt: q\n"),
        ),
        (
            "target.rst",
            "T\n=\n\n.. _r: none.rst\n\nsee r_\n",
            format!("T\n=\n\n.. {NEXT}\n.. _r: none.rst\n\nsee r_\n"),
        ),
        (
            "middle.rst",
            "T\n=\n\nfirst line\n`x <none.rst>`_ second\n\nb\n",
            format!("T\n=\n\n.. {OFF}\n\nfirst line\n`x <none.rst>`_ second\n\n.. {ON}\n\nb\n"),
        ),
        (
            "paragraph.rst",
            "T\n=\n\n`x <none.rst>`_ text\n",
            format!("T\n=\n\n.. {NEXT}\n\n`x <none.rst>`_ text\n"),
        ),
        (
            "table.rst",
            "T\n=\n\n==== =====\nA    B\n==== =====\nb    `x <none.rst>`_\n==== =====\n",
            format!(
                "T\n=\n\n.. {OFF}\n\n==== =====\nA    B\n==== =====\nb    `x <none.rst>`_\n==== =====\n\n.. {ON}\n"
            ),
        ),
        (
            "closing.md",
            "a\n\n## atx [q](none.md) ##\n\n[s](#atx-q)\n",
            format!("a\n\n<!-- {NEXT} -->\n\n## atx [q](none.md) ##\n\n[s](#atx-q)\n"),
        ),
        ("break.md", "a [q](none.md)\\\nb\n", format!("<!-- {NEXT} -->\n\na [q](none.md)\\\nb\n")),
        ("spaces.md", "a [q](none.md)  \nb\n", format!("<!-- {NEXT} -->\n\na [q](none.md)  \nb\n")),
        (
            "style.html",
            "<!DOCTYPE html>\n<style>\na { background: url(none.png) }\n</style>\n<p><img src=\"none2.png\">\n",
            format!(
                "<!DOCTYPE html>\n<style>\na {{ background: url(none.png) }} /* {LINE} */\n</style>\n<p><img src=\"none2.png\">\n"
            ),
        ),
        (
            "list.org",
            "* A\n- b\n\n- [[file:none.org]]\n",
            format!("* A\n# {OFF}\n- b\n\n- [[file:none.org]]\n\n# {ON}\n"),
        ),
        (
            "table.adoc",
            "= A\n\n|===\n|a\n\n|link:none.adoc[a]\n|===\n\nb\n",
            format!("= A\n\n// {OFF}\n|===\n|a\n\n|link:none.adoc[a]\n|===\n\n// {ON}\n\nb\n"),
        ),
    ] {
        assert_eq!(ignored(name, text), expected, "{name}");
    }
}

#[test]
fn the_title_says_what_is_ignored() {
    let dir = Dir::new();
    dir.file("a.md", "[a](none.md) and [b](none2.md)\n\n[c](none.md) d\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.settle();
    let actions = client.actions("a.md");
    let titles: Vec<_> = actions.iter().filter(|it| is_ignore(it)).map(|it| &it["title"]).collect();
    let line = "Ignore `missing-target` in this line";
    assert_eq!(titles, [line, line, "Ignore `missing-target` here"]);
}

/// The events of a document of Markdown without its comments, for another parser's opinion.
fn rendered(text: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let mut all: Vec<String> = Vec::new();
    for event in Parser::new_ext(text, options) {
        let event = match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                let html = html.into_string();
                let mut rest = html.as_str();
                let mut kept = String::new();
                while let Some((before, after)) = rest.split_once("<!--") {
                    kept.push_str(before);
                    rest = after.split_once("-->").map_or("", |(_, after)| after);
                }
                format!("T{}", kept + rest)
            }
            Event::Text(text) => format!("T{text}"),
            Event::SoftBreak => "T ".to_owned(),
            // Two blocks of HTML are as good as one.
            Event::Start(pulldown_cmark::Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {
                continue;
            }
            other => format!("{other:?}"),
        };
        match all.last_mut().filter(|last| last.starts_with('T') && event.starts_with('T')) {
            Some(last) => last.push_str(&event[1..]),
            None => all.push(event),
        }
    }
    let squeezed = |event: String| {
        let words = event.split_whitespace().collect::<Vec<_>>().join(" ");
        // Of a comment before other HTML, the empty line is left.
        words.strip_prefix("T ").map_or_else(|| words.clone(), |rest| format!("T{rest}"))
    };
    all.into_iter().map(squeezed).filter(|event| event != "T").collect()
}

/// The trees of `corpus/sites/`, without their marks.
fn trees() -> Vec<(String, BTreeMap<PathBuf, String>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/sites");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let tree: toml::Value = toml::from_str(&fs::read_to_string(path).ok()?).ok()?;
        let files = tree.get("files")?.as_table()?;
        let files = files.iter().map(|(name, text)| {
            let mut bare = String::new();
            let mut rest = text.as_str().unwrap_or_default().trim_start_matches('\n');
            while let Some((before, after)) = rest.split_once('⟦') {
                let (mark, after) = after.split_once('⟧').unwrap();
                let written = mark.split_once('|').map_or(mark, |(_, written)| written);
                bare.push_str(before);
                bare.push_str(written.split(" ⇒ ").next().unwrap());
                rest = after;
            }
            (PathBuf::from(name), bare + rest)
        });
        Some((path.display().to_string(), files.collect()))
    };
    paths.iter().filter_map(read).collect()
}

#[test]
fn comments_change_no_document_of_the_corpus() {
    // All trees take minutes.
    let step: usize = std::env::var("URIGREP_LSP_TREES").map_or(12, |it| it.parse().unwrap());
    let (mut actions, mut without) = (0, 0);
    for (tree, files) in trees().into_iter().step_by(step) {
        let dir = Dir::new();
        for (name, text) in &files {
            dir.file(name, text);
        }
        let more = json!({"initializationOptions": {"severity": "note"}});
        let mut client = Client::start_with(&dir, &[], more);
        client.settle();
        for (path, text) in &files {
            let name = path.display().to_string();
            let is_document = [".md", ".mdx", ".rst", ".adoc", ".org", ".html"]
                .iter()
                .any(|extension| name.ends_with(extension));
            if !is_document || name.contains(' ') || !dir.join(path).exists() {
                continue;
            }
            client.open_text(&name, text);
            client.settle();
            let before = client.shown(&name);
            let all = client.actions(&name);
            let ignoring: Vec<&Value> = all.iter().filter(|it| is_ignore(it)).collect();
            without += before.len().saturating_sub(ignoring.len());
            for action in ignoring {
                actions += 1;
                client.apply(&action["edit"].clone());
                client.settle();
                let after = client.shown(&name);
                let new = client.texts[&name].clone();
                let title = action["title"].as_str().unwrap();
                let gone = before.len().saturating_sub(after.len());
                let is_right = if title.ends_with("here") { gone == 1 } else { gone > 1 };
                assert!(is_right, "{tree}: {title} {before:?} {after:?}\n{text}\n=====\n{new}");
                // To the other parser, directives of MyST are code, and so are blocks of
                // Python-Markdown.
                let blocks = ["```{", "!!!", "???"];
                if name.ends_with(".md") && !blocks.iter().any(|it| text.contains(it)) {
                    assert_eq!(
                        rendered(&new),
                        rendered(text),
                        "{tree}: {title}\n{text}\n=====\n{new}"
                    );
                }
                client.set(&name, text);
                client.settle();
            }
            client.close(&name);
        }
        client.settle();
    }
    eprintln!("{actions} actions, {without} findings without one");
    assert!(actions > 50 && without * 5 < actions, "{actions} actions, {without} without");
}
