//! The structures of LSP 3.17 that the server reads or writes; only the fields that it uses.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A place in a document, from 0; the unit of `character` is negotiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LspPosition {
    pub line: u32,
    pub character: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub start: LspPosition,
    pub end: LspPosition,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LspLocation {
    pub uri: String,
    pub range: Range,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    pub range: Range,
    pub new_text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WorkspaceEdit {
    pub changes: BTreeMap<String, Vec<TextEdit>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    pub range: Range,
    /// 1 error, 2 warning, 3 information, 4 hint.
    pub severity: u8,
    pub code: &'static str,
    pub source: &'static str,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentLink {
    pub range: Range,
    pub target: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct TextDocument {
    pub uri: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentParams {
    pub text_document: TextDocument,
}

#[derive(Debug, Deserialize)]
pub struct PositionParams {
    pub position: LspPosition,
}

#[derive(Debug, Deserialize)]
pub struct ReferenceParams {
    pub position: LspPosition,
    #[serde(default)]
    pub context: ReferenceContext,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReferenceContext {
    pub include_declaration: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameParams {
    pub position: LspPosition,
    pub new_name: String,
}

#[derive(Debug, Deserialize)]
pub struct CodeActionParams {
    pub range: Range,
    #[serde(default)]
    pub context: CodeActionContext,
}

#[derive(Debug, Default, Deserialize)]
pub struct CodeActionContext {
    pub only: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenParams {
    pub text_document: OpenDocument,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenDocument {
    pub uri: String,
    #[serde(default)]
    pub language_id: String,
    pub text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeParams {
    pub text_document: TextDocument,
    pub content_changes: Vec<ContentChange>,
}

/// A new text for a range; without one, for the whole document.
#[derive(Debug, Deserialize)]
pub struct ContentChange {
    pub range: Option<Range>,
    pub text: String,
}

#[derive(Debug, Deserialize)]
pub struct RenameFilesParams {
    pub files: Vec<FileRename>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRename {
    pub old_uri: String,
    pub new_uri: String,
}

#[derive(Debug, Deserialize)]
pub struct WatchedParams {
    pub changes: Vec<FileEvent>,
}

#[derive(Debug, Deserialize)]
pub struct FileEvent {
    pub uri: String,
}

#[derive(Debug, Deserialize)]
pub struct CancelParams {
    pub id: Value,
}

#[derive(Debug, Deserialize)]
pub struct ConfigurationParams {
    #[serde(default)]
    pub settings: Value,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoldersParams {
    pub event: FoldersEvent,
}

#[derive(Debug, Deserialize)]
pub struct FoldersEvent {
    #[serde(default)]
    pub added: Vec<WorkspaceFolder>,
    #[serde(default)]
    pub removed: Vec<WorkspaceFolder>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct WorkspaceFolder {
    pub uri: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct InitializeParams {
    pub root_uri: Option<String>,
    pub root_path: Option<String>,
    pub workspace_folders: Option<Vec<WorkspaceFolder>>,
    pub initialization_options: Value,
    pub capabilities: Value,
}
