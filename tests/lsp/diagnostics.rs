//! Diagnostics are those of an audit of what the editor shows.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::client::Client;
use crate::support::{Dir, has};

fn tree() -> Dir {
    let dir = Dir::new();
    dir.file("a.md", "# One\n\n[b](b.md#two) [c](c.md)\n");
    dir.file("b.md", "# Two\n\n[a](a.md#one)\n").file("c.md", "[no](none.md)\n");
    dir.file("docs/d.html", "<a href=\"../b.md#two\">b</a>\n");
    dir
}

#[test]
fn a_broken_link_appears_is_fixed_and_vanishes() {
    let dir = tree();
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.settle();
    assert_eq!(client.shown("a.md"), [""; 0]);
    client.set("a.md", "# One\n\n😀 [b](B.md#two)\n");
    client.settle();
    assert_eq!(client.shown("a.md"), ["2:7 target-case"]);
    let actions = client.actions("a.md");
    let fix = actions.iter().find(|action| action["isPreferred"] == true).expect("a fix");
    assert_eq!(fix["title"], "Change to `b.md#two`");
    client.apply(&fix["edit"].clone());
    assert_eq!(client.texts["a.md"], "# One\n\n😀 [b](b.md#two)\n");
    client.settle();
    assert_eq!(client.shown("a.md"), [""; 0]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn the_whole_workspace_is_audited() {
    let dir = tree();
    dir.file(".gitignore", "ignored.md\n")
        .file("ignored.md", "[no](none.md)\n")
        .file(".git/HEAD", "");
    let mut client = Client::start(&dir);
    client.settle();
    assert_eq!(client.everything(), ["c.md:1: error[missing-target]: no such file: `none.md`"]);
    // What the audit does not read has no diagnostics.
    client.open("ignored.md");
    client.settle();
    assert_eq!(client.shown("ignored.md"), [""; 0]);
}

#[test]
fn other_documents_follow_a_changed_heading() {
    let dir = tree();
    let mut client = Client::start(&dir);
    client.open("b.md");
    client.settle();
    client.set("b.md", "# Three\n\n[a](a.md#one)\n");
    client.settle();
    assert_eq!(client.shown("a.md"), ["2:4 missing-anchor"]);
    assert_eq!(client.shown("docs/d.html"), ["0:9 missing-anchor"]);
    // Closed without saving, the file counts again.
    client.close("b.md");
    client.settle();
    assert_eq!(client.shown("a.md"), [""; 0]);
    assert_eq!(client.shown("docs/d.html"), [""; 0]);
}

/// Names that a whole site knows count before they are saved, too: labels of Sphinx, terms of its
/// glossaries, and ids of AsciiDoc and Quarto.
#[test]
fn unsaved_names_count_in_the_whole_site() {
    for (settings, document, full, emptied, other, finding) in [
        (
            ("conf.py", ""),
            "o.rst",
            "T\n=\n\n.. _lab:\n\nS\n-\n\n:ref:`lab`\n",
            "T\n=\n\nS\n-\n\n:ref:`lab`\n",
            ("p.rst", "P\n=\n\n:ref:`x <lab>`\n"),
            "undefined-reference",
        ),
        (
            ("conf.py", ""),
            "o.rst",
            "T\n=\n\n.. glossary::\n\n   one\n      The first.\n\n   two\n      The second.\n",
            "T\n=\n\n.. glossary::\n\n   two\n      The second.\n",
            ("p.rst", "P\n=\n\n:term:`one`\n"),
            "undefined-reference",
        ),
        (
            ("x.txt", ""),
            "o.adoc",
            "= T\n\n[#tgt]\n== S\n\n<<tgt>>\n",
            "= T\n\n== S\n\n<<tgt>>\n",
            ("p.adoc", "= P\n\nxref:o.adoc#tgt[b]\n"),
            "missing-anchor",
        ),
        (
            ("_quarto.yml", "project:\n  type: website\n"),
            "o.qmd",
            "# T\n\n![c](i.png){#fig-a}\n",
            "# T\n\n![c](i.png)\n",
            ("p.qmd", "# P\n\nSee @fig-a.\n"),
            "undefined-reference",
        ),
    ] {
        let dir = Dir::new();
        dir.file(settings.0, settings.1).file(document, full).file("i.png", "");
        dir.file(other.0, other.1);
        // A program in a cell may make a figure of Quarto, so that this is a note.
        let flags: &[&str] = if document.ends_with(".qmd") { &["--severity=note"] } else { &[] };
        let mut client = Client::start_with(&dir, flags, json!({}));
        client.open(document);
        client.open(other.0);
        client.settle();
        assert_eq!(client.everything(), [""; 0], "{document}");
        client.set(document, emptied);
        client.settle();
        let is_shown = |client: &Client<'_>| {
            client.shown(other.0).iter().any(|it| it.ends_with(&format!(" {finding}")))
        };
        assert!(is_shown(&client), "{document}: {:?}", client.everything());
        if full.contains("tgt") || full.contains("lab") {
            assert_eq!(client.shown(document).len(), 1, "{document}: {:?}", client.everything());
        }
        client.set(document, full);
        client.settle();
        assert_eq!(client.everything(), [""; 0], "{document}");
        // Closed without saving, the file counts again.
        client.set(document, emptied);
        client.settle();
        client.close(document);
        client.settle();
        assert_eq!(client.everything(), [""; 0], "{document}");
    }
}

#[test]
fn a_deletion_and_a_renaming_show_what_they_break() {
    let dir = tree();
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.settle();
    fs::remove_file(dir.join("c.md")).unwrap();
    client.files_changed(&["c.md"]);
    client.settle();
    assert_eq!(client.shown("a.md"), ["2:18 missing-target"]);
    assert_eq!(client.shown("c.md"), [""; 0]);
    fs::rename(dir.join("b.md"), dir.join("e.md")).unwrap();
    let files = json!({"files": [{"oldUri": client.uri("b.md"), "newUri": client.uri("e.md")}]});
    client.notify("workspace/didRenameFiles", files);
    client.settle();
    assert_eq!(client.shown("a.md"), ["2:4 missing-target", "2:18 missing-target"]);
    assert_eq!(client.shown("docs/d.html"), ["0:9 missing-target"]);
}

#[test]
fn documents_without_links_to_them_are_those_of_the_command() {
    let dir = tree();
    let more = json!({"initializationOptions": {"check": ["orphan", "missing-target"]}});
    let mut client = Client::start_with(&dir, &[], more);
    client.open("a.md");
    client.open("docs/d.html");
    client.settle();
    assert_eq!(client.shown("docs/d.html"), ["0:0 orphan"]);
    assert_eq!(client.shown("c.md"), ["0:5 missing-target"]);
    // Links count once they are saved.
    let text = "# One\n\n[b](b.md#two) [d](docs/d.html)\n";
    client.set("a.md", text);
    client.settle();
    assert_eq!(client.shown("docs/d.html"), ["0:0 orphan"]);
    dir.file("a.md", text);
    client.save("a.md");
    client.settle();
    assert_eq!(client.shown("docs/d.html"), [""; 0]);
    assert!(client.shown("c.md").contains(&"0:0 orphan".to_owned()));
}

#[test]
fn settings_are_those_of_the_file_and_of_the_client() {
    let dir = tree();
    dir.file("a.md", "[p](http://10.0.0.1/) [n](none.md)\n").file("c.md", "");
    dir.file("urigrep.toml", "[audit.severities]\nmissing-target = \"note\"\n");
    let more = json!({"initializationOptions": {"severity": "note"}});
    let mut client = Client::start_with(&dir, &[], more);
    client.open("a.md");
    client.settle();
    assert_eq!(client.shown("a.md").len(), 2, "{:?}", client.everything());
    let settings = json!({"settings": {"urigrep": {"severity": "error"}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.settle();
    assert_eq!(client.shown("a.md"), [""; 0]);
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"nothing": 1}}));
    client.settle();
    assert!(
        client.messages.iter().any(|it| it.contains("no setting `nothing`")),
        "{:?}",
        client.messages
    );
    dir.file("urigrep.toml", "[audit]\nnothing = 1\n");
    client.files_changed(&["urigrep.toml"]);
    client.settle();
    assert!(
        client.messages.iter().any(|it| it.contains("urigrep.toml:2:1")),
        "{:?}",
        client.messages
    );
    assert_eq!(client.end(), Some(0));
}

