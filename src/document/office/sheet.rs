//! Reads spreadsheets of Excel (ECMA-376 part 1, §18).

use std::ops::ControlFlow;

use super::cell::{cell_name, column_number};
use super::field::{self, FormulaPart};
use super::relationships::Relationships;
use super::repeats::Repetitions;
use super::sheet_names::SheetNames;
use super::story::{self, StoryPlace};
use super::writer::{
    At, PartKind, RelationshipLink, emit_escaped, emit_field, emit_mapped, emit_piece,
    emit_relationship, emit_unused,
};
use super::{main_parts, rest};
use crate::document::package::{Package, PackageFile};
use crate::document::xml::{
    Entities, TagForm, XmlAttribute, XmlToken, XmlTokens, attribute, attribute_value, local_name,
};
use crate::document::{EventSink, Place, Role, Stream};
use crate::hash::{HashMap, HashSet};
use crate::offset_map::{DerivedText, Layers, RunOrigin};
use crate::shorten::shortened_text;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

const WORKBOOK: &str = "xl/workbook.xml";

/// Reads the workbooks of a package; `read` gets the names of the files that were read.
pub(super) fn read(
    package: &Package,
    main: &[String],
    read: &mut HashSet<String>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    for workbook in main_parts(package, main, WORKBOOK) {
        read_workbook(package, workbook, read, sink)?;
    }
    for name in package.names("xl/externalLinks/externalLink", ".xml") {
        emit_unused(&Relationships::of_file(package, name), None, sink)?;
    }
    // Only the list of sheets of a workbook is read: their names, and addresses where it was
    // published.
    for workbook in main_parts(package, main, WORKBOOK) {
        if let Some(file) = package.file(workbook) {
            rest::read(&file, sink)?;
        }
    }
    rest::read_folder(package, "xl/", read, sink)
}

fn read_workbook(
    package: &Package,
    name: &str,
    read: &mut HashSet<String>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    read.insert(name.to_owned());
    let workbook = Relationships::of_file(package, name);
    let shared_name = workbook.target_of_kind("sharedStrings");
    read.extend(shared_name.clone());
    let shared_file = shared_name.and_then(|name| package.file(&name));
    let repetitions = Repetitions::of_part(package.bytes());
    let mut shared = SharedStrings::read(shared_file.as_ref(), repetitions);
    let sheets = sheets(package, name, &workbook);
    let names = SheetNames::new(sheets.iter().map(|(sheet, _)| sheet.as_str()));
    for (sheet, name) in sheets {
        let file = package.file(&name).filter(|_| read.insert(name.clone()));
        let Some(file) = file else { continue };
        // It is printed with each of its URIs.
        let sheet = shortened_text(&sheet).into_owned();
        let relationships = Relationships::of_file(package, &name);
        let notes = ["comments", "threadedComment", "drawing"]
            .map(|kind| relationships.target_of_kind(kind));
        // For older programs, Excel repeats the comments that have replies.
        let repeats = notes.first().is_some_and(Option::is_some);
        let mut reader = SheetReader {
            file: &file,
            sheet: &sheet,
            names: &names,
            shared: &mut shared,
            shared_file: shared_file.as_ref(),
            relationships,
            sink,
            entities: Entities::default(),
            cell: String::new(),
            row: 0,
            column: 0,
            kind: CellKind::Other,
            within: SheetElement::Nothing,
            is_phonetic: false,
            value: DerivedText::default(),
            formula: DerivedText::default(),
            labels: HashMap::default(),
            has_choices: false,
        };
        reader.read()?;
        for name in notes.into_iter().flatten() {
            // Many sheets may name one file.
            let is_new = read.insert(name.clone());
            let is_repeated = repeats && name.contains("threadedComment");
            if let Some(file) = package.file(&name).filter(|_| is_new && !is_repeated) {
                let mut place = StoryPlace::Sheet { sheet: sheet.clone(), cell: String::new() };
                story::read(&file, Relationships::of_file(package, &name), &mut place, sink)?;
            }
        }
    }
    shared.emit_rest(shared_file.as_ref(), sink)?;
    emit_unused(&workbook, None, sink)
}

