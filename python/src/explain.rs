//! `explain` and `find_invalid`: why a text is a URI, or is almost one.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use urigrep::Finding;
use urigrep::search::{Flow, Hit, Input, Search, Sink};

use crate::found::{Match, decoded};
use crate::options::TextFinder;
use crate::text::{OffsetCounter, Text};

/// Text that looks like a URI but is not valid, and why.
///
/// `start` and `end` are indices of the searched str or bytes, as those of a match are.
#[pyclass(frozen, get_all, module = "urigrep")]
pub struct Rejected {
    /// The index of its first character in a str, of its first byte in bytes.
    start: usize,
    /// The index after its last character or byte.
    end: usize,
    /// The text.
    text: Py<PyAny>,
    /// Why, as a fixed word: `defanged`, `template`, `no-host`, and so on.
    reason: &'static str,
    /// Why, in words.
    message: String,
    /// The index in `text` where it fails.
    at: usize,
}

#[pymethods]
impl Rejected {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("text", "start", "end")
    }

    /// `(start, end)`.
    fn span(&self) -> (usize, usize) {
        (self.start, self.end)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Self { start, end, reason, .. } = self;
        Ok(format!("<Rejected {reason}, {start}:{end}, {}>", self.text.bind(py).repr()?))
    }
}

/// A rule that decided something about a URI, and the text on which it acted.
#[pyclass(frozen, get_all, module = "urigrep")]
pub struct Step {
    /// The number of the rule, such as `D4.2`, which `urigrep rule D4.2` explains; or a flag.
    rule: &'static str,
    /// What it decided.
    what: &'static str,
    /// The index of the first character or byte that it acted on.
    start: usize,
    /// The index after the last one.
    end: usize,
    /// That text.
    text: Py<PyAny>,
}

#[pymethods]
impl Step {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Self { rule, what, text, .. } = self;
        Ok(format!("<Step {rule}, {what}: {}>", text.bind(py).repr()?))
    }
}

/// A rejected candidate before it is an object of Python.
struct Candidate {
    span: [usize; 2],
    text: Vec<u8>,
    reason: urigrep::Reason,
    at: usize,
}

impl Candidate {
    fn new(rejected: &urigrep::Rejected<'_>, span: [usize; 2]) -> Self {
        let text = rejected.as_bytes().to_vec();
        Self { span, text, reason: rejected.reason(), at: rejected.at() }
    }

    fn into_object(self, py: Python<'_>, of: &Text) -> PyResult<Rejected> {
        let [start, end] = self.span;
        Ok(Rejected {
            start,
            end,
            at: OffsetCounter::new(&self.text, of.unit).offset(self.at.min(self.text.len())),
            text: decoded(py, &self.text, of.source)?.unbind(),
            reason: self.reason.name(),
            message: self.reason.to_string(),
        })
    }
}

/// Returns what looks like a URI in a str or a bytes-like object but is not valid, in order: what
/// the command prints with `--invalid`.
///
/// >>> import urigrep
/// >>> urigrep.find_invalid("hxxp://a[.]example or http://{host}/")
/// [<Rejected defanged, 0:18, 'hxxp://a[.]example'>, <Rejected template, 22:36, 'http://{host}/'>]
///
#[doc = include_str!("help/find.txt")]
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn find_invalid(
    text: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Rejected>> {
    invalid(text, &*TextFinder::of(options)?)
}

pub fn invalid(object: &Bound<'_, PyAny>, finder: &TextFinder) -> PyResult<Vec<Rejected>> {
    let (py, text) = (object.py(), Text::of(object)?);
    let found = py.detach(|| match finder.rejected_in_documents() {
        Some(search) => in_document(&text, search),
        None => in_text(&text, finder),
    });
    found.into_iter().map(|candidate| candidate.into_object(py, &text)).collect()
}

fn in_text(text: &Text, finder: &TextFinder) -> Vec<Candidate> {
    let mut offsets = OffsetCounter::new(text.bytes(), text.unit);
    let candidate = |finding: Finding<'_>| match finding {
        Finding::Rejected(rejected) if finder.selects_rejected(&rejected) => {
            let span = [rejected.start(), rejected.end()].map(|at| offsets.offset(at));
            Some(Candidate::new(&rejected, span))
        }
        _ => None,
    };
    finder.finder.findings(text.bytes()).filter_map(candidate).collect()
}