#[cfg(feature = "online")]
#[test]
fn a_cache_judges_links_to_the_web() {
    let dir = tree();
    dir.file("a.md", "[gone](https://gone.dev/page)\n").file("c.md", "");
    let entry = json!({"url": "https://gone.dev/page", "time": 1_700_000_000, "status": 404});
    dir.file("links.jsonl", format!("{entry}\n"));
    let flag = format!("--cache={}", dir.join("links.jsonl").display());
    let audit = dir.run(["audit", "--offline", &flag, "a.md"]);
    let mut client = Client::start_with(&dir, &[&flag], json!({}));
    client.open("a.md");
    client.settle();
    assert_eq!(client.shown("a.md"), ["0:7 dead-link"], "{audit:?}");
    let hover = client.request("textDocument/hover", client.at("a.md", 0, 10));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("Last seen: the server answers 404"), "{text}");
}

/// Git is asked in the background; what it says is part of the diagnostics then.
#[test]
fn moved_files_are_known_from_the_history() {
    if !has("git") {
        return;
    }
    let dir = tree();
    dir.file("c.md", "").file("docs/guide.md", "# A guide with some lines\n\nof text\n");
    let git = |args: &[&str]| {
        let identity =
            ["-c", "user.name=a", "-c", "user.email=a@b.dev", "-c", "commit.gpgSign=false"];
        let mut command = Command::new("git");
        let ran = command.arg("-C").arg(dir.path()).args(identity).args(args).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "a"]);
    git(&["mv", "docs/guide.md", "manual.md"]);
    git(&["commit", "-qm", "b"]);
    dir.file("a.md", "[g](docs/guide.md)\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.settle();
    let actions = client.actions("a.md");
    assert_eq!(actions[0]["title"], "Change to `manual.md`", "{actions:?}");
    let audit = dir.run(["audit", "--format", "csv", "a.md"]);
    let message = client.everything()[0].rsplit_once("; ").unwrap().1.to_owned();
    assert!(audit.out().contains(&message), "{message}: {}", audit.out());
}

