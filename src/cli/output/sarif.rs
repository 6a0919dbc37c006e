//! `--format sarif`: a match is a note with its kind as the rule, a rejected candidate is a warning
//! with its reason as the rule.

use std::borrow::Cow;

use urigrep::reference::Normalizer;
use urigrep::search::{
    FieldObject, Flow, Hit, HitField, HitFields, HitKind, Level, Needs, Position, Positions,
    Problem, Report as Reported, count_characters,
};
use urigrep::{Finding, Kind};

use super::json::SearchCounts;
use super::{Printer, Summary};
use urigrep::internal::output::SarifProblems;
use urigrep::internal::output::json::append;
use urigrep::internal::output::report::Report;
use urigrep::internal::output::sarif::{
    self as log, Region, SEPARATOR, SarifContent, SarifLevel, SarifLocation, SarifMessage,
    SarifResult, SarifRule,
};

#[derive(Clone, Debug)]
pub struct Sarif {
    reported: Reported,
    normalizer: Normalizer,
    problems: SarifProblems,
}

impl Sarif {
    /// Creates the printer; `normalizer` makes the normal forms.
    pub fn new(reported: Reported, normalizer: Normalizer) -> Self {
        Self { reported, normalizer, problems: SarifProblems::default() }
    }
}

/// The fields without a member of SARIF.
const PROPERTIES: &[HitField] = &[
    HitField::Uri,
    HitField::Iri,
    HitField::Normalized,
    HitField::Identifier,
    HitField::Scheme,
    HitField::Host,
    HitField::Wrapper,
    HitField::Flags,
    HitField::At,
    HitField::Role,
];

fn kinds() -> Vec<SarifRule<'static>> {
    let sentence = |kind| match kind {
        Kind::Email => "A mail address without `mailto:`.",
        Kind::Abbreviated => "A URI without its scheme.",
        Kind::Urn => "A URN by RFC 8141.",
        Kind::Lax => "A URI with characters that no RFC allows.",
        Kind::Iri => "An IRI by RFC 3987.",
        _ => "A URI by RFC 3986.",
    };
    let kinds =
        Kind::ALL.iter().map(|&kind| SarifRule::new(kind.name(), sentence(kind), SarifLevel::Note));
    let reference = SarifRule::new(
        HitKind::Reference.name(),
        "A relative reference by RFC 3986.",
        SarifLevel::Note,
    );
    kinds.into_iter().chain([reference]).collect()
}

impl Report<Summary> for Sarif {
    fn open(&self, out: &mut Vec<u8>) {
        match self.reported {
            Reported::Matches => log::open(&kinds(), out),
            // Reasons need no rules here: the message of each result describes its reason.
            _ => log::open(&[], out),
        }
    }

    fn separator(&self) -> &'static [u8] {
        SEPARATOR
    }

    fn problem(&self, problem: &Problem, _out: &mut Vec<u8>) {
        self.problems.add(problem);
    }

    fn close(&self, summary: &Summary, out: &mut Vec<u8>) {
        let counts = SearchCounts::new(summary);
        self.problems.close(summary.errors, &counts, out);
    }
}

impl Printer for Sarif {
    fn needs(&self, _: Level) -> Needs {
        Needs::new().positions(Positions::Characters)
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let (rule_id, level, message) = match (hit.kind(), hit.finding()) {
            (_, Finding::Rejected(rejected)) => {
                let reason = rejected.reason();
                (reason.name(), SarifLevel::Warning, log::plain(&reason.to_string()))
            }
            (Some(kind), _) => (kind.name(), SarifLevel::Note, log::plain(&shown(hit))),
            (None, _) => return Flow::Continue,
        };
        let text = hit.text();
        let result = SarifResult {
            rule_id,
            level,
            message: SarifMessage { text: &message },
            locations: [SarifLocation::new(hit.input().display_path(), Some(region(hit, &text)))],
            partial_fingerprints: None,
            fixes: Vec::new(),
            properties: FieldObject {
                fields: HitFields::from(hit),
                names: PROPERTIES,
                normalizer: self.normalizer,
            },
        };
        append(&result, out);
        Flow::Continue
    }
}

/// The IRI or URI of a hit.
fn shown<'h>(hit: &'h Hit<'h>) -> Cow<'h, str> {
    match hit.defanged() {
        Some(defanged) => Cow::Borrowed(defanged.iri().or(defanged.uri()).unwrap_or_default()),
        None => hit.iri().unwrap_or_else(|| hit.uri()),
    }
}

/// Returns the region of a hit. Its end is counted from its start over the bytes of the source.
fn region<'a>(hit: &Hit<'_>, text: &'a [u8]) -> Region<'a> {
    let [start, end] = hit.bytes();
    let position = hit.position();
    let start_line = position.map_or(0, |position| position.line);
    // The log declares its columns as code points (`columnKind`, SARIF 2.1.0 §3.14.17), not bytes.
    let column = |position: Position| position.character.unwrap_or(position.column);
    let start_column = position.map_or(0, column);
    let source = hit.source();
    let lines = memchr::memchr_iter(b'\n', source).count() as u64;
    let last = memchr::memrchr(b'\n', source).and_then(|at| source.get(at + 1..));
    Region {
        start_line,
        start_column,
        end_line: start_line + lines,
        end_column: match last {
            // The region ends before this column (SARIF 2.1.0 §3.30.8), so it is one past the last
            // character.
            Some(last) => 1 + count_characters(last),
            None => start_column + count_characters(source),
        },
        byte_offset: start,
        byte_length: end - start,
        snippet: Some(SarifContent::new(text)),
    }
}
