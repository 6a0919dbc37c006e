//! The documents that are open in the editor: [`Documents`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use urigrep::document::Format;
use urigrep::search::Input;

use super::position::{DocumentLines, PositionEncoding};
use super::types::{ContentChange, OpenDocument};

/// An open document.
#[derive(Clone, Debug)]
pub struct Document {
    pub uri: String,
    /// The file; `None` for a document that has none yet.
    pub path: Option<PathBuf>,
    pub language: String,
    pub text: String,
    pub lines: DocumentLines,
}

impl Document {
    fn new(open: OpenDocument, path: Option<PathBuf>, encoding: PositionEncoding) -> Self {
        let lines = DocumentLines::new(open.text.as_bytes(), encoding);
        Self { path, uri: open.uri, language: open.language_id, text: open.text, lines }
    }

    /// Returns the format by the name of the file, or else by the language that the editor says.
    pub fn format(&self) -> Option<Format> {
        let extension = self.path.as_deref().and_then(Path::extension);
        let by_name = extension.and_then(|it| Format::from_extension(it.to_str()?));
        by_name.or_else(|| Format::named(&self.language))
    }

    /// Returns an input that is read as this document is.
    pub fn input(&self) -> Input {
        let name = self.path.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        match (name, self.format()) {
            (Some(name), _) => Input::named(name),
            (None, Some(format)) => {
                let extension = format.extensions().first().copied().unwrap_or_default();
                Input::named(format!("untitled.{extension}"))
            }
            (None, None) => Input::named("untitled"),
        }
    }

    fn change(&mut self, change: ContentChange, encoding: PositionEncoding) {
        match change.range {
            Some(range) => {
                let span = self.lines.span(&self.text, range);
                self.text.replace_range(span, &change.text);
            }
            None => self.text = change.text,
        }
        self.lines = DocumentLines::new(self.text.as_bytes(), encoding);
    }
}

/// The open documents, by URI.
#[derive(Debug, Default)]
pub struct Documents {
    pub encoding: PositionEncoding,
    open: HashMap<String, Document>,
}

impl Documents {
    pub fn open(&mut self, document: OpenDocument, path: Option<PathBuf>) -> &Document {
        let document = Document::new(document, path, self.encoding);
        let uri = document.uri.clone();
        self.open.entry(uri).insert_entry(document).into_mut()
    }

    /// Applies changes in their order. `None` if the document is not open.
    pub fn change(&mut self, uri: &str, changes: Vec<ContentChange>) -> Option<&Document> {
        let document = self.open.get_mut(uri)?;
        for change in changes {
            // The range of a change is one of the text after the change before it (LSP 3.17).
            document.change(change, self.encoding);
        }
        Some(document)
    }

    pub fn close(&mut self, uri: &str) -> Option<Document> {
        self.open.remove(uri)
    }

    pub fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    pub fn at(&self, path: &Path) -> Option<&Document> {
        self.open.values().find(|document| document.path.as_deref() == Some(path))
    }

    pub fn all(&self) -> impl Iterator<Item = &Document> {
        self.open.values()
    }
}
