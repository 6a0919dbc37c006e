//! JSON Lines: one object a line, `type` first, the summary last.
//!
//! The structs below are the format: their fields in their order.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use urigrep::registry::namespace;
use urigrep::{Finder, Finding, Flag, Match, Normalizer, Rejected, Step};

use super::{Printer, Summary};
use crate::cli::diagnostics::Fault;
use crate::cli::offsets::Relation;
use crate::cli::search::Places;
use crate::cli::sink::{Flow, Hit};
use crate::cli::subject::Subject;

/// Prints JSON Lines.
#[derive(Clone, Debug)]
pub struct Json {
    normalizer: Normalizer,
    explaining: Option<Finder>,
}

impl Json {
    /// Prints with each match its normal form, and with each finding the rules behind it, if there
    /// is a finder to ask.
    pub fn new(normalizer: Normalizer, explaining: Option<Finder>) -> Self {
        Self {
            normalizer,
            explaining,
        }
    }

    fn explain<'a>(&self, hit: &Hit<'a>) -> Vec<StepObject<'a>> {
        let Some(finder) = &self.explaining else {
            return Vec::new();
        };
        let steps = finder.explain(hit.finding).into_iter();
        let object = |step: Step<'a>| StepObject {
            rule: step.rule,
            what: step.what,
            start: hit.offset(step.span.start()),
            end: hit.offset(step.span.end()),
            text: Bytes(step.text),
        };
        steps.map(object).collect()
    }
}

#[derive(Serialize)]
struct StepObject<'a> {
    rule: &'static str,
    what: &'static str,
    start: u64,
    end: u64,
    text: Bytes<'a>,
}

/// A string, or `{"bytes": base64}` for what is not UTF-8.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

/// Something whose `Display` is its word.
struct Word<T>(T);

#[derive(Serialize)]
struct MatchObject<'a> {
    r#type: &'static str,
    path: Bytes<'a>,
    line: u64,
    column: u64,
    start: u64,
    end: u64,
    text: Bytes<'a>,
    uri: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    iri: Option<&'a str>,
    scheme: String,
    kind: &'static str,
    wrapper: &'static str,
    flags: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alternative: Option<&'a str>,
    normalized: &'a str,
    components: Components<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urn: Option<UrnObject<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<StepObject<'a>>,
}

#[derive(Serialize)]
struct Components<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    userinfo: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<&'a str>,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
}

#[derive(Serialize)]
struct UrnObject<'a> {
    nid: &'a str,
    nss: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    r: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f: Option<&'a str>,
    assigned_name: &'a str,
    namespace: &'static str,
}

#[derive(Serialize)]
struct RejectedObject<'a> {
    r#type: &'static str,
    path: Bytes<'a>,
    line: u64,
    column: u64,
    start: u64,
    end: u64,
    text: Bytes<'a>,
    reason: &'static str,
    at: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<StepObject<'a>>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Bytes<'a>>,
    message: &'a str,
}

#[derive(Serialize)]
struct SummaryObject {
    r#type: &'static str,
    files: u64,
    skipped: u64,
    bytes: u64,
    matches: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<u64>,
    rejected: u64,
    errors: u64,
    seconds: f64,
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => {
                let mut object = serializer.serialize_struct("Bytes", 1)?;
                object.serialize_field("bytes", &Word(STANDARD.encode(self.0)))?;
                object.end()
            }
        }
    }
}

impl<T: fmt::Display> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Printer for Json {
    fn places(&self) -> Places {
        Places::Counted
    }

    fn hit(&mut self, subject: &Subject, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let explain = self.explain(hit);
        match hit.finding {
            Finding::Match(m) => {
                let normalized = self.normalizer.normalize(m.parsed());
                push_match(subject, hit, m, &normalized, explain, out);
            }
            Finding::Rejected(rejected) => push_rejected(subject, hit, rejected, explain, out),
        }
        Flow::Continue
    }

    fn fault(&mut self, fault: &Fault, out: &mut Vec<u8>) {
        let path = (!fault.path.is_empty()).then_some(Bytes(&fault.path));
        push(
            &ErrorObject {
                r#type: "error",
                path,
                message: &fault.message,
            },
            out,
        );
    }

