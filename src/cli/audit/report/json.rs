//! JSON Lines: an object a finding, `type` first, the summary last.
//!
//! The structs below are the format: their fields in their order.

use serde::Serialize;

use super::Report;
use crate::cli::audit::finding::Audited;
use crate::cli::audit::tally::{Severities, Summary, Suppressed};
use urigrep::search::Bytes;
use urigrep::search::Problem;

use crate::cli::json::push;
use crate::cli::output::ErrorObject;

/// Reports as JSON Lines.
#[derive(Clone, Copy, Debug)]
pub struct Json;

#[derive(Serialize)]
struct FindingObject<'a> {
    r#type: &'static str,
    check: &'static str,
    severity: &'static str,
    path: Bytes<'a>,
    line: u64,
    column: u64,
    start: u64,
    end: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct SummaryObject {
    r#type: &'static str,
    files: u64,
    skipped: u64,
    bytes: u64,
    findings: u64,
    severities: Severities,
    suppressed: Suppressed,
    unlisted: u64,
    stale: u64,
    errors: u64,
    seconds: f64,
}

impl Report for Json {
    fn document(&self, audited: &Audited<'_>, out: &mut Vec<u8>) {
        for finding in audited.findings {
            let [start, end] = finding.bytes;
            let object = FindingObject {
                r#type: "finding",
                check: finding.fault.check.id,
                severity: finding.severity.name(),
                path: Bytes(audited.input.display_path()),
                line: finding.start.line,
                column: finding.start.column,
                start,
                end,
                uri: finding.fault.uri.as_deref(),
                message: &finding.fault.message,
                hint: finding.fault.hint.as_deref(),
            };
            push(&object, out);
        }
    }

    fn problem(&self, problem: &Problem, out: &mut Vec<u8>) {
        push(&ErrorObject::new(problem), out);
    }

    fn end(&self, summary: &Summary, out: &mut Vec<u8>) {
        let tally = &summary.tally;
        let object = SummaryObject {
            r#type: "summary",
            files: tally.documents,
            skipped: tally.others,
            bytes: tally.bytes,
            findings: tally.severities.sum(),
            severities: tally.severities,
            suppressed: tally.suppressed,
            unlisted: tally.unlisted,
            stale: tally.stale,
            errors: summary.errors,
            seconds: summary.elapsed.as_secs_f64(),
        };
        push(&object, out);
    }
}
