//! `--format sarif`: a match is a note, whose rule is its kind; what was rejected is a warning, whose rule is
//! the reason.

pub mod log;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use urigrep::{Kind, Normalizer};

use self::log::{
    Content, Invocation, Level, Location, Message, Notification, Region, Rule, SEPARATOR,
    SarifResult,
};
use super::record::Record;
use super::{Printer, Summary};
use crate::cli::diagnostics::Fault;
use crate::cli::flags::values::REFERENCE;
use crate::cli::lines::characters;
use crate::cli::query::Report;
use crate::cli::search::Places;
use crate::cli::sink::{Flow, Hit};
use crate::cli::subject::{self, Subject};

/// So many errors are in the log, in the order of their paths; standard error has all.
pub const ERRORS_MAX: usize = 1000;

/// Paths, and what went wrong there.
type Faults = BTreeSet<(Vec<u8>, String)>;

/// Prints a SARIF log.
#[derive(Clone, Debug)]
pub struct Sarif {
    report: Report,
    normalizer: Normalizer,
    /// What went wrong in all threads, each path and message once: a file may be searched twice.
    faults: Arc<Mutex<Faults>>,
}

impl Sarif {
    /// Prints what is reported, with what `normalizer` makes of URIs.
    pub fn new(report: Report, normalizer: Normalizer) -> Self {
        Self {
            report,
            normalizer,
            faults: Arc::default(),
        }
    }
}

/// What SARIF has no member for.
#[derive(Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrapper: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flags: Vec<&'static str>,
    /// Where in the text it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
}

/// The numbers of the run.
#[derive(Serialize)]
struct Numbers {
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
}

/// The rule of each kind of match.
fn kinds() -> Vec<Rule<'static>> {
    let sentence = |kind| match kind {
        Kind::Email => "A mail address without `mailto:`.",
        Kind::Abbreviated => "A URI without its scheme.",
        Kind::Urn => "A URN by RFC 8141.",
        Kind::Lax => "A URI with characters that no RFC allows.",
        Kind::Iri => "An IRI by RFC 3987.",
        _ => "A URI by RFC 3986.",
    };
    let kinds = Kind::ALL
        .iter()
        .map(|&kind| Rule::new(kind.name(), sentence(kind), Level::Note));
    let reference = Rule::new(REFERENCE, "A relative reference by RFC 3986.", Level::Note);
    kinds.into_iter().chain([reference]).collect()
}

impl Printer for Sarif {
    fn places(&self, _: subject::Level) -> Places {
        Places::InCharacters
    }

    fn separator(&self) -> &'static [u8] {
        SEPARATOR
    }

    fn open(&mut self, out: &mut Vec<u8>) {
        match self.report {
            Report::Matches => log::open(&kinds(), out),
            // A reason says for itself what it is, in the message of its results.
            Report::Rejected => log::open(&[], out),
        }
    }

    fn hit(&mut self, subject: &Subject, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let record = Record::new(hit);
        let normalized = record.normalized(&self.normalizer);
        let uri = record.uri.map(|uri| uri.as_str());
        let message = match (record.reason, uri) {
            (Some((reason, _)), _) => log::plain(&reason.to_string()),
            (None, uri) => log::plain(record.iri.as_deref().or(uri).unwrap_or_default()),
        };
        let (rule_id, level) = match (record.words, record.reason) {
            (Some((kind, _)), _) => (kind, Level::Note),
            (None, Some((reason, _))) => (reason.name(), Level::Warning),
            (None, None) => return Flow::Continue,
        };
        let region = region(hit, &record);
        let result = SarifResult {
            rule_id,
            level,
            message: Message { text: &message },
            locations: [Location::new(subject.shown(), Some(region))],
            properties: Properties {
                uri,
                iri: record.iri.as_deref(),
                normalized: normalized.as_deref(),
                scheme: record.scheme(),
                host: record.uri.and_then(|uri| uri.host()),
                wrapper: record.words.map(|(_, wrapper)| wrapper.name()),
                flags: record.flags.iter().map(urigrep::Flag::name).collect(),
                at: record.reason.map(|(_, at)| at),
                role: hit.standing.map(|standing| standing.role.name()),
            },
        };
        log::result(&result, out);
        Flow::Continue
    }

    fn fault(&mut self, fault: &Fault, _out: &mut Vec<u8>) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.insert((fault.path.clone(), fault.message.clone()));
        if faults.len() > ERRORS_MAX {
            faults.pop_last();
        }
    }

    fn summary(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let texts: Vec<_> = faults
            .iter()
            .map(|(path, message)| (path, log::plain(message)))
            .collect();
        let invocation = Invocation {
            execution_successful: summary.errors == 0,
            tool_execution_notifications: texts
                .iter()
                .map(|(path, text)| Notification::error(path, text))
                .collect(),
        };
        let numbers = Numbers {
            files: summary.tally.files,
            skipped: summary.tally.skipped,
            skipped_parts: Some(summary.tally.unread.all()).filter(|parts| *parts > 0),
            bytes: summary.tally.bytes,
            matches: summary.tally.matches,
            unique: summary.unique,
            rejected: summary.tally.rejected,
            errors: summary.errors,
        };
        log::close(&invocation, &numbers, out);
    }
}

/// Where a finding stands. Its end is counted from its start, over the bytes of the source.
fn region<'a>(hit: &Hit<'_>, record: &'a Record<'_>) -> Region<'a> {
    let [start, end] = record.bytes;
    let (start_line, column) = record.place();
    let start_column = hit
        .place
        .and_then(|place| place.character)
        .unwrap_or(column);
    let source = hit.source(hit.finding.span(), record.source());
    let lines = memchr::memchr_iter(b'\n', source).count() as u64;
    let last = memchr::memrchr(b'\n', source).and_then(|at| source.get(at + 1..));
    Region {
        start_line,
        start_column,
        end_line: start_line + lines,
        end_column: match last {
            Some(last) => 1 + characters(last),
            None => start_column + characters(source),
        },
        byte_offset: start,
        byte_length: end - start,
        snippet: Some(Content::new(&record.text)),
    }
}
