//! The file that answers each method, and the capabilities of the server.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::definition::Declaration;
use super::documents::Document;
use super::file_uri::path_of;
use super::folder::{Folder, FolderKind};
use super::message::{Failure, ResultText};
use super::position::PositionEncoding;
use super::prose::ContentFormat;
use super::server::{Server, ServerEvent};
use super::types::{
    CancelParams, ChangeParams, CodeActionParams, ConfigurationParams, DocumentParams,
    FoldersParams, InitializeParams, OpenParams, PositionParams, ReferenceParams,
    RenameFilesParams, RenameParams, WatchedParams,
};
use super::{
    actions, completion, definition, hover, links, rename_files, rename_heading, settings,
};

/// Answers a request in its own thread; true means that the client no longer wants it.
pub type Task = Box<dyn FnOnce(&AtomicBool) -> Result<ResultText, Failure> + Send>;

/// The answer to a request.
pub enum RequestReply {
    Now(Result<ResultText, Failure>),
    /// It takes the whole tree.
    Later(Task),
    /// Null, as soon as nothing is left to do.
    WhenIdle,
}

/// An open document, and the folder that it is in.
#[derive(Clone, Copy)]
pub struct View<'s> {
    pub document: &'s Document,
    pub folder: Option<&'s Folder>,
    pub encoding: PositionEncoding,
    pub hover: ContentFormat,
}

impl<'s> View<'s> {
    /// Returns the document's path with its folder, if it has both.
    pub fn place(&self) -> Option<(&'s Folder, &'s Path)> {
        Some((self.folder?, self.document.path.as_deref()?))
    }
}

/// Starts the server, and returns its capabilities.
///
/// # Errors
/// If the parameters are invalid.
pub fn initialize(
    server: &mut Server<impl std::io::Write>,
    params: Value,
) -> Result<ResultText, Failure> {
    // A client without parameters may leave them out.
    let params: InitializeParams = match params {
        Value::Null => InitializeParams::default(),
        params => parse(params)?,
    };
    let offered = params.capabilities.pointer("/general/positionEncodings");
    let offered = offered.and_then(Value::as_array).into_iter().flatten();
    server.documents.encoding =
        PositionEncoding::choose(&offered.filter_map(Value::as_str).collect::<Vec<_>>());
    let formats = params.capabilities.pointer("/textDocument/hover/contentFormat");
    server.documents.hover = ContentFormat::choose(formats);
    let watching = "/workspace/didChangeWatchedFiles/dynamicRegistration";
    server.watches = params.capabilities.pointer(watching) == Some(&Value::Bool(true));
    match settings::arguments(&params.initialization_options) {
        Ok(flags) => server.client_flags = flags,
        Err(problem) => server.show(&problem),
    }
    for root in roots(&params) {
        open_folder(server, root, FolderKind::Opened);
    }
    let kinds = ["quickfix", "source.fixAll.urigrep"];
    let files = json!({"filters": [{"scheme": "file", "pattern": {"glob": "**/*"}}]});
    // A client that supports both would show each finding twice.
    let can = |feature: &str| params.capabilities.pointer(feature).is_some();
    let pulls = can("/textDocument/diagnostic") && !can("/textDocument/publishDiagnostics");
    let provider = json!({"identifier": "urigrep", "interFileDependencies": true, "workspaceDiagnostics": false});
    let mut result = json!({
        "serverInfo": {"name": "urigrep", "version": env!("CARGO_PKG_VERSION")},
        "capabilities": {
            "positionEncoding": server.documents.encoding.name(),
            // 2 is `TextDocumentSyncKind.Incremental`.
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "documentLinkProvider": {"resolveProvider": false},
            "hoverProvider": true,
            "codeActionProvider": {"codeActionKinds": kinds},
            "completionProvider": {
                "triggerCharacters": ["(", "/", "#", "\"", "'", "[", "<", ":", "`"],
            },
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": {"prepareProvider": true},
            "workspace": {
                "workspaceFolders": {"supported": true, "changeNotifications": true},
                "fileOperations": {"willRename": files, "didRename": files, "didCreate": files, "didDelete": files},
            },
        },
    });
    if pulls {
        result["capabilities"]["diagnosticProvider"] = provider;
    }
    ResultText::new(&result)
}

fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten();
    let mut roots: Vec<PathBuf> = folders.filter_map(|folder| path_of(&folder.uri)).collect();
    if roots.is_empty() {
        // Older clients name one folder by `rootUri` or `rootPath` (LSP 3.17, "Initialize
        // Request").
        roots.extend(params.root_uri.as_deref().and_then(path_of));
    }
    if roots.is_empty() {
        let path = params.root_path.as_ref().map(PathBuf::from);
        roots.extend(path.filter(|path| path.is_absolute()));
    }
    roots.retain(|root| root.is_dir());
    roots.dedup();
    roots
}

/// Opens a folder, and returns its index; `None` if it is open already.
fn open_folder(
    server: &mut Server<impl std::io::Write>,
    root: PathBuf,
    kind: FolderKind,
) -> Option<usize> {
    if kind == FolderKind::Opened {
        // The folder has the documents from now on.
        let is_inside =
            |it: &&Folder| it.kind() == FolderKind::Loose && it.root().starts_with(&root);
        let inside = server.folders.iter().filter(is_inside).map(|it| it.root().to_owned());
        for loose in inside.collect::<Vec<_>>() {
            server.close_folder(&loose);
        }
    }

    if server.folders.iter().any(|folder| folder.root() == root) {
        return None;
    }
    // With the first folder as the current directory, paths in messages are those that
    // `urigrep audit` prints there.
    let is_first = server.folders.is_empty() && kind == FolderKind::Opened;
    let is_current = is_first && std::env::set_current_dir(&root).is_ok();
    let (events, name) = (server.events.clone(), root.clone());
    let history_is_known = move || {
        // Sending fails only while the server ends.
        let _ = events.send(ServerEvent::History { folder: name });
    };
    let closing = server.closing.clone();
    let (mut folder, problem) =
        Folder::open(root, is_current, kind, &server.flags(), closing, history_is_known);
    // An open document may differ from its file.
    for document in server.documents.all() {
        if let Some(path) = document.path.as_ref().filter(|path| folder.has(path)) {
            folder.set_text(path, Some(&document.text));
        }
    }
    server.folders.push(folder);
    if let Some(problem) = problem {
        server.show(&problem);
    }
    Some(server.folders.len() - 1)
}

fn initialized(server: &mut Server<impl std::io::Write>) {
    if server.watches {
        // Links may lead to any file, not only to documents.
        let watchers = json!([{"globPattern": "**/*"}]);
        let method = "workspace/didChangeWatchedFiles";
        let options = json!({"watchers": watchers});
        let registration = json!({"id": "files", "method": method, "registerOptions": options});
        let params = json!({"registrations": [registration]});
        server.ask("register-files", "client/registerCapability", params);
    }
    (0..server.folders.len()).for_each(|index| server.audit_all(index));
}

fn opened(server: &mut Server<impl std::io::Write>, params: OpenParams) {
    let path = server.path_of(&params.text_document.uri);
    open_around(server, path.as_deref());
    let document = server.documents.open(params.text_document, path);
    let (uri, text) = (document.uri.clone(), document.text.clone());
    let new = document.path.clone().filter(|path| !path.exists());
    set_text(server, &uri, Some(&text));
    server.schedule(&uri, false);
    // Links of other documents may lead to it from now on.
    if let Some(index) = new.and_then(|path| server.folder_at(&path)) {
        server.files_changed(index);
    }
}

fn closed(server: &mut Server<impl std::io::Write>, params: DocumentParams) {
    let uri = params.text_document.uri;
    set_text(server, &uri, None);
    server.unschedule(&uri);
    let closed = server.documents.close(&uri);
    if let Some(path) = closed.and_then(|document| document.path) {
        let Some(index) = server.folder_at(&path) else {
            server.clear(&path);
            return;
        };
        if server.folders[index].kind() == FolderKind::Loose {
            server.clear(&path);
            server.close_unused(index);
            return;
        }
        // Its diagnostics stay until the file has been audited, if there is one.
        if !path.exists() {
            server.clear(&path);
            server.files_changed(index);
        }
        server.folders[index].mark_stale(&path);
    }
}

fn configured(server: &mut Server<impl std::io::Write>, params: ConfigurationParams) {
    // Clients that support `workspace/configuration` send no settings here.
    if !params.settings.is_null() {
        // The previous settings no longer count, even if the new value is not settings.
        match settings::arguments(&params.settings) {
            Ok(flags) => server.client_flags = flags,
            Err(problem) => {
                server.client_flags.clear();
                server.show(&problem);
            }
        }
        server.renew_all_soon();
    }
}

