//! `find_batch` and `extract_batch`: Arrow arrays in, Arrow batches out, without a Python object a
//! row.
//!
//! Arrays come and go by the Arrow PyCapsule interface, so that pyarrow, polars, DuckDB and pandas
//! are all the same here.
//!
//! | file | what |
//! |---|---|
//! | `capsule.rs` | arrays in and out of Python |
//! | `hits.rs` | what `scan` finds as columns |
//! | `rows.rs` | the rows of an array as bytes, for each type that has such |
//! | `search.rs` | many rows, by several threads |
//! | `table.rs` | matches as columns |
//! | `texts.rs` | the strings of a column |

mod capsule;
mod checked;
mod hits;
mod rows;
mod search;
mod table;
mod texts;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::DataType;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString, PyTuple};

use crate::error::OptionError;
use crate::options::TextFinder;
use crate::text::Unit;
use capsule::Incoming;
pub use hits::HitTable;
use rows::Rows;
pub use search::hits;
use search::{BatchSearch, blocks};
use table::{Column, Lists, Table};

/// The reason why a batch can't be searched.
#[derive(Debug)]
pub enum ColumnsError {
    /// The array has no rows of text.
    Type(String),
    /// The producer of the array failed.
    Producer(String),
    /// The matches are too many for one batch.
    TooLarge,
    /// There are more rows than memory.
    OutOfMemory,
}

impl From<ColumnsError> for PyErr {
    fn from(error: ColumnsError) -> Self {
        match error {
            ColumnsError::Type(name) => PyTypeError::new_err(format!(
                "an array of strings or of binary values is searched, not one of {name}"
            )),
            ColumnsError::Producer(message) => PyValueError::new_err(message),
            ColumnsError::OutOfMemory => PyMemoryError::new_err("not enough memory for these rows"),
            ColumnsError::TooLarge => PyOverflowError::new_err(
                "the matches take more than 2 GiB a column; search fewer rows at a time",
            ),
        }
    }
}

/// Matches as a table, for any reader of Arrow: `pyarrow.record_batch(batch)`,
/// `polars.DataFrame(batch)`.
#[pyclass(frozen, module = "urigrep")]
pub struct Batch {
    batch: RecordBatch,
}

impl Batch {
    pub fn of_hits(hits: HitTable) -> PyResult<Self> {
        Ok(Self { batch: hits.finish()? })
    }
}

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        let columns = self.batch.schema();
        let columns: Vec<_> = columns.fields().iter().map(|field| field.name().as_str()).collect();
        format!("<Batch of {} matches: {}>", self.batch.num_rows(), columns.join(", "))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &StructArray::from(self.batch.clone()))
    }

    /// The requested schema is a hint that a producer need not follow.
    #[pyo3(signature = (_requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        _requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        capsule::array(py, &StructArray::from(self.batch.clone()))
    }

    #[pyo3(signature = (_requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        _requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::stream(py, self.batch.clone())
    }
}

/// The matches of each row as an array of lists, for any reader of Arrow: `pyarrow.array(lists)`,
/// `polars.Series(lists)`.
#[pyclass(frozen, module = "urigrep")]
pub struct MatchLists {
    array: ArrayRef,
}

#[pymethods]
impl MatchLists {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self) -> String {
        format!("<MatchLists of {} rows>", self.array.len())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.array)
    }

    #[pyo3(signature = (_requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        _requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        capsule::array(py, &self.array)
    }
}

/// Options about columns; all other options are the finder's.
struct ColumnOptions {
    columns: Vec<Column>,
    /// One column was named without a list.
    is_single: bool,
    /// The unit of offsets, if one was chosen.
    unit: Option<Unit>,
    threads: usize,
}

