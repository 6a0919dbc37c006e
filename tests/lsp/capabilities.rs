//! Links, hover, actions, completion, definition, references, and renaming.

use std::fs;

use serde_json::{Value, json};

use super::client::Client;
use crate::support::Dir;

fn starts(links: &Value) -> Vec<String> {
    let line = |link: &Value| {
        let start = &link["range"]["start"];
        format!(
            "{}:{} {}",
            start["line"],
            start["character"],
            link["target"].as_str().unwrap_or_default()
        )
    };
    links.as_array().expect("a list").iter().map(line).collect()
}

fn labels(completion: &Value) -> Vec<&str> {
    completion["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["label"].as_str().unwrap())
        .collect()
}

#[test]
fn every_text_has_links() {
    let dir = Dir::new();
    dir.file("a.md", "é [b](b.md#x) <https://a.example/> `http://code.example/`\n")
        .file("b.md", "# X\n");
    dir.file("a.rs", "// see https://rust.example/a.\nlet x = \"urn:isbn:0451450523\";\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.open("a.rs");
    let links = client.request("textDocument/documentLink", client.document("a.md"));
    let b = format!("0:6 {}#x", client.uri("b.md"));
    assert_eq!(
        starts(&links),
        [b.as_str(), "0:15 https://a.example/", "0:36 http://code.example/"]
    );
    let links = client.request("textDocument/documentLink", client.document("a.rs"));
    assert_eq!(starts(&links), ["0:7 https://rust.example/a", "1:9 urn:isbn:0451450523"]);
}

#[test]
fn positions_in_bytes_if_the_client_knows_them() {
    let dir = Dir::new();
    dir.file("a.md", "é😀 [b](none.md)\n");
    let more = json!({"capabilities": {"general": {"positionEncodings": ["utf-16", "utf-8"]}}});
    let mut client = Client::start_with(&dir, &[], more);
    assert_eq!(client.capabilities["positionEncoding"], "utf-8");
    client.open("a.md");
    client.settle();
    assert_eq!(client.shown("a.md"), ["0:11 missing-target"]);
}

#[test]
fn hover_says_what_a_link_is() {
    let dir = Dir::new();
    dir.file("a.md", "See HTTP://A.example:80/x?y#z, [b](b.md#q) and <jo@c.example>.\n")
        .file("b.md", "# B\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    let mut text = |character| {
        let hover = client.request("textDocument/hover", client.at("a.md", 0, character));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let absolute = text(6);
    for part in [
        "- host: `A.example`",
        "- port: `80`",
        "- normalized: `http://a.example/x?y#z`",
        "- rule D",
    ] {
        assert!(absolute.contains(part), "{part}: {absolute}");
    }
    let relative = text(36);
    for part in ["- leads to: `b.md` (file)", "`missing-anchor`", "- anchor: `q`", "- site: github"]
    {
        assert!(relative.contains(part), "{part}: {relative}");
    }
    let address = text(50);
    assert!(address.contains("mailto:jo@c.example") && !address.contains("decoded"), "{address}");
    assert_eq!(text(0), "");
    // Nothing in the tree leads to the web, nor is the file itself meant.
    let found = client.request("textDocument/references", client.at("a.md", 0, 6));
    assert_eq!(found, json!([]));
}

#[test]
fn a_comment_ignores_a_finding_in_any_format() {
    let dir = Dir::new();
    for (name, text) in [
        ("a.md", "# A\n\nA paragraph\nwith [a](none.md) link.\n"),
        ("table.md", "| a |\n|---|\n| [a](none.md) |\n"),
        ("a.html", "<p>\n  <a href='none.md'>a</a>\n</p>\r\n"),
        ("a.rst", "A\n=\n\nA paragraph\nwith `a <none.rst>`_ link.\n"),
        ("a.adoc", "= A\n\nA paragraph\nwith link:none.adoc[a].\n"),
        ("a.css", "a { background: url(none.png) }\n"),
        ("a.org", "* A\n[[file:none.org]]\n"),
        ("a.texi", "@node A\n@url{none.md}\n"),
        ("a.1", ".TH A 1\n.UR none.md\na\n.UE\n"),
    ] {
        dir.file(name, text);
        let mut client = Client::start(&dir);
        client.open(name);
        client.settle();
        assert_eq!(client.shown(name).len(), 1, "{name}: {:?}", client.everything());
        let actions = client.actions(name);
        let ignore =
            actions.iter().find(|action| action["title"] == "Ignore `missing-target` here");
        let edit = ignore.unwrap_or_else(|| panic!("{name}: {actions:?}"))["edit"].clone();
        client.apply(&edit);
        client.settle();
        assert_eq!(client.shown(name), [""; 0], "{name}: {}", client.texts[name]);
    }
}

#[test]
fn all_safe_fixes_at_once() {
    let dir = Dir::new();
    dir.file("a.md", "# Big One\n\n[x](B.md) [y](#big_one) [z](docs/usge.md) <https://a.dev/x,>\n")
        .file("b.md", "")
        .file("docs/usage.md", "");
    let mut client = Client::start(&dir);
    client.open("a.md");
    let actions = client.actions("a.md");
    let all =
        actions.iter().find(|action| action["kind"] == "source.fixAll.urigrep").expect("an action");
    client.apply(&all["edit"].clone());
    assert_eq!(&client.texts["a.md"][..37], "# Big One\n\n[x](b.md) [y](#big-one) [z");
    let is_unsafe = |action: &&Value| action["title"].as_str().unwrap().contains("unsafe");
    assert_eq!(actions.iter().filter(is_unsafe).count(), 1, "{actions:?}");
    // The command does the same.
    let fixed = dir.run(["audit", "--fix", "-q", "a.md"]);
    assert_eq!(fs::read_to_string(dir.join("a.md")).unwrap(), client.texts["a.md"], "{fixed:?}");
}

#[test]
fn completion_in_links() {
    let dir = Dir::new();
    dir.file("docs/a b.md", "# First One\n\n## Second\n")
        .file("docs/img/x.png", "")
        .file(".hidden/y", "");
    dir.file(
        "r.md",
        "# Own\n\n[a](\n[b](docs/\n[c](docs/a%20b.md#\n[d](#\n[e][\n\n[lab el]: docs/\n",
    );
    dir.file("r.html", "<p id=here><a href=\"docs/\">\n<a href='#'>\n");
    dir.file("r.rst", ".. _mark:\n\nTitle\n=====\n\n:ref:`\n`a <docs/>`_\n");
    dir.file("r.adoc", "= T\n\n== Sec Tion\n\n<<\nxref:docs/[]\n");
    let mut client = Client::start(&dir);
    for name in ["r.md", "r.html", "r.rst", "r.adoc"] {
        client.open(name);
    }
    let mut at = |name: &str, line, character| {
        let completion =
            client.request("textDocument/completion", client.at(name, line, character));
        labels(&completion).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(at("r.md", 2, 4), ["docs/", "r.adoc", "r.html", "r.md", "r.rst"]);
    assert_eq!(at("r.md", 3, 9), ["a b.md", "img/"]);
    assert_eq!(at("r.md", 4, 19), ["first-one", "second"]);
    assert_eq!(at("r.md", 5, 5), ["own"]);
    assert_eq!(at("r.md", 6, 4), ["lab el"]);
    assert_eq!(at("r.md", 0, 3), [""; 0]);
    assert_eq!(at("r.html", 0, 25), ["a b.md", "img/"]);
    assert_eq!(at("r.html", 1, 10), ["here"]);
    assert!(at("r.rst", 5, 6).contains(&"mark".to_owned()));
    assert_eq!(at("r.rst", 6, 9), ["a b.md", "img/"]);
    assert!(at("r.adoc", 4, 2).contains(&"_sec_tion".to_owned()));
    assert_eq!(at("r.adoc", 5, 10), ["a b.md", "img/"]);
}

#[test]
fn definition_and_references() {
    let dir = Dir::new();
    dir.file("a.md", "# One\n\n[b](b.md#two) [label][l]\n\n[l]: b.md#three\n");
    dir.file("b.md", "# Two\n\n# Three\n\n[own](#two)\n");
    dir.file("docs/c.html", "<a href=\"../b.md#two\">b</a> <a href=\"../b.md\">b</a>\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    client.open("b.md");
    let definition = client.request("textDocument/definition", client.at("a.md", 2, 6));
    assert_eq!(
        (definition["uri"].as_str().unwrap(), &definition["range"]["start"]["line"]),
        (client.uri("b.md").as_str(), &json!(0))
    );
    let definition = client.request("textDocument/definition", client.at("a.md", 2, 17));
    assert_eq!(definition["range"]["start"]["line"], 2, "{definition}");
    let places = |value: Value| -> Vec<String> {
        let place = |it: &Value| {
            format!(
                "{}:{}",
                it["uri"].as_str().unwrap().rsplit('/').next().unwrap(),
                it["range"]["start"]["line"]
            )
        };
        value.as_array().unwrap().iter().map(place).collect()
    };
    // From a link, from the heading, and from elsewhere in the file.
    let from_link = client.request("textDocument/references", client.at("a.md", 2, 6));
    assert_eq!(places(from_link), ["a.md:2", "b.md:4", "c.html:0"]);
    let from_heading = client.request("textDocument/references", client.at("b.md", 0, 3));
    assert_eq!(places(from_heading), ["a.md:2", "b.md:4", "c.html:0"]);
    let of_file = client.request("textDocument/references", client.at("b.md", 1, 0));
    assert_eq!(places(of_file), ["a.md:2", "a.md:4", "b.md:4", "c.html:0", "c.html:0"]);
}

#[test]
fn renaming_a_heading_rewrites_its_links() {
    let dir = Dir::new();
    dir.file("a.md", "[x](b.md#two) [y](b.md#two-1)\n")
        .file("b.md", "# Two\n\n# Two\n\n[own](#two)\n");
    dir.file("c.rst", "One\n===\n\n`x <#one>`_\n");
    let mut client = Client::start(&dir);
    client.open("b.md");
    client.open("c.rst");
    let prepared = client.request("textDocument/prepareRename", client.at("b.md", 0, 3));
    assert_eq!(prepared["placeholder"], "Two");
    let rename = |client: &mut Client<'_>, name: &str, to: &str| {
        let mut params = client.at(name, 0, 2);
        params["newName"] = json!(to);
        let edit = client.request("textDocument/rename", params);
        client.apply(&edit);
    };
    rename(&mut client, "b.md", "Three Four");
    assert_eq!(client.texts["b.md"], "# Three Four\n\n# Two\n\n[own](#three-four)\n");
    // The second one of its name is the first now.
    assert_eq!(
        fs::read_to_string(dir.join("a.md")).unwrap(),
        "[x](b.md#three-four) [y](b.md#two)\n"
    );
    rename(&mut client, "c.rst", "A longer one");
    assert_eq!(client.texts["c.rst"], "A longer one\n============\n\n`x <#a-longer-one>`_\n");
    let response = client.respond("textDocument/rename", json!({"textDocument": {"uri": client.uri("b.md")}, "position": {"line": 1, "character": 0}, "newName": "x"}));
    assert_eq!(response["error"]["code"], -32803);
}

#[test]
fn renaming_files_rewrites_links() {
    let dir = Dir::new();
    dir.file("a.md", "[x](docs/b.md#two) ![i](img/p.png)\n")
        .file("docs/b.md", "# Two\n\n[a](../a.md) [c](c.md)\n");
    dir.file("docs/c.md", "[b](./b.md)\n").file("img/p.png", "");
    let mut client = Client::start(&dir);
    client.open("docs/c.md");
    let renames = [("docs/b.md", "guide/new b.md"), ("img", "pictures")];
    let files: Vec<Value> = renames
        .iter()
        .map(|(old, new)| json!({"oldUri": client.uri(old), "newUri": client.uri(new)}))
        .collect();
    let edit = client.request("workspace/willRenameFiles", json!({"files": files}));
    client.apply(&edit);
    client.save("docs/c.md");
    fs::create_dir_all(dir.join("guide")).unwrap();
    for (old, new) in renames {
        fs::rename(dir.join(old), dir.join(new)).unwrap();
    }
    client.notify("workspace/didRenameFiles", json!({"files": files}));
    client.settle();
    assert_eq!(
        fs::read_to_string(dir.join("a.md")).unwrap(),
        "[x](guide/new%20b.md#two) ![i](pictures/p.png)\n"
    );
    assert_eq!(
        fs::read_to_string(dir.join("guide/new b.md")).unwrap(),
        "# Two\n\n[a](../a.md) [c](../docs/c.md)\n"
    );
    assert_eq!(client.texts["docs/c.md"], "[b](../guide/new%20b.md)\n");
    assert_eq!(client.everything(), [""; 0]);
    assert_eq!(dir.run(["audit", "-q"]).status, Some(0));
}