fn in_document(text: &Text, search: &Search) -> Vec<Candidate> {
    struct Kept<'t>(Vec<Candidate>, OffsetCounter<'t>);

    impl Sink for Kept<'_> {
        fn hit(&mut self, _: &Hit<'_>) -> Flow {
            Flow::Continue
        }

        fn rejected(&mut self, hit: &Hit<'_>) -> Flow {
            if let Finding::Rejected(rejected) = hit.finding() {
                // Offsets in a stream, such as an attachment, are not those of the text.
                let is_of_text = hit.input().stream().is_none();
                let span = hit.bytes().map(|at| {
                    let at = usize::try_from(at).unwrap_or(usize::MAX);
                    if is_of_text { self.1.offset(at) } else { at }
                });
                self.0.push(Candidate::new(rejected, span));
            }
            Flow::Continue
        }
    }

    let mut kept = Kept(Vec::new(), OffsetCounter::new(text.bytes(), text.unit));
    search.reader(text.bytes(), &Input::named(""), &mut kept);
    kept.0
}

/// A match or a rejected candidate, and the rules that decided it.
type Explained<'py> = Bound<'py, PyTuple>;

/// Returns the matches and the rejected candidates in a str or a bytes-like object, each with the
/// rules that decided it, in order: what the command prints with `--explain`.
///
/// >>> import urigrep
/// >>> for found, steps in urigrep.explain("(see http://a.example/b)."):
/// ...     print(found, [step.rule for step in steps])
/// http://a.example/b ['D1.2', 'D4.2']
///
/// The text is read as plain text, so there are no `format` and `base`.
///
#[doc = include_str!("help/find.txt")]
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn explain<'py>(
    text: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Vec<Explained<'py>>> {
    explained(text, &*TextFinder::of(options)?)
}

pub fn explained<'py>(
    object: &Bound<'py, PyAny>,
    finder: &TextFinder,
) -> PyResult<Vec<Explained<'py>>> {
    let (py, text) = (object.py(), Text::of(object)?);
    let finder = finder.plain()?;
    let mut offsets = OffsetCounter::new(text.bytes(), text.unit);
    let mut all = Vec::new();
    for finding in finder.finder.findings(text.bytes()) {
        let found = match &finding {
            Finding::Match(m) if finder.selects(m) => {
                let found = Match::in_text(m, text.source, |at| offsets.offset(at));
                Bound::new(py, found)?.into_any()
            }
            Finding::Rejected(rejected) if finder.selects_rejected(rejected) => {
                let span = [rejected.start(), rejected.end()].map(|at| offsets.offset(at));
                let candidate = Candidate::new(rejected, span).into_object(py, &text)?;
                Bound::new(py, candidate)?.into_any()
            }
            _ => continue,
        };
        let steps = finder.finder.explain(&finding).into_iter().map(|step| {
            let bytes = whole_characters(text.bytes(), &step);
            Ok(Step {
                rule: step.rule,
                what: step.what,
                start: offsets.offset(step.span.start()),
                end: offsets.offset(step.span.end()),
                text: decoded(py, bytes, text.source)?.unbind(),
            })
        });
        let steps: Vec<Step> = steps.collect::<PyResult<_>>()?;
        all.push(PyTuple::new(py, [found, steps.into_pyobject(py)?.into_any()])?);
        py.check_signals()?;
    }
    Ok(all)
}

/// Returns the text of a step. A step that ends at what is not UTF-8, as a lone surrogate, has only
/// the first byte of that.
fn whole_characters<'t>(text: &'t [u8], step: &urigrep::finder::Step<'t>) -> &'t [u8] {
    let (start, end) = (step.span.start(), step.span.end());
    if text.get(start..end) != Some(step.text) {
        // It was decoded.
        return step.text;
    }
    let rest = text.get(end..).unwrap_or_default();
    let more = rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count();
    text.get(start..end + more).unwrap_or(step.text)
}
