//! `urigrep parse`: whether a text is a URI by a grammar, its components, and where it fails.

use std::ffi::OsString;

use clap::Args;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urigrep::{ErrorKind, Flag, Flags, Form, Grammar, Iri, ParseError, Parsed, Rule, Uri};

use crate::cli::escape::visible;
use crate::cli::flags::values::{self, DOCUMENTS, Grammars};
use crate::cli::json::{Bytes, UrnObject, push};
use crate::cli::{Status, print};

/// What is parsed, by which grammar, and how the verdict is printed.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "urigrep parse [OPTIONS] URI...",
    after_help = "Exit status: 0 all are valid, 1 one is not, 2 an error.",
    after_long_help = AFTER
)]
pub struct ParseFlags {
    #[arg(value_name = "URI", required = true, help = "Parse these texts.")]
    texts: Vec<OsString>,

    #[arg(long, value_name = "GRAMMAR", default_value = "rfc3986", hide_default_value = true,
        value_parser = values::grammars,
        help = "Parse by this document, such as rfc2396bis-01 or url-1993; `all` tries each.",
        long_help = format!("Parse by this document: {DOCUMENTS}. With `all`, \
                     the verdict of each is printed, and a text counts as valid when one of them accepts it."))]
    grammar: Grammars,

    #[arg(long, help = "Take relative references too, such as `../a?b`.")]
    reference: bool,

    #[arg(long, help = "Print a JSON object a line.")]
    json: bool,
}

const AFTER: &str = "\
Exit status:
  0  every text is valid under the grammar
  1  one is not; with `--grammar all`, under none of them
  2  there was an error

Examples:
  urigrep parse 'http://me@example.com:8080/a?b#c'
  urigrep parse --grammar all 'http://a_b.example/'
  urigrep parse --reference --json '../a?b' '#c'";

/// What one grammar says of a text.
struct Verdict<'a> {
    grammar: Grammar,
    result: Result<Parsed<'a>, Fault>,
}

/// What is wrong with a text, and where.
#[derive(Clone, Copy)]
struct Fault {
    at: usize,
    kind: ErrorKind,
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Self {
        Self {
            at: error.offset(),
            kind: error.kind(),
        }
    }
}

impl ParseFlags {
    /// Parses and prints.
    pub fn run(&self) -> Status {
        let grammars: &[Grammar] = match &self.grammar {
            Grammars::One(grammar) => std::slice::from_ref(grammar),
            Grammars::All => &Grammar::ALL,
        };
        let mut out = Vec::new();
        let mut status = Status::Match;
        for (number, text) in self.texts.iter().enumerate() {
            let text = text.as_encoded_bytes();
            let verdicts = grammars.iter().map(|&grammar| self.verdict(grammar, text));
            let verdicts: Vec<_> = verdicts.collect();
            if verdicts.iter().all(|verdict| verdict.result.is_err()) {
                status = Status::NoMatch;
            }
            if self.json {
                for verdict in &verdicts {
                    push(&Object::of(text, verdict), &mut out);
                }
                continue;
            }
            if number > 0 {
                out.push(b'\n');
            }
            visible(text, &mut out);
            out.push(b'\n');
            for verdict in &verdicts {
                describe(text, verdict, &mut out);
            }
        }
        match print(&out) {
            Status::Match => status,
            failed => failed,
        }
    }

    fn verdict<'a>(&self, grammar: Grammar, text: &'a [u8]) -> Verdict<'a> {
        let result = match std::str::from_utf8(text) {
            Ok(text) if self.reference => grammar.parse_reference(text).map_err(Fault::from),
            Ok(text) => grammar.parse(text).map_err(Fault::from),
            Err(error) => Err(Fault {
                at: error.valid_up_to(),
                kind: ErrorKind::Character,
            }),
        };
        Verdict { grammar, result }
    }
}