fn folders_changed(server: &mut Server<impl std::io::Write>, params: &FoldersParams) {
    for folder in params.event.removed.iter().filter_map(|folder| path_of(&folder.uri)) {
        server.close_folder(&folder);
    }
    for root in params.event.added.iter().filter_map(|folder| path_of(&folder.uri)) {
        if let Some(index) = open_folder(server, root, FolderKind::Opened) {
            server.audit_all(index);
        }
    }
}

/// Handles a notification; unknown ones are ignored, as the protocol says.
///
/// # Errors
/// If its parameters are invalid.
pub fn notification(
    server: &mut Server<impl std::io::Write>,
    method: &str,
    params: Value,
) -> Result<(), String> {
    match method {
        "initialized" => initialized(server),
        "textDocument/didOpen" => opened(server, read(params)?),
        "textDocument/didChange" => {
            let params: ChangeParams = read(params)?;
            let uri = params.text_document.uri;
            let changed = server.documents.change(&uri, params.content_changes);
            let changed = changed.ok_or("the document is not open")?;
            let (text, path) = (changed.text.clone(), changed.path.clone());
            open_around(server, path.as_deref());
            set_text(server, &uri, Some(&text));
            server.schedule(&uri, true);
        }
        "textDocument/didClose" => closed(server, read(params)?),
        "textDocument/didSave" => {
            let params: DocumentParams = read(params)?;
            if let Some(path) = server.path_of(&params.text_document.uri) {
                open_around(server, Some(&path));
                server.file_saved(&path);
            }
        }
        "workspace/didChangeWatchedFiles" => {
            let params: WatchedParams = read(params)?;
            let uris = params.changes.into_iter().map(|change| change.uri);
            files_changed(server, uris);
        }
        "workspace/didCreateFiles" | "workspace/didDeleteFiles" => {
            let params: Value = params;
            let files = params.get("files").and_then(Value::as_array).cloned().unwrap_or_default();
            let uri = |file: &Value| Some(file.get("uri")?.as_str()?.to_owned());
            files_changed(server, files.iter().filter_map(uri));
        }
        "workspace/didRenameFiles" => {
            let params: RenameFilesParams = read(params)?;
            let uris = params.files.into_iter().flat_map(|file| [file.old_uri, file.new_uri]);
            files_changed(server, uris);
        }
        "workspace/didChangeConfiguration" => configured(server, read(params)?),
        "workspace/didChangeWorkspaceFolders" => folders_changed(server, &read(params)?),
        "$/cancelRequest" => {
            let params: CancelParams = read(params)?;
            server.cancel(&params.id);
        }
        _ => {}
    }
    Ok(())
}

/// Most loose folders. Each has an auditor of its own, which takes as much memory as that of a
/// workspace.
const MAX_LOOSE: usize = 32;

/// Opens the directory of a document that is in no folder: an editor may start the server for a
/// single file. The loose folder that was not used for the longest time is closed if there are
/// many; its diagnostics stay, and it opens again for the next message about one of its documents.
pub fn open_around(server: &mut Server<impl std::io::Write>, path: Option<&Path>) {
    let Some(path) = path else { return };
    if let Some(index) = server.folder_at(path) {
        server.folders[index].used = Instant::now();
        return;
    }
    let Some(directory) = path.parent().filter(|directory| directory.is_dir()) else { return };
    let is_loose = |folder: &&Folder| folder.kind() == FolderKind::Loose;
    if server.folders.iter().filter(is_loose).count() >= MAX_LOOSE {
        let oldest = server.folders.iter().filter(is_loose).min_by_key(|folder| folder.used);
        let oldest = oldest.map(|folder| folder.root().to_owned());
        server.folders.retain(|folder| Some(folder.root()) != oldest.as_deref());
    }
    open_folder(server, directory.to_owned(), FolderKind::Loose);
}

/// Opens the directory of the document that the parameters name, if its folder was closed.
fn open_around_document(server: &mut Server<impl std::io::Write>, params: &Value) {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
    let document = uri.and_then(|uri| server.documents.get(uri));
    let path = document.and_then(|document| document.path.clone());
    open_around(server, path.as_deref());
}

fn set_text(server: &mut Server<impl std::io::Write>, uri: &str, text: Option<&str>) {
    let Some(path) = server.path_of(uri) else { return };
    // A folder may be in another one, whose documents have links to this one, too.
    for folder in server.folders.iter_mut().filter(|folder| folder.has(&path)) {
        folder.set_text(&path, text);
    }
}

