//! The documents that are open in the editor: [`Documents`].

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use urigrep::document::Format;
use urigrep::search::Input;

use super::change_run::ChangeRun;
use super::position::{DocumentLines, PositionEncoding};
use super::prose::ContentFormat;
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

    /// Applies changes, each of which refers to the text after those before it.
    ///
    /// An editor that replaces a word everywhere sends a change for each, from the last to the
    /// first. One by one, each would move the rest of the text. So a run of changes, each before
    /// the last one, is applied together: the text before a change stays the same. Others send them
    /// in ascending order; then the text after a change only moves.
    fn apply_changes(&mut self, changes: Vec<ContentChange>, encoding: PositionEncoding) {
        let mut run = ChangeRun::default();
        for change in changes {
            let Some(range) = change.range else {
                run = ChangeRun::default();
                self.text = change.text;
                self.lines = DocumentLines::new(self.text.as_bytes(), encoding);
                continue;
            };
            let known = run.place(range, &self.text, &self.lines);
            let (span, direction) = known.unwrap_or_else(|| {
                self.flush_run(std::mem::take(&mut run), encoding);
                (self.lines.span(&self.text, range), None)
            });
            run.push(span, change.text, direction, &self.text, &self.lines);
        }
        self.flush_run(run, encoding);
    }

    /// Applies a run of changes.
    fn flush_run(&mut self, run: ChangeRun, encoding: PositionEncoding) {
        match run.ascending().as_slice() {
            [] => {}
            [(span, new)] => {
                self.text.replace_range(span.clone(), new);
                self.lines.replaced(self.text.as_bytes(), span.clone(), new.len());
            }
            several => {
                let (mut text, mut at) = (String::with_capacity(self.text.len()), 0);
                for (span, new) in several {
                    text.push_str(self.text.get(at..span.start).unwrap_or_default());
                    text.push_str(new);
                    at = span.end;
                }
                text.push_str(self.text.get(at..).unwrap_or_default());
                self.text = text;
                self.lines = DocumentLines::new(self.text.as_bytes(), encoding);
            }
        }
    }
}

/// The open documents, by URI.
#[derive(Debug, Default)]
pub struct Documents {
    pub encoding: PositionEncoding,
    /// The format of hovers.
    pub hover: ContentFormat,
    open: HashMap<String, Document>,
    /// The URIs of a path: a client may write one in several ways.
    by_path: HashMap<PathBuf, BTreeSet<String>>,
}

impl Documents {
    pub fn open(&mut self, document: OpenDocument, path: Option<PathBuf>) -> &Document {
        let document = Document::new(document, path, self.encoding);
        let uri = document.uri.clone();
        self.close(&uri);
        if let Some(path) = &document.path {
            self.by_path.entry(path.clone()).or_default().insert(uri.clone());
        }
        self.open.entry(uri).insert_entry(document).into_mut()
    }

    /// Applies changes in their order. `None` if the document is not open.
    pub fn change(&mut self, uri: &str, changes: Vec<ContentChange>) -> Option<&Document> {
        let document = self.open.get_mut(uri)?;
        document.apply_changes(changes, self.encoding);
        Some(document)
    }

    pub fn close(&mut self, uri: &str) -> Option<Document> {
        let closed = self.open.remove(uri)?;
        if let Some(path) = &closed.path
            && let Some(uris) = self.by_path.get_mut(path)
        {
            uris.remove(uri);
            if uris.is_empty() {
                self.by_path.remove(path);
            }
        }
        Some(closed)
    }

    pub fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    pub fn at(&self, path: &Path) -> Option<&Document> {
        self.open.get(self.by_path.get(path)?.first()?)
    }

    pub fn all(&self) -> impl Iterator<Item = &Document> {
        self.open.values()
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::{self, LspPosition};
    use super::*;

    #[test]
    fn changes_in_a_row_are_those_one_by_one() {
        let pieces = ["", "a", "\n", "\r", "\r\n", "é😀", "bc\n"];
        let mut state = 3986_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % u64::from(below)) as u32
        };
        for _ in 0..4000 {
            let text: String = (0..12).map(|_| pieces[random(7) as usize]).collect();
            // Mostly from the end to the start, or from the start to the end, also beyond lines.
            let is_ascending = random(2) == 0;
            let changes: Vec<(types::Range, &str)> = (0..6)
                .map(|line| {
                    let line = if is_ascending { line } else { 5 - line };
                    let mut at = || LspPosition { line: line + random(2), character: random(4) };
                    let (start, end) = (at(), at());
                    let range = types::Range { start: start.min(end), end: start.max(end) };
                    (range, pieces[random(7) as usize])
                })
                .collect();
            let change = |&(range, text): &(types::Range, &str)| ContentChange {
                range: Some(range),
                text: text.to_owned(),
            };
            let [mut together, mut single] = [(); 2].map(|()| {
                let uri = "file:///a.md".to_owned();
                let open = OpenDocument { uri, language_id: String::new(), text: text.clone() };
                Document::new(open, None, PositionEncoding::Utf16)
            });
            together.apply_changes(changes.iter().map(change).collect(), PositionEncoding::Utf16);
            for one in &changes {
                single.apply_changes(vec![change(one)], PositionEncoding::Utf16);
            }
            assert_eq!(together.text, single.text, "{text:?} {changes:?}");
            assert_eq!(together.lines, single.lines, "{text:?} {changes:?}");
        }
    }
}
