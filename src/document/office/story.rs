//! Reads the text of Word and PowerPoint: paragraphs of runs, with links and fields
//! (ECMA-376 part 1, §17 and §21).
//!
//! Both vocabularies call a paragraph `p`, a run `r`, and a text `t`. A URI is often split over
//! several runs, so the runs of a paragraph are joined.

use std::ops::ControlFlow;

use super::field::{self, FieldLink, FieldTarget};
use super::relationships::Relationships;
use super::rest::emit_attributes;
use super::writer::{
    At, PartKind, RelationshipLink, define, emit, emit_field, emit_internal, emit_piece,
    emit_relationship, emit_unused,
};
use crate::document::package::PackageFile;
use crate::document::xml::{
    Entities, TagForm, XmlAttribute, XmlToken, XmlTokens, attribute, attribute_value, local_name,
};
use crate::document::{EventSink, Place, Role};
use crate::offset_map::{DerivedText, Layers, RunOrigin};
use crate::shorten::shortened_text;
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// The place of a file's paragraphs.
pub(super) enum StoryPlace {
    /// In this part of a text document; empty for the text itself.
    Text(String),
    /// On a slide.
    Slide(u32),
    /// At a cell of a sheet, or on the sheet if the cell is empty.
    Sheet { sheet: String, cell: String },
}

impl StoryPlace {
    fn place(&self, paragraph: u32) -> Place<'_> {
        match self {
            Self::Text(story) => {
                Place::Paragraph { story: story.as_str().into(), number: paragraph.max(1) }
            }
            Self::Slide(slide) => Place::Slide(*slide),
            Self::Sheet { sheet, cell } => {
                Place::Sheet { sheet: sheet.as_str().into(), cell: cell.as_str().into() }
            }
        }
    }
}

/// Reads a file with paragraphs.
pub(super) fn read(
    file: &PackageFile<'_>,
    relationships: Relationships<'_>,
    place: &mut StoryPlace,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let mut reader = StoryReader {
        file,
        relationships,
        place,
        sink,
        entities: Entities::default(),
        paragraph: 0,
        text: DerivedText::default(),
        deleted: DerivedText::default(),
        instruction: DerivedText::default(),
        links: Vec::new(),
        fields: Vec::new(),
        within: StoryElement::Nothing,
        is_bare_comment: false,
        run_link: None,
        run_start: 0,
    };
    // Word knows the start of the text by this name.
    define("_top", Span::default(), reader.sink);
    let mut tokens = XmlTokens::new(file.bytes);
    while let Some(token) = tokens.next() {
        reader.token(token, tokens.attributes())?;
    }
    reader.end_paragraph()?;
    reader.emit_open_fields()?;
    // No paragraph of a text document says where it uses them.
    let place = match reader.place {
        StoryPlace::Text(_) => None,
        place => Some(place.place(0)),
    };
    emit_unused(&reader.relationships, place.as_ref(), reader.sink)
}

/// Attributes that users write (ECMA-376 part 1, §20.1.2.2.8, §21.1.2.3.5; part 4, §19.1.2.19).
const TEXTS: [&[u8]; 4] = [b"descr", b"title", b"alt", b"tooltip"];

/// The element whose text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoryElement {
    Nothing,
    Text,
    /// Text that a tracked change deleted.
    Deleted,
    Instruction,
}

/// An open link: its relationship, and the start of its text in the paragraph.
struct StoryLink {
    id: Option<String>,
    /// The bookmark that it leads to, if it has no relationship.
    bookmark: Option<(String, Span)>,
    start: usize,
}

/// An open field: its instruction, and the start of its result in the paragraph.
struct OpenField {
    /// Start of its instruction among the instructions.
    instruction: usize,
    result: Option<usize>,
}

/// Nested links and fields beyond this number are ignored.
const MAX_OPEN: usize = 64;

