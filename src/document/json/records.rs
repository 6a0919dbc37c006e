//! Objects of JSON that a format reads as a whole, because the meaning of one value depends on
//! others: the author of a message may follow its text.

use std::ops::ControlFlow;

use super::lexer::unescape;
use super::reader::emit_string;
use crate::document::writer::PartWriter;
use crate::document::{EventSink, Role, Source};
use crate::offset_map::DerivedText;
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// A format that is JSON with records in it.
pub(in crate::document) trait Records {
    /// Use of a value in a record.
    type Field: Copy;

    /// True if the object at this pointer is a record.
    fn is_record(&self, pointer: &str) -> bool;

    /// True if an object in a record is a part with values of its own, such as the reply to a
    /// message. `pointer` starts at the record.
    fn is_part(&self, pointer: &str) -> bool {
        let _ = pointer;
        false
    }

    /// Returns the use of a value. `pointer` starts at the record, or at its innermost part.
    fn field(&self, pointer: &str) -> Self::Field;

    /// True if numbers with this use are values, too.
    fn takes_number(&self, field: Self::Field) -> bool {
        let _ = field;
        false
    }

    /// Receives a string outside of records, which the reader emits by itself.
    fn outside(&mut self, pointer: &str, value: &[u8]) {
        let _ = (pointer, value);
    }

    /// Emits a record.
    fn read(
        &mut self,
        record: &Record<'_, Self::Field>,
        writer: &mut PartWriter<'_, '_>,
    ) -> ControlFlow<()>;
}

/// JSON without records.
pub(super) struct NoRecords;

impl Records for NoRecords {
    type Field = ();

    fn is_record(&self, _: &str) -> bool {
        false
    }

    fn field(&self, _: &str) {}

    fn read(&mut self, _: &Record<'_, ()>, _: &mut PartWriter<'_, '_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// An object whose values were collected.
pub(in crate::document) struct Record<'r, F> {
    /// Its pointer.
    pub pointer: &'r str,
    /// Its values in the order of the document.
    pub values: &'r [RecordValue<F>],
    /// Number of its parts, with the record itself.
    pub parts: usize,
}

/// A value in a record.
#[derive(Clone, Copy, Debug)]
pub(in crate::document) struct RecordValue<F> {
    /// Number of the part that holds it; 0 is the record itself.
    pub part: usize,
    pub kind: ValueKind<F>,
    /// The text between quotation marks, a number, or a comment.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document) enum ValueKind<F> {
    Key,
    Comment,
    Value(F),
}

impl<F: Copy> Record<'_, F> {
    /// Returns the values of a part, in order.
    pub fn fields(&self, part: usize) -> impl Iterator<Item = (F, Span)> {
        self.values.iter().filter(move |value| value.part == part).filter_map(|value| {
            match value.kind {
                ValueKind::Value(field) => Some((field, value.span)),
                ValueKind::Key | ValueKind::Comment => None,
            }
        })
    }
}

/// Returns the decoded text of a string.
pub(in crate::document) fn decoded(writer: &PartWriter<'_, '_>, span: Span) -> String {
    let mut piece = DerivedText::default();
    unescape(writer.at(span), span.start(), &mut piece);
    lossy(piece.text()).into_owned()
}

/// Emits a key or a comment of a record.
pub(in crate::document) fn emit_other<F>(
    value: &RecordValue<F>,
    writer: &mut PartWriter<'_, '_>,
) -> ControlFlow<()> {
    match value.kind {
        ValueKind::Comment => {
            writer.markup(value.span.start())?;
            writer.emit_to(value.span.end(), Role::Comment)
        }
        ValueKind::Key | ValueKind::Value(_) => emit_string(value.span, Role::Metadata, writer),
    }
}

/// Reads the decoded text of a string as a document.
pub(in crate::document) fn nested(
    span: Span,
    writer: &mut PartWriter<'_, '_>,
    read: impl FnOnce(Source<'_>, &mut dyn EventSink) -> ControlFlow<()>,
) -> ControlFlow<()> {
    writer.markup(span.start())?;
    writer.nested(span, |source, sink| {
        let mut piece = DerivedText::default();
        unescape(source.bytes, 0, &mut piece);
        let layers = source.layers(piece.map());
        read(Source::inside(piece.text(), &layers), sink)
    })
}

/// The record that is being read.
pub(super) struct OpenRecord<F> {
    pointer: String,
    depth: usize,
    values: Vec<RecordValue<F>>,
    parts: usize,
    /// The open parts.
    open: Vec<OpenPart>,
}

struct OpenPart {
    number: usize,
    depth: usize,
    /// Length of its pointer.
    pointer: usize,
}

impl<F: Copy> OpenRecord<F> {
    pub fn new(pointer: &str, depth: usize) -> Self {
        let open = vec![OpenPart { number: 0, depth, pointer: pointer.len() }];
        Self { pointer: pointer.to_owned(), depth, values: Vec::new(), parts: 1, open }
    }

    /// Opens a part of it, if the object at `pointer` is one.
    pub fn open(&mut self, pointer: &str, depth: usize, records: &impl Records<Field = F>) {
        if records.is_part(pointer.clamped(self.pointer.len()..)) {
            self.open.push(OpenPart { number: self.parts, depth, pointer: pointer.len() });
            self.parts += 1;
        }
    }

    /// Closes the container at this depth; true if that is the record.
    pub fn close(&mut self, depth: usize) -> bool {
        // The record itself, part 0, stays open for `record`.
        self.open.pop_if(|part| part.depth == depth && depth != self.depth);
        depth == self.depth
    }

    pub fn key(&mut self, span: Span) {
        self.push(ValueKind::Key, span);
    }

    pub fn comment(&mut self, span: Span) {
        self.push(ValueKind::Comment, span);
    }

    pub fn string(&mut self, pointer: &str, span: Span, records: &impl Records<Field = F>) {
        if !span.is_empty() {
            let field = self.field(pointer, records);
            self.push(ValueKind::Value(field), span);
        }
    }

    pub fn number(&mut self, pointer: &str, span: Span, records: &impl Records<Field = F>) {
        let field = self.field(pointer, records);
        if records.takes_number(field) {
            self.push(ValueKind::Value(field), span);
        }
    }

    fn field(&self, pointer: &str, records: &impl Records<Field = F>) -> F {
        // Fields are the same in a message and in its reply, so the pointer starts at the innermost
        // part.
        let start = self.open.last().map_or(0, |part| part.pointer);
        records.field(pointer.clamped(start..))
    }

    fn push(&mut self, kind: ValueKind<F>, span: Span) {
        let part = self.open.last().map_or(0, |part| part.number);
        self.values.push(RecordValue { part, kind, span });
    }

    pub fn record(&self) -> Record<'_, F> {
        Record { pointer: &self.pointer, values: &self.values, parts: self.parts }
    }
}
