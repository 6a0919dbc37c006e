//! JSON Lines: one object per finding, `type` first, the summary last.

use crate::audit::{AuditedDocument, LocatedFinding};
use crate::search::{Bytes, PlaceRecord, Problem};
use serde::Serialize;

use super::AuditReport;
use super::evidence::EvidenceRecord;
use super::summary::{AuditCountsRecord, AuditSummary};
use crate::output::json::{ProblemRecord, SummaryRecord, push};
use crate::output::report::Report;

#[derive(Clone, Copy, Debug)]
pub struct JsonReport;

/// A finding. The order of the fields is that of the format.
#[derive(Serialize)]
struct FindingRecord<'a> {
    r#type: &'static str,
    check: &'static str,
    severity: &'static str,
    path: Bytes<'a>,
    line: u64,
    column: u64,
    start: u64,
    end: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<EvidenceRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixRecord<'a>>,
}

/// The fix of a finding: byte offsets in the file, and the new references before any escapes.
#[derive(Serialize)]
struct FixRecord<'a> {
    safety: &'static str,
    edits: Vec<EditRecord<'a>>,
}

#[derive(Serialize)]
struct EditRecord<'a> {
    start: u64,
    end: u64,
    to: &'a str,
}

impl<'a> FixRecord<'a> {
    fn new(located: &'a LocatedFinding) -> Option<Self> {
        let fix = located.finding.fix.as_ref()?;
        // The places are those of the file; the texts are redacted with the rest of the finding.
        let edits = located.edits.iter().zip(&fix.edits).map(|(placed, shown)| {
            let [start, end] = placed.bytes();
            EditRecord { start, end, to: shown.to.text() }
        });
        Some(Self { safety: fix.safety.name(), edits: edits.collect() })
    }
}

impl Report<AuditSummary> for JsonReport {
    fn problem(&self, problem: &Problem, out: &mut Vec<u8>) {
        push(&ProblemRecord::from(problem), out);
    }

    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let counts = AuditCountsRecord::complete(summary);
        push(&SummaryRecord::new(counts, summary.elapsed), out);
    }
}

impl AuditReport for JsonReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        for located in document.findings() {
            let finding = &located.finding;
            let [start, end] = located.bytes;
            let record = FindingRecord {
                r#type: "finding",
                check: finding.check.id,
                severity: located.severity.name(),
                path: Bytes(document.input().display_path()),
                line: located.start.line,
                column: located.start.column,
                start,
                end,
                place: located.place.as_ref().map(PlaceRecord),
                uri: finding.uri.as_deref(),
                message: &finding.message,
                hint: finding.hint.as_deref(),
                evidence: finding.evidence.as_deref().map(EvidenceRecord::new),
                fix: FixRecord::new(located),
            };
            push(&record, out);
        }
    }
}
