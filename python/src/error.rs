//! The exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;

create_exception!(
    urigrep,
    ParseError,
    PyValueError,
    "A text is not what the grammar asks for. `offset` is where it fails, `reason` a fixed word."
);
create_exception!(
    urigrep,
    OptionError,
    PyValueError,
    "An option has a value that makes no sense, or options contradict each other."
);

create_exception!(
    urigrep,
    UrigrepWarning,
    PyUserWarning,
    "A file could not be read; all others were searched."
);

/// Creates the exception for a text that does not parse. Its offset counts characters, as indices
/// of a `str` do.
pub fn parse_error(py: Python<'_>, text: &str, error: urigrep::ParseError) -> PyErr {
    let before = text.get(..error.offset()).unwrap_or(text);
    let offset = before.chars().count();
    let raised = ParseError::new_err(format!("{} (at {offset})", error.kind()));
    let value = raised.value(py);
    let set =
        value.setattr("offset", offset).and_then(|()| value.setattr("reason", error.kind().name()));
    set.err().unwrap_or(raised)
}
