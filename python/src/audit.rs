//! `audit`: faults in the links of documents.

use std::ffi::OsString;
use std::ops::ControlFlow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urigrep::audit::AuditOutcome;

use crate::error::OptionError;
use crate::found::file_name;
use crate::options;
use crate::scan::{Problem, path_list};

/// Number of documents between two checks for signals.
const SIGNALS: u64 = 64;

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
/// documents that could not be read. Options are keywords for the flags of `urigrep audit`.
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
    let auditor = options::auditor(names, options)?;
    let (mut outcomes, mut seen, mut interrupted) = (Vec::new(), 0_u64, Ok(()));
    let audited = py.detach(|| {
        let keep = |outcome: AuditOutcome| match outcome {
            AuditOutcome::Audited(document) if document.findings().is_empty() => None,
            AuditOutcome::LeftOut => None,
            outcome => Some(outcome),
        };
        auditor.run(paths, keep, |outcome| {
            outcomes.extend(outcome);
            seen += 1;
            if seen % SIGNALS == 0 {
                interrupted = Python::attach(|py| py.check_signals());
            }
            match interrupted {
                Err(_) => ControlFlow::Break(()),
                Ok(()) => ControlFlow::Continue(()),
            }
        })
    });
    interrupted?;
    audited.map_err(|error| OptionError::new_err(error.to_string()))?;
    let (mut findings, mut problems) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            AuditOutcome::Failed(problem) => problems.push(Problem::new(py, &problem)?),
            AuditOutcome::LeftOut => {}
            AuditOutcome::Audited(document) => {
                let path = file_name(py, document.input().display_path())?;
                for located in document.findings() {
                    let [start, end] = located.bytes;
                    let finding = located.finding.clone();
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
                    });
                }
            }
        }
    }
    Ok((findings, problems))
}