/// The keywords `columns`, `offsets`, and `threads`.
pub type ColumnKeywords<'a, 'py> = (Option<&'a Bound<'py, PyAny>>, Option<&'a str>, usize);

impl ColumnOptions {
    fn new(
        (columns, offsets, threads): ColumnKeywords<'_, '_>,
        without: &[Column],
    ) -> PyResult<Self> {
        let named = |name: &str| {
            let column = Column::of_name(name);
            column.filter(|column| !without.contains(column)).ok_or_else(|| {
                let names = Column::ALL.iter().filter(|column| !without.contains(column));
                let names: Vec<_> = names.map(|column| column.name()).collect();
                OptionError::new_err(format!("the columns are {}", names.join(", ")))
            })
        };
        let (columns, is_single) = match columns {
            None => {
                let usual = Column::USUAL.into_iter();
                (usual.filter(|column| !without.contains(column)).collect(), false)
            }
            Some(name) if name.is_instance_of::<PyString>() => {
                (vec![named(name.extract()?)?], true)
            }
            Some(names) => {
                let names: Vec<String> = names.extract()?;
                let columns: PyResult<Vec<_>> = names.iter().map(|name| named(name)).collect();
                (columns?, false)
            }
        };
        if columns.is_empty() {
            return Err(OptionError::new_err("no columns are chosen"));
        }
        let unit = match offsets {
            None => None,
            Some("bytes") => Some(Unit::Bytes),
            Some("characters") => Some(Unit::Characters),
            Some(_) => return Err(OptionError::new_err("offsets are bytes or characters")),
        };
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads.min(256),
        };
        Ok(Self { columns, is_single, unit, threads })
    }

    /// Returns the unit of offsets in rows of this type: characters in text, and bytes in binary
    /// values, unless one was chosen.
    fn unit(&self, rows: &DataType) -> Unit {
        match (self.unit, rows) {
            // Nothing shows them, so nothing need be counted.
            _ if !self
                .columns
                .iter()
                .any(|column| matches!(column, Column::Start | Column::End)) =>
            {
                Unit::Bytes
            }
            (Some(unit), _) => unit,
            (None, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => Unit::Characters,
            (None, DataType::Dictionary(_, values)) => self.unit(values),
            (None, _) => Unit::Bytes,
        }
    }
}

/// The matches in all rows of an array or a chunked array of strings or binary values, one row a
/// match.
///
/// `start` and `end` count characters in strings and bytes in binary values, as in `find`;
/// `offsets="bytes"` counts bytes in strings, too.
///
#[doc = include_str!("../help/find.txt")]
#[pyfunction]
#[pyo3(signature = (array, /, *, columns = None, offsets = None, threads = 0, first_row = 0, **options))]
pub fn find_batch(
    array: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    offsets: Option<&str>,
    threads: usize,
    first_row: u64,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Batch> {
    found(array, &*TextFinder::of(options)?, (columns, offsets, threads), first_row)
}

pub fn found(
    array: &Bound<'_, PyAny>,
    finder: &TextFinder,
    keywords: ColumnKeywords<'_, '_>,
    first_row: u64,
) -> PyResult<Batch> {
    let py = array.py();
    let chosen = ColumnOptions::new(keywords, &[])?;
    let mut incoming = Incoming::of(array)?;
    let mut table = Table::new(&chosen.columns);
    let mut row = first_row;
    while let Some(chunk) = incoming.next(py)? {
        let search = BatchSearch {
            finder,
            columns: &chosen.columns,
            unit: chosen.unit(chunk.data_type()),
            threads: chosen.threads,
        };
        let rows = Rows::of(&chunk)?;
        // Checked before the search, which adds to it.
        let next = row.checked_add(chunk.len() as u64);
        let next = next.ok_or_else(|| PyOverflowError::new_err("first_row is too large"))?;
        for block in blocks(&rows) {
            py.detach(|| search.find(&rows, block, row, &mut table))?;
            py.check_signals()?;
        }
        // Also of an empty array, of which a stream may have no end.
        py.check_signals()?;
        row = next;
    }
    Ok(Batch { batch: RecordBatch::from(table.finish()?) })
}

/// The matches of each row as a list, so that the result has the length of the array. `columns` is
/// a name, for lists of such values, or several, for lists of structs; a row that is null stays
/// null. Offsets are those of `find_batch`.
///
#[doc = include_str!("../help/find.txt")]
#[pyfunction]
#[pyo3(signature = (array, /, *, columns = None, offsets = None, threads = 0, **options))]
pub fn extract_batch(
    array: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    offsets: Option<&str>,
    threads: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<MatchLists> {
    extracted(array, &*TextFinder::of(options)?, (columns, offsets, threads))
}

pub fn extracted(
    array: &Bound<'_, PyAny>,
    finder: &TextFinder,
    keywords: ColumnKeywords<'_, '_>,
) -> PyResult<MatchLists> {
    let py = array.py();
    let chosen = ColumnOptions::new(keywords, &[Column::Row])?;
    let mut incoming = Incoming::of(array)?;
    let mut lists = Lists::new(&chosen.columns);
    while let Some(chunk) = incoming.next(py)? {
        let search = BatchSearch {
            finder,
            columns: &chosen.columns,
            unit: chosen.unit(chunk.data_type()),
            threads: chosen.threads,
        };
        let rows = Rows::of(&chunk)?;
        if rows.is_all_null() {
            py.detach(|| lists.end_nulls(rows.len()))?;
        }
        for block in blocks(&rows) {
            py.detach(|| search.extract(&rows, block, &mut lists))?;
            py.check_signals()?;
        }
        py.check_signals()?;
    }
    Ok(MatchLists { array: lists.finish(chosen.is_single)? })
}
