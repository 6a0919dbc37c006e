//! SARIF 2.1.0: one rule per check, one result per finding.

use crate::audit::{AuditedDocument, Check, Filter, LocatedFinding, Safety, Severity};
use crate::search::Problem;
use serde::Serialize;

use super::checkout::CheckoutPaths;
use super::evidence::EvidenceRecord;
use super::fingerprint::Fingerprints;
use super::summary::{AuditCountsRecord, AuditSummary};
use super::{AuditReport, character};
use crate::output::SarifProblems;
use crate::output::json::append;
use crate::output::report::Report;
use crate::output::sarif::{
    self as log, PartialFingerprints, Region, SEPARATOR, SarifContent, SarifFix, SarifLevel,
    SarifLocation, SarifMessage, SarifReplacement, SarifResult, SarifRule, plain,
};

#[derive(Debug)]
pub struct SarifReport {
    /// The enabled checks, each with a sentence and a severity.
    rules: Vec<(&'static str, String, Severity)>,
    problems: SarifProblems,
    paths: CheckoutPaths,
}

impl SarifReport {
    /// Creates a report of the checks that the filter takes.
    pub fn new(checks: impl Iterator<Item = &'static Check>, filter: &Filter) -> Self {
        let wanted = checks.filter(|check| filter.takes_check(check));
        Self {
            rules: wanted
                .map(|check| (check.id, sentence(check.summary), severity(filter, check)))
                .collect(),
            problems: SarifProblems::default(),
            paths: CheckoutPaths::default(),
        }
    }
}

/// Returns the severity of a check, before overrides by path.
fn severity(filter: &Filter, check: &Check) -> Severity {
    let severity = filter.severities.get(check.id).copied().flatten();
    severity.unwrap_or(check.severity)
}

#[derive(Serialize)]
struct FindingProperties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<EvidenceRecord<'a>>,
}

impl Report<AuditSummary> for SarifReport {
    fn open(&self, out: &mut Vec<u8>) {
        let rules: Vec<_> = self
            .rules
            .iter()
            .map(|(id, sentence, severity)| SarifRule::new(id, sentence, level(*severity)))
            .collect();
        log::open(&rules, out);
    }

    fn separator(&self) -> &'static [u8] {
        SEPARATOR
    }

    fn problem(&self, problem: &Problem, _out: &mut Vec<u8>) {
        self.problems.add(problem);
    }

    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let counts = AuditCountsRecord::new(summary);
        self.problems.close(summary.errors, &counts, out);
    }
}

impl AuditReport for SarifReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        let path = self.paths.path_of(document);
        let mut fingerprints = Fingerprints::new(&path);
        for (index, located) in document.findings().iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(SEPARATOR);
            }
            let finding = &located.finding;
            let mut message = plain(&finding.message);
            if let Some(hint) = &finding.hint {
                message += "; ";
                message += &plain(hint);
            }
            let result = SarifResult {
                rule_id: finding.check.id,
                level: level(located.severity),
                message: SarifMessage { text: &message },
                locations: [SarifLocation::in_checkout(&path, Some(region(document, located)))],
                partial_fingerprints: Some(PartialFingerprints {
                    finding: fingerprints.next(located),
                }),
                fixes: fix(&path, located).into_iter().collect(),
                properties: FindingProperties {
                    uri: finding.uri.as_deref(),
                    evidence: finding.evidence.as_deref().map(EvidenceRecord::new),
                },
            };
            append(&result, out);
        }
    }
}

/// Returns the fix, if its text needs no escape in any format: a tool that applies it inserts it as
/// it is.
fn fix<'a>(path: &[u8], located: &'a LocatedFinding) -> Option<SarifFix<'a>> {
    let fix = located.finding.fix.as_ref()?;
    let is_plain = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/#?%+@".contains(&byte))
    };
    if !fix.edits.iter().all(|edit| is_plain(edit.to.text())) {
        return None;
    }
    let replacements = located.edits.iter().zip(&fix.edits);
    let replacements = replacements
        .map(|(placed, shown)| SarifReplacement::new(placed.bytes(), shown.to.text()))
        .collect();
    let description = match fix.safety {
        Safety::Safe => "Replace the link.",
        _ => "Replace the link by the most similar one.",
    };
    Some(SarifFix::new(path, description, replacements))
}

fn region<'a>(document: &'a AuditedDocument, located: &LocatedFinding) -> Region<'a> {
    let text = document.text().get(located.finding.span.range());
    let [start, end] = located.bytes;
    Region {
        start_line: located.start.line,
        start_column: character(located.start),
        end_line: located.end.line,
        end_column: character(located.end),
        byte_offset: start,
        byte_length: end - start,
        snippet: text.map(SarifContent::new),
    }
}

const fn level(severity: Severity) -> SarifLevel {
    match severity {
        Severity::Error => SarifLevel::Error,
        Severity::Warning => SarifLevel::Warning,
        _ => SarifLevel::Note,
    }
}

/// Turns a clause into a sentence, which SARIF requires (§3.49.9).
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let end = if clause.ends_with('.') { "" } else { "." };
    first.unwrap_or_default() + letters.as_str() + end
}
