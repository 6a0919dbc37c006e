//! Many documents, changes, and requests at the same time.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::client::{Client, frame, read};
use crate::support::{Dir, pipe};

fn tree(documents: usize) -> Dir {
    let dir = Dir::new();
    dir.file("a.md", "# Title\n");
    for number in 0..documents {
        dir.file(format!("d{number}.md"), "# T\n\n[x](a.md#title)\n".repeat(20));
    }
    dir
}

#[test]
fn a_storm_of_requests_waits_in_turn() {
    let dir = tree(50);
    let uri = |name: &str| format!("file://{}", dir.join(name).display());
    let request = |id: i64, method: &str, params: Value| {
        frame(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let mut bytes = request(0, "initialize", json!({"rootUri": uri("")}));
    let count = 300;
    for id in 1..=count {
        let files = json!([{"oldUri": uri("a.md"), "newUri": uri("b.md")}]);
        bytes.extend(request(id, "workspace/willRenameFiles", json!({"files": files})));
    }
    bytes.extend(frame(&json!({"method": "$/cancelRequest", "params": {"id": 50}})));
    bytes.extend(request(count + 1, "shutdown", Value::Null));
    bytes.extend(request(count + 2, "textDocument/hover", Value::Null));
    let ran = pipe(["lsp"], &bytes);
    let mut stdout = ran.stdout.as_slice();
    let mut answers: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    while let Some(message) = read(&mut stdout) {
        let code = message["error"]["code"].as_i64().unwrap_or_default();
        if let Some(id) = message["id"].as_i64() {
            answers.entry(id).or_default().push(code);
        }
    }
    // Each is answered, refused, or cancelled, but for four that may run at the end of the input.
    assert!(answers.values().all(|codes| codes.len() == 1), "{answers:?}");
    assert!(answers.len() as i64 >= count + 3 - 4, "{answers:?}");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
}

/// Asserts that the time of the server for four times as much is not sixteen times as much.
#[track_caller]
fn grows_linearly(work: impl Fn(usize) -> Option<u64>) {
    let [Some(small), Some(large)] = [work(1), work(4)] else { return };
    // Some ticks are the start of a server.
    assert!(large < 9 * small.max(10), "{small} ticks, then {large}");
}

#[test]
fn thousands_of_documents_are_open() {
    let dir = tree(0);
    grows_linearly(|times| {
        let mut client = Client::start(&dir);
        let count = 1000 * times;
        for number in 0..count {
            client
                .open_text(&format!("d{number}.md"), "# T\n\n[x](a.md#no) [y](no.md) [z](d0.md)\n");
        }
        client.settle();
        assert_eq!(client.shown(&format!("d{}.md", count - 1)).len(), 2);
        client.ticks()
    });
}

#[test]
fn a_word_is_replaced_everywhere() {
    let dir = tree(0);
    grows_linearly(|times| {
        let mut client = Client::start(&dir);
        let count = 8000 * times;
        let text = "one word of many, and no link at all\n".repeat(count) + "[x](a.md#no)\n";
        client.open_text("b.md", &text);
        client.settle();
        // As an editor sends it: from the last place to the first.
        let change = |line: usize| {
            let [start, end] =
                [0, 3].map(|character| json!({"line": line, "character": character}));
            json!({"range": {"start": start, "end": end}, "text": "another"})
        };
        client.change("b.md", (0..count).rev().map(change).collect());
        client.settle();
        assert_eq!(client.shown("b.md"), [format!("{count}:4 missing-anchor")]);
        client.ticks()
    });
}

#[test]
fn a_folder_opens_around_a_document() {
    let dir = Dir::new();
    dir.file("one/a.md", "[x](a.md)\n");
    dir.file("two/b.md", "[x](b.md)\n");
    let uri = |name: &str| format!("file://{}", dir.join(name).display());
    let mut client = Client::start_with(&dir, &[], json!({"rootUri": uri("one")}));
    client.open_text("two/b.md", "[x](gone.md)\n");
    let added = json!([{"uri": uri("two"), "name": "two"}]);
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": {"added": added, "removed": []}}),
    );
    client.settle();
    // Its text in the editor counts, not that of its file.
    assert_eq!(client.shown("two/b.md"), ["0:4 missing-target"]);
}

#[test]
fn many_folders_are_opened() {
    let dir = tree(0);
    grows_linearly(|times| {
        let mut client = Client::start(&dir);
        for number in 0..40 * times {
            let name = format!("sub{number}");
            dir.file(format!("{name}/a.md"), "[x](no.md)\n");
            let event = json!({"added": [{"uri": client.uri(&name)}], "removed": []});
            client.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
        }
        client.settle();
        assert_eq!(client.shown("sub39/a.md"), ["0:4 missing-target"]);
        client.ticks()
    });
}

/// Renames the first heading of a document, and finds what leads to it.
fn rename_first(name: &str, line: u32, text: &str) -> Option<u64> {
    let dir = Dir::new();
    dir.file(name, text);
    let mut client = Client::start(&dir);
    client.open(name);
    client.settle();
    let before = client.ticks()?;
    let mut params = client.at(name, line, 3);
    let mut asked = params.clone();
    asked["context"] = json!({"includeDeclaration": true});
    let found = client.request("textDocument/references", asked);
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{name}");
    params["newName"] = json!("New name");
    let edit = client.request("textDocument/rename", params);
    let edits = edit["changes"][client.uri(name)].as_array().map(Vec::len);
    assert_eq!(edits, Some(2), "{name}: {edit}");
    Some(client.ticks()? - before)
}

#[test]
fn a_heading_among_many_is_renamed() {
    type Section = fn(usize, usize) -> String;
    let forms: [(&str, Section); 6] = [
        ("a.md", |n, other| format!("## Part {n}\n\n[x](#part-{other})\n\n")),
        ("a.adoc", |n, other| format!("== Part {n}\n\n<<_part_{other}>>\n\n")),
        ("b.adoc", |n, other| format!("== Part {n}\n\n<<Part {other}>>\n\n")),
        // Other spellings than that of the anchor.
        ("c.adoc", |n, other| format!("== T{n}\n\n<<T{other}>>\n\n")),
        ("b.md", |n, other| format!("## T{n}\n\n[x](#T{other})\n\n")),
        ("a.org", |n, other| format!("* Part {n}\n\n[[*Part {other}]]\n\n")),
    ];
    for (name, section) in forms {
        grows_linearly(|times| {
            let count = 500 * times;
            let text: String = (0..count).map(|n| section(n, (n + 7) % count)).collect();
            rename_first(name, 0, &text)
        });
    }
}

/// Documents of many directories, as an editor without a workspace opens them, take no more memory
/// than those of some.
#[test]
fn documents_of_many_directories() {
    let resident = std::cell::RefCell::new(Vec::new());
    grows_linearly(|times| {
        let dir = Dir::new();
        dir.file("root/a.md", "# T\n");
        let root = format!("file://{}", dir.join("root").display());
        let mut client = Client::start_with(&dir, &[], json!({"rootUri": root}));
        let count = 100 * times;
        for number in 0..count {
            let name = format!("d{number}/a.md");
            dir.file(&name, "[x](no.md)\n");
            client.open_text(&name, "[x](no.md)\n");
        }
        client.settle();
        for name in ["d0/a.md".to_owned(), format!("d{}/a.md", count - 1)] {
            assert_eq!(client.shown(&name), ["0:4 missing-target"]);
        }
        // What was closed opens again.
        client.set("d0/a.md", "\n[x](no.md)\n");
        client.settle();
        assert_eq!(client.shown("d0/a.md"), ["1:4 missing-target"]);
        resident.borrow_mut().push(client.resident());
        client.ticks()
    });
    let resident = resident.into_inner();
    if let [small, large] = resident[..] {
        assert!(large < small + (8 << 20), "{small} bytes, then {large}");
    }
}