fn files_changed(server: &mut Server<impl std::io::Write>, uris: impl Iterator<Item = String>) {
    // Neither has documents or targets of links.
    let is_internal =
        |path: &PathBuf| path.iter().any(|name| name == ".git" || name == "node_modules");
    for uri in uris {
        let Some(path) = server.path_of(&uri).filter(|path| !is_internal(path)) else { continue };
        match server.folder_at(&path) {
            Some(index) => server.files_changed(index),
            None => server.judge_beside(&path),
        }
    }
}

/// Answers a request.
pub fn request(
    server: &mut Server<impl std::io::Write>,
    method: &str,
    params: Value,
) -> RequestReply {
    open_around_document(server, &params);
    let answer = match method {
        "textDocument/documentLink" => {
            about(server, params, |view, _: DocumentParams| Ok(Some(links::links(view))))
        }
        "textDocument/hover" => about(server, params, |view, params: PositionParams| {
            Ok(hover::hover(view, params.position))
        }),
        "textDocument/codeAction" => about(server, params, |view, params: CodeActionParams| {
            Ok(Some(actions::actions(view, &params)))
        }),
        "textDocument/completion" => about(server, params, |view, params: PositionParams| {
            Ok(Some(completion::complete(view, params.position)))
        }),
        "textDocument/prepareRename" => about(server, params, |view, params: PositionParams| {
            Ok(rename_heading::prepare(view, params.position))
        }),
        "textDocument/diagnostic" => parse(params).and_then(|params: DocumentParams| {
            let uri = params.text_document.uri;
            let diagnostics = server.pull(&uri);
            let items =
                diagnostics.ok_or_else(|| Failure::invalid_params(format!("{uri} is not open")))?;
            ResultText::new(&json!({"kind": "full", "items": items}))
        }),
        "textDocument/definition" => {
            return later(server, params, |view, params: PositionParams| {
                definition::definition(view, params.position)
            });
        }
        "textDocument/references" => {
            return later(server, params, |view, params: ReferenceParams| {
                let declaration = if params.context.include_declaration {
                    Declaration::Included
                } else {
                    Declaration::Excluded
                };
                definition::references(view, params.position, declaration)
            });
        }
        "textDocument/rename" => {
            return later(server, params, |view, params: RenameParams| {
                rename_heading::heading(view, params.position, params.new_name)
            });
        }
        "workspace/willRenameFiles" => match parse(params) {
            Ok(params) => {
                return RequestReply::Later(rename_files::files(
                    &server.folders,
                    server.documents.encoding,
                    params,
                ));
            }
            Err(failure) => Err(failure),
        },
        // For scripts: the answer comes when the audits are done.
        "urigrep/idle" => return RequestReply::WhenIdle,
        _ => Err(Failure::unknown_method(method)),
    };
    RequestReply::Now(answer)
}

/// Answers a request about an open document.
fn about<P: DeserializeOwned, R: Serialize>(
    server: &Server<impl std::io::Write>,
    params: Value,
    answer: impl FnOnce(View<'_>, P) -> Result<Option<R>, Failure>,
) -> Result<ResultText, Failure> {
    let (view, params) = view(server, params)?;
    let result = answer(view, params)?;
    ResultText::new(&result)
}

/// Answers a request that takes the whole tree.
fn later<P: DeserializeOwned>(
    server: &Server<impl std::io::Write>,
    params: Value,
    task: impl FnOnce(View<'_>, P) -> Result<Task, Failure>,
) -> RequestReply {
    match view(server, params).and_then(|(view, params)| task(view, params)) {
        Ok(task) => RequestReply::Later(task),
        Err(failure) => RequestReply::Now(Err(failure)),
    }
}

fn view<P: DeserializeOwned>(
    server: &Server<impl std::io::Write>,
    params: Value,
) -> Result<(View<'_>, P), Failure> {
    let named: DocumentParams = parse(params.clone())?;
    let uri = named.text_document.uri;
    let document = server.documents.get(&uri);
    let document = document.ok_or_else(|| Failure::invalid_params(format!("{uri} is not open")))?;
    let folder = document.path.as_deref().and_then(|path| server.folder_at(path));
    let folder = folder.and_then(|index| server.folders.get(index));
    let (encoding, hover) = (server.documents.encoding, server.documents.hover);
    let view = View { document, folder, encoding, hover };
    Ok((view, parse(params)?))
}

fn parse<P: DeserializeOwned>(params: Value) -> Result<P, Failure> {
    read(params).map_err(Failure::invalid_params)
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}