#[test]
fn a_document_without_a_file_counts_while_it_is_open() {
    let dir = tree();
    let mut client = Client::start(&dir);
    client.open_text("new.md", "# New\n\n[b](b.md#two) [no](none.md)\n");
    client.open("b.md");
    client.settle();
    assert_eq!(client.shown("new.md"), ["2:19 missing-target"]);
    let references = client.request("textDocument/references", client.at("b.md", 0, 3));
    let has_new = |value: &Value| value["uri"].as_str().unwrap().ends_with("new.md");
    assert!(references.as_array().unwrap().iter().any(has_new), "{references}");
    let files = json!({"files": [{"oldUri": client.uri("b.md"), "newUri": client.uri("c/d.md")}]});
    let edit = client.request("workspace/willRenameFiles", files);
    let changes = &edit["changes"][client.uri("new.md")];
    assert_eq!(changes[0]["newText"], "c/d", "{edit}");
    client.close("new.md");
    client.settle();
    assert_eq!(client.shown("new.md"), [""; 0]);
}

#[test]
fn a_document_with_a_nul_byte_is_one() {
    let dir = tree();
    let mut client = Client::start(&dir);
    client.open_text("a.md", "\0 [no](none.md)\n");
    client.settle();
    assert_eq!(client.shown("a.md"), ["0:7 missing-target"]);
}

/// Org's paths are relative references, although they start as a URI does.
#[test]
fn links_of_org_lead_to_files() {
    let dir = Dir::new();
    dir.file("a.org", "[[file:b.org][b]] [[file:none.org]]\n").file("b.org", "* B\n");
    let mut client = Client::start_with(&dir, &["--severity=note"], json!({}));
    client.open("a.org");
    client.settle();
    assert_eq!(client.shown("a.org"), ["0:20 missing-target"]);
    let links = client.request("textDocument/documentLink", client.document("a.org"));
    assert_eq!(links[0]["target"], json!(client.uri("b.org")), "{links}");
    let files =
        json!({"files": [{"oldUri": client.uri("b.org"), "newUri": client.uri("c/d.org")}]});
    let edit = client.request("workspace/willRenameFiles", files);
    client.apply(&edit);
    assert_eq!(client.texts["a.org"], "[[file:c/d.org][b]] [[file:none.org]]\n");
}

#[cfg(unix)]
#[test]
fn nothing_outside_of_the_folder_is_read() {
    let dir = Dir::new();
    dir.file("secret.md", "\n\n# Hidden name\n").file("w/inside.md", "# Inside\n");
    dir.file("w/b.md", "[y](link.md#hidden-name)\n");
    dir.file("w/a.md", "[x](../secret.md#none) [y](link.md#none) [z](inside.md#none)\n");
    std::os::unix::fs::symlink("../secret.md", dir.join("w/link.md")).unwrap();
    let root = format!("file://{}", dir.join("w").display());
    let more = json!({"workspaceFolders": [{"uri": root, "name": "w"}]});
    let mut client = Client::start_with(&dir, &[], more);
    client.open("w/a.md");
    client.settle();
    // The anchors of the others are not known.
    assert_eq!(client.shown("w/a.md"), ["0:45 missing-anchor"]);
    for character in [17, 35] {
        let place = client.request("textDocument/definition", client.at("w/a.md", 0, character));
        assert!(!place.to_string().contains("secret"), "{place}");
        let items = client.request("textDocument/completion", client.at("w/a.md", 0, character));
        assert!(!items.to_string().contains("hidden"), "{items}");
    }
    client.open("w/b.md");
    let mut asked = client.at("w/b.md", 0, 8);
    asked["context"] = json!({"includeDeclaration": true});
    let found = client.request("textDocument/references", asked);
    assert!(!found.to_string().contains("\"line\":2"), "{found}");
}