/// Appends the verdict for people: the rule that matched with its components, or what is wrong and
/// a caret below the place.
fn describe(text: &[u8], verdict: &Verdict<'_>, out: &mut Vec<u8>) {
    let mut line = |line: String| {
        visible(line.as_bytes(), out);
        out.push(b'\n');
    };
    let parsed = match &verdict.result {
        Ok(parsed) => parsed,
        Err(Fault { at, kind }) => {
            line(format!("{}: no, at byte {at}: {kind}", verdict.grammar));
            let mut before = Vec::new();
            visible(text.get(..*at).unwrap_or(text), &mut before);
            let column = String::from_utf8_lossy(&before).chars().count();
            out.extend_from_slice(b"  ");
            visible(text, out);
            out.extend_from_slice(format!("\n  {:column$}^\n", "").as_bytes());
            return;
        }
    };
    line(format!("{}: {}", verdict.grammar, parsed.form()));
    let names = parsed.components().map(|(rule, _)| rule.name().len());
    let width = names.max().unwrap_or(0);
    for (rule, value) in parsed.components() {
        let value = if value.is_empty() { "(empty)" } else { value };
        let host_type = match (rule, parsed.host_type()) {
            (Rule::Host, Some(host_type)) => format!(" ({host_type})"),
            _ => String::new(),
        };
        line(format!("  {:width$}  {value}{host_type}", rule.name()));
    }
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
    components: Option<Components<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urn: Option<UrnObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

impl<'a> Object<'a> {
    fn of(text: &'a [u8], verdict: &'a Verdict<'a>) -> Self {
        let parsed = verdict.result.as_ref().ok();
        let error = verdict.result.as_ref().err();
        let is_newest = matches!(verdict.grammar, Grammar::Rfc3986 | Grammar::Rfc8141);
        Self {
            r#type: "parsed",
            input: Bytes(text),
            grammar: verdict.grammar.name(),
            valid: parsed.is_some(),
            kind: parsed.map(|parsed| kind(parsed.form())),
            form: parsed
                .filter(|_| !is_newest)
                .map(|parsed| parsed.form().name()),
            components: parsed.map(Components),
            urn: parsed.and_then(urn),
            flags: parsed.map(|parsed| flags(parsed.as_str()).iter().map(Flag::name).collect()),
            reason: error.map(|error| error.kind.name()),
            at: error.map(|error| error.at),
        }
    }
}

/// The components by their names; a list of those that may be there more than once.
struct Components<'a>(&'a Parsed<'a>);

impl Serialize for Components<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let all = || self.0.components().filter(|(rule, _)| !is_of_urn(*rule));
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
            if let (Rule::Host, Some(host_type)) = (rule, self.0.host_type()) {
                map.serialize_entry("host_type", host_type.name())?;
            }
        }
        map.end()
    }
}

/// The components that have an object of their own.
fn is_of_urn(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::Nid | Rule::Nss | Rule::RComponent | Rule::QComponent | Rule::FComponent
    )
}

fn urn<'a>(parsed: &Parsed<'a>) -> Option<UrnObject<'a>> {
    if let Some(urn) = parsed.urn() {
        return Some(UrnObject::new(&urn, urn.check_nss().err()));
    }
    let (nid, nss) = (parsed.get(Rule::Nid)?, parsed.get(Rule::Nss)?);
    Some(UrnObject::older(nid, nss, parsed.assigned_name()?))
}

fn kind(form: Form) -> &'static str {
    match form {
        Form::Urn => "urn",
        Form::Iri => "iri",
        form if form.is_relative() => "reference",
        _ => "uri",
    }
}

/// The flags of the URI that `text` is, or as an IRI maps to.
fn flags(text: &str) -> Flags {
    let uri = Iri::parse(text).and_then(|iri| iri.to_uri());
    match uri.as_deref().map(Uri::parse) {
        Ok(Ok(uri)) => uri.flags(),
        _ => Flags::default(),
    }
}
