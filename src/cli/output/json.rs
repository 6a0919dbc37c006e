//! JSON Lines: one object a line, `type` first, the summary last.
//!
//! The structs below are the format: their fields in their order.

use std::net::Ipv4Addr;

use serde::Serialize;
use urigrep::{
    Finder, Finding, Flag, Flags, Kind, Match, Rejected, Relative, Span, Step, Uri, UriRef,
};

use super::{Printer, Summary};
use crate::cli::diagnostics::Fault;
use crate::cli::flags::values::REFERENCE;
use crate::cli::json::{Bytes, UrnObject, push};
use crate::cli::messages::{Envelope, Numbers};
use crate::cli::offsets::Relation;
use crate::cli::search::Places;
use crate::cli::sink::{Flow, Hit, Letter};
use crate::cli::subject::{Level, Subject};

/// Prints JSON Lines.
#[derive(Clone, Debug)]
pub struct Json {
    explaining: Option<Finder>,
}

impl Json {
    /// Prints with each finding the rules behind it, if there is a finder to ask. The normal form
    /// of a match is that of its [`Hit`].
    pub fn new(explaining: Option<Finder>) -> Self {
        Self { explaining }
    }

    fn explain<'a>(&self, hit: &'a Hit<'a>) -> Vec<StepObject<'a>> {
        let Some(finder) = &self.explaining else {
            return Vec::new();
        };
        let steps = finder.explain(hit.finding).into_iter();
        let object = |step: Step<'a>| StepObject {
            rule: step.rule,
            what: step.what,
            start: hit.offset(step.span.start()),
            end: hit.span(step.span)[1],
            text: Bytes(hit.step(&step)),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    kind: &'static str,
    wrapper: &'static str,
    flags: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alternative: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized: Option<&'a str>,
    components: Components<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urn: Option<UrnObject<'a>>,
    #[serde(flatten)]
    standing: StandingObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<Bytes<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<StepObject<'a>>,
}

/// What a finding is in its document.
#[derive(Default, Serialize)]
struct StandingObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mail: Option<MailObject<'a>>,
}

/// What it is in its message.
#[derive(Serialize)]
struct MailObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
    parts: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<&'a str>,
}

impl<'a> MailObject<'a> {
    fn new(letter: Letter<'a>) -> Self {
        let Envelope {
            message_id,
            date,
            from,
            subject,
        } = letter.message.envelope();
        Self {
            message_id: message_id.as_deref(),
            date: date.as_deref(),
            from: from.as_deref(),
            subject: subject.as_deref(),
            parts: letter.parts,
            header: letter.field(),
        }
    }
}

/// Where in its file the stream is that offsets, line and column are of.
fn stream(subject: &Subject) -> Option<Bytes<'_>> {
    subject.located().1.map(|place| Bytes(place.stream()))
}

impl<'a> StandingObject<'a> {
    fn new(hit: &Hit<'a>) -> Self {
        hit.standing
            .map(|standing| Self {
                role: Some(standing.role.name()),
                element: standing.element,
                attribute: standing.attribute,
                mail: standing.letter.map(MailObject::new),
            })
            .unwrap_or_default()
    }
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
    host_address: Option<Ipv4Addr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<&'a str>,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
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
    #[serde(flatten)]
    standing: StandingObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<Bytes<'a>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped_parts: Option<u64>,
    bytes: u64,
    matches: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<u64>,
    rejected: u64,
    errors: u64,
    seconds: f64,
}

impl Printer for Json {
    fn places(&self, _: Level) -> Places {
        Places::Counted
    }

    fn numbers(&self) -> Numbers {
        Numbers::Told
    }

