//! The life of the server: reads events, answers messages, and publishes diagnostics.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use urigrep::internal::catch_panic;
use urigrep::search::CancelToken;

use super::dispatch::{self, RequestReply, Task};
use super::documents::Documents;
use super::file_uri::{path_of, uri_of};
use super::folder::Folder;
use super::framing;
use super::message::{self, ClientMessage, Failure, ResultText};
use super::reading;
use super::report::{DocumentReport, SOURCE};
use super::shown::ShownDiagnostics;
use super::tasks::Tasks;
use super::types::Diagnostic;
use crate::cli::status::Status;

/// Time without a change after which an open document is audited.
const TYPING_PAUSE: Duration = Duration::from_millis(40);
/// Time in which changes of files are gathered: a checkout changes many.
const FILES_PAUSE: Duration = Duration::from_millis(60);
/// The same after a save: only front matter and settings of a site can have changed.
const SAVE_PAUSE: Duration = Duration::from_millis(600);

/// Something that the server reacts to.
pub enum ServerEvent {
    Message(Result<ClientMessage, Failure>),
    /// The input of the client has ended.
    Ended(io::Result<()>),
    /// A document of a folder was audited in the background.
    Audited {
        folder: PathBuf,
        generation: u64,
        name: PathBuf,
        report: DocumentReport,
    },
    /// A job is done. After a walk, `documents` are the documents of the tree.
    Finished {
        folder: PathBuf,
        generation: u64,
        documents: Option<HashSet<PathBuf>>,
    },
    /// The renamed files of a folder are known.
    History {
        folder: PathBuf,
    },
    /// A task is done.
    Answer {
        id: Value,
        result: Result<ResultText, Failure>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ServerPhase {
    Created,
    Running,
    ShutDown,
}

pub struct Server<W> {
    output: W,
    pub events: Sender<ServerEvent>,
    phase: ServerPhase,
    pub documents: Documents,
    pub folders: Vec<Folder>,
    /// Flags of the command line, and flags of the client, which override them.
    own_flags: Vec<OsString>,
    pub client_flags: Vec<OsString>,
    /// Open documents to audit, by URI, and when.
    due: HashMap<String, Instant>,
    shown: ShownDiagnostics,
    tasks: Tasks,
    /// Requests that are answered when nothing is left to do.
    waiting: Vec<Value>,
    /// True if the client can watch files.
    pub watches: bool,
    /// Cancelled as soon as the client wants to leave: a walk over `/` may take a minute.
    pub closing: CancelToken,
    output_error: Option<io::Error>,
}

/// Serves a client until it ends.
///
/// # Errors
/// If a stream cannot be read or written, or is not framed as the protocol says, or the system
/// allows no thread.
pub fn serve(
    flags: Vec<OsString>,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<Status, String> {
    super::settings::flags(&flags)?;
    let (events, received) = channel();
    let closing = CancelToken::new();
    let (sender, leaves) = (events.clone(), closing.clone());
    let reading = thread::Builder::new().spawn(move || {
        reading::read_all(input, &sender, &leaves);
    });
    reading.map_err(|error| format!("no thread for standard input: {error}"))?;
    let mut server = Server {
        output,
        events,
        phase: ServerPhase::Created,
        documents: Documents::default(),
        folders: Vec::new(),
        own_flags: flags,
        client_flags: Vec::new(),
        due: HashMap::new(),
        shown: ShownDiagnostics::default(),
        tasks: Tasks::default(),
        waiting: Vec::new(),
        watches: false,
        closing,
        output_error: None,
    };
    server.run(&received)
}

impl<W: Write> Server<W> {
    fn run(&mut self, received: &Receiver<ServerEvent>) -> Result<Status, String> {
        loop {
            let event = match self.next_due() {
                Some(due) => received.recv_timeout(due.saturating_duration_since(Instant::now())),
                None => received.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(ServerEvent::Message(Ok(ClientMessage::Notification { method, .. })))
                    if method == "exit" =>
                {
                    return Ok(self.status());
                }
                Ok(ServerEvent::Ended(Ok(()))) => return Ok(self.status()),
                Ok(ServerEvent::Ended(Err(error))) => {
                    let failure = Failure::parse(error.to_string());
                    self.answer(&Value::Null, Err(failure));
                    return Err(format!("the input is not framed as LSP messages are: {error}"));
                }
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => {}
                // The server itself holds a sender.
                Err(RecvTimeoutError::Disconnected) => return Ok(self.status()),
            }
            self.work_due();
            if let Some(error) = self.output_error.take() {
                return Err(format!("standard output: {error}"));
            }
        }
    }

    /// `exit` without `shutdown` is a failure (LSP 3.17, "Exit Notification").
    fn status(&self) -> Status {
        match self.phase {
            ServerPhase::ShutDown => Status::Match,
            ServerPhase::Created | ServerPhase::Running => Status::NoMatch,
        }
    }

    fn handle(&mut self, event: ServerEvent) {
        match event {
            ServerEvent::Message(Ok(ClientMessage::Request { id, method, params })) => {
                self.request(id, &method, params);
            }
            ServerEvent::Message(Ok(ClientMessage::Notification { method, params })) => {
                self.notification(&method, params);
            }
            ServerEvent::Message(Ok(ClientMessage::Response)) | ServerEvent::Ended(_) => {}
            ServerEvent::Message(Err(failure)) => {
                self.answer(&Value::Null, Err(failure));
            }
            ServerEvent::Audited { folder, generation, name, report } => {
                self.audited(&folder, generation, name, report);
            }
            ServerEvent::Finished { folder, generation, documents } => {
                self.finished(&folder, generation, documents);
            }
            ServerEvent::History { folder } => {
                let opened = self.folders.iter_mut().find(|opened| opened.root() == folder);
                opened.into_iter().for_each(Folder::apply_history);
            }
            ServerEvent::Answer { id, result } => {
                self.answer(&id, result);
                let next = self.tasks.finished(&id, &self.events);
                self.answer_failed(next);
            }
        }
    }

    fn request(&mut self, id: Value, method: &str, params: Value) {
        let reply = match (self.phase, method) {
            (ServerPhase::Created, "initialize") => {
                let result = dispatch::initialize(self, params);
                if result.is_ok() {
                    self.phase = ServerPhase::Running;
                }
                RequestReply::Now(result)
            }
            (ServerPhase::Created, _) => RequestReply::Now(Err(Failure::not_initialized())),
            (ServerPhase::ShutDown, _) => {
                RequestReply::Now(Err(Failure::invalid_request("the server is shut down")))
            }
            (ServerPhase::Running, "initialize") => {
                RequestReply::Now(Err(Failure::invalid_request("`initialize` may come once")))
            }
            (ServerPhase::Running, "shutdown") => {
                self.phase = ServerPhase::ShutDown;
                self.folders.iter_mut().for_each(Folder::cancel);
                for waiting in self.tasks.cancel_all() {
                    self.answer(&waiting, Err(Failure::cancelled()));
                }
                RequestReply::Now(Ok(ResultText::null()))
            }
            (ServerPhase::Running, _) => {
                let reply = catch_panic(|| dispatch::request(self, method, params));
                reply.unwrap_or_else(|message| RequestReply::Now(Err(Failure::internal(message))))
            }
        };
        match reply {
            RequestReply::Now(result) => self.answer(&id, result),
            RequestReply::Later(task) => self.start(id, task),
            RequestReply::WhenIdle => self.waiting.push(id),
        }
    }

    fn notification(&mut self, method: &str, params: Value) {
        // LSP 3.17 drops notifications before `initialize`, and allows none but `exit` after
        // `shutdown`.
        if self.phase != ServerPhase::Running {
            return;
        }
        let done = catch_panic(|| dispatch::notification(self, method, params));
        if let Err(message) = done.unwrap_or_else(Err) {
            self.log(&format!("{method}: {message}"));
        }
    }

    /// Answers a request in its own thread.
    fn start(&mut self, id: Value, task: Task) {
        let started = self.tasks.start(id, task, &self.events);
        self.answer_failed(started);
    }

    fn answer_failed(&mut self, started: Result<(), (Value, Failure)>) {
        if let Err((id, failure)) = started {
            self.answer(&id, Err(failure));
        }
    }

    pub fn cancel(&mut self, id: &Value) {
        if self.tasks.cancel(id) {
            self.answer(id, Err(Failure::cancelled()));
        }
    }

    /// Returns the flags of the command line and those of the client.
    pub fn flags(&self) -> Vec<OsString> {
        self.own_flags.iter().chain(&self.client_flags).cloned().collect()
    }

    /// Returns the path of a `file:` URI. An editor may name a document by another path than its
    /// folder, where one of them leads through a symbolic link; then the path is below the folder.
    pub fn path_of(&self, uri: &str) -> Option<PathBuf> {
        let path = path_of(uri)?;
        if self.folders.is_empty() || self.folder_at(&path).is_some() {
            return Some(path);
        }
        let below_folder = || {
            // The document itself may be a link, or not exist yet.
            let real = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
            let below = |folder: &Folder| {
                let root = folder.root().canonicalize().ok()?;
                Some(folder.root().join(real.strip_prefix(root).ok()?))
            };
            self.folders.iter().find_map(below)
        };
        Some(below_folder().unwrap_or(path))
    }

    pub fn folder_at(&self, path: &Path) -> Option<usize> {
        // The innermost folder, if one is in another.
        let has = |index: &usize| self.folders.get(*index).is_some_and(|folder| folder.has(path));
        let length = |index: &usize| self.folders[*index].root().as_os_str().len();
        (0..self.folders.len()).filter(has).max_by_key(length)
    }

    fn next_due(&self) -> Option<Instant> {
        let restarts = self.folders.iter().filter_map(Folder::restart_due);
        self.due.values().copied().chain(restarts).min()
    }

    fn work_due(&mut self) {
        let now = Instant::now();
        let due = self.due.iter().filter(|(_, due)| **due <= now);
        for uri in due.map(|(uri, _)| uri.clone()).collect::<Vec<_>>() {
            self.judge(&uri);
        }
        for index in 0..self.folders.len() {
            if self.folders[index].restart_due().is_some_and(|due| due <= now) {
                self.renew(index);
            }
            self.work_on_stale(index);
        }
        if self.due.is_empty() && !self.folders.iter().any(Folder::is_busy) {
            for id in std::mem::take(&mut self.waiting) {
                self.answer(&id, Ok(ResultText::null()));
            }
        }
    }

    /// Audits an open document soon: at once, or when the user pauses.
    pub fn schedule(&mut self, uri: &str, is_typing: bool) {
        let pause = if is_typing { TYPING_PAUSE } else { Duration::ZERO };
        self.due.insert(uri.to_owned(), Instant::now() + pause);
    }

    pub fn unschedule(&mut self, uri: &str) {
        self.due.remove(uri);
    }

    /// Audits an open document, and publishes its findings.
    fn judge(&mut self, uri: &str) {
        self.due.remove(uri);
        let Some(path) = self.documents.get(uri).and_then(|document| document.path.clone()) else {
            return;
        };
        // The loose folder of a document may be closed, because there are many.
        dispatch::open_around(self, Some(&path));
        let Some(index) = self.folder_at(&path) else { return };
        let folder = &mut self.folders[index];
        let outcome = folder.audit(&path);
        let report =
            outcome.and_then(|outcome| DocumentReport::new(&outcome, self.documents.encoding));
        let is_document = report.is_some();
        let report = report.unwrap_or_default();
        self.publish(&path, report.diagnostics.clone());
        let folder = &mut self.folders[index];
        let name = folder.name_of(&path);
        if is_document {
            folder.record(name, report)
        } else {
            // Links may name lines of a source file.
            folder.stale_dependents(&name)
        }
    }

    /// Returns the diagnostics of an open document as it is now; `None` if it is not open.
    pub fn pull(&mut self, uri: &str) -> Option<Vec<Diagnostic>> {
        let path = self.documents.get(uri)?.path.clone();
        if self.due.contains_key(uri) {
            self.judge(uri);
        }
        Some(path.map(|path| self.shown.at(&path).to_vec()).unwrap_or_default())
    }

    fn work_on_stale(&mut self, index: usize) {
        let folder = &mut self.folders[index];
        let documents = &self.documents;
        let open = folder.take_newly_stale(|path| documents.at(path).is_some());
        for document in open.iter().filter_map(|path| self.documents.at(path)) {
            self.due.insert(document.uri.clone(), Instant::now());
        }
        let (encoding, events) = (self.documents.encoding, self.events.clone());
        let started = self.folders[index].start_stale(|job| job.start(encoding, events));
        self.show_not_started(started);
    }

    /// Starts a new generation of a folder: open documents are judged at once.
    pub fn renew(&mut self, index: usize) {
        let flags = self.flags();
        if let Err(problem) = self.folders[index].renew(&flags) {
            self.show(&problem);
        }
        self.audit_all(index);
    }

    /// Starts a new generation of all folders, once for several changes in a row.
    pub fn renew_all_soon(&mut self) {
        (0..self.folders.len()).for_each(|index| self.files_changed(index));
        self.judge_without_folder(|_| true);
    }

    /// Audits the open documents beside a file that is in no open folder.
    pub fn judge_beside(&mut self, file: &Path) {
        self.judge_without_folder(|path| path.parent() == file.parent());
    }

    /// Soon audits the open documents whose loose folder was closed.
    fn judge_without_folder(&mut self, holds: impl Fn(&Path) -> bool) {
        let is_closed = |path: &Path| holds(path) && self.folder_at(path).is_none();
        let documents = self.documents.all();
        let documents = documents.filter(|it| it.path.as_deref().is_some_and(&is_closed));
        for uri in documents.map(|document| document.uri.clone()).collect::<Vec<_>>() {
            self.schedule(&uri, false);
        }
    }

    pub fn audit_all(&mut self, index: usize) {
        let (encoding, events) = (self.documents.encoding, self.events.clone());
        let started = Instant::now();
        let root = self.folders[index].root().to_owned();
        let open: Vec<String> = (self.documents.all())
            .filter(|document| document.path.as_ref().is_some_and(|it| it.starts_with(&root)))
            .map(|document| document.uri.clone())
            .collect();
        open.iter().for_each(|uri| self.judge(uri));
        let started = self.folders[index].start_all(started, |job| job.start(encoding, events));
        self.show_not_started(started);
    }

    fn show_not_started(&mut self, started: io::Result<()>) {
        if let Err(error) = started {
            self.show(&format!("closed documents are not audited: no thread for it: {error}"));
        }
    }

    /// Withdraws the diagnostics of a document that is closed, and was never a file.
    pub fn clear(&mut self, path: &Path) {
        self.publish(path, Vec::new());
    }

    /// Forgets a folder, and its diagnostics.
    pub fn close_folder(&mut self, root: &Path) {
        self.folders.retain(|folder| folder.root() != root);
        for path in self.shown.below(root) {
            self.publish(&path, Vec::new());
        }
        // A folder around it shows the findings in it from now on.
        let around: Vec<usize> =
            (0..self.folders.len()).filter(|index| self.folders[*index].has(root)).collect();
        around.into_iter().for_each(|index| self.files_changed(index));
    }

    /// Forgets a folder without open documents.
    pub fn close_unused(&mut self, index: usize) {
        let folder = &self.folders[index];
        let mut open = self.documents.all().filter_map(|document| document.path.as_deref());
        if !open.any(|path| folder.has(path)) {
            self.folders.remove(index);
        }
    }

    pub fn files_changed(&mut self, index: usize) {
        self.folders[index].renew_after(FILES_PAUSE);
    }

    pub fn file_saved(&mut self, path: &Path) {
        if let Some(index) = self.folder_at(path) {
            self.folders[index].renew_after(SAVE_PAUSE);
        }
    }

    fn audited(&mut self, folder: &Path, generation: u64, name: PathBuf, report: DocumentReport) {
        let index = self.folders.iter().position(|it| it.root() == folder);
        let Some(index) = index else { return };
        let folder = &mut self.folders[index];
        if !folder.is_current_generation(generation) {
            return;
        }
        let path = folder.path_of(&name);
        // The text in the editor counts, and was audited already.
        if self.documents.at(&path).is_some() {
            return;
        }
        let diagnostics = report.diagnostics.clone();
        folder.record(name, DocumentReport { diagnostics: Vec::new(), ..report });
        self.publish(&path, diagnostics);
    }

    fn finished(&mut self, folder: &Path, generation: u64, documents: Option<HashSet<PathBuf>>) {
        let index = self.folders.iter().position(|it| it.root() == folder);
        let Some(index) = index else { return };
        if !self.folders[index].is_current_generation(generation) {
            return;
        }
        let is_walk = documents.is_some();
        let (gone, changed) = self.folders[index].finish(documents);
        // A new document that was never saved is not found by a walk, and is judged while it is
        // open.
        for path in gone
            .iter()
            .filter(|path| self.documents.at(path).is_none())
            .cloned()
            .collect::<Vec<_>>()
        {
            self.publish(&path, Vec::new());
        }
        for path in changed {
            match self.documents.at(&path).map(|document| document.uri.clone()) {
                Some(uri) => self.schedule(&uri, false),
                None => self.folders[index].mark_stale(&path),
            }
        }
        if is_walk {
            // Now it is known which documents belong to the tree.
            let open: Vec<String> = self.documents.all().map(|it| it.uri.clone()).collect();
            open.iter().for_each(|uri| self.schedule(uri, false));
        }
    }

    /// Sends the findings of a document to the client, if they changed.
    fn publish(&mut self, path: &Path, diagnostics: Vec<Diagnostic>) {
        let open = self.documents.at(path).map(|document| document.uri.clone());
        let uri = open.unwrap_or_else(|| uri_of(path));
        for (uri, diagnostics) in self.shown.update(path, uri, diagnostics) {
            let params = json!({"uri": uri, "diagnostics": diagnostics});
            self.send(&message::notification("textDocument/publishDiagnostics", params));
        }
    }

    /// Shows a message to the user.
    pub fn show(&mut self, text: &str) {
        // 2 is `MessageType.Warning`.
        let params = json!({"type": 2, "message": format!("{SOURCE}: {text}")});
        self.send(&message::notification("window/showMessage", params));
    }

    fn log(&mut self, text: &str) {
        let params = json!({"type": 2, "message": text});
        self.send(&message::notification("window/logMessage", params));
    }

    pub fn ask(&mut self, id: &str, method: &str, params: Value) {
        self.send(&message::request(id, method, params));
    }

    fn send(&mut self, message: &Value) {
        self.write(&message.to_string());
    }

    fn answer(&mut self, id: &Value, result: Result<ResultText, Failure>) {
        self.write(&message::response(id, result));
    }

    fn write(&mut self, content: &str) {
        if let Err(error) = framing::write(&mut self.output, content.as_bytes()) {
            self.output_error.get_or_insert(error);
        }
    }
}
