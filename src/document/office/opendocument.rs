//! Reads OpenDocument: texts, spreadsheets, and presentations (ODF 1.3 part 3).

use std::ops::ControlFlow;

use super::cell::cell_name;
use super::field::{self, FormulaPart};
use super::rest::{emit_attributes, may_hold_uri};
use super::sheet_names::SheetNames;
use super::writer::{At, PartKind, define, emit, emit_internal, emit_piece};
use crate::document::package::PackageFile;
use crate::document::xml::{
    Entities, TagForm, XmlAttribute, XmlToken, XmlTokens, attribute, attribute_value, local_name,
};
use crate::document::{EventSink, Place, Role};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::percent;
use crate::shorten::shortened_text;
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// Reads a file of a document. `story` names its content, unless it is the main text.
pub(super) fn read(
    file: &PackageFile<'_>,
    story: &str,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let mut reader = OdfReader {
        file,
        story,
        sink,
        entities: Entities::default(),
        paragraph: 0,
        slide: 0,
        sheet: None,
        is_spreadsheet: memchr::memmem::find(file.bytes, b"<office:spreadsheet").is_some(),
        notes: Vec::new(),
        text: DerivedText::default(),
        depth: 0,
        value: None,
        links: Vec::new(),
        sheets: SheetNames::default(),
        ranges: Vec::new(),
    };
    let mut tokens = XmlTokens::new(file.bytes);
    while let Some(token) = tokens.next() {
        reader.token(token, tokens.attributes())?;
    }
    reader.define_ranges();
    reader.end_paragraph()
}

/// Ranges of spreadsheets that are kept until all sheets are known.
const MAX_RANGES: usize = 20_000;

/// The position in a sheet; both numbers count from 0.
struct SheetPosition {
    name: String,
    row: u64,
    column: u64,
    /// The columns that the current cell takes.
    width: u64,
    height: u64,
}

/// An open link, and the start of its text in the paragraph.
struct OpenLink {
    target: Option<XmlAttribute>,
    start: usize,
}

/// Attributes that are read otherwise: links, formulas, what the text of a cell says, too; and the
/// program that converts ODF to RDF.
const TARGETS: [&[u8]; 5] = [b"href", b"url", b"formula", b"string-value", b"transformation"];

/// Nested links and notes beyond this number are ignored.
const MAX_OPEN: usize = 64;

struct OdfReader<'r, 'p, 's> {
    file: &'r PackageFile<'p>,
    story: &'r str,
    sink: &'s mut dyn EventSink,
    entities: Entities,
    /// Number of the paragraph, from 1.
    paragraph: u32,
    /// Number of the page of a presentation, from 1.
    slide: u32,
    sheet: Option<SheetPosition>,
    is_spreadsheet: bool,
    /// The paragraphs around open notes and annotations, whose text continues after them.
    notes: Vec<DerivedText>,
    text: DerivedText,
    /// Number of open paragraphs.
    depth: usize,
    /// The value of the cell, as long as it has no paragraph.
    value: Option<XmlAttribute>,
    links: Vec<OpenLink>,
    sheets: SheetNames,
    /// The ranges that links lead to.
    ranges: Vec<(String, Span)>,
}

