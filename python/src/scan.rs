//! `scan`: the hits of files, trees, mail and archives, found by background threads as the caller
//! reads them.

use std::ffi::CString;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyException, PyFileNotFoundError, PyOSError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyString};
use urigrep::search::{Hits, Input, MboxPart, NextHit, ProblemKind};

use crate::columns::{Batch, HitTable};
use crate::error::{OptionError, UrigrepWarning};
use crate::found::{Match, file_name};
use crate::options;
use crate::text::Text;

/// Time between two checks for signals.
const SIGNALS: Duration = Duration::from_millis(50);

/// The matches of files and directories, in order. Files that could not be read are in `problems`,
/// and cause a warning at the end.
#[pyclass(frozen, module = "urigrep")]
pub struct Scan {
    /// Set until it is dropped.
    hits: Mutex<Option<Hits>>,
    /// The process that began it.
    process: u32,
    /// Files were told about.
    has_told: AtomicBool,
    errors: Errors,
    interruption: Interruption,
}

/// What a file object of Python raised that is no `Exception`, such as `KeyboardInterrupt`. It is
/// not about the file, so the caller gets it, whatever becomes of errors.
type Interruption = Arc<Mutex<Option<PyErr>>>;

/// What happens with files that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    Warn,
    Raise,
    Ignore,
}

impl Errors {
    fn named(name: &str) -> PyResult<Self> {
        match name {
            "warn" => Ok(Self::Warn),
            "raise" => Ok(Self::Raise),
            "ignore" => Ok(Self::Ignore),
            _ => Err(OptionError::new_err("errors are warn, raise or ignore")),
        }
    }
}

/// The bytes of a Python object as a reader.
struct TextReader {
    text: Text,
    at: usize,
}

impl Read for TextReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.text.bytes().get(self.at..).unwrap_or_default().read(out)?;
        self.at += read;
        Ok(read)
    }
}

/// A binary file object of Python as a reader.
struct FileReader {
    file: Py<PyAny>,
    interruption: Interruption,
}

impl Read for FileReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // A search that outlives the interpreter ends with an error.
        let read = Python::try_attach(|py| {
            let read = self.file.bind(py).call_method1("read", (out.len(),));
            let read = read.map_err(|error| {
                let message = error.to_string();
                if !error.is_instance_of::<PyException>(py) {
                    *self.interruption.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
                io::Error::other(message)
            })?;
            let bytes = Text::of(&read).map_err(io::Error::other)?;
            let bytes = bytes.bytes();
            let fits = out.get_mut(..bytes.len());
            let fits =
                fits.ok_or_else(|| io::Error::other("read() returned more than asked for"))?;
            fits.copy_from_slice(bytes);
            Ok(bytes.len())
        });
        read.unwrap_or_else(|| Err(io::Error::other("Python has ended")))
    }
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

