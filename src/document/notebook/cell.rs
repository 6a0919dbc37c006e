//! Reads one cell: its strings in order, by the kind of the cell.

use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter};

use crate::document::json::lexer::unescape;
use crate::document::{
    Event, EventSink, NameSpace, Part, Place, Role, Scope, Source, Wants, html, latex, markdown,
    rst,
};
use crate::hash::HashSet;
use crate::offset_map::DerivedText;
use crate::percent;
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// Use of a string in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellField {
    Source,
    /// The text of an output.
    Output,
    /// HTML of an output, or a picture in SVG, which is read as HTML reads it.
    OutputHtml,
    /// A picture in an output, which is base64.
    Picture,
    Other,
}

/// Kind of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NotebookCellKind {
    #[default]
    Code,
    Markdown,
    Text,
}

/// A cell whose strings were collected.
#[derive(Default)]
pub(super) struct Cell {
    pub number: u32,
    pub kind: NotebookCellKind,
    /// The type of a raw cell, as nbconvert and JupyterLab write it.
    pub media_type: Option<Vec<u8>>,
    /// The names of the files in the cell.
    pub attachments: HashSet<String>,
    /// True if the name of one has escapes of JSON, which are not read.
    pub has_escaped_name: bool,
    /// Strings in order, without quotation marks.
    pub strings: Vec<(CellField, Span)>,
}

impl Cell {
    /// Reads the cell.
    pub fn read(&self, source: &Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let mut sink = CellSink { number: self.number, breaks: Vec::new(), sink };
        let mut strings = self.strings.as_slice();
        let mut piece = DerivedText::default();
        while let Some((&(field, _), _)) = strings.split_first() {
            // The lines of a source are strings of their own.
            let joined = strings.windows(2).take_while(|pair| match pair {
                [(_, before), (other, after)] => {
                    *other == field
                        && is_between_lines(source.bytes.part(before.end()..after.start()))
                }
                _ => false,
            });
            let (group, rest) = strings.split_at(1 + joined.count());
            strings = rest;
            piece.clear();
            for &(_, span) in group {
                unescape(source.bytes.part(span.range()), span.start(), &mut piece);
                // Strings of other fields are separate; the lines of a source contain their line
                // breaks.
                if field == CellField::Other {
                    sink.emit(source, &piece, Role::Metadata)?;
                    piece.clear();
                }
            }
            let layers = source.layers(piece.map());
            sink.breaks.clear();
            sink.breaks.extend(
                memchr_iter(b'\n', piece.text())
                    .map(|at| layers.source(Span::new(at, at + 1)).start()),
            );
            match (field, self.kind) {
                (CellField::Source, NotebookCellKind::Markdown) => {
                    let inside = Source::inside(piece.text(), &layers);
                    let mut sink = AttachmentSink { sink: &mut sink, cell: self };
                    markdown::read(inside, &mut sink)?;
                }
                (CellField::Source, NotebookCellKind::Code) => match magic(piece.text()) {
                    Some((read, start)) => {
                        let layers = layers.copied_under(start);
                        let inside = Source::inside(piece.text().clamped(start..), &layers);
                        read(inside, &mut OutputSink { cell: &mut sink, is_source: true })?;
                    }
                    None => sink.emit(source, &piece, Role::Code)?,
                },
                (CellField::Source, NotebookCellKind::Text) => match self.raw_reader() {
                    Some(read) => {
                        let inside = Source::inside(piece.text(), &layers);
                        read(inside, &mut RawSink { cell: &mut sink })?;
                    }
                    None => sink.emit(source, &piece, Role::Text)?,
                },
                (CellField::OutputHtml, _) => {
                    let inside = Source::inside(piece.text(), &layers);
                    let mut sink = OutputSink { cell: &mut sink, is_source: false };
                    html::read(inside, &mut sink)?;
                }
                // Pictures are base64, which has no colon.
                (CellField::Picture, _) if !piece.text().contains(&b':') => {}
                (CellField::Output | CellField::Picture, _) => {
                    let part =
                        Part::of_text(piece.text(), source.layers(piece.map()), Role::Metadata);
                    sink.lines(&output(&part))?;
                }
                (CellField::Other, _) => {}
            }
        }
        ControlFlow::Continue(())
    }
}

impl Cell {
    /// Returns the reader of a raw cell (nbformat, "Raw NBConvert cells"). Without a known type, it
    /// is text.
    fn raw_reader(&self) -> Option<CellReader> {
        match self.media_type.as_deref()? {
            b"text/html" => Some(html::read),
            b"text/markdown" => Some(markdown::read),
            b"text/restructuredtext" | b"text/x-rst" => Some(rst::read),
            b"text/latex" | b"text/x-latex" => Some(latex::read),
            _ => None,
        }
    }
}

