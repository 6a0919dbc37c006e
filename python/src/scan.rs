//! `scan`: the hits of files, trees, mail and archives, found by background threads as the caller
//! reads them.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use urigrep::search::{Hits, Input, MboxPart, NextHit, ProblemKind};

use crate::columns::{Batch, HitTable};
use crate::error::OptionError;
use crate::found::{Match, file_name};
use crate::options;

/// Time between two checks for signals.
const SIGNALS: Duration = Duration::from_millis(50);

/// The matches of files and directories, in order. Files that could not be read are in `problems`,
/// and cause a warning at the end.
#[pyclass(frozen, module = "urigrep")]
pub struct Scan {
    hits: Mutex<Hits>,
}

/// A problem with one file; all other files were searched.
#[pyclass(frozen, get_all, module = "urigrep")]
pub struct Problem {
    /// `read`, `limit`, `archive` or `panic`.
    kind: &'static str,
    path: Py<PyAny>,
    message: String,
}

#[pymethods]
impl Problem {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Problem {}: {}>", self.path.bind(py).repr()?, self.message))
    }
}

impl Problem {
    pub fn new(py: Python<'_>, problem: &urigrep::search::Problem) -> PyResult<Self> {
        Ok(Self {
            kind: match problem.kind() {
                ProblemKind::Limit => "limit",
                ProblemKind::Archive => "archive",
                ProblemKind::Unread => "unread",
                ProblemKind::Panic => "panic",
                _ => "read",
            },
            path: file_name(py, problem.path())?.unbind(),
            message: problem.message().to_owned(),
        })
    }
}

/// Returns the matches of one or several files and directories. Options are keywords for the flags
/// of the command; inputs come in the order of their paths.
#[pyfunction]
#[pyo3(signature = (paths, /, **options))]
pub fn scan(paths: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Scan> {
    let search = options::search(options)?;
    let hits = search.paths(path_list(paths)?);
    let hits = hits.map_err(|error| OptionError::new_err(error.to_string()))?;
    Ok(Scan { hits: Mutex::new(hits) })
}

/// Searches part of a large mailbox. Returns the matches of the messages that start in these bytes,
/// and the offset of the first message. Offsets of the matches count from there.
#[pyfunction]
#[pyo3(signature = (path, start, end, /, **options))]
pub fn scan_mbox_part(
    path: PathBuf,
    start: u64,
    end: u64,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(u64, Scan)> {
    let search = options::search(options)?;
    let part = MboxPart::open(&path, start..end)?;
    let start = part.start();
    Ok((start, Scan { hits: Mutex::new(search.hits(part, Input::file(path))) }))
}

/// Returns the paths of a path, or of an iterable of them.
pub fn path_list(paths: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if paths.is_instance_of::<PyString>() || paths.hasattr("__fspath__")? {
        return Ok(vec![paths.extract()?]);
    }
    if paths.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err("a path is a str or a PathLike, not bytes"));
    }
    paths.try_iter()?.map(|path| path?.extract()).collect()
}

#[pymethods]
impl Scan {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Match>> {
        loop {
            // Release the lock before waiting for the interpreter; otherwise a thread that holds
            // the interpreter could wait for the lock.
            let next = py.detach(|| {
                self.hits.lock().unwrap_or_else(PoisonError::into_inner).next_within(SIGNALS)
            });
            match next {
                NextHit::Hit(hit) => return Ok(Some(Match::in_file(hit))),
                NextHit::Pending => py.check_signals()?,
                NextHit::End => return Ok(None),
            }
        }
    }

    /// The next matches as columns, at most `rows`; None if there are no more.
    #[pyo3(signature = (rows = 16_384))]
    fn read_batch(&self, py: Python<'_>, rows: usize) -> PyResult<Option<Batch>> {
        let mut table = HitTable::new();
        let (mut count, mut is_done) = (0, false);
        while count < rows.max(1) && !is_done {
            py.check_signals()?;
            py.detach(|| {
                let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
                while count < rows.max(1) {
                    match hits.next_within(SIGNALS) {
                        NextHit::Hit(hit) => table.push(&hit),
                        NextHit::Pending => break,
                        NextHit::End => {
                            is_done = true;
                            break;
                        }
                    }
                    count += 1;
                }
            });
        }
        (count > 0).then(|| Batch::of_hits(table)).transpose()
    }

    /// The problems so far, at most 1,000.
    #[getter]
    fn problems(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        let problems =
            py.detach(|| self.hits.lock().unwrap_or_else(PoisonError::into_inner).problems());
        problems.iter().map(|problem| Problem::new(py, problem)).collect()
    }

    /// The counts of the search, once all matches were read.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = py.detach(|| self.hits.lock().unwrap_or_else(PoisonError::into_inner).stats());
        let record = PyDict::new(py);
        for (name, count) in [
            ("files", stats.files),
            ("skipped", stats.skipped),
            ("bytes", stats.bytes),
            ("matches", stats.matches),
        ] {
            record.set_item(name, count)?;
        }
        Ok(record)
    }
}
