//! `urigrep parse`: whether a text is a URI by a grammar, its components, and where it fails.
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::Ipv4Addr;

use clap::Args;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urigrep::edit::{Purl, PurlFault};
use urigrep::grammar::{Form, Parsed, Rule};
use urigrep::internal::output::escape::visible;
use urigrep::internal::output::json::push;
use urigrep::namespace::NssFault;
use urigrep::reference::Normalizer;
use urigrep::search::{Bytes, IdentifierRecord, UrnRecord};
use urigrep::{ErrorKind, Flag, Flags, Grammar, Identifier, Iri, ParseError, Uri};

use super::answers::{RedactFlag, VerbAnswers};
use super::arguments;
use super::edit::{EditFlags, decoded_pairs};
use super::look::{self, ColorFlag, Look};
use crate::cli::flags::values::hosts;
use crate::cli::flags::values::{self, DOCUMENTS, Grammars};
use crate::cli::status::Status;

#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "urigrep parse [OPTIONS] URI...",
    after_help = "Exit status: 0 all valid, 1 one is not, 2 error.",
    after_long_help = AFTER
)]
pub struct ParseFlags {
    #[arg(
        value_name = "URI",
        help = "The texts to parse; by default, and for `-`, the lines of standard input."
    )]
    texts: Vec<OsString>,

    #[arg(long, value_name = "GRAMMAR", default_value = "rfc3986", hide_default_value = true,
        value_parser = values::grammars,
        help = "The grammar, such as rfc2396bis-01 or url-1993; `all` tries each.",
        long_help = format!("Parse by this document: {DOCUMENTS}. With `all`, \
                     the verdict of each is printed, and a text counts as valid when one of them accepts it."))]
    grammar: Grammars,

    #[arg(long, help = "Also accept relative references, such as `../a?b`.")]
    reference: bool,

    #[arg(long, help = "Print one JSON object per line.")]
    json: bool,

    #[command(flatten)]
    edit: EditFlags,

    #[command(flatten)]
    secrets: RedactFlag,

    #[command(flatten)]
    color: ColorFlag,
}

const AFTER: &str = "\
Exit status:
  0  every text is valid under the grammar
  1  a text is not valid (with `--grammar all`: under no grammar)
  2  an error

Examples:
  urigrep parse 'http://me@example.com:8080/a?b#c'
  urigrep parse --grammar all 'http://a_b.example/'
  urigrep parse --reference --json '../a?b' '#c'
  urigrep parse --get '{host} {query:q}' - < uris
  urigrep parse --set host=b.example --trim 'query=utm_*' 'http://a.example/?utm_source=x'";

struct ParseVerdict<'a> {
    grammar: Grammar,
    result: Result<Parsed<'a>, ParseFailure>,
}

#[derive(Clone, Copy)]
struct ParseFailure {
    at: usize,
    kind: ErrorKind,
}

impl From<ParseError> for ParseFailure {
    fn from(error: ParseError) -> Self {
        Self { at: error.offset(), kind: error.kind() }
    }
}

impl ParseFlags {
    pub fn run(&self) -> Status {
        let grammars: &[Grammar] = match &self.grammar {
            Grammars::One(grammar) => std::slice::from_ref(grammar),
            Grammars::All => Grammar::ALL,
        };
        let mut answers = VerbAnswers::new(self.json, self.secrets);
        let (mut status, mut number) = (Status::Match, 0);
        let look = self.color.look();
        let read = arguments::each(&self.texts, "URI", |text| {
            let shown = self.secrets.text(text);
            let verdicts = grammars.iter().map(|&grammar| self.verdict(grammar, text));
            // A URI is shown without its secrets, so its components are parsed from the redacted
            // form.
            let verdicts = verdicts.map(|verdict| match verdict.result {
                Ok(_) if *shown != *text => self.verdict(verdict.grammar, &shown),
                _ => verdict,
            });
            let verdicts: Vec<_> = verdicts.collect();
            let is_valid = verdicts.iter().any(|verdict| verdict.result.is_ok());
            let text = &*shown;
            if !is_valid {
                status = Status::NoMatch;
            }
            if self.edit.are_given() && is_valid {
                self.edited(text, &mut answers);
                return answers.flush();
            }
            let mut out = Vec::new();
            if self.json {
                for verdict in &verdicts {
                    push(&Object::new(text, verdict), &mut out);
                }
            } else {
                if number > 0 {
                    out.push(b'\n');
                }
                look.colors.paint(look::TEXT, &mut out, |out| visible(text, out));
                out.push(b'\n');
                for verdict in &verdicts {
                    describe(text, verdict, look, &mut out);
                }
            }
            number += 1;
            answers.text(&out);
            answers.flush()
        });
        answers.finish(if read == Status::Error { read } else { status })
    }

