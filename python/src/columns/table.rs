//! Matches as columns: one row per match, or one list per text.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int8Array, ListArray, StringArray, StructArray, UInt64Array,
};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{DataType, Field, Fields};
use urigrep::search::{HitKind, OwnedHit};
use urigrep::{Flag, Identifier, Kind, Match, Uri, UriRef, Wrapper};

use super::ColumnsError;
use super::texts::{Ends, Texts, reserve};

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Row,
    Start,
    End,
    Uri,
    Scheme,
    Host,
    Kind,
    Flags,
    Iri,
    Normalized,
    Wrapper,
    Userinfo,
    Port,
    Path,
    Query,
    Fragment,
    Identifier,
    Role,
    Label,
}

impl Column {
    pub const ALL: [Self; 19] = [
        Self::Row,
        Self::Start,
        Self::End,
        Self::Uri,
        Self::Scheme,
        Self::Host,
        Self::Kind,
        Self::Flags,
        Self::Iri,
        Self::Normalized,
        Self::Wrapper,
        Self::Userinfo,
        Self::Port,
        Self::Path,
        Self::Query,
        Self::Fragment,
        Self::Identifier,
        Self::Role,
        Self::Label,
    ];

    /// The columns if none are chosen.
    pub const USUAL: [Self; 8] = [
        Self::Row,
        Self::Start,
        Self::End,
        Self::Uri,
        Self::Scheme,
        Self::Host,
        Self::Kind,
        Self::Flags,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Start => "start",
            Self::End => "end",
            Self::Uri => "uri",
            Self::Scheme => "scheme",
            Self::Host => "host",
            Self::Kind => "kind",
            Self::Flags => "flags",
            Self::Iri => "iri",
            Self::Normalized => "normalized",
            Self::Wrapper => "wrapper",
            Self::Userinfo => "userinfo",
            Self::Port => "port",
            Self::Path => "path",
            Self::Query => "query",
            Self::Fragment => "fragment",
            Self::Identifier => "identifier",
            Self::Role => "role",
            Self::Label => "label",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.name() == name)
    }
}

/// The values of a column.
pub enum Values {
    Numbers(Vec<u64>),
    Texts(Texts),
    /// The index of each value in a fixed list of words.
    Words {
        words: Vec<&'static str>,
        numbers: Vec<i8>,
    },
    TextLists {
        ends: Ends,
        texts: Texts,
    },
}

/// The place of a match: its row, and its offsets in the row.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub row: u64,
    pub start: usize,
    pub end: usize,
}

impl Values {
    fn of(column: Column) -> Self {
        match column {
            Column::Row | Column::Start | Column::End => Self::numbers(),
            // A document also has relative references.
            Column::Kind => Self::words(
                Kind::ALL.iter().map(|kind| kind.name()).chain([HitKind::Reference.name()]),
            ),
            Column::Wrapper => Self::words(Wrapper::ALL.iter().map(|wrapper| wrapper.name())),
            Column::Flags => Self::text_lists(),
            _ => Self::texts(),
        }
    }

    pub fn numbers() -> Self {
        Self::Numbers(Vec::new())
    }

    pub fn texts() -> Self {
        Self::Texts(Texts::new())
    }

    pub fn text_lists() -> Self {
        Self::TextLists { ends: Ends::new(), texts: Texts::new() }
    }

    pub fn push_number(&mut self, number: u64) {
        if let Self::Numbers(numbers) = self {
            numbers.push(number);
        }
    }

    pub fn push_text(&mut self, text: Option<&str>) {
        if let Self::Texts(texts) = self {
            texts.push(text);
        }
    }

