//! `Match`: a URI that was found, with every member of the command's JSON as an attribute.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use urigrep::search::OwnedHit;
use urigrep::{OwnedMatch, UriRef};

use crate::text::Source;

/// A URI found in a text, or in a file by `scan`.
///
/// Its members are those of the command's JSON (docs/reference/json.md). For a match in a text,
/// `start` and `end` are indices of the searched str or bytes; for a match in a file, they are
/// offsets in the bytes of `stream`.
#[pyclass(frozen, module = "urigrep")]
pub struct Match {
    found: Found,
    /// The JSON object, created on first use.
    record: PyOnceLock<Py<PyDict>>,
}

enum Found {
    InText(Box<InText>),
    InFile(Box<OwnedHit>),
    InDocument(Box<InDocument>),
    /// Restored from a pickle: there is only the record.
    Restored {
        uri: String,
        text: Py<PyAny>,
        path: Py<PyAny>,
    },
}

struct InText {
    matched: OwnedMatch,
    source: Source,
    span: [usize; 2],
    ranges: Vec<[usize; 2]>,
}

/// A match in a text that was read as a document.
struct InDocument {
    hit: OwnedHit,
    source: Source,
    span: [usize; 2],
    ranges: Vec<[usize; 2]>,
}

impl Match {
    /// Creates a match in a text that was read as a document; `offset` converts its offsets.
    pub fn in_document(
        hit: OwnedHit,
        source: Source,
        mut offset: impl FnMut(usize) -> usize,
    ) -> Self {
        // Offsets in a stream, such as an attachment, are not those of the text.
        let is_of_text = hit.input().stream().is_none();
        let mut both = |[start, end]: [u64; 2]| {
            [start, end].map(|at| {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                if is_of_text { offset(at) } else { at }
            })
        };
        let span = both([hit.start(), hit.end()]);
        let ranges = hit.ranges().iter().map(|range| both(*range)).collect();
        Self::new(Found::InDocument(Box::new(InDocument { hit, source, span, ranges })))
    }

    /// Creates a match in a text; `offset` converts an offset in that text to one in the searched
    /// object.
    pub fn in_text(
        m: &urigrep::Match<'_>,
        source: Source,
        mut offset: impl FnMut(usize) -> usize,
    ) -> Self {
        let mut both = |span: urigrep::Span| [span.start(), span.end()].map(&mut offset);
        let span = both(m.span());
        let ranges = m.ranges().iter().map(|range| both(*range)).collect();
        let found = InText { matched: m.to_owned_match(), source, span, ranges };
        Self::new(Found::InText(Box::new(found)))
    }

    pub fn in_file(hit: Box<OwnedHit>) -> Self {
        Self::new(Found::InFile(hit))
    }

    fn new(found: Found) -> Self {
        Self { found, record: PyOnceLock::new() }
    }

    fn uri_str(&self) -> &str {
        match &self.found {
            Found::InText(found) => found.matched.uri(),
            Found::InFile(hit) => hit.uri(),
            Found::InDocument(found) => found.hit.uri(),
            Found::Restored { uri, .. } => uri,
        }
    }

    fn parsed(&self) -> Option<UriRef<'_>> {
        match &self.found {
            Found::InText(found) => Some(found.matched.parsed().into()),
            _ => UriRef::parse(self.uri_str()).ok(),
        }
    }

    /// Creates a new record: the object of the command's JSON.
    fn made_record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let json = match &self.found {
            Found::InText(found) => serde_json::to_string(&OwnedHit::from(found.matched.clone())),
            Found::InFile(hit) => serde_json::to_string(hit),
            Found::InDocument(found) => serde_json::to_string(&found.hit),
            Found::Restored { .. } => {
                let record = self.record(py)?;
                // The caller may change the dictionary, and a match is immutable. So each call
                // returns a new one.
                let copy = py.import("copy")?.call_method1("deepcopy", (record,))?;
                return Ok(copy.cast_into()?);
            }
        };
        let json = json.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let record = py.import("json")?.call_method1("loads", (json,))?;
        let record = record.cast_into::<PyDict>()?;
        let placed = match &self.found {
            Found::InText(found) => Some((found.span, &found.ranges)),
            Found::InDocument(found) => Some((found.span, &found.ranges)),
            _ => None,
        };
        if let Some(([start, end], ranges)) = placed {
            record.set_item("start", start)?;
            record.set_item("end", end)?;
            if !ranges.is_empty() {
                let ranges: Vec<_> = ranges.iter().map(|range| range.to_vec()).collect();
                record.set_item("ranges", ranges)?;
            }
        }
        Ok(record)
    }

    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let made = || Ok::<_, PyErr>(self.made_record(py)?.unbind());
        Ok(self.record.get_or_try_init(py, made)?.bind(py).clone())
    }

    fn member<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record(py)?.get_item(name)
    }
}