    fn hit(&mut self, subject: &Subject, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let explain = self.explain(hit);
        match hit.finding {
            Finding::Match(m) => push_match(subject, hit, m, explain, out),
            Finding::Relative(relative) => push_relative(subject, hit, relative, out),
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
            skipped_parts: Some(tally.unread.all()).filter(|parts| *parts > 0),
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
    explain: Vec<StepObject<'_>>,
    out: &mut Vec<u8>,
) {
    let uri = m.uri();
    let text = m.text();
    let parsed = m.parsed();
    let (line, column) = place(hit);
    let [start, end] = hit.span(m.span());
    let object = MatchObject {
        r#type: "match",
        path: Bytes(subject.located().0),
        line,
        column,
        start,
        end,
        text: Bytes(&text),
        uri: &uri,
        iri: m.iri(),
        scheme: Some(parsed.scheme().to_ascii_lowercase()),
        kind: m.kind().name(),
        wrapper: m.wrapper().name(),
        flags: flags(hit, m.span(), m.flags()),
        ranges: hit.ranges(m.span(), m.ranges()),
        alternative: m.alternative(),
        normalized: hit.normal,
        components: Components {
            userinfo: parsed.userinfo(),
            host: parsed.host(),
            host_type: parsed.host_type().map(urigrep::HostType::name),
            host_address: parsed.rare_ip(),
            port: parsed.port(),
            path: parsed.path(),
            query: parsed.query(),
            fragment: parsed.fragment(),
        },
        urn: urn(m, parsed),
        standing: StandingObject::new(hit),
        stream: stream(subject),
        explain,
    };
    push(&object, out);
}

/// A relative reference is a match of a kind of its own, whose `uri` is a URI-reference, or the URI
/// that it stands for.
fn push_relative(subject: &Subject, hit: &Hit<'_>, relative: &Relative<'_>, out: &mut Vec<u8>) {
    let (line, column) = place(hit);
    let [start, end] = hit.span(relative.span());
    let reference = relative.reference();
    let uri = hit.target.unwrap_or(reference.as_str());
    let parsed = UriRef::parse(uri).unwrap_or(reference);
    let intended = relative.intended();
    let object = MatchObject {
        r#type: "match",
        path: Bytes(subject.located().0),
        line,
        column,
        start,
        end,
        text: Bytes(hit.shown.unwrap_or(relative.as_bytes())),
        uri,
        iri: (relative.kind() == Kind::Iri).then_some(&*intended),
        scheme: parsed.scheme().map(str::to_ascii_lowercase),
        kind: REFERENCE,
        wrapper: relative.wrapper().name(),
        flags: flags(hit, relative.span(), relative.flags()),
        ranges: hit.ranges(relative.span(), relative.ranges()),
        alternative: None,
        normalized: hit.target.and(hit.normal),
        components: Components {
            userinfo: parsed.userinfo(),
            host: parsed.host(),
            host_type: parsed.host_type().map(urigrep::HostType::name),
            host_address: None,
            port: parsed.port(),
            path: parsed.path(),
            query: parsed.query(),
            fragment: parsed.fragment(),
        },
        urn: None,
        standing: StandingObject::new(hit),
        stream: stream(subject),
        explain: Vec::new(),
    };
    push(&object, out);
}

fn flags(hit: &Hit<'_>, span: Span, flags: Flags) -> Vec<&'static str> {
    let flags = match hit.relation(span) {
        Relation::Same => flags,
        Relation::Decoded => flags.with(Flag::Decoded),
    };
    flags.iter().map(Flag::name).collect()
}

fn push_rejected(
    subject: &Subject,
    hit: &Hit<'_>,
    rejected: &Rejected<'_>,
    explain: Vec<StepObject<'_>>,
    out: &mut Vec<u8>,
) {
    let (line, column) = place(hit);
    let [start, end] = hit.span(rejected.span());
    let object = RejectedObject {
        r#type: "rejected",
        path: Bytes(subject.located().0),
        line,
        column,
        start,
        end,
        text: Bytes(hit.shown.unwrap_or(rejected.as_bytes())),
        reason: rejected.reason().name(),
        at: rejected.at(),
        standing: StandingObject::new(hit),
        stream: stream(subject),
        explain,
    };
    push(&object, out);
}

fn place(hit: &Hit<'_>) -> (u64, u64) {
    hit.place.map_or((0, 0), |place| (place.line, place.column))
}

/// The URN by RFC 8141; or the one by an older grammar, whose query and fragment are components only.
fn urn<'a>(m: &'a Match<'_>, parsed: Uri<'a>) -> Option<UrnObject<'a>> {
    if let Some(urn) = m.urn() {
        return Some(UrnObject::new(&urn, m.nss_fault()));
    }
    let nid = m.nid()?;
    let path = parsed.path();
    let nss = path.get(nid.len() + 1..)?;
    let assigned_name = parsed
        .as_str()
        .get(..parsed.scheme().len() + 1 + path.len())?;
    Some(UrnObject::older(nid, nss, assigned_name))
}