    pub fn push_texts<'t>(&mut self, list: impl Iterator<Item = &'t str>) {
        if let Self::TextLists { ends, texts } = self {
            list.for_each(|text| texts.push(Some(text)));
            ends.push(texts.len());
        }
    }

    fn words(words: impl Iterator<Item = &'static str>) -> Self {
        Self::Words { words: words.collect(), numbers: Vec::new() }
    }

    /// Appends the value of a match. `parsed` is passed from column to column, so that the URI is
    /// parsed at most once, and only if needed.
    fn push<'m>(
        &mut self,
        column: Column,
        m: &'m Match<'_>,
        parsed: &mut Option<Uri<'m>>,
        place: Place,
    ) {
        match self {
            Self::Numbers(numbers) => numbers.push(match column {
                Column::Row => place.row,
                Column::Start => place.start as u64,
                _ => place.end as u64,
            }),
            // The list has all words in the order of their declaration.
            Self::Words { numbers, .. } => numbers.push(match column {
                Column::Kind => m.kind() as i8,
                _ => m.wrapper() as i8,
            }),
            Self::TextLists { ends, texts } => {
                let flags = m.flags();
                // Nearly all matches have no flags.
                if !flags.is_empty() {
                    flags.iter().for_each(|flag| texts.push(Some(flag.name())));
                }
                ends.push(texts.len());
            }
            // The usual columns are taken from bytes of the match, without parsing the URI.
            Self::Texts(texts) if column == Column::Uri => texts.push_bytes(m.uri_bytes()),
            Self::Texts(texts) if column == Column::Scheme => {
                texts.push_lowercase(m.scheme_bytes())
            }
            Self::Texts(texts) if column == Column::Host => match m.host_bytes() {
                Some(host) => texts.push_bytes(host),
                None => texts.push(None),
            },
            Self::Texts(texts) => {
                let uri = *parsed.get_or_insert_with(|| m.parsed());
                match column {
                    Column::Iri => texts.push(m.iri()),
                    Column::Normalized => texts.push(Some(&urigrep::normalize(uri))),
                    Column::Userinfo => texts.push(uri.userinfo()),
                    Column::Port => texts.push(uri.port()),
                    Column::Path => texts.push(Some(uri.path())),
                    Column::Query => texts.push(uri.query()),
                    Column::Fragment => texts.push(uri.fragment()),
                    Column::Identifier => {
                        let identifier = uri.identifier();
                        texts.push(identifier.as_ref().map(Identifier::canonical));
                    }
                    // Only documents have them.
                    _ => texts.push(None),
                }
            }
        }
    }

    /// Appends the value of a match in a document.
    fn push_hit(&mut self, column: Column, hit: &OwnedHit, place: Place) {
        match self {
            Self::Numbers(numbers) => numbers.push(match column {
                Column::Row => place.row,
                Column::Start => place.start as u64,
                _ => place.end as u64,
            }),
            Self::Words { numbers, .. } => numbers.push(match (column, hit.kind()) {
                (Column::Kind, HitKind::Uri(kind)) => kind as i8,
                (Column::Kind, HitKind::Reference) => Kind::ALL.len() as i8,
                _ => hit.wrapper() as i8,
            }),
            Self::TextLists { .. } => self.push_texts(hit.flags().iter().map(Flag::name)),
            Self::Texts(texts) => {
                let reference = hit.parsed();
                let uri = reference.and_then(|reference| reference.to_uri());
                let part =
                    |part: fn(&UriRef<'_>) -> Option<String>| reference.as_ref().and_then(part);
                let value = match column {
                    Column::Uri => Some(hit.uri().to_owned()),
                    Column::Scheme => part(|uri| uri.scheme().map(str::to_ascii_lowercase)),
                    Column::Host => part(|uri| uri.host().map(str::to_owned)),
                    Column::Iri => hit.iri().map(str::to_owned),
                    Column::Normalized => uri.map(|uri| urigrep::normalize(uri).into_string()),
                    Column::Userinfo => part(|uri| uri.userinfo().map(str::to_owned)),
                    Column::Port => part(|uri| uri.port().map(str::to_owned)),
                    Column::Path => part(|uri| Some(uri.path().to_owned())),
                    Column::Query => part(|uri| uri.query().map(str::to_owned)),
                    Column::Fragment => part(|uri| uri.fragment().map(str::to_owned)),
                    Column::Identifier => {
                        let identifier = uri.and_then(|uri| uri.identifier());
                        identifier.map(|identifier| identifier.canonical().to_owned())
                    }
                    Column::Role => hit.role().map(|role| role.name().to_owned()),
                    Column::Label => hit.label().map(str::to_owned),
                    _ => None,
                };
                texts.push(value.as_deref());
            }
        }
    }

    fn reserve(&mut self, times: usize) {
        match self {
            Self::Numbers(numbers) => reserve(numbers, times),
            Self::Words { numbers, .. } => reserve(numbers, times),
            Self::Texts(texts) => texts.reserve(times),
            Self::TextLists { ends, texts } => {
                ends.reserve(times);
                texts.reserve(times);
            }
        }
    }

    fn append(&mut self, other: Self) {
        match (self, other) {
            (Self::Numbers(numbers), Self::Numbers(more)) => numbers.extend(more),
            (Self::Texts(texts), Self::Texts(more)) => texts.append(more),
            (Self::Words { numbers, .. }, Self::Words { numbers: more, .. }) => {
                numbers.extend(more)
            }
            (Self::TextLists { ends, texts }, Self::TextLists { ends: more, texts: others }) => {
                ends.append(&more, texts.len());
                texts.append(others);
            }
            // Tables with the same columns have the same values.
            _ => {}
        }
    }

    fn finish(self) -> Result<ArrayRef, ColumnsError> {
        let failed = |error: arrow_schema::ArrowError| ColumnsError::Producer(error.to_string());
        Ok(match self {
            Self::Numbers(numbers) => Arc::new(UInt64Array::from(numbers)),
            Self::Texts(texts) => Arc::new(texts.finish()?),
            Self::Words { words, numbers } => {
                let words = Arc::new(StringArray::from(words));
                let array = DictionaryArray::<Int8Type>::try_new(Int8Array::from(numbers), words);
                Arc::new(array.map_err(failed)?)
            }
            Self::TextLists { ends, texts } => {
                let offsets = ends.finish(texts.len())?;
                let item = Arc::new(Field::new("item", DataType::Utf8, false));
                let array = ListArray::try_new(item, offsets, Arc::new(texts.finish()?), None);
                Arc::new(array.map_err(failed)?)
            }
        })
    }
}

