//! A page for people: totals, a table to sort and filter, no network.
//!
//! The findings are data in the page. Its script shows only the rows in sight, so that 100,000 of
//! them take no longer than a few.

use crate::audit::{AuditedDocument, Safety};
use serde::Serialize;

use super::summary::AuditSummary;
use super::{AuditReport, printable};
use crate::output::page::{Page, close_data, open_data, push_json};
use crate::output::report::Report;

const PAGE: Page = Page {
    title: "Link report",
    style: include_str!("html/style.css"),
    body: include_str!("html/body.html"),
    script: include_str!("html/script.js"),
};

#[derive(Clone, Copy, Debug)]
pub struct HtmlReport;

/// A finding, in the order of the fields in the script.
#[derive(Serialize)]
struct Row<'a>(
    &'a str,
    &'a str,
    &'a str,
    u64,
    u64,
    &'a str,
    Option<&'a str>,
    Option<&'a str>,
    &'a str,
);

#[derive(Serialize)]
struct PageSummary<'a> {
    sentence: &'a str,
    version: &'a str,
    documents: u64,
    links: u64,
    errors: u64,
}

impl Report<AuditSummary> for HtmlReport {
    fn open(&self, out: &mut Vec<u8>) {
        PAGE.open(out);
        open_data("findings", out);
        out.push(b'[');
    }

    fn separator(&self) -> &'static [u8] {
        b",\n"
    }

    fn close(&self, summary: &AuditSummary, out: &mut Vec<u8>) {
        out.push(b']');
        close_data(out);
        open_data("summary", out);
        let page = PageSummary {
            sentence: &summary.sentence,
            version: env!("CARGO_PKG_VERSION"),
            documents: summary.counts.documents,
            links: summary.counts.links,
            errors: summary.errors,
        };
        push_json(&page, out);
        close_data(out);
        PAGE.close(out);
    }
}

impl AuditReport for HtmlReport {
    fn document(&self, document: &AuditedDocument, out: &mut Vec<u8>) {
        let path = printable(document.input().display_path());
        for (index, located) in document.findings().iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(self.separator());
            }
            let finding = &located.finding;
            let fix = finding.fix.as_ref().map(|fix| match fix.safety {
                Safety::Safe => "safe",
                _ => "unsafe",
            });
            let row = Row(
                located.severity.name(),
                finding.check.id,
                &path,
                located.start.line,
                located.start.column,
                &finding.message,
                finding.hint.as_deref(),
                finding.uri.as_deref(),
                fix.unwrap_or_default(),
            );
            push_json(&row, out);
        }
    }
}