    /// Applies `--get`, `--set`, and similar flags to a URI.
    fn edited(&self, text: &[u8], answers: &mut VerbAnswers) {
        let text = String::from_utf8_lossy(text);
        let uris = Iri::parse(&text)
            .and_then(|iri| iri.to_uri_with(hosts()))
            .and_then(|mapped| self.edit.apply(Uri::parse(&mapped)?));
        match uris {
            Ok(uris) => {
                for uri in uris {
                    let verdict = self.verdict(Grammar::Rfc3986, uri.as_str().as_bytes());
                    let object = Object::new(uri.as_str().as_bytes(), &verdict);
                    let edited = self.edit.edits().then(|| uri.as_str().to_owned());
                    let object = Object { input: Bytes(text.as_bytes()), edited, ..object };
                    answers.answer(&self.edit.line(uri.as_uri()), &object);
                }
            }
            Err(error) => answers.refuse(&text, error.into()),
        }
    }

    fn verdict<'a>(&self, grammar: Grammar, text: &'a [u8]) -> ParseVerdict<'a> {
        let result = match std::str::from_utf8(text) {
            Ok(text) if self.reference => grammar.parse_reference(text).map_err(ParseFailure::from),
            Ok(text) => grammar.parse(text).map_err(ParseFailure::from),
            Err(error) => Err(ParseFailure { at: error.valid_up_to(), kind: ErrorKind::Character }),
        };
        ParseVerdict { grammar, result }
    }
}

/// Appends the verdict for people: the matched rule with its components, or the error with a caret
/// below its place.
fn describe(text: &[u8], verdict: &ParseVerdict<'_>, look: Look, out: &mut Vec<u8>) {
    let colors = look.colors;
    let parsed = match &verdict.result {
        Ok(parsed) => parsed,
        Err(ParseFailure { at, kind }) => {
            out.extend_from_slice(format!("{}: ", verdict.grammar).as_bytes());
            colors.text(look::BAD, "invalid", out);
            out.extend_from_slice(format!(" at byte {at}: {kind}\n").as_bytes());
            return look.excerpt(text, *at, out);
        }
    };
    out.extend_from_slice(format!("{}: ", verdict.grammar).as_bytes());
    colors.text(look::GOOD, &parsed.form().to_string(), out);
    out.push(b'\n');
    let rows = rows(verdict.grammar, parsed);
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in rows {
        out.extend_from_slice(b"  ");
        colors.text(look::NAME, name, out);
        out.extend_from_slice(format!("{:1$}  ", "", width - name.len()).as_bytes());
        match name {
            "flags" | "fault" => {
                colors.paint(look::DOUBTFUL, out, |out| visible(value.as_bytes(), out));
            }
            _ => visible(value.as_bytes(), out),
        }
        out.push(b'\n');
    }
}