/// Matches as columns.
pub struct Table {
    columns: Vec<(Column, Values)>,
    len: usize,
}

impl Table {
    pub fn new(columns: &[Column]) -> Self {
        let columns = columns.iter().map(|&column| (column, Values::of(column))).collect();
        Self { columns, len: 0 }
    }

    pub fn push(&mut self, m: &Match<'_>, place: Place) {
        let mut parsed = None;
        for (column, values) in &mut self.columns {
            values.push(*column, m, &mut parsed, place);
        }
        self.len += 1;
    }

    /// Appends a match in a document.
    pub fn push_hit(&mut self, hit: &OwnedHit, place: Place) {
        for (column, values) in &mut self.columns {
            values.push_hit(*column, hit, place);
        }
        self.len += 1;
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reserves space for the matches of `times` times as many texts. A column that grows step by
    /// step is copied at each step.
    pub fn reserve(&mut self, times: usize) {
        self.columns.iter_mut().for_each(|(_, values)| values.reserve(times));
    }

    /// Appends the rows of a table of the same columns.
    pub fn append(&mut self, other: Self) {
        // The first part is moved, not copied.
        if self.is_empty() {
            *self = other;
            return;
        }
        for ((_, values), (_, more)) in self.columns.iter_mut().zip(other.columns) {
            values.append(more);
        }
        self.len += other.len;
    }

    pub fn finish(self) -> Result<StructArray, ColumnsError> {
        structs(self.columns.into_iter().map(|(column, values)| (column.name(), values)))
    }
}

/// Columns of the same length as a table.
pub fn structs(
    columns: impl IntoIterator<Item = (&'static str, Values)>,
) -> Result<StructArray, ColumnsError> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (name, values) in columns {
        let is_nullable = matches!(&values, Values::Texts(_));
        let array = values.finish()?;
        fields.push(Field::new(name, array.data_type().clone(), is_nullable));
        arrays.push(array);
    }
    let made = StructArray::try_new(Fields::from(fields), arrays, None);
    made.map_err(|error| ColumnsError::Producer(error.to_string()))
}

/// The matches of each text as a list.
pub struct Lists {
    pub table: Table,
    ends: Ends,
    nulls: NullBufferBuilder,
}

impl Lists {
    pub fn new(columns: &[Column]) -> Self {
        Self { table: Table::new(columns), ends: Ends::new(), nulls: NullBufferBuilder::new(0) }
    }

    /// Ends the list of a text whose matches were appended to the table; `None` for null.
    pub fn end(&mut self, count: Option<usize>) {
        self.ends.push(self.table.len);
        self.nulls.append(count.is_some());
    }

    /// Ends the lists of this many texts that are null.
    pub fn end_nulls(&mut self, count: usize) -> Result<(), ColumnsError> {
        self.ends.repeat(self.table.len, count)?;
        self.nulls.append_n_nulls(count);
        Ok(())
    }

    /// Appends the matches of the next texts, with their number per text; `None` for null.
    pub fn append(&mut self, table: Table, counts: &[Option<usize>]) {
        let mut before = self.table.len;
        self.table.append(table);
        for count in counts {
            before += count.unwrap_or(0);
            self.ends.push(before);
            self.nulls.append(count.is_some());
        }
    }

    /// Lists of structs, or of the values of the only column.
    pub fn finish(mut self, is_single: bool) -> Result<ArrayRef, ColumnsError> {
        let offsets = self.ends.finish(self.table.len)?;
        let structs = self.table.finish()?;
        let values: ArrayRef = match is_single {
            true => structs.column(0).clone(),
            false => Arc::new(structs),
        };
        let item = Arc::new(Field::new("item", values.data_type().clone(), true));
        let made = ListArray::try_new(item, offsets, values, self.nulls.finish());
        Ok(Arc::new(made.map_err(|error| ColumnsError::Producer(error.to_string()))?))
    }
}