struct StoryReader<'r, 'p, 's> {
    file: &'r PackageFile<'p>,
    relationships: Relationships<'p>,
    place: &'r mut StoryPlace,
    sink: &'s mut dyn EventSink,
    entities: Entities,
    /// Number of the paragraph, from 1.
    paragraph: u32,
    /// Its text so far.
    text: DerivedText,
    /// Deleted text since the last text that was not. It is given apart: joined with what replaces
    /// it, it would be in no version of the document.
    deleted: DerivedText,
    /// The instructions of open fields.
    instruction: DerivedText,
    links: Vec<StoryLink>,
    fields: Vec<OpenField>,
    within: StoryElement,
    /// True in a comment whose text is in no runs.
    is_bare_comment: bool,
    /// Relationship of the link of the current run, and the start of the run's text.
    run_link: Option<String>,
    run_start: usize,
}

impl StoryReader<'_, '_, '_> {
    fn token(&mut self, token: XmlToken, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let bytes = self.file.bytes;
        match token {
            XmlToken::Text(span) => {
                let raw = bytes.part(span.range());
                match self.within {
                    StoryElement::Text => self.entities.decode(raw, span.start(), &mut self.text),
                    StoryElement::Deleted => {
                        self.entities.decode(raw, span.start(), &mut self.deleted)
                    }
                    StoryElement::Instruction => {
                        self.entities.decode(raw, span.start(), &mut self.instruction);
                    }
                    StoryElement::Nothing => {}
                }
                ControlFlow::Continue(())
            }
            XmlToken::Start { name, tag, form } => {
                let value = |key: &[u8]| attribute_value(bytes, attributes, key);
                self.start(local_name(bytes.part(name.range())), tag, attributes, value)?;
                match form {
                    TagForm::Empty => self.end(local_name(bytes.part(name.range()))),
                    _ => ControlFlow::Continue(()),
                }
            }
            XmlToken::End { name, .. } => self.end(local_name(bytes.part(name.range()))),
            _ => ControlFlow::Continue(()),
        }
    }

    fn start(
        &mut self,
        name: &[u8],
        tag: Span,
        attributes: &[XmlAttribute],
        value: impl Fn(&[u8]) -> Option<String>,
    ) -> ControlFlow<()> {
        self.attribute_link(attributes)?;
        self.attribute_texts(attributes)?;
        match name {
            b"p" => {
                // A paragraph in a text box is inside another one.
                self.end_paragraph()?;
                self.paragraph += 1;
            }
            b"r" => self.run_start = self.text.text().len(),
            b"t" => {
                self.emit_deleted()?;
                self.within = StoryElement::Text;
            }
            // The text of a comment on a slide, or of one that is answered in a spreadsheet, has no
            // runs.
            b"text" if self.is_bare_comment => self.within = StoryElement::Text,
            b"cm" | b"threadedComment" => {
                self.is_bare_comment = true;
                self.name_cell(value(b"ref"));
            }
            // The number of the note is there, between the words around it.
            b"footnoteReference" | b"endnoteReference" => {
                self.text.replace(b" ", tag, RunOrigin::Decoded);
            }
            // Choices of a content control, and what names it (ECMA-376 part 1, §17.5.2).
            b"listItem" | b"alias" | b"tag" => self.control_texts(attributes)?,
            b"delText" => self.within = StoryElement::Deleted,
            b"instrText" | b"delInstrText" => self.within = StoryElement::Instruction,
            b"tab" | b"br" | b"cr" => {
                // Its source is the element, whose bytes are not text.
                let white = if name == b"tab" { b"\t" } else { b"\n" };
                self.text.replace(white, tag, RunOrigin::Decoded);
            }
            b"noBreakHyphen" => self.text.replace(b"-", tag, RunOrigin::Decoded),
            b"hyperlink" if self.links.len() < MAX_OPEN => {
                let (id, start) = (value(b"id"), self.text.text().len());
                let bookmark = attribute(self.file.bytes, attributes, b"anchor");
                let bookmark = bookmark.and_then(|it| Some((value(b"anchor")?, it.value)));
                self.links.push(StoryLink { id, bookmark, start });
            }
            b"hlinkClick" | b"hlinkHover" | b"hlinkMouseOver" => self.run_link = value(b"id"),
            // A shape has its link before its text, a run has it among its properties.
            b"nvPr" | b"cNvSpPr" | b"cNvPicPr" => self.shape_link()?,
            b"fldChar" => match value(b"fldCharType").as_deref() {
                Some("begin") if self.fields.len() < MAX_OPEN => {
                    let instruction = self.instruction.text().len();
                    self.fields.push(OpenField { instruction, result: None });
                }
                Some("separate") => {
                    let start = self.text.text().len();
                    if let Some(field) = self.fields.last_mut() {
                        field.result = Some(start);
                    }
                }
                Some("end") => self.end_field()?,
                _ => {}
            },
            b"fldSimple" => {
                if let Some(instruction) = attribute(self.file.bytes, attributes, b"instr") {
                    self.simple_field(instruction.value)?;
                }
            }
            b"bookmarkStart" => {
                define(&value(b"name").unwrap_or_default(), tag, self.sink);
            }
            b"comment" => self.name_cell(value(b"ref")),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, name: &[u8]) -> ControlFlow<()> {
        match name {
            b"t" | b"text" | b"delText" | b"instrText" | b"delInstrText" => {
                self.within = StoryElement::Nothing;
            }
            b"hyperlink" => match self.links.pop() {
                Some(StoryLink { id: Some(id), bookmark, start }) => {
                    let name = bookmark.map(|(name, _)| name).unwrap_or_default();
                    self.emit_link(&id, &name, start)?;
                }
                Some(StoryLink { bookmark: Some((name, span)), start, .. }) => {
                    self.emit_bookmark(&name, span, start)?;
                }
                _ => {}
            },
            b"r" => {
                if let Some(id) = self.run_link.take() {
                    self.emit_link(&id, "", self.run_start)?;
                }
            }
            // Comments of spreadsheets have runs, but no paragraphs.
            b"p" | b"comment" => self.end_paragraph()?,
            b"cm" | b"threadedComment" => {
                self.is_bare_comment = false;
                self.end_paragraph()?;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Makes the cell of a comment its place.
    fn name_cell(&mut self, cell: Option<String>) {
        if let (Some(cell), StoryPlace::Sheet { cell: at, .. }) = (cell, &mut *self.place) {
            *at = shortened_text(&cell).into_owned();
        }
    }

    /// Emits the choices of a content control, and its title.
    fn control_texts(&mut self, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let bytes = self.file.bytes;
        let place = self.place.place(self.paragraph);
        let at = At { place: Some(&place), stream: self.file.stream() };
        let value =
            |key: &[u8]| attribute(bytes, attributes, key).map(|it| bytes.part(it.value.range()));
        // A choice that is its own value is one text.
        let is_repeated = value(b"displayText") == value(b"value");
        let is_text = |name: &[u8]| match local_name(name) {
            b"val" | b"value" => true,
            b"displayText" => !is_repeated,
            _ => false,
        };
        emit_attributes(self.file, attributes, is_text, (at, Role::Attribute), self.sink)
    }

    fn shape_link(&mut self) -> ControlFlow<()> {
        match self.run_link.take() {
            Some(id) => self.emit_link(&id, "", self.text.text().len()),
            None => ControlFlow::Continue(()),
        }
    }

    fn emit_link(&mut self, id: &str, fragment: &str, start: usize) -> ControlFlow<()> {
        let label = lossy(self.text.text().clamped(start..)).into_owned();
        let place = self.place.place(self.paragraph);
        let link = RelationshipLink { id, fragment, label: &label };
        emit_relationship(&mut self.relationships, &link, &place, self.sink)
    }

    /// Emits a link to a bookmark, whose name is at `span`.
    fn emit_bookmark(&mut self, name: &str, span: Span, start: usize) -> ControlFlow<()> {
        let label = lossy(self.text.text().clamped(start..)).into_owned();
        let place = self.place.place(self.paragraph);
        let at = At { place: Some(&place), stream: self.file.stream() };
        emit_internal((name, span), at, PartKind::link("hyperlink", &label), self.sink)
    }

    /// Emits the link of the field that ends.
    fn end_field(&mut self) -> ControlFlow<()> {
        let Some(field) = self.fields.pop() else {
            return ControlFlow::Continue(());
        };
        let instruction = self.instruction.text().clamped(field.instruction..);
        let link = field::of_instruction(instruction);
        if let Some(link) = link {
            let label = field.result.map(|start| self.text.text().clamped(start..));
            let label = lossy(label.unwrap_or_default()).into_owned();
            let link = link.at(field.instruction);
            let place = self.place.place(self.paragraph);
            let at = At { place: Some(&place), stream: self.file.stream() };
            emit_instruction(&self.instruction, link, at, &label, self.sink)?;
        } else {
            // `INCLUDEPICTURE "http://a.example/b.png"` and the like
            let whole = Span::new(field.instruction, self.instruction.text().len());
            let place = self.place.place(self.paragraph);
            let at = At { place: Some(&place), stream: self.file.stream() };
            let kind = PartKind::text(Role::Code);
            emit_piece((&self.instruction, whole), at, kind, self.sink)?;
        }
        if self.fields.is_empty() {
            self.instruction.clear();
        }
        ControlFlow::Continue(())
    }

    /// Emits the instructions of fields without an end, and those outside of fields.
    fn emit_open_fields(&mut self) -> ControlFlow<()> {
        let place = self.place.place(self.paragraph);
        let at = At { place: Some(&place), stream: self.file.stream() };
        emit(&self.instruction, at, PartKind::text(Role::Code), self.sink)
    }

    /// Emits the URI of a shape or its picture, which VML writes into the element (ECMA-376 part 4,
    /// §19.1.2).
    fn attribute_link(&mut self, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        for key in [b"href".as_slice(), b"src"] {
            let Some(link) = attribute(self.file.bytes, attributes, key) else { continue };
            let raw = self.file.bytes.part(link.value.range());
            let mut text = DerivedText::default();
            self.entities.decode(raw, link.value.start(), &mut text);
            // Others are identifiers of relationships.
            if text.text().contains(&b':') {
                let place = self.place.place(self.paragraph);
                let at = At { place: Some(&place), stream: self.file.stream() };
                let kind = PartKind::link("shape", "").of_target(text.text());
                emit(&text, at, kind, self.sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Emits descriptions of pictures, which are often the address they were copied from, and hints
    /// of links.
    fn attribute_texts(&mut self, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let place = self.place.place(self.paragraph);
        let at = At { place: Some(&place), stream: self.file.stream() };
        let is_text = |name: &[u8]| TEXTS.contains(&local_name(name));
        emit_attributes(self.file, attributes, is_text, (at, Role::Attribute), self.sink)
    }

    fn simple_field(&mut self, instruction: Span) -> ControlFlow<()> {
        let mut text = DerivedText::default();
        let raw = self.file.bytes.part(instruction.range());
        self.entities.decode(raw, instruction.start(), &mut text);
        let place = self.place.place(self.paragraph);
        let at = At { place: Some(&place), stream: self.file.stream() };
        let Some(link) = field::of_instruction(text.text()) else {
            return emit(&text, at, PartKind::text(Role::Code), self.sink);
        };
        emit_instruction(&text, link, at, "", self.sink)
    }

    fn emit_deleted(&mut self) -> ControlFlow<()> {
        let place = self.place.place(self.paragraph);
        let at = At { place: Some(&place), stream: self.file.stream() };
        let flow = emit(&self.deleted, at, PartKind::text(Role::Text), self.sink);
        self.deleted.clear();
        flow
    }

    fn end_paragraph(&mut self) -> ControlFlow<()> {
        self.emit_deleted()?;
        let place = self.place.place(self.paragraph);
        let at = At { place: Some(&place), stream: self.file.stream() };
        let flow = emit(&self.text, at, PartKind::text(Role::Text), self.sink);
        self.text.clear();
        self.run_start = 0;
        // Open elements continue in the next paragraph.
        for link in &mut self.links {
            link.start = 0;
        }
        for field in &mut self.fields {
            field.result = field.result.map(|_| 0);
        }
        flow
    }
}

/// Emits the link of the instruction of a field.
fn emit_instruction(
    text: &DerivedText,
    link: FieldLink,
    at: At<'_>,
    label: &str,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let kind = PartKind::link("field", label);
    match link.kind {
        FieldTarget::Uri => emit_field(text, link, at, kind, sink),
        FieldTarget::Bookmark => {
            let name = lossy(text.text().part(link.destination.range()));
            let source = Layers::new(text.map()).source(link.destination);
            emit_internal((&name, source), at, kind, sink)
        }
    }
}
