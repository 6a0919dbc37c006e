//! The protocol itself: what is malformed has an answer, and nothing ends the server by a panic.

use std::io::{BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::client::{Client, frame, read};
use super::property::{Random, seed};
use crate::support::{Dir, Ran, finish, pipe, spawn};

/// Sends bytes, and returns the run and the messages that came back.
fn talk(bytes: &[u8]) -> (Ran, Vec<Value>) {
    let ran = pipe(["lsp", "--stdio"], bytes);
    let mut stdout = ran.stdout.as_slice();
    let messages = std::iter::from_fn(|| read(&mut stdout)).collect();
    (ran, messages)
}

fn request(id: i64, method: &str) -> Vec<u8> {
    frame(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}}))
}

fn notification(method: &str) -> Vec<u8> {
    frame(&json!({"jsonrpc": "2.0", "method": method}))
}

fn codes(messages: &[Value]) -> Vec<i64> {
    messages.iter().filter_map(|message| message["error"]["code"].as_i64()).collect()
}

#[test]
fn the_life_of_a_server() {
    let initialize = request(1, "initialize");
    let shutdown = request(2, "shutdown");
    let all = |parts: &[&[u8]]| talk(&parts.concat());
    let exit = notification("exit");
    let status = |parts: &[&[u8]]| all(parts).0.status;
    assert_eq!(status(&[&initialize, &shutdown, &exit]), Some(0));
    assert_eq!(status(&[&initialize, &exit]), Some(1));
    assert_eq!(status(&[&exit]), Some(1));
    assert_eq!(status(&[]), Some(1));
    assert_eq!(status(&[&initialize, &shutdown]), Some(0));
    let (_, messages) = all(&[
        &request(7, "textDocument/hover"),
        &initialize,
        &request(3, "initialize"),
        &shutdown,
        &request(4, "textDocument/hover"),
        &exit,
    ]);
    assert_eq!(codes(&messages), [-32002, -32600, -32600]);
    assert_eq!(messages[0]["id"], 7);
}

