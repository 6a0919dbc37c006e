//! `--statistics`: how often each check found something.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use urigrep::audit::{AuditedDocument, Check, Safety};

use super::AuditReport;
use crate::cli::audit::summary::AuditSummary;
use crate::cli::json::push;
use crate::cli::report::Report;

#[derive(Debug)]
pub struct StatisticsReport {
    form: StatisticsForm,
    counts: Mutex<BTreeMap<&'static str, CheckCount>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatisticsForm {
    Text,
    Json,
}

#[derive(Debug)]
struct CheckCount {
    check: &'static Check,
    findings: u64,
    fixable: u64,
}

#[derive(Serialize)]
struct StatisticsRecord<'a> {
    r#type: &'static str,
    check: &'a str,
    findings: u64,
    fixable: u64,
}

impl StatisticsReport {
    pub fn new(form: StatisticsForm) -> Self {
        Self { form, counts: Mutex::default() }
    }
}

impl Report<AuditSummary> for StatisticsReport {
    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts: Vec<_> = counts.values().collect();
        counts.sort_by_key(|count| (std::cmp::Reverse(count.findings), count.check.id));
        let digits = counts.first().map_or(1, |count| count.findings.to_string().len());
        let names = counts.iter().map(|count| count.check.id.len()).max().unwrap_or_default();
        for CheckCount { check, findings, fixable } in counts {
            if self.form == StatisticsForm::Json {
                let (findings, fixable) = (*findings, *fixable);
                let record =
                    StatisticsRecord { r#type: "statistics", check: check.id, findings, fixable };
                push(&record, out);
                continue;
            }
            let fixable = match fixable {
                0 => String::new(),
                count => format!(" ({count} fixable with --fix)"),
            };
            let line =
                format!("{findings:>digits$}  {:names$}  {}{fixable}\n", check.id, check.summary);
            out.extend_from_slice(line.as_bytes());
        }
        if self.form == StatisticsForm::Text {
            out.extend_from_slice(format!("urigrep: {}\n", summary.sentence()).as_bytes());
        }
    }
}

impl AuditReport for StatisticsReport {
    fn document(&self, document: &AuditedDocument, _: &mut Vec<u8>) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for located in document.findings() {
            let finding = &located.finding;
            let count = counts.entry(finding.check.id).or_insert(CheckCount {
                check: finding.check,
                findings: 0,
                fixable: 0,
            });
            count.findings += 1;
            let is_fixable = finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
            count.fixable += u64::from(is_fixable);
        }
    }
}