/// A reader of a document in a cell.
type CellReader = fn(Source<'_>, &mut dyn EventSink) -> ControlFlow<()>;

/// Returns the reader of a cell of code that IPython shows as a document, and where that starts:
/// after its first line, `%%html`.
fn magic(code: &[u8]) -> Option<(CellReader, usize)> {
    let line = memchr(b'\n', code)?;
    let name = code.clamped(..line).strip_prefix(b"%%")?;
    let name = name.split(u8::is_ascii_whitespace).next()?.to_ascii_lowercase();
    let read: CellReader = match name.as_slice() {
        b"html" | b"svg" => html::read,
        b"markdown" => markdown::read,
        _ => return None,
    };
    Some((read, line + 1))
}

/// True for the text between two strings of one list. Between two values, there would be a name.
fn is_between_lines(gap: &[u8]) -> bool {
    gap.iter().all(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b','))
}

/// Adds the cell and the line to parts.
struct CellSink<'s> {
    number: u32,
    /// Offsets in the stream of the line breaks in the current text.
    breaks: Vec<usize>,
    sink: &'s mut dyn EventSink,
}

impl CellSink<'_> {
    fn emit(&mut self, source: &Source<'_>, piece: &DerivedText, role: Role) -> ControlFlow<()> {
        self.lines(&Part::of_text(piece.text(), source.layers(piece.map()), role))
    }

    /// Emits each line of a part by itself, because each has a place of its own.
    fn lines(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let mut start = 0;
        while start < part.text.len() {
            let rest = part.text.clamped(start..);
            let length = memchr(b'\n', rest).unwrap_or(rest.len());
            let text = rest.clamped(..length);
            if text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()) {
                let source = part.source.copied_under(start);
                let at = source.source(Span::new(0, 1)).start();
                let line = 1 + self.breaks.partition_point(|&line_break| line_break < at);
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                let place = Place::Cell { cell: self.number, line };
                self.sink.part(&Part { text, source, place: Some(&place), ..*part })?;
            }
            start += length + 1;
        }
        ControlFlow::Continue(())
    }
}

impl EventSink for CellSink<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.lines(part),
            event => self.sink.event(event),
        }
    }

    fn wants(&self) -> Wants {
        self.sink.wants()
    }
}

/// Returns a part of an output. Its element selects it, or leaves it out: `--element '!output'`.
fn output<'p>(part: &Part<'p>) -> Part<'p> {
    Part { role: Role::Metadata, element: Some("output"), ..*part }
}

/// Makes the parts of an output metadata.
struct OutputSink<'c, 's> {
    cell: &'c mut CellSink<'s>,
    /// True if an author wrote it, so that its links are meant as links.
    is_source: bool,
}

impl EventSink for OutputSink<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) if self.is_source => self.cell.lines(part),
            Event::Part(part) => self.cell.lines(&output(part)),
            // Ids and bases of an output are not those of the notebook.
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        self.cell.wants()
    }
}

/// Passes a raw cell on. Only its links are those of the notebook: a converter puts its text into
/// a document that may define more names.
struct RawSink<'c, 's> {
    cell: &'c mut CellSink<'s>,
}

impl EventSink for RawSink<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.cell.lines(part),
            Event::Refer { scope: Scope::Document, .. } => ControlFlow::Continue(()),
            event => self.cell.event(event),
        }
    }

    fn wants(&self) -> Wants {
        self.cell.wants()
    }
}

/// Reports links to files that the cell does not have: `attachment:a.png` (nbformat, "Cell
/// attachments").
struct AttachmentSink<'c, 's> {
    sink: &'c mut CellSink<'s>,
    cell: &'c Cell,
}

impl EventSink for AttachmentSink<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Part(part) = event
            && part.role == Role::Destination
            && let Some(name) = part.text.strip_prefix(b"attachment:")
        {
            let name = lossy(&percent::decode(&lossy(name))).into_owned();
            let is_known = self.cell.attachments.contains(&name) || self.cell.has_escaped_name;
            if !name.is_empty() && !is_known {
                let span = part.source.source(Span::new(0, part.text.len()));
                let (space, scope) = (NameSpace::Attachment, Scope::Document);
                self.sink.sink.note(&Event::Refer { space, name: &name, scope, span });
            }
        }
        self.sink.event(event)
    }

    fn wants(&self) -> Wants {
        self.sink.wants()
    }
}
