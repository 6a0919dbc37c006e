//! `audit`: faults in the links of documents.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urigrep::audit::{AuditOutcome, Evidence};

use crate::error::OptionError;
use crate::found::file_name;
use crate::options;
use crate::scan::{Problem, path_list};

/// Time between two checks for signals.
const PERIOD: Duration = Duration::from_millis(5);

/// A finding of a check in a document, as in the command's JSON.
#[pyclass(frozen, get_all, module = "urigrep")]
pub struct Finding {
    check: &'static str,
    severity: &'static str,
    path: Py<PyAny>,
    line: u64,
    column: u64,
    start: u64,
    end: u64,
    uri: Option<String>,
    message: String,
    hint: Option<String>,
    evidence: Option<Py<PyDict>>,
}

/// Returns what a server answered, as `evidence` in the command's JSON.
fn evidence_dict(py: Python<'_>, evidence: &Evidence) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("url", &evidence.url)?;
    dict.set_item("time", evidence.time)?;
    if !evidence.redirects.is_empty() {
        let redirects = evidence.redirects.iter().map(|redirect| {
            let dict = PyDict::new(py);
            dict.set_item("status", redirect.status)?;
            dict.set_item("to", &redirect.to)?;
            Ok(dict)
        });
        dict.set_item("redirects", redirects.collect::<PyResult<Vec<_>>>()?)?;
    }
    if let Some(status) = evidence.status {
        dict.set_item("status", status)?;
    }
    if let Some(fault) = evidence.fault {
        dict.set_item("fault", fault.name())?;
    }
    if let Some(copy) = evidence.archived.as_deref().filter(|copy| !copy.is_empty()) {
        dict.set_item("archived", copy)?;
    }
    Ok(dict.unbind())
}

#[pymethods]
impl Finding {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("check", "uri")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.path.bind(py);
        let Self { line, column, severity, check, message, .. } = self;
        Ok(format!("<Finding {path}:{line}:{column}: {severity}[{check}]: {message}>"))
    }
}

/// Audits the links of these HTML and Markdown documents. Returns the findings, and the problems of
/// documents that could not be read.
///
#[doc = include_str!("help/audit.txt")]
#[pyfunction]
#[pyo3(signature = (paths, /, **options))]
pub fn audit(
    py: Python<'_>,
    paths: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Vec<Finding>, Vec<Problem>)> {
    let paths = path_list(paths)?;
    if paths.is_empty() {
        return Err(PyTypeError::new_err("no paths are given"));
    }
    let names: Vec<OsString> = paths.iter().map(|path| path.clone().into()).collect();
    let plan = options::audit(names, options)?;
    let mut outcomes = Vec::new();
    let is_interrupted = AtomicBool::new(false);
    let (audited, interrupted) = py.detach(|| {
        let keep = |outcome: AuditOutcome| match outcome {
            AuditOutcome::Audited(document) if document.findings().is_empty() => None,
            AuditOutcome::LeftOut | AuditOutcome::Vendored(_) => None,
            outcome => Some(outcome),
        };
        let run = || {
            plan.auditor.run(paths, keep, |outcome| {
                outcomes.extend(outcome);
                match is_interrupted.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        };
        thread::scope(|scope| {
            // Only the main thread sees signals, so another one audits: it may wait for a server.
            let audit = scope.spawn(run);
            let mut interrupted = Ok(());
            while !audit.is_finished() {
                thread::park_timeout(PERIOD);
                interrupted = Python::attach(|py| py.check_signals());
                if interrupted.is_err() {
                    is_interrupted.store(true, Ordering::Relaxed);
                    plan.cancel();
                    break;
                }
            }
            (audit.join(), interrupted)
        })
    });
    interrupted?;
    let audited = audited.map_err(|_| PyRuntimeError::new_err("the audit panicked"))?;
    audited.map_err(|error| OptionError::new_err(error.to_string()))?;
    let (mut findings, mut problems) = (Vec::new(), Vec::new());
    for problem in plan.save() {
        problems.push(Problem::new(py, &problem)?);
    }
    for outcome in outcomes {
        match outcome {
            AuditOutcome::Failed(problem) => problems.push(Problem::new(py, &problem)?),
            AuditOutcome::LeftOut | AuditOutcome::Vendored(_) => {}
            AuditOutcome::Audited(document) => {
                let path = file_name(py, document.input().display_path())?;
                for located in document.findings() {
                    let [start, end] = located.bytes;
                    let finding = located.finding.clone();
                    let evidence = finding.evidence.as_deref();
                    let evidence = evidence.map(|it| evidence_dict(py, it)).transpose()?;
                    findings.push(Finding {
                        check: finding.check.id,
                        severity: located.severity.name(),
                        path: path.clone().unbind(),
                        line: located.start.line,
                        column: located.start.column,
                        start,
                        end,
                        uri: finding.uri,
                        message: finding.message,
                        hint: finding.hint,
                        evidence,
                    });
                }
            }
        }
    }
    Ok((findings, problems))
}
