//! SQLite (<https://www.sqlite.org/fileformat2.html>): the texts of all tables, by table, column,
//! and row.
//!
//! A text that lies in one piece maps to its bytes in the file; a longer one is joined from its
//! overflow pages. Indexes repeat what tables hold and are not read. Neither are deleted rows, and
//! changes that are still in a write-ahead log beside the file (§4).
//!
//! | file | content |
//! |---|---|
//! | `pages.rs` | pages, and the b-trees in them |
//! | `payload.rs` | the content of a row: pieces, and the values in it |
//! | `schema.rs` | names of tables and columns |

mod pages;
mod payload;
mod schema;

use std::borrow::Cow;
use std::ops::ControlFlow;

use pages::DatabasePages;
use payload::{Payload, Value};
use schema::Table;

use super::format::{DocumentFormat, FormatEncoding, FormatKind, FormatLimits};
use super::{Content, Event, EventSink, Part, Place, Role, Source, marked_value};
use crate::decode::{Encoding, MimeCharset};
use crate::offset_map::{DerivedText, Layers, OffsetMap};
use crate::slice::{SliceExt as _, lossy};

/// The format of SQLite.
pub(super) struct Sqlite;

/// Start of every database (§1.3.1).
const START: &[u8] = b"SQLite format 3\0";

impl DocumentFormat for Sqlite {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn title(&self) -> &'static str {
        "SQLite"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sqlite", "sqlite3", "db3", "s3db"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/vnd.sqlite3", "application/x-sqlite3"]
    }

    fn encoding(&self) -> FormatEncoding {
        FormatEncoding::Binary { signature: START }
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits {
            largest: 1 << 30,
            largest_audited: 1 << 30,
            memory_factor: 2,
            light: 8 << 20,
        }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    /// The write-ahead log (§4). A browser that is running has its latest pages there.
    fn unread_companion(&self) -> Option<&'static str> {
        Some("-wal")
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let Some(pages) = DatabasePages::parse(source.bytes) else {
            // Its extension was wrong, or its header is damaged.
            return sink.part(&source.as_text());
        };
        let encoding = match pages.encoding {
            2 => Some(Encoding::Utf16Le),
            3 => Some(Encoding::Utf16Be),
            _ => None,
        };
        let mut reader = SqliteReader { source, encoding, sink };
        reader.read(pages)
    }
}

struct SqliteReader<'d, 's> {
    source: Source<'d>,
    /// Set for databases whose texts are not UTF-8.
    encoding: Option<Encoding>,
    sink: &'s mut dyn EventSink,
}

impl SqliteReader<'_, '_> {
    fn read(&mut self, mut pages: DatabasePages<'_>) -> ControlFlow<()> {
        let schema = Table::schema();
        let mut tables = Vec::new();
        pages.for_each_row(schema.root, &mut |payload, rowid| {
            if let Some(table) = self.table(payload) {
                tables.push(table);
            }
            // A statement may hold URIs in its comments and default values.
            self.row(&schema, payload, rowid)
        })?;
        for table in tables {
            pages
                .for_each_row(table.root, &mut |payload, rowid| self.row(&table, payload, rowid))?;
        }
        let message = match pages.damaged {
            0 => return ControlFlow::Continue(()),
            1 => "a page of it is damaged or missing and was not read".to_owned(),
            count => format!("{count} pages of it are damaged or missing and were not read"),
        };
        self.sink.note(&Event::Unread { file: "", message: &message });
        ControlFlow::Continue(())
    }

    /// Returns the table that a row of the schema describes; `None` for indexes, views, and
    /// triggers.
    fn table(&self, payload: &Payload<'_>) -> Option<Table> {
        let text = |index: usize| match payload.values().nth(index)? {
            Value::Text(range) => Some(self.decoded(&payload.bytes(range))),
            _ => None,
        };
        let root = match payload.values().nth(schema::ROOT_PAGE)? {
            // Views, triggers, and virtual tables have no root page (§2.6).
            Value::Integer(root) => u32::try_from(root).ok().filter(|root| *root > 0)?,
            _ => return None,
        };
        let (kind, name, sql) = (text(0)?, text(1)?, text(schema::STATEMENT)?);
        (kind == "table").then(|| Table::new(name, root, &sql))
    }

    fn decoded(&self, bytes: &[u8]) -> String {
        let Some(encoding) = self.encoding else { return lossy(bytes).into_owned() };
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        // What is not UTF-16 is replaced.
        let _ = MimeCharset::from(encoding).decode(bytes, &mut text, &mut map);
        lossy(&text).into_owned()
    }

    /// Emits the texts of a row.
    fn row(&mut self, table: &Table, payload: &Payload<'_>, rowid: Option<i64>) -> ControlFlow<()> {
        // Of the schema, only statements are text of people.
        let first = if table.root == schema::ROOT { schema::STATEMENT } else { 0 };
        for (index, value) in payload.values().enumerate().skip(first) {
            let Value::Text(range) = value else { continue };
            let column = match table.columns.get(index) {
                Some(column) => Cow::Borrowed(column.as_str()),
                None => Cow::Owned(format!("column {}", index + 1)),
            };
            let place = Place::Record { table: Cow::Borrowed(&table.name), column, rowid };
            let pieces = payload.pieces_of(range);
            let source = self.source;
            match pieces.as_slice() {
                [(start, length)] => {
                    let bytes = source.bytes.clamped(*start..start + length);
                    let below = source.part(*start);
                    self.emit(bytes, below, &place)?;
                }
                pieces => {
                    let mut joined = DerivedText::default();
                    for &(start, length) in pieces {
                        joined.copy(source.bytes.clamped(start..start + length), start);
                    }
                    let below = source.layers(joined.map());
                    self.emit(joined.text(), below, &place)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn emit(&mut self, bytes: &[u8], below: Layers<'_>, place: &Place<'_>) -> ControlFlow<()> {
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        let (text, source) = match self.encoding {
            None => (bytes, below),
            Some(encoding) => {
                // Invalid UTF-16 is replaced: no URI contains it.
                let _ = MimeCharset::from(encoding).decode(bytes, &mut text, &mut map);
                (text.as_slice(), below.under(&map))
            }
        };
        if marked_value::are_wanted(self.sink)
            && marked_value::read(Source::inside(text, &source), place, self.sink)?
        {
            return ControlFlow::Continue(());
        }
        let part = Part::of_text(text, source, Role::Text);
        self.sink.part(&Part { content: Content::Value, place: Some(place), ..part })
    }
}