/// Returns the names of the sheets and of their files, in order.
fn sheets(
    package: &Package,
    workbook_name: &str,
    workbook: &Relationships<'_>,
) -> Vec<(String, String)> {
    let Some(file) = package.file(workbook_name) else {
        // Without a workbook, the names of the files suffice.
        let names = package.names("xl/worksheets/sheet", ".xml");
        return names.into_iter().map(|name| (name.to_owned(), name.to_owned())).collect();
    };
    let mut sheets = Vec::new();
    let mut tokens = XmlTokens::new(file.bytes);
    while let Some(token) = tokens.next() {
        let XmlToken::Start { name, .. } = token else { continue };
        if local_name(file.bytes.part(name.range())) != b"sheet" {
            continue;
        }
        let value = |key| attribute_value(file.bytes, tokens.attributes(), key);
        if let (Some(name), Some(id)) = (value(b"name"), value(b"id"))
            && let Some(target) = workbook.target(&id)
        {
            sheets.push((name, target));
        }
    }
    sheets
}

/// The strings that cells refer to by number.
struct SharedStrings {
    strings: Vec<SharedString>,
    repetitions: Repetitions,
}

struct SharedString {
    text: DerivedText,
    is_given: bool,
}

impl SharedStrings {
    fn read(file: Option<&PackageFile<'_>>, repetitions: Repetitions) -> Self {
        let mut shared = Self { strings: Vec::new(), repetitions };
        let Some(file) = file else { return shared };
        let mut entities = Entities::default();
        let mut text = DerivedText::default();
        let (mut is_text, mut is_phonetic) = (false, false);
        let mut tokens = XmlTokens::new(file.bytes);
        while let Some(token) = tokens.next() {
            let (name, is_start, is_end) = match &token {
                XmlToken::Start { name, form, .. } => (name, true, *form == TagForm::Empty),
                XmlToken::End { name, .. } => (name, false, true),
                XmlToken::Text(span) if is_text => {
                    entities.decode(file.bytes.part(span.range()), span.start(), &mut text);
                    continue;
                }
                _ => continue,
            };
            match local_name(file.bytes.part(name.range())) {
                b"t" => is_text = is_start && !is_end && !is_phonetic,
                // Phonetic text repeats the text in another script.
                b"rPh" => is_phonetic = is_start && !is_end,
                // A string without content has a number too.
                b"si" if is_end => {
                    let text = std::mem::take(&mut text);
                    shared.strings.push(SharedString { text, is_given: false });
                }
                _ => {}
            }
        }
        shared
    }