    fn summary(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let Summary {
            tally,
            unique,
            errors,
            elapsed,
        } = summary;
        let object = SummaryObject {
            r#type: "summary",
            files: tally.files,
            skipped: tally.skipped,
            bytes: tally.bytes,
            matches: tally.matches,
            unique: *unique,
            rejected: tally.rejected,
            errors: *errors,
            seconds: elapsed.as_secs_f64(),
        };
        push(&object, out);
    }
}

fn push_match(
    subject: &Subject,
    hit: &Hit<'_>,
    m: &Match<'_>,
    normalized: &str,
    explain: Vec<StepObject<'_>>,
    out: &mut Vec<u8>,
) {
    let uri = m.uri();
    let text = m.text();
    let parsed = m.parsed();
    let (line, column) = place(hit);
    let flags = match hit.relation() {
        Relation::Same => m.flags(),
        Relation::Decoded => m.flags().with(Flag::Decoded),
    };
    let object = MatchObject {
        r#type: "match",
        path: Bytes(subject.shown()),
        line,
        column,
        start: hit.offset(m.start()),
        end: hit.offset(m.end()),
        text: Bytes(&text),
        uri: &uri,
        iri: m.iri(),
        scheme: parsed.scheme().to_ascii_lowercase(),
        kind: m.kind().name(),
        wrapper: m.wrapper().name(),
        flags: flags.iter().map(Flag::name).collect(),
        ranges: m
            .ranges()
            .iter()
            .map(|s| [hit.offset(s.start()), hit.offset(s.end())])
            .collect(),
        alternative: m.alternative(),
        normalized,
        components: Components {
            userinfo: parsed.userinfo(),
            host: parsed.host(),
            host_type: parsed.host_type().map(urigrep::HostType::name),
            port: parsed.port(),
            path: parsed.path(),
            query: parsed.query(),
            fragment: parsed.fragment(),
        },
        urn: m.urn().map(|urn| UrnObject {
            nid: urn.nid(),
            nss: urn.nss(),
            r: urn.r_component(),
            q: urn.q_component(),
            f: urn.f_component(),
            assigned_name: urn.assigned_name(),
            namespace: namespace_kind(urn.nid()),
        }),
        explain,
    };
    push(&object, out);
}

fn push_rejected(
    subject: &Subject,
    hit: &Hit<'_>,
    rejected: &Rejected<'_>,
    explain: Vec<StepObject<'_>>,
    out: &mut Vec<u8>,
) {
    let (line, column) = place(hit);
    let object = RejectedObject {
        r#type: "rejected",
        path: Bytes(subject.shown()),
        line,
        column,
        start: hit.offset(rejected.start()),
        end: hit.offset(rejected.end()),
        text: Bytes(rejected.as_bytes()),
        reason: rejected.reason().name(),
        at: rejected.at(),
        explain,
    };
    push(&object, out);
}

fn place(hit: &Hit<'_>) -> (u64, u64) {
    hit.place.map_or((0, 0), |place| (place.line, place.column))
}

/// What kind of namespace a NID names (RFC 8141 §5; `X-` is RFC 2141's).
fn namespace_kind(nid: &str) -> &'static str {
    match namespace(nid.as_bytes()) {
        Some(info) => info.kind.as_str(),
        None if nid
            .get(..2)
            .is_some_and(|head| head.eq_ignore_ascii_case("x-")) =>
        {
            "experimental"
        }
        None => "unregistered",
    }
}

/// Appends an object and the end of its line.
pub fn push(object: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    match serde_json::to_writer(&mut *out, object) {
        Ok(()) => out.push(b'\n'),
        // Strings and numbers into a vector do not fail.
        Err(_) => out.truncate(start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_bytes() {
        let mut out = Vec::new();
        push(&Bytes("é\n".as_bytes()), &mut out);
        push(&Bytes(b"\xff"), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\"é\\n\"\n{\"bytes\":\"/w==\"}\n"
        );
    }

    #[test]
    fn namespaces() {
        assert_eq!(namespace_kind("ISBN"), "formal");
        assert_eq!(namespace_kind("urn-1"), "informal");
        assert_eq!(namespace_kind("x-acme"), "experimental");
        assert_eq!(namespace_kind("foo"), "unregistered");
    }
}
