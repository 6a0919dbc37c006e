//! A client of the language server, which keeps what an editor would show.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Dir, LIMIT, command, spawn, wait};

pub struct Client<'d> {
    dir: &'d Dir,
    child: Child,
    stdin: Option<ChildStdin>,
    received: Receiver<Value>,
    next: i64,
    /// Diagnostics by the path in the directory.
    shown: BTreeMap<String, Vec<Value>>,
    /// The texts of the open documents.
    pub texts: BTreeMap<String, String>,
    pub messages: Vec<String>,
    pub capabilities: Value,
}

/// Writes a message with its header.
pub fn frame(message: &Value) -> Vec<u8> {
    let content = message.to_string();
    format!("Content-Length: {}\r\n\r\n{content}", content.len()).into_bytes()
}

/// Reads a message; `None` at the end.
pub fn read(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().expect("a length"),
            Some(other) => panic!("{other:?}"),
            None => break,
        }
    }
    let mut content = vec![0; length];
    reader.read_exact(&mut content).ok()?;
    Some(serde_json::from_slice(&content).expect("JSON"))
}

impl<'d> Client<'d> {
    /// Starts a server in a directory, with UTF-16.
    pub fn start(dir: &'d Dir) -> Self {
        Self::start_with(dir, &[], json!({}))
    }

