//! `Uri` and `Urn`: parsed texts, and the operations of the command's verbs.

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use urigrep::grammar::{Form, HostType, Parsed, Rule};
use urigrep::options::HostMapping;
use urigrep::{Flag, Grammar, Iri, IriRef, UriRef, redirect, reference};

use crate::error::{OptionError, parse_error};

/// A parsed URI, IRI, or reference, by RFC 3986 and RFC 3987 or an older document.
#[pyclass(frozen, subclass, module = "urigrep")]
pub struct Uri {
    text: String,
    grammar: Grammar,
    reads: Reads,
}

/// The type of a parsed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    Absolute,
    Reference,
}

impl Uri {
    fn checked(py: Python<'_>, text: &str, grammar: Grammar, reads: Reads) -> PyResult<Self> {
        let uri = Self { text: text.to_owned(), grammar, reads };
        let parsed = uri.try_parsed().map(|_| ());
        parsed.map_err(|error| parse_error(py, text, error))?;
        Ok(uri)
    }

    fn try_parsed(&self) -> Result<Parsed<'_>, urigrep::ParseError> {
        match self.reads {
            Reads::Absolute => self.grammar.parse(&self.text),
            Reads::Reference => self.grammar.parse_reference(&self.text),
        }
    }

    /// Parses the text again, which succeeds because it did before.
    fn parsed(&self) -> Option<Parsed<'_>> {
        self.try_parsed().ok()
    }

    fn get(&self, rule: Rule) -> Option<String> {
        self.parsed()?.get(rule).map(str::to_owned)
    }

    fn urn_part(&self, part: impl Fn(&urigrep::Urn<'_>) -> Option<String>) -> Option<String> {
        part(&self.parsed()?.urn()?)
    }
}

fn grammar(name: &str) -> PyResult<Grammar> {
    let unknown = |error: urigrep::options::UnknownName| OptionError::new_err(error.to_string());
    name.parse().map_err(unknown)
}

/// Returns the URI of a URI or an IRI.
fn mapped(py: Python<'_>, text: &str) -> PyResult<String> {
    let hosts = HostMapping::idna().unwrap_or_default();
    let uri = Iri::parse(text).and_then(|iri| Ok(iri.to_uri_with(hosts)?.into_owned()));
    uri.map_err(|error| parse_error(py, text, error))
}

fn uri<'t>(py: Python<'_>, text: &'t str) -> PyResult<urigrep::Uri<'t>> {
    urigrep::Uri::parse(text).map_err(|error| parse_error(py, text, error))
}

#[pymethods]
impl Uri {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("scheme", "host", "path")
    }

    #[new]
    #[pyo3(signature = (text, /, *, grammar = "rfc3986", reference = false))]
    fn new(py: Python<'_>, text: &str, grammar: &str, reference: bool) -> PyResult<Self> {
        let reads = if reference { Reads::Reference } else { Reads::Absolute };
        Self::checked(py, text, self::grammar(grammar)?, reads)
    }

    /// `uri`, `iri`, `urn` or `reference`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.parsed().map(|parsed| parsed.form()) {
            Some(Form::Urn) => "urn",
            Some(Form::Iri) => "iri",
            Some(form) if form.is_relative() => "reference",
            _ => "uri",
        }
    }

    #[getter]
    fn grammar(&self) -> &'static str {
        self.grammar.name()
    }

    #[getter]
    fn scheme(&self) -> Option<String> {
        self.get(Rule::Scheme)
    }

    #[getter]
    fn userinfo(&self) -> Option<String> {
        self.get(Rule::Userinfo)
    }

    #[getter]
    fn host(&self) -> Option<String> {
        self.get(Rule::Host)
    }

    #[getter]
    fn host_type(&self) -> Option<&'static str> {
        self.parsed()?.host_type().map(HostType::name)
    }

    #[getter]
    fn port(&self) -> Option<String> {
        self.get(Rule::Port)
    }

    #[getter]
    fn path(&self) -> Option<String> {
        self.get(Rule::Path)
    }

    #[getter]
    fn query(&self) -> Option<String> {
        self.get(Rule::Query)
    }

    #[getter]
    fn fragment(&self) -> Option<String> {
        self.get(Rule::Fragment)
    }

    /// All components that are present, by the names of the grammar.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        if let Some(parsed) = self.parsed() {
            for (rule, value) in parsed.components() {
                if !all.contains(rule.name())? {
                    all.set_item(rule.name(), value)?;
                }
            }
        }
        Ok(all)
    }

    /// Warnings about the URI, by the names of docs/reference/json.md.
    #[getter]
    fn flags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let of_uri = urigrep::Uri::parse(&self.text).map(|uri| uri.flags());
        let flags = of_uri.or_else(|_| Iri::parse(&self.text).map(|iri| iri.flags()));
        let names: Vec<_> = flags.unwrap_or_default().iter().map(Flag::name).collect();
        PyTuple::new(py, names)
    }

    /// The normal form (RFC 3986, sections 6.2.2 and 6.2.3).
    fn normalize(&self, py: Python<'_>) -> PyResult<String> {
        normalize(py, &self.text)
    }

    /// Resolves a reference against this base.
    fn resolve(&self, py: Python<'_>, reference: &str) -> PyResult<String> {
        resolve(py, &self.text, reference)
    }

    fn redact(&self) -> String {
        redact(&self.text)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = pyo3::types::PyString::new(slf.py(), &slf.get().text).repr()?;
        Ok(format!("{}({text})", slf.get_type().name()?))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> Option<bool> {
        let other = other.cast::<Self>().ok()?;
        Some(op.matches(self.text.cmp(&other.get().text)))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        pyo3::types::PyString::new(py, &self.text).hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, uri) = (slf.py(), slf.get());
        let options = PyDict::new(py);
        options.set_item("grammar", uri.grammar.name())?;
        options.set_item("reference", uri.reads == Reads::Reference)?;
        let parse = py.import("urigrep._urigrep")?.getattr("parse")?;
        let made = py.import("functools")?.getattr("partial")?.call((parse,), Some(&options))?;
        PyTuple::new(py, [made, PyTuple::new(py, [&uri.text])?.into_any()])
    }
}

