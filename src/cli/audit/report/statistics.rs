//! `--statistics`: how often each check found something.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use urigrep::audit::report::{AuditReport, AuditSummary};
use urigrep::audit::{AuditedDocument, Check, Safety};
use urigrep::internal::output::escape::Escaping;
use urigrep::internal::output::json::push;
use urigrep::internal::output::report::Report;

use crate::cli::flags::audit::ReportFormatFlag;
use crate::cli::output::TableFormat;

#[derive(Debug)]
pub struct StatisticsReport {
    form: StatisticsForm,
    counts: Mutex<BTreeMap<&'static str, CheckCount>>,
}

/// The formats of `--statistics` and `--summary`.
#[derive(Clone, Copy, Debug)]
pub enum StatisticsForm {
    Text,
    Json,
    Csv(Escaping),
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

impl StatisticsForm {
    /// Returns the form for a format; `None` if there is none.
    pub fn new(format: ReportFormatFlag, escaping: Escaping) -> Option<Self> {
        match format {
            ReportFormatFlag::Text => Some(Self::Text),
            ReportFormatFlag::Json => Some(Self::Json),
            ReportFormatFlag::Csv => Some(Self::Csv(escaping)),
            _ => None,
        }
    }

    /// Writes the names of columns, if it is a table.
    pub fn heading(self, names: &[&str], out: &mut Vec<u8>) {
        if let Self::Csv(escaping) = self {
            TableFormat::Csv.row(escaping, names.iter().map(|name| name.as_bytes()), out);
        }
    }
}

impl Report<AuditSummary> for StatisticsReport {
    fn open(&self, out: &mut Vec<u8>) {
        self.form.heading(&["check", "findings", "fixable"], out);
    }

    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts: Vec<_> = counts.values().collect();
        counts.sort_by_key(|count| (std::cmp::Reverse(count.findings), count.check.id));
        let digits = counts.first().map_or(1, |count| count.findings.to_string().len());
        let names = counts.iter().map(|count| count.check.id.len()).max().unwrap_or_default();
        for CheckCount { check, findings, fixable } in counts {
            let (findings, fixable) = (*findings, *fixable);
            match self.form {
                StatisticsForm::Json => {
                    let r#type = "statistics";
                    push(&StatisticsRecord { r#type, check: check.id, findings, fixable }, out);
                }
                StatisticsForm::Csv(escaping) => {
                    let numbers = [findings, fixable].map(|number| number.to_string());
                    let cells = [check.id, &numbers[0], &numbers[1]].map(str::as_bytes);
                    TableFormat::Csv.row(escaping, cells, out);
                }
                StatisticsForm::Text => {
                    let fixable = match fixable {
                        0 => String::new(),
                        count => format!(" ({count} fixable with --fix)"),
                    };
                    let (id, summary) = (check.id, check.summary);
                    let line = format!("{findings:>digits$}  {id:names$}  {summary}{fixable}\n");
                    out.extend_from_slice(line.as_bytes());
                }
            }
        }
        if matches!(self.form, StatisticsForm::Text) {
            out.extend_from_slice(format!("urigrep: {}\n", summary.sentence).as_bytes());
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