    pub fn start_with(dir: &'d Dir, flags: &[&str], more: Value) -> Self {
        let mut command = command(["lsp"]);
        let mut child = spawn(command.args(flags).current_dir("/").stdin(Stdio::piped()));
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, received) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Self {
            dir,
            child,
            stdin,
            received,
            next: 0,
            shown: BTreeMap::new(),
            texts: BTreeMap::new(),
            messages: Vec::new(),
            capabilities: Value::Null,
        };
        let mut params = json!({"processId": null, "rootUri": client.uri(""), "capabilities": {}});
        for (key, value) in more.as_object().expect("an object") {
            params[key] = value.clone();
        }
        client.capabilities = client.request("initialize", params)["capabilities"].take();
        client.notify("initialized", json!({}));
        client
    }

    pub fn uri(&self, name: &str) -> String {
        let path = self.dir.join(name);
        format!("file://{}", path.display().to_string().trim_end_matches('/').replace(' ', "%20"))
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("it runs");
        stdin.write_all(&frame(message)).expect("written");
        stdin.flush().expect("written");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, and returns its result.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.respond(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].take()
    }

    /// Sends a request, and returns the response.
    pub fn respond(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.received.recv_timeout(LIMIT).expect("an answer in time");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.take(message);
        }
    }

    fn take(&mut self, message: Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let uri = params["uri"].as_str().expect("a URI").replace("%20", " ");
                let root = self.uri("").replace("%20", " ") + "/";
                let name = uri.strip_prefix(&root).expect("in the directory").to_owned();
                let diagnostics = params["diagnostics"].as_array().expect("a list").clone();
                self.shown.insert(name, diagnostics);
            }
            Some("window/showMessage" | "window/logMessage") => {
                self.messages.push(params["message"].as_str().expect("a text").to_owned());
            }
            Some(_) if message.get("id").is_some() => {
                let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": null});
                self.send(&answer);
            }
            other => panic!("{other:?}"),
        }
    }

    /// Waits for the next diagnostics of a document, and returns how long that took.
    pub fn wait_for(&mut self, name: &str) -> Duration {
        let started = Instant::now();
        let uri = self.uri(name);
        loop {
            let message = self.received.recv_timeout(LIMIT).expect("diagnostics in time");
            let is_wanted = message["params"]["uri"] == uri;
            self.take(message);
            if is_wanted {
                return started.elapsed();
            }
        }
    }

    /// Returns the resident memory of the server in bytes; 0 if the system does not say it.
    pub fn resident(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kib.unwrap_or_default() << 10
    }

    /// Returns the processor time of the server in ticks; `None` if the system does not say it.
    pub fn ticks(&self) -> Option<u64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name of the program, in parentheses, may have spaces (proc(5)). Behind it, `utime`
        // and `stime` are the twelfth and thirteenth field.
        let fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
        fields.skip(11).take(2).map(|field| field.parse::<u64>().ok()).sum()
    }

    /// Waits until nothing is left to audit.
    pub fn settle(&mut self) {
        self.request("urigrep/idle", Value::Null);
    }

    pub fn document(&self, name: &str) -> Value {
        json!({"textDocument": {"uri": self.uri(name)}})
    }

    pub fn at(&self, name: &str, line: u32, character: u32) -> Value {
        let mut params = self.document(name);
        params["position"] = json!({"line": line, "character": character});
        params
    }

    /// Opens a file as it is.
    pub fn open(&mut self, name: &str) {
        let text = fs::read_to_string(self.dir.join(name)).expect("a file");
        self.open_text(name, &text);
    }

    pub fn open_text(&mut self, name: &str, text: &str) {
        let document = json!({"uri": self.uri(name), "languageId": "", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        self.texts.insert(name.to_owned(), text.to_owned());
    }

    /// Replaces the whole text of an open document.
    pub fn set(&mut self, name: &str, text: &str) {
        self.change(name, json!([{"text": text}]));
        self.texts.insert(name.to_owned(), text.to_owned());
    }

    pub fn change(&mut self, name: &str, changes: Value) {
        let mut params = self.document(name);
        params["contentChanges"] = changes;
        self.notify("textDocument/didChange", params);
    }

    /// Writes an open document to its file.
    pub fn save(&mut self, name: &str) {
        self.dir.file(name, &self.texts[name]);
        self.notify("textDocument/didSave", self.document(name));
    }

    pub fn close(&mut self, name: &str) {
        self.notify("textDocument/didClose", self.document(name));
        self.texts.remove(name);
    }

    /// Says that files came, changed, or went.
    pub fn files_changed(&mut self, names: &[&str]) {
        let changes: Vec<Value> =
            names.iter().map(|name| json!({"uri": self.uri(name), "type": 2})).collect();
        self.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    }

    /// Returns the shown diagnostics as `LINE:CHARACTER CODE`.
    pub fn shown(&self, name: &str) -> Vec<String> {
        let line = |diagnostic: &Value| {
            let start = &diagnostic["range"]["start"];
            format!(
                "{}:{} {}",
                start["line"],
                start["character"],
                diagnostic["code"].as_str().expect("a code")
            )
        };
        self.shown.get(name).into_iter().flatten().map(line).collect()
    }

    /// Returns all shown diagnostics as lines of `urigrep audit --format checkstyle` could be:
    /// path, line, severity, check, and message.
    pub fn everything(&self) -> Vec<String> {
        let severity = |diagnostic: &Value| {
            ["error", "warning", "note"]
                [diagnostic["severity"].as_u64().expect("a number") as usize - 1]
        };
        let line = |name: &str, it: &Value| {
            let line = it["range"]["start"]["line"].as_u64().expect("a number") + 1;
            let (code, message) =
                (it["code"].as_str().expect("a code"), it["message"].as_str().expect("a text"));
            format!("{name}:{line}: {}[{code}]: {message}", severity(it))
        };
        let all =
            self.shown.iter().flat_map(|(name, all)| all.iter().map(move |it| line(name, it)));
        let mut all: Vec<String> = all.collect();
        all.sort();
        all
    }

    /// Returns the quick fixes and other actions for a whole document.
    pub fn actions(&mut self, name: &str) -> Vec<Value> {
        let mut params = self.document(name);
        params["range"] =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}});
        params["context"] = json!({"diagnostics": []});
        self.request("textDocument/codeAction", params).as_array().expect("a list").clone()
    }

    /// Applies an edit as an editor does.
    pub fn apply(&mut self, edit: &Value) {
        let changes = edit["changes"].as_object().expect("changes").clone();
        for (uri, edits) in changes {
            let name = uri
                .strip_prefix(&(self.uri("") + "/"))
                .expect("in the directory")
                .replace("%20", " ");
            let is_open = self.texts.contains_key(&name);
            let text = match self.texts.get(&name) {
                Some(text) => text.clone(),
                None => fs::read_to_string(self.dir.join(&name)).expect("a file"),
            };
            // An editor takes the byte order mark off, and writes it again.
            let mark = if text.starts_with('\u{feff}') && !is_open { "\u{feff}" } else { "" };
            let text = edited(&text[mark.len()..], edits.as_array().expect("a list"));
            let text = mark.to_owned() + &text;
            if is_open {
                self.set(&name, &text);
            } else {
                self.dir.file(&name, text);
            }
        }
    }

    /// Ends the server as the protocol says, and returns its status.
    pub fn end(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.stdin = None;
        wait(&mut self.child).code()
    }
}

impl Drop for Client<'_> {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Applies edits, whose positions are in UTF-16.
fn edited(text: &str, edits: &[Value]) -> String {
    let mut spans: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let [start, end] = ["start", "end"].map(|end| offset(text, &edit["range"][end]));
            (start, end, edit["newText"].as_str().expect("a text"))
        })
        .collect();
    spans.sort_unstable();
    let mut text = text.to_owned();
    for (start, end, new) in spans.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

/// The offset of a position in UTF-16; naive.
pub fn offset(text: &str, position: &Value) -> usize {
    let [line, character] =
        ["line", "character"].map(|it| position[it].as_u64().expect("a number") as usize);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    for (at, c) in text[start..].char_indices() {
        if units >= character || c == '\n' {
            return start + at;
        }
        units += c.len_utf16();
    }
    text.len()
}

/// The position of an offset in UTF-16; naive.
pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({"line": line, "character": before[start..].encode_utf16().count()})
}
