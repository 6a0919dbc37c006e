//! Headings and targets that are referred to by name: reStructuredText, AsciiDoc, Org.

use std::fs;

use serde_json::{Value, json};

use super::client::Client;
use crate::support::Dir;

/// The document and line of each location.
fn places(found: &Value) -> Vec<String> {
    let place = |it: &Value| {
        let name = it["uri"].as_str().unwrap().rsplit('/').next().unwrap();
        format!("{name}:{}", it["range"]["start"]["line"])
    };
    match found {
        Value::Null => Vec::new(),
        Value::Array(all) => all.iter().map(place).collect(),
        one => vec![place(one)],
    }
}

fn definition(client: &mut Client<'_>, name: &str, line: u32, character: u32) -> Vec<String> {
    places(&client.request("textDocument/definition", client.at(name, line, character)))
}

fn references(client: &mut Client<'_>, name: &str, line: u32, character: u32) -> Vec<String> {
    places(&client.request("textDocument/references", client.at(name, line, character)))
}

fn rename(client: &mut Client<'_>, name: &str, line: u32, to: &str) {
    let mut params = client.at(name, line, 4);
    params["newName"] = json!(to);
    let edit = client.request("textDocument/rename", params);
    client.apply(&edit);
}

const RST: &str = "\
.. _mark:

First part
==========

See `First part`_, `first
part`_, `here <First part_>`_, mark_, and `x <#first-part>`_.

Word
====

Word_ and `Word`_
";

#[test]
fn names_of_restructuredtext() {
    let dir = Dir::new();
    dir.file("conf.py", "extensions = []\n").file("index.rst", RST);
    dir.file("b.rst", "B\n=\n\nSee :ref:`mark` and :ref:`text <mark>`.\n");
    let mut client = Client::start(&dir);
    client.open("index.rst");
    client.open("b.rst");
    assert_eq!(definition(&mut client, "index.rst", 5, 8), ["index.rst:2"]);
    assert_eq!(definition(&mut client, "index.rst", 6, 18), ["index.rst:2"]);
    assert_eq!(definition(&mut client, "index.rst", 6, 34), ["index.rst:0"]);
    assert_eq!(definition(&mut client, "b.rst", 3, 12), ["index.rst:0"]);
    assert_eq!(definition(&mut client, "b.rst", 3, 30), ["index.rst:0"]);
    assert_eq!(definition(&mut client, "b.rst", 0, 0), [""; 0]);
    // From the heading, the target above it, a name, and a label of the project.
    let all = [
        "b.rst:3",
        "b.rst:3",
        "index.rst:5",
        "index.rst:5",
        "index.rst:6",
        "index.rst:6",
        "index.rst:6",
    ];
    for (name, line, character) in
        [("index.rst", 2, 3), ("index.rst", 0, 5), ("index.rst", 5, 8), ("b.rst", 3, 12)]
    {
        assert_eq!(references(&mut client, name, line, character), all, "{name}:{line}");
    }
    rename(&mut client, "index.rst", 2, "The `1st` part");
    assert_eq!(
        client.texts["index.rst"],
        RST.replace("First part\n==========", "The `1st` part\n==============")
            .replace("`First part`", "`The \\`1st\\` part`")
            .replace("`first\npart`", "`The \\`1st\\` part`")
            .replace("<First part_>", "<The \\`1st\\` part_>")
            .replace("#first-part", "#the-1st-part")
    );
    rename(&mut client, "index.rst", 7, "Two words");
    let text = &client.texts["index.rst"];
    assert!(text.ends_with("Two words\n=========\n\n`Two words`_ and `Two words`_\n"), "{text}");
}

/// The extension `sphinx.ext.autosectionlabel` makes a label of each title.
#[test]
fn titles_that_are_labels_of_restructuredtext() {
    let dir = Dir::new();
    dir.file("conf.py", "extensions = ['sphinx.ext.autosectionlabel']\n");
    dir.file("index.rst", "Installation\n============\n\n:ref:`Installation`\n");
    dir.file("b.rst", "B\n=\n\n:ref:`index:installation`, `C d`_\n\nC d\n---\n\nE\n-\n");
    let mut client = Client::start(&dir);
    client.open("index.rst");
    client.open("b.rst");
    assert_eq!(references(&mut client, "index.rst", 0, 3), ["b.rst:3", "index.rst:3"]);
    let hover = client.request("textDocument/hover", client.at("b.rst", 3, 30));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("- leads to line 6: `C d`"), "{hover}");
    // A target of that name is what the label means.
    dir.file("c.rst", ".. _installation:\n\nC\n=\n");
    client.files_changed(&["c.rst"]);
    client.settle();
    assert_eq!(references(&mut client, "index.rst", 0, 3), [""; 0]);
}

const ASCIIDOC: &str = "\
= Title

== First part

See <<First part>>, <<First part,text>>, <<_first_part>>, <<_first_part,it>>,
xref:_first_part[it], xref:#_first_part[it], and <<own>>.

[[own]]
== Second part

<<Second part>>
";