/// A parsed URN by RFC 8141.
#[pyclass(frozen, extends = Uri, module = "urigrep")]
pub struct Urn;

#[pymethods]
impl Urn {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(py: Python<'_>, text: &str) -> PyResult<PyClassInitializer<Self>> {
        let uri = Uri::checked(py, text, Grammar::Rfc8141, Reads::Absolute)?;
        Ok(PyClassInitializer::from(uri).add_subclass(Self))
    }

    #[getter]
    fn nid(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| Some(urn.nid().to_owned()))
    }

    #[getter]
    fn nss(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| Some(urn.nss().to_owned()))
    }

    #[getter]
    fn r(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| urn.r_component().map(str::to_owned))
    }

    #[getter]
    fn q(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| urn.q_component().map(str::to_owned))
    }

    #[getter]
    fn f(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| urn.f_component().map(str::to_owned))
    }

    #[getter]
    fn assigned_name(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| Some(urn.assigned_name().to_owned()))
    }

    /// The class of the namespace, such as `formal` or `informal`.
    #[getter]
    fn namespace(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| Some(urn.namespace_class().name().to_owned()))
    }

    /// The fault that the namespace finds in the name, such as a wrong check digit; None if it is
    /// valid.
    #[getter]
    fn fault(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| urn.check_nss().err().map(|fault| fault.to_string()))
    }
}

/// Parses a text: a Urn, or a Uri, which may be an IRI, or with `reference` a relative reference.
#[pyfunction]
#[pyo3(signature = (text, /, *, grammar = "rfc3986", reference = false))]
pub fn parse<'py>(
    py: Python<'py>,
    text: &str,
    grammar: &str,
    reference: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let uri = Uri::new(py, text, grammar, reference)?;
    let is_urn = uri.parsed().is_some_and(|parsed| parsed.urn().is_some());
    Ok(match is_urn {
        true => Bound::new(py, PyClassInitializer::from(uri).add_subclass(Urn))?.into_any(),
        false => Bound::new(py, uri)?.into_any(),
    })
}

/// Resolves `reference` against `base` (RFC 3986, section 5).
#[pyfunction]
#[pyo3(signature = (base, reference, /))]
pub fn resolve(py: Python<'_>, base: &str, reference: &str) -> PyResult<String> {
    let hosts = HostMapping::idna().unwrap_or_default();
    let of = IriRef::parse(reference).and_then(|iri| Ok(iri.to_uri_ref_with(hosts)?.into_owned()));
    let of = of.map_err(|error| parse_error(py, reference, error))?;
    let of = UriRef::parse(&of).map_err(|error| parse_error(py, reference, error))?;
    Ok(urigrep::resolve(uri(py, &mapped(py, base)?)?, of).into_string())
}

/// The normal form of a URI or an IRI (RFC 3986, sections 6.2.2 and 6.2.3).
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn normalize(py: Python<'_>, text: &str) -> PyResult<String> {
    Ok(urigrep::normalize(uri(py, &mapped(py, text)?)?).into_string())
}

/// The rule by which two URIs are equivalent: `string`, `syntax`, `scheme` or `urn`; None if they
/// are not.
#[pyfunction]
#[pyo3(signature = (a, b, /))]
pub fn equivalent(py: Python<'_>, a: &str, b: &str) -> PyResult<Option<&'static str>> {
    let (a, b) = (mapped(py, a)?, mapped(py, b)?);
    Ok(reference::equivalent(uri(py, &a)?, uri(py, &b)?).map(|rung| rung.name()))
}

/// The text with `REDACTED` in place of passwords, tokens and keys.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn redact(text: &str) -> String {
    urigrep::redact(text).into_owned()
}

/// The target of a redirector, such as a mail gateway's; None if the URI is not wrapped.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn unwrap(py: Python<'_>, text: &str) -> PyResult<Option<String>> {
    Ok(redirect::unwrap(uri(py, &mapped(py, text)?)?))
}