/// Returns the components by name, followed by additional facts.
fn rows(grammar: Grammar, parsed: &Parsed<'_>) -> Vec<(&'static str, String)> {
    let facts = ParsedFacts::new(grammar, parsed);
    let component = |(rule, value): (Rule, &str)| {
        let mut shown = if value.is_empty() { "(empty)" } else { value }.to_owned();
        if let (Rule::Host, Some(host_type)) = (rule, parsed.host_type()) {
            shown += &match facts.address {
                Some(address) => format!(" ({host_type}, read as {address})"),
                None => format!(" ({host_type})"),
            };
        }
        (rule.name(), shown)
    };
    let mut rows: Vec<_> = parsed.components().map(component).collect();
    let flags: Vec<_> = facts.flags.iter().map(Flag::name).collect();
    let identifier = facts.identifier.map(|identifier| identifier.canonical().to_owned());
    // Shown only if it says more than the line before.
    let identifier = identifier.filter(|canonical| Some(canonical) != facts.normalized.as_ref());
    let normalized = facts.normalized.filter(|text| text != parsed.as_str());
    let more = [
        ("normalized", normalized),
        ("flags", (!flags.is_empty()).then(|| flags.join(", "))),
        ("identifier", identifier),
        ("fault", facts.fault.map(|fault| fault.to_string())),
        ("fault", purl_fault(parsed.as_str())),
    ];
    rows.extend(more.into_iter().filter_map(|(name, value)| Some((name, value?))));
    rows
}

/// Returns the fault of a package URL.
fn purl_fault(text: &str) -> Option<String> {
    match Purl::parse(Uri::parse(text).ok()?) {
        // Any other URI is not a faulty package URL.
        Ok(_) | Err(PurlFault::Scheme) => None,
        Err(fault) => Some(format!("as a package URL: {fault}")),
    }
}

/// Facts about a text beyond its components, if it is a URI or IRI by the newest grammar.
#[derive(Default)]
struct ParsedFacts {
    flags: Flags,
    /// The address that a host in a rare form stands for.
    address: Option<Ipv4Addr>,
    /// The normal form, which only the newest grammar defines.
    normalized: Option<String>,
    identifier: Option<Identifier>,
    /// The fault that the namespace finds in a URN by RFC 8141.
    fault: Option<NssFault>,
}

impl ParsedFacts {
    fn new(grammar: Grammar, parsed: &Parsed<'_>) -> Self {
        let Ok(iri) = Iri::parse(parsed.as_str()) else {
            return Self::default();
        };
        let mapped = iri.to_uri_with(hosts());
        let Ok(Ok(uri)) = mapped.as_deref().map(Uri::parse) else {
            return Self { flags: iri.flags(), ..Self::default() };
        };
        Self {
            flags: uri.flags().union(iri.flags()),
            address: uri.rare_ip(),
            normalized: is_newest(grammar).then(|| Normalizer::new().normalize(uri).into_owned()),
            identifier: uri.identifier().filter(|_| is_newest(grammar)),
            fault: parsed.urn().and_then(|urn| urn.check_nss().err()),
        }
    }
}

fn is_newest(grammar: Grammar) -> bool {
    matches!(grammar, Grammar::Rfc3986 | Grammar::Rfc8141)
}

#[derive(Serialize)]
struct Object<'a> {
    r#type: &'static str,
    input: Bytes<'a>,
    grammar: &'static str,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The rule that an older grammar matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<ComponentsRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urn: Option<UrnRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<IdentifierRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edited: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<PairRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purl: Option<PurlRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

impl<'a> Object<'a> {
    fn new(text: &'a [u8], verdict: &'a ParseVerdict<'a>) -> Self {
        let parsed = verdict.result.as_ref().ok();
        let error = verdict.result.as_ref().err();
        let facts = parsed.map(|parsed| ParsedFacts::new(verdict.grammar, parsed));
        let uri = parsed.and_then(|parsed| Uri::parse(parsed.as_str()).ok());
        Self {
            r#type: "parsed",
            input: Bytes(text),
            grammar: verdict.grammar.name(),
            valid: parsed.is_some(),
            kind: parsed.map(|parsed| kind(parsed.form())),
            form: parsed.filter(|_| !is_newest(verdict.grammar)).map(|parsed| parsed.form().name()),
            components: parsed.map(|parsed| ComponentsRecord {
                parsed,
                address: facts.as_ref().and_then(|facts| facts.address),
            }),
            urn: parsed.and_then(urn),
            edited: None,
            pairs: uri
                // What follows `?` in a URN are its r- and q-components, which have no pairs (RFC
                // 8141 §2.3).
                .filter(|uri| !uri.scheme().eq_ignore_ascii_case("urn"))
                .map(decoded_pairs)
                .into_iter()
                .flatten()
                .map(PairRecord::from)
                .collect(),
            purl: uri.and_then(PurlRecord::from_uri),
            identifier: facts
                .as_ref()
                .and_then(|facts| facts.identifier.as_ref().map(IdentifierRecord::from)),
            flags: facts.as_ref().map(|facts| facts.flags.iter().map(Flag::name).collect()),
            normalized: facts.and_then(|facts| facts.normalized),
            reason: error.map(|error| error.kind.name()),
            at: error.map(|error| error.at),
        }
    }
}

