//! `Uri` and `Urn`: parsed texts, and the operations of the command's verbs.

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use urigrep::edit::UriBuilder;
use urigrep::grammar::{Form, HostType, Parsed, Rule};
use urigrep::options::HostMapping;
use urigrep::percent::{PercentSet, decode, encode};
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

impl Uri {
    /// Returns a changed copy. Only a URI can be changed, not an IRI or a reference.
    fn edited(
        &self,
        py: Python<'_>,
        edit: impl FnOnce(&mut UriBuilder) -> Result<(), urigrep::ParseError>,
    ) -> PyResult<Self> {
        let mut builder = UriBuilder::from(uri(py, &self.text)?);
        let edited = edit(&mut builder).and_then(|()| builder.build());
        let text = edited.map_err(|error| parse_error(py, &self.text, error))?.into_string();
        Ok(Self { text, grammar: self.grammar, reads: self.reads })
    }
}

/// Decodes a component for people; bytes that are not UTF-8 are replaced.
fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&decode(text)).into_owned()
}

/// Decodes a name or a value of a form, in which `+` is a space.
fn form_decoded(text: &str) -> String {
    decoded(&text.replace('+', " "))
}

/// Returns the query of a str, of a mapping, or of pairs, whose values may be lists or None.
fn query_of(query: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if query.is_none() {
        return Ok(None);
    }
    if let Ok(text) = query.cast::<PyString>() {
        return Ok(Some(text.to_str()?.to_owned()));
    }
    let pairs = match query.hasattr("items")? {
        true => query.call_method0("items")?,
        false => query.clone(),
    };
    let mut fields = Vec::new();
    for pair in pairs.try_iter()? {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
        let name = encode(name.str()?.to_str()?, PercentSet::QueryValue).into_owned();
        let values = match value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            true => value.try_iter()?.collect::<PyResult<Vec<_>>>()?,
            false => vec![value],
        };
        for value in values {
            fields.push(match value.is_none() {
                true => name.clone(),
                false => {
                    format!("{name}={}", encode(value.str()?.to_str()?, PercentSet::QueryValue))
                }
            });
        }
    }
    Ok(Some(fields.join("&")))
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

    /// The name of the grammar that it was parsed by.
    #[getter]
    fn grammar(&self) -> &'static str {
        self.grammar.name()
    }

    /// The scheme as written; None for a reference without one.
    #[getter]
    fn scheme(&self) -> Option<String> {
        self.get(Rule::Scheme)
    }

    /// The userinfo before `@`.
    #[getter]
    fn userinfo(&self) -> Option<String> {
        self.get(Rule::Userinfo)
    }

    /// The host as written; None without an authority.
    #[getter]
    fn host(&self) -> Option<String> {
        self.get(Rule::Host)
    }

    /// `reg-name`, `ipv4`, `ipv6` or `ipvfuture`.
    #[getter]
    fn host_type(&self) -> Option<&'static str> {
        self.parsed()?.host_type().map(HostType::name)
    }

    /// The port as written, which may be empty.
    #[getter]
    fn port(&self) -> Option<String> {
        self.get(Rule::Port)
    }

    /// The path, encoded.
    #[getter]
    fn path(&self) -> Option<String> {
        self.get(Rule::Path)
    }

    /// The query without `?`, encoded.
    #[getter]
    fn query(&self) -> Option<String> {
        self.get(Rule::Query)
    }

    /// The fragment without `#`, encoded.
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

    /// The URI without its secrets.
    fn redact(&self) -> String {
        redact(&self.text)
    }

    /// The port as a number; None if it is absent, empty, or larger than 65535.
    #[getter]
    fn port_number(&self) -> Option<u16> {
        self.get(Rule::Port)?.parse().ok()
    }

    /// The segments of the path, decoded.
    #[getter]
    fn path_segments(&self) -> Vec<String> {
        let path = self.get(Rule::Path).unwrap_or_default();
        let segments = path.strip_prefix('/').unwrap_or(&path).split('/');
        let segments = segments.take(if path.is_empty() { 0 } else { usize::MAX });
        segments.map(decoded).collect()
    }

    /// The pairs of the query, decoded: names, and values or None.
    #[getter]
    fn query_pairs(&self) -> Vec<(String, Option<String>)> {
        let query = self.get(Rule::Query).unwrap_or_default();
        let fields = query.split('&').filter(|field| !field.is_empty());
        fields
            .map(|field| match field.split_once('=') {
                Some((name, value)) => (form_decoded(name), Some(form_decoded(value))),
                None => (form_decoded(field), None),
            })
            .collect()
    }

    /// What it identifies, in one spelling: `kind`, `value`, and `canonical`; None for an address.
    #[getter]
    fn identifier<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let uri = urigrep::Uri::parse(&self.text);
        let Some(identifier) = uri.ok().and_then(|uri| uri.identifier()) else {
            return Ok(None);
        };
        let members = PyDict::new(py);
        members.set_item("kind", identifier.kind().name())?;
        members.set_item("value", identifier.value())?;
        members.set_item("canonical", identifier.canonical())?;
        Ok(Some(members))
    }

    /// The URI with another query: a mapping or pairs, which are encoded, a str as it is, or None
    /// for no query.
    fn with_query(&self, py: Python<'_>, query: &Bound<'_, PyAny>) -> PyResult<Self> {
        let query = query_of(query)?;
        self.edited(py, |builder| builder.set_query(query.as_deref()).map(drop))
    }

    /// The URI with another fragment, encoded; None for no fragment.
    #[pyo3(signature = (fragment, /))]
    fn with_fragment(&self, py: Python<'_>, fragment: Option<&str>) -> PyResult<Self> {
        let fragment = fragment.map(|text| encode(text, PercentSet::Fragment));
        self.edited(py, |builder| builder.set_fragment(fragment.as_deref()).map(drop))
    }

    /// The URI with another host.
    #[pyo3(signature = (host, /))]
    fn with_host(&self, py: Python<'_>, host: &str) -> PyResult<Self> {
        self.edited(py, |builder| builder.set_host(host).map(drop))
    }

    /// The URI with segments at the end of its path, without query and fragment: `uri / "a" / "b"`.
    fn __truediv__(&self, py: Python<'_>, segment: &Bound<'_, PyString>) -> PyResult<Self> {
        // Not an argument of that type: an operator hides the error of a text that is not Unicode.
        let segment = segment.to_str()?;
        let path = self.get(Rule::Path).unwrap_or_default();
        let path = path.strip_suffix('/').unwrap_or(&path);
        let path = format!("{path}/{}", encode(segment, PercentSet::Segment));
        self.edited(py, |builder| {
            builder.set_path(&path)?.set_query(None)?.set_fragment(None).map(drop)
        })
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

    /// The namespace identifier.
    #[getter]
    fn nid(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| Some(urn.nid().to_owned()))
    }

    /// The namespace-specific string.
    #[getter]
    fn nss(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| Some(urn.nss().to_owned()))
    }

    /// The r-component, for the resolver.
    #[getter]
    fn r(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| urn.r_component().map(str::to_owned))
    }

    /// The q-component, for the named resource.
    #[getter]
    fn q(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| urn.q_component().map(str::to_owned))
    }

    /// The f-component, for the client.
    #[getter]
    fn f(slf: PyRef<'_, Self>) -> Option<String> {
        slf.as_super().urn_part(|urn| urn.f_component().map(str::to_owned))
    }

    /// The name without r-, q-, and f-component.
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

/// The rule by which two URIs are equivalent: `string`, `syntax`, `scheme`, `urn` or `namespace`;
/// None if they are not.
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