impl OdfReader<'_, '_, '_> {
    fn token(&mut self, token: XmlToken, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let bytes = self.file.bytes;
        match token {
            XmlToken::Text(span) if self.depth > 0 => {
                self.entities.decode(bytes.part(span.range()), span.start(), &mut self.text);
                ControlFlow::Continue(())
            }
            // The description of a picture outside of paragraphs, and text that a writer left out.
            XmlToken::Text(span) if may_hold_uri(bytes.part(span.range())) => {
                let mut text = DerivedText::default();
                self.entities.decode(bytes.part(span.range()), span.start(), &mut text);
                let place = self.place();
                let at = At { place: Some(&place), stream: self.file.stream() };
                emit(&text, at, PartKind::text(Role::Metadata), self.sink)
            }
            XmlToken::Start { name, tag, form } => {
                let name = bytes.part(name.range());
                self.define_names(tag, attributes);
                self.attribute_texts(attributes)?;
                self.start(name, tag, attributes)?;
                match form {
                    TagForm::Empty => self.end(name),
                    _ => ControlFlow::Continue(()),
                }
            }
            XmlToken::End { name, .. } => self.end(bytes.part(name.range())),
            _ => ControlFlow::Continue(()),
        }
    }

    fn value_of(&self, attributes: &[XmlAttribute], name: &[u8]) -> Option<String> {
        attribute_value(self.file.bytes, attributes, name)
    }

    fn start(&mut self, name: &[u8], tag: Span, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let count =
            |value: Option<String>| value.and_then(|it| it.parse::<u64>().ok()).unwrap_or(1);
        match name {
            b"text:p" | b"text:h" => {
                self.value = None;
                // A paragraph in a frame is within another one, which names the place.
                if self.depth == 0 {
                    self.paragraph += 1;
                }
                self.depth += 1;
            }
            b"text:s" | b"text:tab" if self.depth > 0 => {
                self.text.replace(b" ", tag, RunOrigin::Decoded);
            }
            b"text:line-break" if self.depth > 0 => {
                self.text.replace(b"\n", tag, RunOrigin::Decoded);
            }
            b"text:note" | b"office:annotation" if self.notes.len() < MAX_OPEN => {
                // The number of a note is there, between the words around it.
                if name == b"text:note" && self.depth > 0 {
                    self.text.replace(b" ", tag, RunOrigin::Decoded);
                }
                self.notes.push(std::mem::take(&mut self.text));
            }
            b"text:a" | b"draw:a" if self.links.len() < MAX_OPEN => {
                let target = attribute(self.file.bytes, attributes, b"href");
                self.links.push(OpenLink { target, start: self.text.text().len() });
            }
            b"draw:page" => (self.slide, self.paragraph) = (self.slide + 1, 0),
            b"table:table" => {
                let name = self.value_of(attributes, b"name").unwrap_or_default();
                self.sheets.add(&name);
                // It is printed with each of its URIs.
                let name = shortened_text(&name).into_owned();
                self.sheet = Some(SheetPosition { name, row: 0, column: 0, width: 1, height: 1 });
            }
            b"table:table-row" => {
                let height = count(self.value_of(attributes, b"number-rows-repeated"));
                if let Some(sheet) = &mut self.sheet {
                    (sheet.column, sheet.height) = (0, height);
                }
            }
            b"table:table-cell" | b"table:covered-table-cell" => {
                let width = count(self.value_of(attributes, b"number-columns-repeated"));
                if let Some(sheet) = &mut self.sheet {
                    sheet.width = width;
                }
                self.formula(attributes)?;
                self.value = attribute(self.file.bytes, attributes, b"string-value");
            }
            b"text:hidden-text" => {
                let place = self.place();
                let at = At { place: Some(&place), stream: self.file.stream() };
                let is_text = |name: &[u8]| local_name(name) == b"string-value";
                let role = (at, Role::Attribute);
                emit_attributes(self.file, attributes, is_text, role, self.sink)?;
            }
            _ => {
                // Works that are cited have `text:url`.
                let target = |key| attribute(self.file.bytes, attributes, key);
                if let Some(target) = target(b"href").or_else(|| target(b"url")) {
                    self.emit_target(target, &lossy(name), "")?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, name: &[u8]) -> ControlFlow<()> {
        match name {
            b"text:p" | b"text:h" => {
                self.depth = self.depth.saturating_sub(1);
                self.end_paragraph()?;
            }
            b"text:note" | b"office:annotation" => {
                self.end_paragraph()?;
                self.text = self.notes.pop().unwrap_or_default();
            }
            b"text:a" | b"draw:a" => {
                if let Some(OpenLink { target: Some(target), start }) = self.links.pop() {
                    let label = lossy(self.text.text().clamped(start..)).into_owned();
                    self.emit_target(target, "a", &label)?;
                }
            }
            b"table:table" => self.sheet = None,
            b"table:table-row" => {
                if let Some(sheet) = &mut self.sheet {
                    sheet.row = sheet.row.saturating_add(sheet.height);
                }
            }
            b"table:table-cell" | b"table:covered-table-cell" => {
                // What a cell shows is its value, where a generator left out the paragraphs (ODF
                // 1.3 part 3, §19.389).
                if let Some(value) = self.value.take() {
                    let mut text = DerivedText::default();
                    let raw = self.file.bytes.part(value.value.range());
                    self.entities.decode(raw, value.value.start(), &mut text);
                    let place = self.place();
                    let at = At { place: Some(&place), stream: self.file.stream() };
                    emit(&text, at, PartKind::text(Role::Text), self.sink)?;
                }
                if let Some(sheet) = &mut self.sheet {
                    sheet.column = sheet.column.saturating_add(sheet.width);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn place(&self) -> Place<'static> {
        match &self.sheet {
            // Tables of text documents also have paragraphs.
            Some(sheet) if self.is_spreadsheet => Place::Sheet {
                sheet: sheet.name.clone().into(),
                cell: cell_name(sheet.column, sheet.row).into(),
            },
            _ if self.slide > 0 => Place::Slide(self.slide),
            _ => Place::Paragraph {
                story: self.story.to_owned().into(),
                number: self.paragraph.max(1),
            },
        }
    }

    /// Reports the names in a tag. Bookmarks, headings, tables, and frames have such attributes,
    /// and a link may lead to each.
    fn define_names(&mut self, tag: Span, attributes: &[XmlAttribute]) {
        if !self.sink.wants().all_events() {
            return;
        }
        for key in [&b"name"[..], b"id", b"ref-name"] {
            if let Some(name) = self.value_of(attributes, key) {
                define(&name, tag, self.sink);
            }
        }
    }

    /// Emits the values of attributes that are not targets: of fields, variables, and RDFa.
    fn attribute_texts(&mut self, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let is_text = |name: &[u8]| !TARGETS.contains(&local_name(name));
        // Most tags have none, and a place is made of strings.
        let bytes = self.file.bytes;
        let may_hold = |it: &XmlAttribute| {
            is_text(bytes.part(it.name.range())) && may_hold_uri(bytes.part(it.value.range()))
        };
        if !attributes.iter().any(may_hold) {
            return ControlFlow::Continue(());
        }
        let place = self.place();
        let at = At { place: Some(&place), stream: self.file.stream() };
        emit_attributes(self.file, attributes, is_text, (at, Role::Attribute), self.sink)
    }

    /// Reports the ranges that exist.
    fn define_ranges(&mut self) {
        for (name, span) in std::mem::take(&mut self.ranges) {
            if self.sheets.may_exist(&name) {
                define(&name, span, self.sink);
            }
        }
    }

    /// Emits a target that may be a URI. References within the package are left out.
    fn emit_target(&mut self, target: XmlAttribute, element: &str, label: &str) -> ControlFlow<()> {
        let mut text = DerivedText::default();
        let raw = self.file.bytes.part(target.value.range());
        self.entities.decode(raw, target.value.start(), &mut text);
        let place = self.place();
        let kind = PartKind::link(element, label);
        let at = At { place: Some(&place), stream: self.file.stream() };
        // The package counts as a folder, so `../a.odt` is beside the document (ODF 1.3 part 2,
        // §3.7).
        if let Some(beside) = text.text().strip_prefix(b"../") {
            let kind = kind.of_target(beside);
            return emit_piece((&text, Span::new(3, text.text().len())), at, kind, self.sink);
        }
        let Some(name) = text.text().strip_prefix(b"#") else {
            return emit(&text, at, kind, self.sink);
        };
        let name = lossy(&percent::decode(&lossy(name))).into_owned();
        // `#Title|outline` names a heading by its text. Slides without a name are numbered in the
        // language of the program.
        if name.contains('|') || self.slide > 0 {
            return ControlFlow::Continue(());
        }
        if self.is_spreadsheet && self.ranges.len() < MAX_RANGES {
            self.ranges.push((name.clone(), target.value));
        }
        emit_internal((&name, target.value), at, kind, self.sink)
    }

    fn formula(&mut self, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let Some(formula) = attribute(self.file.bytes, attributes, b"formula") else {
            return ControlFlow::Continue(());
        };
        let mut text = DerivedText::default();
        let raw = self.file.bytes.part(formula.value.range());
        self.entities.decode(raw, formula.value.start(), &mut text);
        let place = self.place();
        let at = At { place: Some(&place), stream: self.file.stream() };
        for part in field::formula_parts(text.text()) {
            match part {
                FormulaPart::Strings(piece) => {
                    emit_piece((&text, piece), at, PartKind::text(Role::Code), self.sink)?;
                }
                FormulaPart::Link(link) => {
                    let label = link.label.map(|label| lossy(text.text().part(label.range())));
                    let kind = PartKind::link("formula", label.as_deref().unwrap_or_default());
                    emit_piece((&text, link.destination), at, kind, self.sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn end_paragraph(&mut self) -> ControlFlow<()> {
        let place = self.place();
        let at = At { place: Some(&place), stream: self.file.stream() };
        let flow = emit(&self.text, at, PartKind::text(Role::Text), self.sink);
        self.text.clear();
        // An open link continues in the next paragraph, whose text starts anew.
        for link in &mut self.links {
            link.start = 0;
        }
        flow
    }
}