/// A parameter of the query, decoded.
#[derive(Serialize)]
struct PairRecord {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

impl From<(String, Option<String>)> for PairRecord {
    fn from((name, value): (String, Option<String>)) -> Self {
        Self { name, value }
    }
}

/// A package URL, or its fault.
#[derive(Serialize)]
#[serde(untagged)]
enum PurlRecord {
    Valid {
        r#type: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<String>,
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        qualifiers: BTreeMap<String, String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        subpath: Option<String>,
        canonical: String,
    },
    Fault {
        fault: String,
    },
}

impl PurlRecord {
    fn from_uri(uri: Uri<'_>) -> Option<Self> {
        let own = |text: &str| text.to_owned();
        Some(match Purl::parse(uri) {
            Err(PurlFault::Scheme) => return None,
            Err(fault) => Self::Fault { fault: fault.to_string() },
            Ok(purl) => Self::Valid {
                r#type: own(purl.kind()),
                namespace: purl.namespace().map(own),
                name: own(purl.name()),
                version: purl.version().map(own),
                qualifiers: purl.qualifiers().map(|(key, value)| (own(key), own(value))).collect(),
                subpath: purl.subpath(),
                canonical: purl.canonical(),
            },
        })
    }
}

/// The components by name; components that may repeat are lists.
struct ComponentsRecord<'a> {
    parsed: &'a Parsed<'a>,
    address: Option<Ipv4Addr>,
}

impl Serialize for ComponentsRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let all = || self.parsed.components().filter(|(rule, _)| !is_of_urn(*rule));
        let mut listed = Vec::new();
        for (rule, value) in all() {
            if !rule.repeats() {
                map.serialize_entry(rule.name(), value)?;
            } else if !listed.contains(&rule) {
                listed.push(rule);
                let values = all().filter(|(other, _)| *other == rule);
                let values: Vec<_> = values.map(|(_, value)| value).collect();
                map.serialize_entry(rule.name(), &values)?;
            }
            if let (Rule::Host, Some(host_type)) = (rule, self.parsed.host_type()) {
                map.serialize_entry("host_type", host_type.name())?;
                if let Some(address) = self.address {
                    map.serialize_entry("host_address", &address)?;
                }
            }
        }
        map.end()
    }
}

/// True for the components that have an object of their own.
fn is_of_urn(rule: Rule) -> bool {
    matches!(rule, Rule::Nid | Rule::Nss | Rule::RComponent | Rule::QComponent | Rule::FComponent)
}

fn urn<'a>(parsed: &Parsed<'a>) -> Option<UrnRecord<'a>> {
    if let Some(urn) = parsed.urn() {
        return Some(UrnRecord::new(&urn, urn.check_nss().err()));
    }
    let (nid, nss) = (parsed.get(Rule::Nid)?, parsed.get(Rule::Nss)?);
    Some(UrnRecord::by_older_grammar(nid, nss, parsed.assigned_name()?))
}

fn kind(form: Form) -> &'static str {
    match form {
        Form::Urn => "urn",
        Form::Iri => "iri",
        form if form.is_relative() => "reference",
        _ => "uri",
    }
}
