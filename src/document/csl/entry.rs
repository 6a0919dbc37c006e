//! The entries of a bibliography.

use std::ops::ControlFlow;

use crate::document::Place;
use crate::document::Role;
use crate::document::json::reader::{emit_string, emit_value};
use crate::document::json::records::{Record, Records, ValueKind, decoded, emit_other};
use crate::document::writer::PartWriter;
use crate::shorten::shortened_text;
use crate::span::Span;

/// Variables whose name matters.
const FIELDS: [&str; 30] = [
    "id",
    "URL",
    "DOI",
    "ISBN",
    "ISSN",
    "PMID",
    "PMCID",
    "title",
    "title-short",
    "container-title",
    "collection-title",
    "original-title",
    "abstract",
    "annote",
    "note",
    "archive",
    "archive_location",
    "archive-place",
    "source",
    "publisher",
    "publisher-place",
    "references",
    "medium",
    "status",
    "number",
    "keyword",
    "author",
    "editor",
    "citation-key",
    "type",
];

/// The variable of a value, as an index of [`FIELDS`]; `None` for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryField(Option<usize>);

impl EntryField {
    fn name(self) -> &'static str {
        self.0.and_then(|at| FIELDS.get(at).copied()).unwrap_or_default()
    }
}

/// The entries of CSL-JSON.
pub(super) struct CslEntries;

impl Records for CslEntries {
    type Field = EntryField;

    /// Recognizes `/0` and `/items/0`.
    fn is_record(&self, pointer: &str) -> bool {
        let number = pointer.strip_prefix("/items").unwrap_or(pointer).strip_prefix('/');
        number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    }

    fn field(&self, pointer: &str) -> EntryField {
        // `/author/0/family` belongs to the variable `author`.
        let name = pointer.split('/').nth(1).unwrap_or_default();
        EntryField(FIELDS.iter().position(|field| *field == name))
    }

    /// Ids and PMIDs may be numbers.
    fn takes_number(&self, field: EntryField) -> bool {
        matches!(field.name(), "id" | "PMID")
    }

    fn read(
        &mut self,
        record: &Record<'_, EntryField>,
        writer: &mut PartWriter<'_, '_>,
    ) -> ControlFlow<()> {
        // An entry without an id is named by its number in the list.
        let id = record.fields(0).find(|(field, _)| field.name() == "id");
        let number = || record.pointer.rsplit('/').next().unwrap_or_default().to_owned();
        let entry = id.map_or_else(number, |(_, span)| decoded(writer, span));
        let entry = shortened_text(&entry).into_owned();
        for value in record.values {
            let field = match value.kind {
                ValueKind::Value(field) => field.name(),
                ValueKind::Key | ValueKind::Comment => "",
            };
            let (entry, name) = (entry.clone().into(), field.into());
            writer.set_place(Some(Place::Entry { entry, field: name }));
            match value.kind {
                ValueKind::Value(_) => emit_field(value.span, field, writer)?,
                ValueKind::Key | ValueKind::Comment => emit_other(value, writer)?,
            }
        }
        ControlFlow::Continue(())
    }
}

fn emit_field(span: Span, field: &str, writer: &mut PartWriter<'_, '_>) -> ControlFlow<()> {
    match field {
        // Zotero takes the address of the item for its id.
        "id" => emit_string(span, Role::Metadata, writer),
        field => emit_value(span, field, writer),
    }
}
