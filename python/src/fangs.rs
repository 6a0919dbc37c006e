//! `defang` and `refang`: texts whose URIs cannot be opened by accident, and back.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use urigrep::{Flag, Kind, Match};

use crate::found::decoded;
use crate::options::TextFinder;
use crate::text::{Source, Text};

/// Makes the URIs in a text unclickable, as `urigrep replace --defang` does.
///
/// >>> import urigrep
/// >>> urigrep.defang("See https://evil.example/x.")
/// 'See hxxps://evil[.]example/x.'
///
/// The text is read as plain text, so there are no `format` and `base`.
///
#[doc = include_str!("help/find.txt")]
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn defang<'py>(
    text: &Bound<'py, PyString>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    replaced(text, &*TextFinder::of(options)?, defanged)
}

/// Writes unclickable URIs in a text as they are used, as `urigrep replace --refang` does.
///
/// >>> import urigrep
/// >>> urigrep.refang("See hxxps://evil[.]example/x.")
/// 'See https://evil.example/x.'
///
/// The text is read as plain text, so there are no `format` and `base`.
///
#[doc = include_str!("help/find.txt")]
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn refang<'py>(
    text: &Bound<'py, PyString>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let all = options.map_or_else(|| Ok(PyDict::new(text.py())), |options| options.copy())?;
    all.set_item("refang", true)?;
    replaced(text, &*TextFinder::of(Some(&all))?, |m| {
        m.flags().contains(Flag::Refanged).then(|| m.intended().to_owned())
    })
}

/// Returns a match as it is written, but unclickable; `None` if it cannot be clicked anyway.
fn defanged(m: &Match<'_>) -> Option<String> {
    // A host or an address without a scheme stays one.
    let implied = match m.kind() {
        Kind::Abbreviated if m.host().is_some() => "//",
        Kind::Email => "mailto:",
        // A number of a book, for example.
        Kind::Abbreviated => return None,
        _ => return Some(urigrep::defang(m.intended()).into_owned()),
    };
    let written = format!("{implied}{}", String::from_utf8_lossy(m.as_bytes()));
    let defanged = urigrep::defang(&written);
    defanged.strip_prefix(implied).map(str::to_owned)
}

/// Returns a text with other texts in place of its matches; a match stays where no text is given.
fn replaced<'py>(
    object: &Bound<'py, PyString>,
    finder: &TextFinder,
    replacement: impl Fn(&Match<'_>) -> Option<String> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, text) = (object.py(), Text::of(object)?);
    let finder = finder.plain()?;
    let bytes = text.bytes();
    let new = py.detach(|| {
        let (mut out, mut done) = (Vec::with_capacity(bytes.len()), 0);
        for m in finder.finder.find_iter(bytes).filter(|m| finder.selects(m)) {
            // A match may be inside the one before it (D4.7).
            let Some(between) = bytes.get(done..m.start()) else { continue };
            if let Some(new) = replacement(&m) {
                out.extend_from_slice(between);
                out.extend_from_slice(new.as_bytes());
                done = m.end();
            }
        }
        out.extend_from_slice(bytes.get(done..).unwrap_or_default());
        out
    });
    decoded(py, &new, Source::Str)
}