#[test]
fn malformed_messages_have_answers() {
    let initialize = request(1, "initialize");
    let raw =
        |content: &str| format!("Content-Length: {}\r\n\r\n{content}", content.len()).into_bytes();
    let bytes = [
        initialize.clone(),
        raw("{"),
        raw(""),
        raw("[]"),
        raw("\u{0}"),
        raw(&"[".repeat(10_000)),
        raw(r#"{"id":3}"#),
        raw(r#"{"id":{},"method":"a"}"#),
        raw(r#"{"id":4,"method":"nothing/such","params":[]}"#),
        raw(r#"{"id":5,"method":"textDocument/hover","params":{"textDocument":7}}"#),
        raw(
            r#"{"id":6,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x"},"position":{"line":-1}}}"#,
        ),
        raw(
            r#"{"method":"textDocument/didChange","params":{"textDocument":{"uri":"x"},"contentChanges":[{"text":"a"}]}}"#,
        ),
        raw(r#"{"method":"$/nothing"}"#),
        request(8, "shutdown"),
        notification("exit"),
    ];
    let (ran, messages) = talk(&bytes.concat());
    assert_eq!(
        codes(&messages),
        [-32700, -32700, -32600, -32700, -32700, -32600, -32601, -32602, -32602]
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_stream_without_frames_is_an_error() {
    for bad in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 1e9\r\n\r\n{}",
        b"\r\n",
    ] {
        let (ran, messages) = talk(bad);
        assert_eq!(ran.status, Some(2), "{}", bad.escape_ascii());
        assert_eq!(codes(&messages), [-32700]);
        assert!(ran.stderr.contains("not framed"), "{}", ran.stderr);
    }
}

#[test]
fn damaged_lengths_end_a_session_or_leave_it_alone() {
    let initialize = request(1, "initialize");
    let rest = [request(2, "shutdown"), notification("exit")].concat();
    let header = |length: u64| format!("Content-Length: {length}\r\n\r\n").into_bytes();
    // The stream ends within a message.
    for length in [999, 99_999_999] {
        let (ran, messages) = talk(&[&initialize[..], &header(length), b"{}"].concat());
        assert_eq!((ran.status, codes(&messages)), (Some(2), vec![-32700]), "{length}");
        assert!(ran.stderr.contains("shorter than its Content-Length"), "{}", ran.stderr);
    }
    // No message is as long, so the server does not wait for its end.
    for length in [1 << 40, u64::MAX] {
        let (ran, messages) = talk(&[&initialize[..], &header(length), &rest].concat());
        assert_eq!((ran.status, codes(&messages)), (Some(2), vec![-32700]), "{length}");
        assert!(ran.stderr.contains(&length.to_string()), "{}", ran.stderr);
    }
    // A message that is too long, but whole, is answered, and the session goes on.
    let length = (64 << 20) + 1;
    let long = vec![b' '; length as usize];
    let (ran, messages) = talk(&[&initialize[..], &header(length), &long, &rest].concat());
    assert_eq!((ran.status, codes(&messages)), (Some(0), vec![-32600]), "{}", ran.stderr);
    // A length that is too small: what follows it is not a header.
    let short = [&initialize[..], &header(4), b"{\"id\":3}", &rest].concat();
    let (ran, messages) = talk(&short);
    assert_eq!((ran.status, codes(&messages).last()), (Some(2), Some(&-32700)));
}

#[test]
fn strange_positions_and_names_are_answered() {
    let dir = Dir::new();
    dir.file("a.md", "# A\n\n[a](#a) é😀\r\n");
    let mut client = Client::start(&dir);
    client.open("a.md");
    let strange = [(0, 0), (2, 9), (2, 11), (99, 0), (0, u32::MAX), (u32::MAX, u32::MAX)];
    for (line, character) in strange {
        for method in ["hover", "completion", "definition", "prepareRename", "references"] {
            let params = client.at("a.md", line, character);
            let response = client.respond(&format!("textDocument/{method}"), params);
            assert!(response.get("result").is_some(), "{response}");
        }
    }
    for (start, end) in [(9, 3), (0, 999)] {
        let range =
            json!({"start": {"line": start, "character": 7}, "end": {"line": end, "character": 0}});
        client.change("a.md", json!([{"range": range, "text": "x"}]));
    }
    client.settle();
    let names =
        ["untitled:Untitled-1", "file:///nowhere/a.md", "http://a.example/", "", "file:///%00"];
    for uri in names {
        let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": "[a](http://a.example/) [b](b.md)"});
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
        let links =
            client.request("textDocument/documentLink", json!({"textDocument": {"uri": uri}}));
        assert_eq!(links[0]["target"], "http://a.example/", "{uri}");
        assert_eq!(links.as_array().unwrap().len(), 1);
    }
    client.notify("$/cancelRequest", json!({"id": 99}));
    let response = client.respond(
        "textDocument/hover",
        json!({"textDocument": {"uri": "file:///closed"}, "position": {"line": 0, "character": 0}}),
    );
    assert_eq!(response["error"]["code"], -32602);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    for flag in ["--fix", "--online", "docs", "--nothing"] {
        let ran = pipe(["lsp", flag], "");
        assert_eq!(ran.status, Some(2), "{flag}: {ran:?}");
        assert!(ran.stderr.starts_with("urigrep: "), "{ran:?}");
    }
}

/// Threads that the system refuses are an error or a message, and not a panic.
#[test]
#[cfg(target_os = "linux")]
fn refused_threads_are_reported() {
    let dir = Dir::new();
    dir.file("a.md", "[a](b)\n");
    let root = format!("file://{}", dir.path().display());
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"rootUri": root, "capabilities": {}},
    });
    // The stack of a thread has so many MiB.
    let server = |stack: u64, addresses: &str| {
        let script = format!("ulimit -v {addresses}; exec \"$0\" lsp");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_urigrep")]).stdin(Stdio::piped());
        spawn(shell.env("RUST_MIN_STACK", (stack << 20).to_string()))
    };
    let none = finish(server(1 << 40, "unlimited"));
    assert_eq!(none.status, Some(2), "{none:?}");
    assert!(none.stderr.starts_with("urigrep: no thread for standard input: "), "{none:?}");
    // There is room for the thread that reads standard input, and for no other.
    let mut one = server(2048, &(3 << 20).to_string());
    let (mut stdin, stdout) = (one.stdin.take().unwrap(), one.stdout.take().unwrap());
    stdin.write_all(&[frame(&initialize), notification("initialized")].concat()).unwrap();
    let mut stdout = BufReader::new(stdout);
    for expected in
        ["git is not asked which files were renamed", "closed documents are not audited"]
    {
        let mut messages = std::iter::from_fn(|| read(&mut stdout));
        let shown = messages.find(|message| message["method"] == "window/showMessage").unwrap();
        let shown = shown["params"]["message"].as_str().unwrap();
        assert!(shown.contains(&format!("{expected}: no thread for it: ")), "{shown}");
    }
    stdin.write_all(&[request(2, "shutdown"), notification("exit")].concat()).unwrap();
    let ended = finish(one);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
}

/// Sessions with random damage end with a status, and without a panic.
#[test]
fn damaged_sessions_end_well() {
    let dir = Dir::new();
    dir.file("a.md", "# A\n\n[a](b.md) é😀\n");
    let uri = format!("file://{}", dir.path().display());
    let document = format!("{uri}/a.md");
    let position = json!({"line": 2, "character": 5});
    let range = json!({"start": position, "end": position});
    let at = json!({"textDocument": {"uri": document}, "position": position});
    let session = [
        frame(&json!({"id": 1, "method": "initialize", "params": {"rootUri": uri, "capabilities": {}}})),
        frame(&json!({"method": "initialized", "params": {}})),
        frame(&json!({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": document, "text": "# A\n\n[a](b.md) x\n"}}})),
        frame(&json!({"method": "textDocument/didChange", "params": {"textDocument": {"uri": document}, "contentChanges": [{"range": range, "text": "é"}]}})),
        frame(&json!({"id": 2, "method": "textDocument/hover", "params": at})),
        frame(&json!({"id": 3, "method": "textDocument/completion", "params": at})),
        frame(&json!({"id": 4, "method": "textDocument/references", "params": at})),
        frame(&json!({"id": 5, "method": "textDocument/codeAction", "params": {"textDocument": {"uri": document}, "range": range}})),
        frame(&json!({"id": 6, "method": "shutdown"})),
        frame(&json!({"method": "exit"})),
    ]
    .concat();
    let mut random = Random::new(seed());
    let runs = std::env::var("URIGREP_CASES").map_or(30, |it| it.parse().expect("a number"));
    for _ in 0..runs.min(1000) {
        let mut bytes = session.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = b"0129\"{}[],:\r\nx\xff"[random.below(15)],
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"09\"}],-\\"[random.below(8)]),
            }
        }
        let ran = pipe(["lsp"], &bytes);
        let is_end = matches!(ran.status, Some(0..=2));
        assert!(is_end && !ran.stderr.contains("panic"), "{ran:?}: {}", bytes.escape_ascii());
    }
}

/// Diagnostics of a client that sends these parameters, with the names of documents in `below`.
#[cfg(unix)]
fn diagnostics_of(params: &Value, document: &str) -> Vec<(String, u64)> {
    let opened =
        json!({"uri": document, "languageId": "markdown", "version": 1, "text": "[a](none.md)\n"});
    let session = [
        frame(&json!({"id": 1, "method": "initialize", "params": params})),
        frame(&json!({"method": "initialized", "params": {}})),
        frame(&json!({"method": "textDocument/didOpen", "params": {"textDocument": opened}})),
        frame(&json!({"id": 2, "method": "urigrep/idle"})),
    ]
    .concat();
    let (_, messages) = talk(&session);
    let shown = messages.iter().filter(|it| it["method"] == "textDocument/publishDiagnostics");
    let count = |it: &Value| it["diagnostics"].as_array().map_or(0, Vec::len) as u64;
    let of = |it: &Value| (it["params"]["uri"].as_str().unwrap().to_owned(), count(&it["params"]));
    shown.map(of).collect()
}

#[cfg(unix)]
#[test]
fn a_folder_is_found_by_each_of_its_names() {
    let dir = Dir::new();
    dir.file("real/a.md", "");
    std::os::unix::fs::symlink(dir.join("real"), dir.join("link")).unwrap();
    let uri = |name: &str| format!("file://{}", dir.join(name).display());
    let folders = |name: &str| json!([{"uri": uri(name), "name": "x"}]);
    let by_root = |name: &str| json!({"rootUri": uri(name), "capabilities": {}});
    let by_folders = |name: &str| json!({"rootUri": null, "workspaceFolders": folders(name), "capabilities": {}});
    for root in ["real", "link"] {
        for document in ["real/a.md", "link/a.md"].map(uri) {
            for params in [by_root(root), by_folders(root)] {
                // Under the name that the client knows, and no other.
                let expected = [(document.clone(), 1)];
                assert_eq!(diagnostics_of(&params, &document), expected, "{params}");
            }
        }
    }
}
