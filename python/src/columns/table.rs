//! Matches as columns: one row a match, or one list a text.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int8Array, ListArray, StringArray, StructArray, UInt64Array,
};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields};
use urigrep::{Flag, Kind, Match, Uri, Wrapper};

use super::ColumnsError;

/// What is told of a match.
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
}

impl Column {
    pub const ALL: [Self; 16] = [
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
    ];

    /// Those that are given where none are chosen.
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
    /// Of a fixed list of words, the number of each.
    Words {
        words: Vec<&'static str>,
        numbers: Vec<i8>,
    },
    TextLists {
        ends: Vec<i32>,
        texts: Texts,
    },
}

/// Strings, one after the other.
pub struct Texts {
    ends: Vec<i32>,
    bytes: Vec<u8>,
    nulls: NullBufferBuilder,
}

impl Texts {
    fn new() -> Self {
        Self { ends: Vec::new(), bytes: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }

    fn push(&mut self, text: Option<&str>) {
        match text {
            Some(text) => {
                self.bytes.extend_from_slice(text.as_bytes());
                self.nulls.append_non_null();
            }
            None => self.nulls.append_null(),
        }
        self.ends.push(end(self.bytes.len()));
    }

    fn push_lowercase(&mut self, text: &str) {
        let from = self.bytes.len();
        self.push(Some(text));
        self.bytes[from..].make_ascii_lowercase();
    }

    fn append(&mut self, other: Self) {
        let before = self.bytes.len();
        self.ends.extend(other.ends.iter().map(|at| at.saturating_add(end(before))));
        self.bytes.extend_from_slice(&other.bytes);
        match other.nulls.as_slice() {
            None => self.nulls.append_n_non_nulls(other.ends.len()),
            Some(_) => {
                let mut nulls = other.nulls;
                self.nulls.append_buffer(
                    &nulls
                        .finish()
                        .unwrap_or_else(|| arrow_buffer::NullBuffer::new_valid(other.ends.len())),
                );
            }
        }
    }

    fn finish(mut self) -> Result<StringArray, ColumnsError> {
        let offsets = offsets(&self.ends, self.bytes.len())?;
        let made = StringArray::try_new(offsets, Buffer::from_vec(self.bytes), self.nulls.finish());
        made.map_err(|error| ColumnsError::Producer(error.to_string()))
    }
}

/// An offset as Arrow has it. One that does not fit is found when the column is finished.
fn end(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(i32::MAX)
}

fn offsets(ends: &[i32], length: usize) -> Result<OffsetBuffer<i32>, ColumnsError> {
    if i32::try_from(length).is_err() {
        return Err(ColumnsError::TooLarge);
    }
    let all: Vec<i32> = [0].into_iter().chain(ends.iter().copied()).collect();
    Ok(OffsetBuffer::new(ScalarBuffer::from(all)))
}

/// Where a match is: its row, and its offsets there.
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
            Column::Kind => Self::words(Kind::ALL.iter().map(|kind| kind.name())),
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
        Self::TextLists { ends: Vec::new(), texts: Texts::new() }
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
            ends.push(end(texts.ends.len()));
        }
    }

    fn words(words: impl Iterator<Item = &'static str>) -> Self {
        Self::Words { words: words.collect(), numbers: Vec::new() }
    }

    /// `uri` is that of the match, which is asked for it once.
    fn push(&mut self, column: Column, m: &Match<'_>, uri: Uri<'_>, place: Place) {
        match self {
            Self::Numbers(numbers) => numbers.push(match column {
                Column::Row => place.row,
                Column::Start => place.start as u64,
                _ => place.end as u64,
            }),
            Self::Words { numbers, .. } => {
                let number = match column {
                    Column::Kind => Kind::ALL.iter().position(|kind| *kind == m.kind()),
                    _ => Wrapper::ALL.iter().position(|wrapper| *wrapper == m.wrapper()),
                };
                numbers.push(number.and_then(|number| i8::try_from(number).ok()).unwrap_or(0));
            }
            Self::TextLists { .. } => self.push_texts(m.flags().iter().map(Flag::name)),
            Self::Texts(texts) => match column {
                Column::Uri => texts.push(Some(uri.as_str())),
                Column::Scheme => texts.push_lowercase(uri.scheme()),
                Column::Host => texts.push(uri.host()),
                Column::Iri => texts.push(m.iri()),
                Column::Normalized => texts.push(Some(&urigrep::normalize(uri))),
                Column::Userinfo => texts.push(uri.userinfo()),
                Column::Port => texts.push(uri.port()),
                Column::Path => texts.push(Some(uri.path())),
                Column::Query => texts.push(uri.query()),
                _ => texts.push(uri.fragment()),
            },
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
                let before = end(texts.ends.len());
                ends.extend(more.iter().map(|at| at.saturating_add(before)));
                texts.append(others);
            }
            // Two tables of the same columns have the same values.
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
                let offsets = offsets(&ends, texts.ends.len())?;
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
        let uri = m.parsed();
        for (column, values) in &mut self.columns {
            values.push(*column, m, uri, place);
        }
        self.len += 1;
    }

    /// Appends the rows of a table of the same columns.
    pub fn append(&mut self, other: Self) {
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
    table: Table,
    ends: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl Lists {
    pub fn new(columns: &[Column]) -> Self {
        Self { table: Table::new(columns), ends: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }

    /// Appends the matches of the next texts: how many each has, `None` for null.
    pub fn append(&mut self, table: Table, counts: &[Option<usize>]) {
        let mut before = self.table.len;
        self.table.append(table);
        for count in counts {
            before += count.unwrap_or(0);
            self.ends.push(end(before));
            self.nulls.append(count.is_some());
        }
    }

    /// Lists of structs, or of the values of the only column.
    pub fn finish(mut self, is_single: bool) -> Result<ArrayRef, ColumnsError> {
        let offsets = offsets(&self.ends, self.table.len)?;
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