/// Decodes bytes as text. Invalid UTF-8 is kept as surrogates, as in file names of Python.
pub fn decoded<'py>(py: Python<'py>, bytes: &[u8], source: Source) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text).into_any());
    }
    let errors = if source == Source::Str { "surrogatepass" } else { "surrogateescape" };
    PyBytes::new(py, bytes).call_method1("decode", ("utf-8", errors))
}

#[pymethods]
impl Match {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("uri", "start", "end")
    }

    /// The URI, valid under RFC 3986.
    #[getter]
    fn uri(&self) -> &str {
        self.uri_str()
    }

    /// The index of its first character in a str, of its first byte in bytes or in a file.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<u64> {
        match &self.found {
            Found::InText(found) => Ok(found.span[0] as u64),
            Found::InDocument(found) => Ok(found.span[0] as u64),
            Found::InFile(hit) => Ok(hit.start()),
            Found::Restored { .. } => required(self.member(py, "start")?),
        }
    }

    /// The index after its last character or byte.
    #[getter]
    fn end(&self, py: Python<'_>) -> PyResult<u64> {
        match &self.found {
            Found::InText(found) => Ok(found.span[1] as u64),
            Found::InDocument(found) => Ok(found.span[1] as u64),
            Found::InFile(hit) => Ok(hit.end()),
            Found::Restored { .. } => required(self.member(py, "end")?),
        }
    }

    /// `(start, end)`.
    fn span(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        Ok((self.start(py)?, self.end(py)?))
    }

    /// The matched text, with escapes and encodings decoded.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.found {
            Found::InText(found) => decoded(py, found.matched.text(), found.source),
            Found::InFile(hit) => decoded(py, hit.text(), Source::Bytes),
            Found::InDocument(found) => decoded(py, found.hit.text(), found.source),
            Found::Restored { text, .. } => Ok(text.bind(py).clone()),
        }
    }

    /// `uri`, `iri`, `urn`, `lax`, `abbreviated`, `email` or `reference`.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = match &self.found {
            Found::InText(found) => found.matched.kind().name(),
            Found::InFile(hit) => hit.kind().name(),
            Found::InDocument(found) => found.hit.kind().name(),
            Found::Restored { .. } => {
                return Ok(self.member(py, "kind")?.unwrap_or_else(|| py.None().into_bound(py)));
            }
        };
        Ok(PyString::intern(py, name).into_any())
    }

    /// The scheme in lower case; None for a relative reference.
    #[getter]
    fn scheme(&self) -> Option<String> {
        Some(self.parsed()?.scheme()?.to_ascii_lowercase())
    }

    /// The host; None if the URI has none.
    #[getter]
    fn host(&self) -> Option<String> {
        Some(self.parsed()?.host()?.to_owned())
    }

    /// The path of the file; None for a match in a text.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.found {
            Found::InText(_) | Found::InDocument(_) => Ok(py.None().into_bound(py)),
            Found::InFile(hit) => file_name(py, hit.input().file_path()),
            Found::Restored { path, .. } => Ok(path.bind(py).clone()),
        }
    }

    /// The line, from 1; None for a match in a plain text.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "line")
    }

    /// The column in bytes, from 1; None for a match in a plain text.
    #[getter]
    fn column<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "column")
    }

    /// The IRI as it was written, if it is one.
    #[getter]
    fn iri<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "iri")
    }

    /// The delimiters around it: `angle`, `quote`, `paren`, and so on, or `none`.
    #[getter]
    fn wrapper<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "wrapper")
    }

    /// Warnings and facts, by the names of docs/reference/json.md.
    #[getter]
    fn flags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let flags = self.member(py, "flags")?;
        let flags: Vec<Bound<'_, PyAny>> = flags.map_or(Ok(Vec::new()), |flags| flags.extract())?;
        PyTuple::new(py, flags)
    }

    /// The ranges of the source, if there are several.
    #[getter]
    fn ranges(&self, py: Python<'_>) -> PyResult<Vec<(u64, u64)>> {
        let ranges: Option<Vec<[u64; 2]>> =
            self.member(py, "ranges")?.map(|ranges| ranges.extract()).transpose()?;
        Ok(ranges.unwrap_or_default().into_iter().map(|[start, end]| (start, end)).collect())
    }

    /// The other reading, where a hyphen ended a line.
    #[getter]
    fn alternative<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "alternative")
    }

    /// The normal form (RFC 3986, sections 6.2.2 and 6.2.3).
    #[getter]
    fn normalized<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "normalized")
    }

    /// `host`, `port`, `path`, and other components, by name.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "components")
    }

    /// What it identifies, in one spelling: `kind`, `value`, and `canonical`; None for an address.
    #[getter]
    fn identifier<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "identifier")
    }

    /// `nid`, `nss`, and other parts of a URN; None for other URIs.
    #[getter]
    fn urn<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "urn")
    }

    /// What it is in a document: `destination`, `text`, `code`, and so on.
    #[getter]
    fn role<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "role")
    }

    /// The format of the document; None outside of documents.
    #[getter]
    fn format<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "format")
    }

    /// Where in the document: a page, a cell, a column.
    #[getter]
    fn place<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "place")
    }

    /// The text of the link, where the reader knows it.
    #[getter]
    fn label<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "label")
    }

    /// The element of the document, in lower case.
    #[getter]
    fn element<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "element")
    }

    /// The attribute whose value it is in.
    #[getter]
    fn attribute<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "attribute")
    }

    /// `message_id`, `date`, `from`, `subject`, and more of its message.
    #[getter]
    fn mail<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "mail")
    }

    /// The place in a compressed file or an archive, such as `zip!/dir/a.txt`.
    #[getter]
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "stream")
    }

    /// The object of the command's JSON, without absent members.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.made_record(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.path(py)?;
        let place = if path.is_none() {
            String::new()
        } else {
            format!("{} in {}: ", self.kind(py)?, path.repr()?)
        };
        let kind = if path.is_none() { format!("{}, ", self.kind(py)?) } else { String::new() };
        let (start, end) = self.span(py)?;
        let uri = PyString::new(py, self.uri_str()).repr()?;
        Ok(format!("<Match {place}{kind}{start}:{end}, {uri}>"))
    }

    fn __str__(&self) -> &str {
        self.uri_str()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(false);
        };
        let other = other.get();
        // Cheap comparison first: the records are built only for matches that are probably equal.
        if self.uri_str() != other.uri_str() || self.span(py)? != other.span(py)? {
            return Ok(false);
        }
        self.record(py)?.eq(other.record(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        (self.uri_str(), self.span(py)?).hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("urigrep._urigrep")?.getattr("restore")?;
        let state =
            PyTuple::new(py, [self.made_record(py)?.into_any(), self.text(py)?, self.path(py)?])?;
        PyTuple::new(py, [restore, state.into_any()])
    }
}

/// Restores a pickled match.
#[pyfunction]
pub fn restore(record: Bound<'_, PyDict>, text: Py<PyAny>, path: Py<PyAny>) -> PyResult<Match> {
    let uri = required(record.get_item("uri")?)?;
    let m = Match::new(Found::Restored { uri, text, path });
    // Setting it can't fail: the cell is new and empty.
    let _ = m.record.set(record.py(), record.unbind());
    Ok(m)
}

fn required<'py, T>(member: Option<Bound<'py, PyAny>>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    match member {
        Some(member) => member.extract(),
        None => Err(PyValueError::new_err("this is no pickled match")),
    }
}

/// Returns a file name in the form that Python uses.
pub fn file_name<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    #[cfg(unix)]
    let name: Cow<'_, OsStr> = Cow::Borrowed(std::os::unix::ffi::OsStrExt::from_bytes(bytes));
    #[cfg(not(unix))]
    let name: Cow<'_, OsStr> = Cow::Owned(String::from_utf8_lossy(bytes).into_owned().into());
    Ok(name.into_pyobject(py)?.into_any())
}