    /// Emits the strings that no cell uses.
    fn emit_rest(
        &self,
        file: Option<&PackageFile<'_>>,
        sink: &mut dyn EventSink,
    ) -> ControlFlow<()> {
        let Some(file) = file else { return ControlFlow::Continue(()) };
        let place = Place::Sheet { sheet: "".into(), cell: "".into() };
        for string in self.strings.iter().filter(|string| !string.is_given) {
            emit_escaped(
                &string.text,
                At { place: Some(&place), stream: file.stream() },
                PartKind::text(Role::Text),
                sink,
            )?;
        }
        ControlFlow::Continue(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    /// Its value is the number of a shared string.
    Shared,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SheetElement {
    Nothing,
    Value,
    Formula,
    /// A header or footer.
    Header,
    /// A condition of formats or of values.
    Condition,
    /// The values that a cell may have.
    Choices,
}

struct SheetReader<'r, 'p, 's> {
    file: &'r PackageFile<'p>,
    sheet: &'r str,
    names: &'r SheetNames,
    shared: &'r mut SharedStrings,
    shared_file: Option<&'r PackageFile<'p>>,
    relationships: Relationships<'p>,
    sink: &'s mut dyn EventSink,
    entities: Entities,
    /// The current cell, such as `B7`.
    cell: String,
    /// Its row and column, from 1; 0 before the first.
    row: u64,
    column: u64,
    kind: CellKind,
    within: SheetElement,
    is_phonetic: bool,
    value: DerivedText,
    formula: DerivedText,
    /// Short texts of cells, which may be the labels of links.
    labels: HashMap<String, String>,
    /// True in the validation of cells whose values are listed.
    has_choices: bool,
}

/// Number of texts that are kept as labels.
const MAX_LABELS: usize = 1 << 16;
const MAX_LABEL_LENGTH: usize = 512;

impl SheetReader<'_, '_, '_> {
    fn read(&mut self) -> ControlFlow<()> {
        let bytes = self.file.bytes;
        let mut tokens = XmlTokens::new(bytes);
        while let Some(token) = tokens.next() {
            match token {
                XmlToken::Start { name, form, .. } => {
                    let name = local_name(bytes.part(name.range()));
                    self.start(name, tokens.attributes())?;
                    if form == TagForm::Empty {
                        self.end(name)?;
                    }
                }
                XmlToken::End { name, .. } => self.end(local_name(bytes.part(name.range())))?,
                XmlToken::Text(span) => {
                    let into = match self.within {
                        SheetElement::Value
                        | SheetElement::Header
                        | SheetElement::Condition
                        | SheetElement::Choices => &mut self.value,
                        SheetElement::Formula => &mut self.formula,
                        SheetElement::Nothing => continue,
                    };
                    self.entities.decode(bytes.part(span.range()), span.start(), into);
                }
                _ => {}
            }
        }
        emit_unused(&self.relationships, Some(&place(self.sheet, "")), self.sink)
    }

    fn start(&mut self, name: &[u8], attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let bytes = self.file.bytes;
        let value = |key: &[u8]| attribute_value(bytes, attributes, key);
        match name {
            b"row" => {
                let number = value(b"r").and_then(|number| number.parse::<u64>().ok());
                // A row without a number follows the last one (ECMA-376 part 1, §18.3.1.73).
                self.row = number.unwrap_or(self.row.saturating_add(1));
                self.column = 0;
            }
            b"c" => {
                self.start_cell(value(b"r"));
                self.kind = match value(b"t").as_deref() {
                    Some("s") => CellKind::Shared,
                    _ => CellKind::Other,
                };
                self.value.clear();
                self.formula.clear();
            }
            // Phonetic text repeats the text in another script.
            b"rPh" => self.is_phonetic = true,
            b"t" if self.is_phonetic => {}
            b"v" | b"t" => self.within = SheetElement::Value,
            b"f" => self.within = SheetElement::Formula,
            // Conditions of formats and of values are also outside of cells.
            b"oddHeader" | b"oddFooter" | b"evenHeader" | b"evenFooter" | b"firstHeader"
            | b"firstFooter" => self.start_text(SheetElement::Header),
            b"formula1" if self.has_choices => self.start_text(SheetElement::Choices),
            b"formula" | b"formula1" | b"formula2" => self.start_text(SheetElement::Condition),
            b"dataValidation" => {
                self.has_choices = value(b"type").as_deref() == Some("list");
                self.emit_hints(attributes)?;
            }
            b"hyperlink" => {
                self.emit_hints(attributes)?;
                let cell = value(b"ref").unwrap_or_default();
                let first = cell.split(':').next().unwrap_or_default();
                // The text to show is optional (§18.3.1.47). Without it, the cell shows its own.
                let label = value(b"display").or_else(|| self.labels.get(first).cloned());
                let label = label.unwrap_or_default();
                let location = attribute(bytes, attributes, b"location");
                let location = location.and_then(|it| Some((value(b"location")?, it.value)));
                let place = place(self.sheet, first);
                if let Some(id) = value(b"id") {
                    let fragment = location.as_ref().map_or("", |(name, _)| name.as_str());
                    let link = RelationshipLink { id: &id, fragment, label: &label };
                    emit_relationship(&mut self.relationships, &link, &place, self.sink)?;
                } else if let Some((name, span)) = location {
                    let at = At { place: Some(&place), stream: self.file.stream() };
                    let kind = PartKind::link("hyperlink", &label);
                    self.names.emit((&name, span), at, kind, self.sink)?;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Starts a text outside of cells.
    fn start_text(&mut self, within: SheetElement) {
        self.cell.clear();
        self.value.clear();
        self.within = within;
    }

    /// Emits such a text.
    fn end_text(&mut self, within: SheetElement) -> ControlFlow<()> {
        let place = place(self.sheet, "");
        let at = At { place: Some(&place), stream: self.file.stream() };
        let kind = PartKind::text(Role::Text);
        match within {
            SheetElement::Header => {
                for piece in header_texts(self.value.text()) {
                    let source = Layers::new(self.value.map());
                    emit_mapped(piece.text(), source.under(piece.map()), at, kind, self.sink)?;
                }
                ControlFlow::Continue(())
            }
            // One string holds the values, separated by commas (ECMA-376 part 1, §18.3.1.32).
            SheetElement::Choices if self.value.text().starts_with(b"\"") => {
                let mut start = 0;
                for choice in self.value.text().split(|&byte| byte == b',') {
                    let whole = Span::new(start, start + choice.len());
                    emit_piece((&self.value, whole), at, kind, self.sink)?;
                    start = whole.end() + 1;
                }
                ControlFlow::Continue(())
            }
            _ => emit_escaped(&self.value, at, kind, self.sink),
        }
    }

    /// Emits the texts that a program shows beside a cell.
    fn emit_hints(&mut self, attributes: &[XmlAttribute]) -> ControlFlow<()> {
        let names: [&[u8]; 5] = [b"prompt", b"promptTitle", b"error", b"errorTitle", b"tooltip"];
        let place = place(self.sheet, "");
        let at = At { place: Some(&place), stream: self.file.stream() };
        rest::emit_attributes(
            self.file,
            attributes,
            |name| names.contains(&name),
            (at, Role::Metadata),
            self.sink,
        )
    }

    /// Names the cell that begins. A cell without a name is beside the last one (ECMA-376 part 1,
    /// §18.3.1.4).
    fn start_cell(&mut self, name: Option<String>) {
        self.column = name.as_deref().map_or(self.column.saturating_add(1), column_number);
        self.cell = match name {
            Some(name) => shortened_text(&name).into_owned(),
            None => cell_name(self.column.saturating_sub(1), self.row.saturating_sub(1)),
        };
    }

    fn end(&mut self, name: &[u8]) -> ControlFlow<()> {
        match name {
            b"rPh" => self.is_phonetic = false,
            b"v" | b"t" | b"f" => self.within = SheetElement::Nothing,
            b"c" => self.end_cell()?,
            b"dataValidation" => self.has_choices = false,
            _ => match self.within {
                within @ (SheetElement::Header
                | SheetElement::Condition
                | SheetElement::Choices) => {
                    self.within = SheetElement::Nothing;
                    self.end_text(within)?;
                }
                SheetElement::Nothing | SheetElement::Value | SheetElement::Formula => {}
            },
        }
        ControlFlow::Continue(())
    }

    fn end_cell(&mut self) -> ControlFlow<()> {
        let place = place(self.sheet, &self.cell);
        let at = At { place: Some(&place), stream: self.file.stream() };
        let formula = self.formula.text();
        let parts = field::formula_parts(formula);
        for part in &parts {
            match part {
                FormulaPart::Strings(piece) => {
                    let kind = PartKind::text(Role::Code);
                    emit_piece((&self.formula, *piece), at, kind, self.sink)?;
                }
                FormulaPart::Link(link) => {
                    // The text of the cell was computed from the label, or without one from the
                    // target.
                    let label = match link.label {
                        Some(label) => lossy(formula.part(label.range())),
                        None => lossy(self.value.text()),
                    };
                    let kind = PartKind::link("formula", &label);
                    let target = formula.part(link.destination.range());
                    match target.strip_prefix(b"#") {
                        Some(name) => {
                            let span = Layers::new(self.formula.map()).source(link.destination);
                            self.names.emit((&lossy(name), span), at, kind, self.sink)?;
                        }
                        None => {
                            emit_field(&self.formula, *link, at, kind, self.sink)?;
                        }
                    }
                }
            }
        }
        if self.kind == CellKind::Other {
            if !parts.iter().any(|part| matches!(part, FormulaPart::Link(_))) {
                emit_escaped(&self.value, at, PartKind::text(Role::Text), self.sink)?;
            }
            keep_label(&mut self.labels, &self.cell, self.value.text());
            return ControlFlow::Continue(());
        }
        let index = lossy(self.value.text()).trim().parse::<usize>().ok();
        let Some(string) = index.and_then(|index| self.shared.strings.get_mut(index)) else {
            return ControlFlow::Continue(());
        };
        let text = string.text.text();
        keep_label(&mut self.labels, &self.cell, text);
        if string.is_given && !self.shared.repetitions.allow(text.len(), self.sink) {
            return ControlFlow::Continue(());
        }
        string.is_given = true;
        let stream = self.shared_file.map_or(Stream::extracted("", b""), PackageFile::stream);
        emit_escaped(
            &string.text,
            At { place: Some(&place), stream },
            PartKind::text(Role::Text),
            self.sink,
        )
    }
}

/// Returns the left, middle, and right texts of a header or footer, without the codes of fonts and
/// of inserted values such as page numbers (ECMA-376 part 1, §18.3.1.39).
fn header_texts(text: &[u8]) -> Vec<DerivedText> {
    let mut texts = vec![DerivedText::default()];
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'&', text.clamped(from..)) {
        let mark = from + found;
        let code = text.clamped(mark + 1..);
        // The number or name that the program inserts is unknown.
        let (plain, length): (&[u8], usize) = match code {
            [b'&', ..] => (b"&", 1),
            [b'L' | b'C' | b'R', ..] => (b"", 1),
            [b'P' | b'N' | b'D' | b'T' | b'G' | b'A' | b'F' | b'Z', ..] => (b" ", 1),
            [b'S' | b'X' | b'Y' | b'U' | b'E' | b'B' | b'I' | b'O' | b'H', ..] => (b"", 1),
            [b'K', color @ ..] => {
                let is_digit = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b'+' | b'-');
                (b"", 1 + color.clamped(..6).leading(is_digit))
            }
            [b'"', font @ ..] => {
                (b"", 1 + memchr::memchr(b'"', font).map_or(font.len(), |end| end + 1))
            }
            [b'0'..=b'9', ..] => (b"", code.leading(|byte| byte.is_ascii_digit())),
            _ => (b"&", 0),
        };
        if let Some(last) = texts.last_mut() {
            last.copy(text.part(from..mark), from);
            from = mark + 1 + length;
            last.replace(plain, Span::new(mark, from), RunOrigin::Decoded);
        }
        if matches!(code.first(), Some(b'L' | b'C' | b'R')) {
            texts.push(DerivedText::default());
        }
    }
    if let Some(last) = texts.last_mut() {
        last.copy(text.clamped(from..), from);
    }
    texts
}

/// Keeps the text of a cell, as the label of a link that may follow.
fn keep_label(labels: &mut HashMap<String, String>, cell: &str, text: &[u8]) {
    if labels.len() < MAX_LABELS && !text.is_empty() && text.len() <= MAX_LABEL_LENGTH {
        labels.insert(cell.to_owned(), lossy(text).into_owned());
    }
}

fn place<'p>(sheet: &'p str, cell: &'p str) -> Place<'p> {
    Place::Sheet { sheet: sheet.into(), cell: cell.into() }
}