#[test]
fn a_workspace_may_have_several_folders() {
    let dir = Dir::new();
    dir.file("one/a.md", "[x](none.md)\n").file("two/b.md", "[x](none.md) [y](c.md#z)\n");
    dir.file("two/c.md", "# Z\n")
        .file("two/urigrep.toml", "[audit.severities]\nmissing-target = \"off\"\n");
    let folder =
        |name: &str| json!({"uri": format!("file://{}", dir.join(name).display()), "name": name});
    let more = json!({"workspaceFolders": [folder("one"), folder("two")]});
    let mut client = Client::start_with(&dir, &[], more);
    client.settle();
    assert_eq!(client.shown("one/a.md"), ["0:4 missing-target"]);
    assert_eq!(client.shown("two/b.md"), [""; 0]);
    client.open("two/c.md");
    client.set("two/c.md", "# Y\n");
    client.settle();
    assert_eq!(client.shown("two/b.md"), ["0:17 missing-anchor"]);
    let event = json!({"event": {"added": [], "removed": [folder("one")]}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    client.settle();
    assert_eq!(client.shown("one/a.md"), [""; 0]);
    assert_eq!(client.shown("two/b.md"), ["0:17 missing-anchor"]);
}

/// A client that only pulls is offered that; one that takes both gets diagnostics once.
#[test]
fn diagnostics_may_be_pulled() {
    let dir = tree();
    let both = json!({"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}});
    let client = Client::start_with(&dir, &[], json!({"capabilities": both}));
    assert!(client.capabilities["diagnosticProvider"].is_null());
    client.end();
    let pulling = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::start_with(&dir, &[], json!({"capabilities": pulling}));
    assert_eq!(client.capabilities["diagnosticProvider"]["identifier"], "urigrep");
    client.open_text("a.md", "[none](none.md)\n");
    let pull = |client: &mut Client<'_>| {
        let report = client.request("textDocument/diagnostic", client.document("a.md"));
        assert_eq!(report["kind"], "full");
        let items = report["items"].as_array().unwrap();
        items.iter().map(|item| item["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(pull(&mut client), ["missing-target"]);
    client.set("a.md", "no link\n");
    assert_eq!(pull(&mut client), [""; 0]);
    client.close("a.md");
    let response = client.respond("textDocument/diagnostic", client.document("a.md"));
    assert_eq!(response["error"]["code"], -32602);
}

#[test]
fn an_unsaved_document_is_there_for_others_while_it_is_open() {
    let dir = Dir::new();
    dir.file("a.md", "[x](b.md#one) [y](b.md#two)\n").file("c.md", "[x](b.md)\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.settle();
    let missing = ["0:4 missing-target", "0:18 missing-target"];
    assert_eq!(client.shown("a.md"), missing);
    client.open_text("b.md", "# One\n\n[x](none.md)\n");
    client.settle();
    assert_eq!(client.shown("a.md"), ["0:18 missing-anchor"]);
    assert_eq!(client.shown("b.md"), ["2:4 missing-target"]);
    // The background audits the others.
    assert_eq!(client.shown("c.md"), [""; 0]);
    client.set("b.md", "# Two\n");
    client.settle();
    assert_eq!(client.shown("a.md"), ["0:4 missing-anchor"]);
    client.close("b.md");
    client.settle();
    assert_eq!(client.shown("a.md"), missing);
    assert_eq!(client.shown("b.md"), [""; 0]);
    assert_eq!(client.shown("c.md"), ["0:4 missing-target"]);
}

#[test]
fn headings_of_org_are_looked_for() {
    let dir = Dir::new();
    let text = "[[file:b.org::*A b]] [[file:b.org::*Nope]] [[./b.org::#no]] [[file:b.org::x]]\n";
    dir.file("a.org", text).file("b.org", "* TODO A  b [1/2] :t:\n:PROPERTIES:\n:ID: i\n:END:\n");
    let mut client = Client::start(&dir);
    client.open("a.org");
    client.settle();
    assert_eq!(client.shown("a.org"), ["0:23 missing-anchor", "0:45 missing-anchor"]);
    // Its headings count as they are in the editor.
    client.open("b.org");
    client.set("b.org", "* Nope\n");
    client.settle();
    assert_eq!(client.shown("a.org"), ["0:2 missing-anchor", "0:45 missing-anchor"]);
}
