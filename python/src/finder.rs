//! `Finder`, `find` and `finditer`: URIs in a text.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use urigrep::Finding;
use urigrep::finder::{Rest, Resume, Window};
use urigrep::search::{Labels, Search};

use crate::columns::{self, Batch, MatchLists, hits};
use crate::explain::{Rejected, explained, invalid};
use crate::found::Match;
use crate::options::{self, TextFinder};
use crate::scan::{self, Scan};
use crate::text::{OffsetCounter, Text};

/// A longer text is searched in windows of this size, with a look for signals between them.
const LONG: usize = 4 << 20;
/// A shorter text is searched before another thread could take over.
const SHORT: usize = 4 << 10;

/// Finds URIs in texts, with fixed options. It is immutable, and threads may share it.
///
#[doc = include_str!("help/find.txt")]
#[pyclass(frozen, module = "urigrep")]
pub struct Finder {
    finder: Arc<TextFinder>,
    /// The options, to copy the finder to another process.
    options: Py<PyDict>,
}

#[pymethods]
impl Finder {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let finder = TextFinder::of(options)?;
        let options = options.map_or_else(|| Ok(PyDict::new(py)), |options| options.copy())?;
        Ok(Self { finder, options: options.unbind() })
    }

    /// Returns the matches in a str or a bytes-like object, in order.
    fn find(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<Match>> {
        found(text, &self.finder)
    }

    /// Iterates over the matches; unread matches take no memory.
    fn finditer(&self, text: &Bound<'_, PyAny>) -> PyResult<MatchIterator> {
        MatchIterator::new(text, Arc::clone(&self.finder))
    }

    /// Returns what looks like a URI but is not valid; see `find_invalid`.
    fn find_invalid(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<Rejected>> {
        invalid(text, &self.finder)
    }

    /// Returns matches and rejected candidates with the rules that decided them; see `explain`.
    fn explain<'py>(&self, text: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        explained(text, &self.finder)
    }

    /// Returns the matches of files and directories, of bytes, or of a binary file object, as
    /// `scan` does. Options of this call, such as `glob`, are added to those of the finder. A
    /// `format` is that of all files.
    ///
    /// >>> import urigrep
    /// >>> finder = urigrep.Finder(email=True)
    /// >>> [m.uri for m in finder.scan(b"jo@a.example", name="a.txt")]
    /// ['mailto:jo@a.example']
    #[pyo3(signature = (source, /, *, name = None, errors = "warn", **options))]
    fn scan(
        &self,
        source: &Bound<'_, PyAny>,
        name: Option<&str>,
        errors: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Scan> {
        let all = options::of_scan(self.options.bind(source.py()), options)?;
        scan::scan(source, name, errors, Some(&all))
    }

    /// Returns the matches in all rows of an Arrow array, one row a match; see `find_batch`.
    #[pyo3(signature = (array, /, *, columns = None, offsets = None, threads = 0, first_row = 0))]
    fn find_batch(
        &self,
        array: &Bound<'_, PyAny>,
        columns: Option<&Bound<'_, PyAny>>,
        offsets: Option<&str>,
        threads: usize,
        first_row: u64,
    ) -> PyResult<Batch> {
        columns::found(array, &self.finder, (columns, offsets, threads), first_row)
    }

    /// Returns the matches of each row of an Arrow array as a list; see `extract_batch`.
    #[pyo3(signature = (array, /, *, columns = None, offsets = None, threads = 0))]
    fn extract_batch(
        &self,
        array: &Bound<'_, PyAny>,
        columns: Option<&Bound<'_, PyAny>>,
        offsets: Option<&str>,
        threads: usize,
    ) -> PyResult<MatchLists> {
        columns::extracted(array, &self.finder, (columns, offsets, threads))
    }

    /// The options of this finder.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.options.bind(py).copy()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let options = self.options.bind(py).iter();
        let shown: PyResult<Vec<_>> =
            options.map(|(name, value)| Ok(format!("{name}={}", value.repr()?))).collect();
        Ok(format!("Finder({})", shown?.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let partial = py.import("functools")?.getattr("partial")?;
        let class = py.get_type::<Self>();
        let made = partial.call((class,), Some(self.options.bind(py)))?;
        PyTuple::new(py, [made, PyTuple::empty(py).into_any()])
    }
}

/// Returns the matches in a str or a bytes-like object, in order.
///
#[doc = include_str!("help/find.txt")]
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn find(text: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Match>> {
    found(text, &TextFinder::of(options)?)
}

/// Iterates over the matches in a str or a bytes-like object.
///
#[doc = include_str!("help/find.txt")]
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn finditer(
    text: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<MatchIterator> {
    MatchIterator::new(text, TextFinder::of(options)?)
}

fn found(object: &Bound<'_, PyAny>, finder: &Arc<TextFinder>) -> PyResult<Vec<Match>> {
    let text = Text::of(object)?;
    if let Some(search) = finder.documents() {
        return Ok(object.py().detach(|| in_document(&text, search)));
    }
    if text.bytes().len() >= LONG {
        return MatchIterator::of_text(text, Arc::clone(finder)).all(object.py());
    }
    let search = || {
        let mut offsets = OffsetCounter::new(text.bytes(), text.unit);
        let matches = finder.finder.find_iter(text.bytes()).filter(|m| finder.selects(m));
        matches.map(|m| Match::in_text(&m, text.source, |at| offsets.offset(at))).collect()
    };
    Ok(match text.bytes().len() {
        // Releasing the interpreter and taking it back costs more than searching a short text.
        ..SHORT => search(),
        _ => object.py().detach(search),
    })
}

/// Returns the matches in a document.
fn in_document(text: &Text, search: &Search) -> Vec<Match> {
    let mut offsets = OffsetCounter::new(text.bytes(), text.unit);
    let hits = hits(search, text.bytes(), Labels::All).into_iter();
    hits.map(|hit| Match::in_document(hit, text.source, |at| offsets.offset(at))).collect()
}

/// An iterator over the matches of a text, which searches as far as it is read.
#[pyclass(frozen, module = "urigrep")]
pub struct MatchIterator {
    finder: Arc<TextFinder>,
    text: Text,
    state: Mutex<IteratorState>,
}

#[derive(Default)]
struct IteratorState {
    ready: std::vec::IntoIter<Match>,
    /// Offset up to which the text was searched.
    from: usize,
    resume: Resume,
    /// Byte and character offset of the last counted place.
    counted: (usize, usize),
    is_done: bool,
}

/// Bytes searched at a time. The window grows if a URI or a line break reaches its end.
const WINDOW: usize = 64 << 10;

impl MatchIterator {
    fn new(object: &Bound<'_, PyAny>, finder: Arc<TextFinder>) -> PyResult<Self> {
        let matches = Self::of_text(Text::of(object)?, finder);
        if let Some(search) = matches.finder.documents() {
            // A document is read as a whole.
            let found = object.py().detach(|| in_document(&matches.text, search));
            let state =
                IteratorState { ready: found.into_iter(), is_done: true, ..Default::default() };
            *matches.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        }
        Ok(matches)
    }

    fn of_text(text: Text, finder: Arc<TextFinder>) -> Self {
        Self { finder, text, state: Mutex::default() }
    }

    /// Returns all matches. Between windows, it looks for signals, so that Ctrl-C ends it.
    fn all(&self, py: Python<'_>) -> PyResult<Vec<Match>> {
        let mut all = Vec::new();
        let mut window = LONG;
        loop {
            let is_done = py.detach(|| {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let before = state.from;
                self.search(&mut state, window);
                window = if state.from == before { window * 2 } else { LONG };
                all.extend(state.ready.by_ref());
                state.is_done
            });
            py.check_signals()?;
            if is_done {
                return Ok(all);
            }
        }
    }

    fn next(&self) -> Option<Match> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut window = WINDOW;
        loop {
            if let Some(m) = state.ready.next() {
                return Some(m);
            }
            if state.is_done {
                return None;
            }
            let before = state.from;
            self.search(&mut state, window);
            // Nothing was certain in a window of this size, so it doubles.
            window = if state.from == before { window * 2 } else { WINDOW };
        }
    }

    fn search(&self, state: &mut IteratorState, window: usize) {
        let bytes = self.text.bytes();
        let rest = bytes.get(state.from..).unwrap_or_default();
        let (part, follows) = match rest.get(..window) {
            Some(part) if part.len() < rest.len() => (part, Rest::More),
            _ => (rest, Rest::End),
        };
        let mut findings = self.finder.finder.find_in(Window::resumed(part, state.resume), follows);
        let mut offsets = OffsetCounter::resumed(bytes, self.text.unit, state.counted);
        let mut ready = Vec::new();
        for finding in findings.by_ref() {
            if let Finding::Match(m) = finding
                && self.finder.selects(&m)
            {
                let offset = |at| offsets.offset(state.from + at);
                ready.push(Match::in_text(&m, self.text.source, offset));
            }
        }
        let progress = findings.progress();
        state.counted = offsets.place();
        state.ready = ready.into_iter();
        state.resume = progress.resume;
        state.from += progress.consumed;
        state.is_done = follows == Rest::End;
    }
}

#[pymethods]
impl MatchIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Option<Match> {
        match self.text.bytes().len() {
            ..SHORT => self.next(),
            _ => py.detach(|| self.next()),
        }
    }
}
