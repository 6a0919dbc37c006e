//! SARIF 2.1.0: a rule a check, a result a finding.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use urigrep::audit::Severity;

use super::Report;
use crate::cli::audit::checks;
use crate::cli::audit::filter::Filter;
use crate::cli::audit::finding::{Audited, Finding};
use crate::cli::audit::tally::{Severities, Summary, Suppressed};
use crate::cli::output::sarif::ERRORS_MAX;
use crate::cli::output::sarif::log::{
    self, Content, Invocation, Level, Location, Message, Notification, Region, Rule, SEPARATOR,
    SarifResult, plain,
};
use urigrep::search::Problem;

/// Reports as a SARIF log.
#[derive(Debug)]
pub struct Sarif {
    /// The checks that are looked for, and how bad what they find is.
    rules: Vec<(&'static str, String, Severity)>,
    faults: Mutex<BTreeSet<(Vec<u8>, String)>>,
}

impl Sarif {
    /// Reports what this filter lets through.
    pub fn new(filter: &Filter) -> Self {
        let wanted = checks::all().filter(|check| filter.takes_check(check));
        Self {
            rules: wanted
                .map(|check| (check.id, sentence(check.summary), filter.severity(check)))
                .collect(),
            faults: Mutex::default(),
        }
    }
}

#[derive(Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
}

#[derive(Serialize)]
struct Numbers {
    files: u64,
    skipped: u64,
    bytes: u64,
    severities: Severities,
    suppressed: Suppressed,
    unlisted: u64,
    errors: u64,
}

impl Report for Sarif {
    fn begin(&self, out: &mut Vec<u8>) {
        let rules: Vec<_> = self
            .rules
            .iter()
            .map(|(id, sentence, severity)| Rule::new(id, sentence, level(*severity)))
            .collect();
        log::open(&rules, out);
    }

    fn separator(&self) -> &'static [u8] {
        SEPARATOR
    }

    fn document(&self, audited: &Audited<'_>, out: &mut Vec<u8>) {
        for (index, finding) in audited.findings.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(SEPARATOR);
            }
            let fault = &finding.fault;
            let mut message = plain(&fault.message);
            if let Some(hint) = &fault.hint {
                message += "; ";
                message += &plain(hint);
            }
            let result = SarifResult {
                rule_id: fault.check.id,
                level: level(finding.severity),
                message: Message { text: &message },
                locations: [Location::new(
                    audited.input.display_path(),
                    Some(region(audited, finding)),
                )],
                properties: Properties {
                    uri: fault.uri.as_deref(),
                },
            };
            log::result(&result, out);
        }
    }

    fn problem(&self, problem: &Problem, _out: &mut Vec<u8>) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.len() < ERRORS_MAX {
            faults.insert((problem.path().to_vec(), plain(problem.message())));
        }
    }

    fn end(&self, summary: &Summary, out: &mut Vec<u8>) {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let notifications = faults.iter();
        let invocation = Invocation {
            execution_successful: summary.errors == 0,
            tool_execution_notifications: notifications
                .map(|(path, message)| Notification::error(path, message))
                .collect(),
        };
        let tally = &summary.tally;
        let numbers = Numbers {
            files: tally.documents,
            skipped: tally.others,
            bytes: tally.bytes,
            severities: tally.severities,
            suppressed: tally.suppressed,
            unlisted: tally.unlisted,
            errors: summary.errors,
        };
        log::close(&invocation, &numbers, out);
    }
}

fn region<'a>(audited: &Audited<'a>, finding: &'a Finding) -> Region<'a> {
    let span = finding.fault.span;
    let text = audited.text.bytes().get(span.range());
    Region {
        start_line: finding.start.line,
        start_column: finding.start.character,
        end_line: finding.end.line,
        end_column: finding.end.character,
        byte_offset: finding.bytes[0],
        byte_length: finding.bytes[1] - finding.bytes[0],
        snippet: text.map(Content::new),
    }
}

const fn level(severity: Severity) -> Level {
    match severity {
        Severity::Note => Level::Note,
        Severity::Warning => Level::Warning,
        Severity::Error => Level::Error,
    }
}

/// A clause as a sentence: SARIF wants one (§3.49.9).
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let end = if clause.ends_with('.') { "" } else { "." };
    first.unwrap_or_default() + letters.as_str() + end
}