#[test]
fn names_of_asciidoc() {
    let dir = Dir::new();
    dir.file("a.adoc", ASCIIDOC);
    dir.file("b.adoc", "xref:a.adoc#_first_part[a] <<a.adoc#own,b>>\n");
    let mut client = Client::start(&dir);
    client.open("a.adoc");
    assert_eq!(definition(&mut client, "a.adoc", 4, 8), ["a.adoc:2"]);
    assert_eq!(definition(&mut client, "a.adoc", 4, 45), ["a.adoc:2"]);
    assert_eq!(definition(&mut client, "a.adoc", 5, 8), ["a.adoc:2"]);
    assert_eq!(definition(&mut client, "a.adoc", 5, 52), ["a.adoc:7"]);
    let own = ["a.adoc:5", "a.adoc:10", "b.adoc:0"];
    assert_eq!(references(&mut client, "a.adoc", 8, 5), own);
    assert_eq!(references(&mut client, "a.adoc", 7, 3), own);
    rename(&mut client, "a.adoc", 2, "The 1st part");
    let renamed =
        ASCIIDOC.replace("First part", "The 1st part").replace("_first_part", "_the_1st_part");
    assert_eq!(client.texts["a.adoc"], renamed);
    assert_eq!(
        fs::read_to_string(dir.join("b.adoc")).unwrap(),
        "xref:a.adoc#_the_1st_part[a] <<a.adoc#own,b>>\n"
    );
    // A title that Asciidoctor would not take for one is referred to by its id.
    rename(&mut client, "a.adoc", 8, "one, two");
    let renamed = renamed.replace("== Second part", "== one, two");
    assert_eq!(client.texts["a.adoc"], renamed.replace("Second part", "_one_two"));
}

const ORG: &str = "\
* First part
:PROPERTIES:
:CUSTOM_ID: first
:END:

See [[*First part]], [[First part][text]], [[#first]], and [[spot]].

A <<spot>> here.
";

#[test]
fn names_of_org() {
    let dir = Dir::new();
    dir.file("a.org", ORG).file("b.org", "[[file:a.org::#first]]\n");
    let mut client = Client::start(&dir);
    client.open("a.org");
    assert_eq!(definition(&mut client, "a.org", 5, 9), ["a.org:0"]);
    assert_eq!(definition(&mut client, "a.org", 5, 47), ["a.org:2"]);
    assert_eq!(definition(&mut client, "a.org", 5, 63), ["a.org:7"]);
    assert_eq!(references(&mut client, "a.org", 0, 4), ["a.org:5", "a.org:5"]);
    assert_eq!(references(&mut client, "a.org", 7, 5), ["a.org:5"]);
    rename(&mut client, "a.org", 0, "The [1st] part");
    // Its own id stays.
    let renamed = ORG
        .replace("* First part", "* The [1st] part")
        .replace("[[*First part]]", "[[*The \\[1st\\] part]]")
        .replace("[[First part][", "[[The \\[1st\\] part][");
    assert_eq!(client.texts["a.org"], renamed);
}

/// Cookies, keywords, priorities, and tags are no part of the name of a heading (Org, "Internal
/// Links").
#[test]
fn headings_of_org_have_names() {
    let dir = Dir::new();
    let own = "* TODO [#A] First part [1/2] :a:b:\n\n[[*First part]] and [[first  part][x]]\n";
    let other = "[[file:a.org::*first part]] [[./a.org::*First part][x]]\n";
    dir.file("a.org", own).file("b.org", other);
    let mut client = Client::start(&dir);
    client.open("a.org");
    client.open("b.org");
    client.settle();
    assert_eq!([client.shown("a.org"), client.shown("b.org")], [[""; 0]; 2]);
    assert_eq!(definition(&mut client, "a.org", 2, 4), ["a.org:0"]);
    assert_eq!(definition(&mut client, "b.org", 0, 20), ["a.org:0"]);
    let all = ["a.org:2", "a.org:2", "b.org:0", "b.org:0"];
    assert_eq!(references(&mut client, "a.org", 0, 14), all);
    let mut params = client.at("a.org", 0, 14);
    params["newName"] = json!("New [x]");
    let edit = client.request("textDocument/rename", params);
    client.apply(&edit);
    let renamed = "* TODO [#A] New [x] [1/2] :a:b:\n\n[[*New \\[x\\]]] and [[New \\[x\\]][x]]\n";
    assert_eq!(client.texts["a.org"], renamed);
    let renamed = "[[file:a.org::*New \\[x\\]]] [[./a.org::*New \\[x\\]][x]]\n";
    assert_eq!(client.texts["b.org"], renamed);
    client.settle();
    assert_eq!([client.shown("a.org"), client.shown("b.org")], [[""; 0]; 2]);
}

#[test]
fn the_declaration_is_included_on_request() {
    let dir = Dir::new();
    dir.file("a.md", "# One\n\n[x](#one)\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    for (is_included, expected) in [(true, &["a.md:0", "a.md:2"][..]), (false, &["a.md:2"])] {
        for (line, character) in [(0, 3), (2, 6)] {
            let mut params = client.at("a.md", line, character);
            params["context"] = json!({"includeDeclaration": is_included});
            let found = client.request("textDocument/references", params);
            assert_eq!(places(&found), expected, "{line}");
        }
    }
}