/// Returns the matches of files and directories, of bytes, or of a binary file object.
///
/// `name` is the file name of bytes or of a file object, whose ending tells the format. A path that
/// does not exist raises FileNotFoundError. What else can't be read is in `problems`, and at the
/// end warns (`errors="warn"`), raises OSError (`"raise"`), or does nothing (`"ignore"`, which also
/// skips missing paths). Inputs come in the order of their paths.
///
#[doc = include_str!("help/scan.txt")]
#[pyfunction]
#[pyo3(signature = (source, /, *, name = None, errors = "warn", **options))]
pub fn scan(
    source: &Bound<'_, PyAny>,
    name: Option<&str>,
    errors: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Scan> {
    let errors = Errors::named(errors)?;
    let search = options::search(options)?;
    let interruption = Interruption::default();
    if let Some(reader) = reader(source, &interruption)? {
        let name = match name {
            Some(name) => name.to_owned(),
            None => source.getattr("name").and_then(|name| name.extract()).unwrap_or_default(),
        };
        let mut scan = Scan::new(search.hits(reader, Input::named(name)), errors);
        scan.interruption = interruption;
        return Ok(scan);
    }
    if name.is_some() {
        return Err(OptionError::new_err("'name' is for bytes and file objects"));
    }
    let paths = path_list(source)?;
    let missing = paths.iter().find(|path| matches!(path.try_exists(), Ok(false)));
    if let Some(path) = missing.filter(|path| errors != Errors::Ignore && !path.is_symlink()) {
        const ENOENT: i32 = 2;
        let path = path.clone().into_os_string();
        return Err(PyFileNotFoundError::new_err((ENOENT, "No such file or directory", path)));
    }
    let hits = search.paths(paths);
    let hits = hits.map_err(|error| OptionError::new_err(error.to_string()))?;
    Ok(Scan::new(hits, errors))
}

/// Returns the reader of bytes or of a file object; `None` for paths.
fn reader(
    source: &Bound<'_, PyAny>,
    interruption: &Interruption,
) -> PyResult<Option<Box<dyn Read + Send>>> {
    let is_path = source.is_instance_of::<PyString>() || source.hasattr("__fspath__")?;
    Ok(if is_path {
        None
    } else if source.hasattr("read")? {
        let (file, interruption) = (source.clone().unbind(), Arc::clone(interruption));
        Some(Box::new(FileReader { file, interruption }))
    } else if PyMemoryView::from(source).is_ok() {
        Some(Box::new(TextReader { text: Text::of(source)?, at: 0 }))
    } else {
        None
    })
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
    Ok((start, Scan::new(search.hits(part, Input::file(path)), Errors::Ignore)))
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

impl Scan {
    fn new(hits: Hits, errors: Errors) -> Self {
        Self {
            hits: Mutex::new(Some(hits)),
            process: std::process::id(),
            has_told: AtomicBool::new(false),
            errors,
            interruption: Interruption::default(),
        }
    }

    /// Returns whether a fork made this process after the scan began. It copied no threads, but
    /// every lock as it was: one that a thread held, such as that of the queue of matches, is held
    /// for good. So nothing of the scan may be touched here, not even to let go of it.
    fn is_of_other_process(&self) -> bool {
        std::process::id() != self.process
    }

    /// Calls `read` without the interpreter, which a background thread may wait for. `None` once
    /// the scan was dropped; an error in a process that did not begin it.
    fn with_hits<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&mut Hits) -> T + Send,
    ) -> PyResult<Option<T>> {
        if self.is_of_other_process() {
            return Err(PyRuntimeError::new_err(
                "a scan cannot be continued in another process; begin it after the fork",
            ));
        }
        Ok(py.detach(|| {
            let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
            hits.as_mut().map(read)
        }))
    }

    /// Tells about the files that could not be read, once.
    fn tell(&self, py: Python<'_>) -> PyResult<()> {
        /// More are in `problems`.
        const MAX: usize = 10;
        let interruption = self.interruption.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(error) = interruption {
            return Err(error);
        }
        if self.errors == Errors::Ignore || self.has_told.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let problems = self.with_hits(py, |hits| hits.problems())?.unwrap_or_default();
        for problem in problems.iter().take(MAX) {
            let message = problem.to_string();
            if self.errors == Errors::Raise {
                return Err(PyOSError::new_err(message));
            }
            let category = py.get_type::<UrigrepWarning>();
            let message = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
            PyErr::warn(py, &category, &message, 1)?;
        }
        Ok(())
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        if self.is_of_other_process() {
            let hits = self.hits.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(hits.take());
            return;
        }
        // The search ends here. Its thread may be in a file object of Python, and wait for the
        // interpreter.
        let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner).take();
        if Python::try_attach(|py| py.detach(|| drop(hits.take()))).is_none() {
            // The interpreter has ended, as for a scan in a cycle that was never collected. Nobody
            // could let go of its thread.
            std::mem::forget(hits);
        }
    }
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
            let next = self.with_hits(py, |hits| hits.next_within(SIGNALS))?;
            match next {
                Some(NextHit::Hit(hit)) => return Ok(Some(Match::in_file(hit))),
                Some(NextHit::Pending) => py.check_signals()?,
                Some(NextHit::End) | None => {
                    self.tell(py)?;
                    return Ok(None);
                }
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
            let read = |hits: &mut Hits| {
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
            };
            is_done |= self.with_hits(py, read)?.is_none();
        }
        if count == 0 {
            self.tell(py)?;
        }
        (count > 0).then(|| Batch::of_hits(table)).transpose()
    }

    /// The problems so far, at most 1,000.
    #[getter]
    fn problems(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        let problems = self.with_hits(py, |hits| hits.problems())?.unwrap_or_default();
        problems.iter().map(|problem| Problem::new(py, problem)).collect()
    }

    /// The counts of the search, once all matches were read.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = self.with_hits(py, |hits| hits.stats())?.unwrap_or_default();
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
