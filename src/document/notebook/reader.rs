//! Finds the cells of a notebook.

use std::ops::ControlFlow;

use super::cell::{Cell, CellField, NotebookCellKind};
use crate::document::json::lexer::{JsonLexer, Token};
use crate::document::key_path::KeyPath;
use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Source};
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// Types of pictures, which are base64 in JSON.
// A pointer writes `/` as `~1` (RFC 6901 §3).
const PICTURES: [&str; 4] = ["image~1png", "image~1jpeg", "image~1gif", "application~1pdf"];

/// The cell that is read.
struct OpenCell {
    cell: Cell,
    /// Depth of its object.
    depth: usize,
    /// Length of its pointer.
    pointer: usize,
    start: usize,
}

pub(super) struct NotebookReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    path: KeyPath,
    cells: u32,
    open: Option<OpenCell>,
}

impl<'d, 's> NotebookReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        let writer = PartWriter::new(source, sink, BareUris::Shown);
        let path = KeyPath::default();
        Self { writer, bytes: source.bytes, path, cells: 0, open: None }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        let mut is_broken = false;
        for token in JsonLexer::new(self.bytes) {
            match token {
                Token::OpenObject => {
                    let pointer = self.path.as_str().len();
                    let is_cell = self.open.is_none() && is_cell(self.path.as_str());
                    self.path.open_object();
                    if is_cell {
                        self.cells += 1;
                        let cell = Cell { number: self.cells, ..Cell::default() };
                        let depth = self.path.depth();
                        self.open = Some(OpenCell { cell, depth, pointer, start: usize::MAX });
                    }
                }
                Token::OpenArray => self.path.open_array(),
                Token::Close => {
                    if self.open.as_ref().is_some_and(|open| open.depth == self.path.depth()) {
                        self.close()?;
                    }
                    self.path.close();
                }
                Token::Comma => self.path.comma(),
                Token::String(span) => self.string(span),
                Token::Broken(_) => {
                    is_broken = true;
                    break;
                }
                Token::Comment(_) | Token::Colon | Token::Scalar(_) => {}
            }
        }
        // Of a broken notebook, the last cell is read as far as it goes; the rest is text.
        self.close()?;
        if is_broken {
            self.writer.prose(self.bytes.len())
        } else {
            self.writer.markup(self.bytes.len())
        }
    }

    fn string(&mut self, span: Span) {
        let is_key = self.path.expects_key();
        if is_key {
            self.path.key(&lossy(self.writer.at(span)));
        }
        let Some(open) = &mut self.open else { return };
        open.start = open.start.min(span.start());
        let name = self.path.as_str().clamped(open.pointer..);
        let field = if is_key { CellField::Other } else { field(name) };
        if name == "/cell_type" && !is_key {
            open.cell.kind = match self.bytes.get(span.range()) {
                // nbformat 3 has cells of headings and of HTML, too. Markdown may contain both.
                Some(b"markdown" | b"heading" | b"html") => NotebookCellKind::Markdown,
                Some(b"code") => NotebookCellKind::Code,
                _ => NotebookCellKind::Text,
            };
        }
        if !is_key && matches!(name, "/metadata/raw_mimetype" | "/metadata/format") {
            open.cell.media_type = self.bytes.get(span.range()).map(<[u8]>::to_ascii_lowercase);
        }
        let below = name.strip_prefix("/attachments/").filter(|_| is_key);
        // The names of the attachments, not those of their types.
        if let Some(file) = below.filter(|below| !below.contains('/')) {
            let file = file.replace("~1", "/").replace("~0", "~");
            open.cell.has_escaped_name |= file.contains('\\');
            open.cell.attachments.insert(file);
        }
        // Most keys and names cannot hold a URI.
        let may_hold = |byte: &u8| matches!(byte, b':' | b'@');
        let text = self.bytes.get(span.range()).unwrap_or_default();
        if field != CellField::Other || text.iter().any(may_hold) {
            open.cell.strings.push((field, span));
        }
    }

    /// Reads the open cell.
    fn close(&mut self) -> ControlFlow<()> {
        let Some(OpenCell { mut cell, start, .. }) = self.open.take() else {
            return ControlFlow::Continue(());
        };
        let Some(&(_, last)) = cell.strings.last() else { return ControlFlow::Continue(()) };
        let whole = Span::new(start.min(last.start()), last.end());
        for (_, span) in &mut cell.strings {
            *span = Span::new(span.start() - whole.start(), span.end() - whole.start());
        }
        self.writer.markup(whole.start())?;
        self.writer.nested(whole, |source, sink| cell.read(&source, sink))
    }
}

/// True for the pointer of a cell: `/cells/0`, or `/worksheets/0/cells/0` in nbformat 3.
fn is_cell(pointer: &str) -> bool {
    let mut names = pointer.split('/').skip(1);
    let mut next = names.next();
    if next == Some("worksheets") {
        next = names.nth(1);
    }
    next == Some("cells") && names.next().is_some() && names.next().is_none()
}

/// Returns the use of a value in a cell, by its pointer from the cell.
fn field(name: &str) -> CellField {
    let mut names = name.split('/').skip(1);
    // The number of the output is between: `/outputs/0/data`.
    match (names.next(), names.nth(1), names.next()) {
        (Some("source" | "input"), ..) => CellField::Source,
        // Pictures of Markdown cells, in base64 as those of outputs.
        (Some("attachments"), ..) => CellField::Picture,
        (Some("outputs"), Some("data"), Some(media)) if PICTURES.contains(&media) => {
            CellField::Picture
        }
        // nbformat 3 has no `data`: its outputs have a member for each type.
        (Some("outputs"), Some("png" | "jpeg"), _) => CellField::Picture,
        (Some("outputs"), Some("data"), Some("text~1html" | "image~1svg+xml")) => {
            CellField::OutputHtml
        }
        (Some("outputs"), Some("html" | "svg"), _) => CellField::OutputHtml,
        (Some("outputs"), ..) => CellField::Output,
        _ => CellField::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_cells_and_fields() {
        assert!(is_cell("/cells/3") && is_cell("/worksheets/0/cells/12"));
        assert!(!is_cell("/cells") && !is_cell("/cells/1/source") && !is_cell("/a/cells/1"));
        assert_eq!(field("/source/0"), CellField::Source);
        assert_eq!(field("/outputs/0/data/text~1html/2"), CellField::OutputHtml);
        assert_eq!(field("/outputs/0/data/image~1svg+xml"), CellField::OutputHtml);
        assert_eq!(field("/outputs/0/text/1"), CellField::Output);
        assert_eq!(field("/metadata/a"), CellField::Other);
    }
}
