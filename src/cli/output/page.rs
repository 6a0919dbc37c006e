//! `--report FILE`: a page with charts and a table of the matches, beside any output.
//!
//! Memory is bounded: of every kind of key, only the most frequent ones are kept, and counts of the
//! others go into the totals. Up to that bound the page does not depend on the order of files.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs::File;
use std::hash::Hash;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use urigrep::UriRef;
use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, Level, Needs, Positions, describe};

use super::stage::OutputStage;
use super::stats::grouped;
use super::tally::{domain, key_of};
use super::{Printer, Summary};
use crate::cli::error::CliError;
use crate::cli::flags::values::CountKey;
use crate::cli::page;
use urigrep::internal::output::page::{Page, close_data, open_data, push_json};

const PAGE: Page = Page {
    title: "URI report",
    style: include_str!("page/style.css"),
    body: include_str!("page/body.html"),
    script: include_str!("page/script.js"),
};

/// Rows of the table: a browser sorts and filters them without delay, and a page has a few MB.
const MAX_ROWS: usize = 20_000;
/// Keys that are counted per chart.
const MAX_KEYS: usize = 10_000;
/// Keys that a chart lists.
const MAX_LISTED_KEYS: usize = 100;
/// The longest URI in the table, in bytes; `data:` URIs may have megabytes.
const MAX_TEXT: usize = 1000;

const CHARTS: [(CountKey, &str); 10] = [
    (CountKey::Host, "Hosts"),
    (CountKey::Domain, "Domains"),
    (CountKey::Scheme, "Schemes"),
    (CountKey::Nid, "URN namespaces"),
    (CountKey::Identifier, "Identifiers"),
    (CountKey::File, "Files"),
    (CountKey::Format, "Formats"),
    (CountKey::Role, "Roles"),
    (CountKey::Port, "Ports"),
    (CountKey::Flag, "Flags"),
];

/// Counts keys. Whenever a limit is exceeded, the rarest keys are dropped.
#[derive(Clone, Debug)]
struct TopCounts<K> {
    counts: HashMap<K, u64>,
    most: usize,
    dropped: u64,
}

impl<K: Eq + Hash + Ord> TopCounts<K> {
    fn new(most: usize) -> Self {
        Self { counts: HashMap::new(), most, dropped: 0 }
    }

    fn add(&mut self, key: K, count: u64) {
        *self.counts.entry(key).or_default() += count;
        // The map is sorted only when it has doubled. So every sort is paid by `most` new keys, and
        // a key costs no more than its share of one sort.
        if self.counts.len() > 2 * self.most {
            // A key may be dropped and come again. Its count is then too low, which `dropped` makes
            // the page say.
            let kept = self.take_sorted();
            self.dropped += kept.len().saturating_sub(self.most) as u64;
            self.counts = kept.into_iter().take(self.most).collect();
        }
    }

    fn merge(&mut self, other: Self) {
        self.dropped += other.dropped;
        for (key, count) in other.counts {
            self.add(key, count);
        }
    }

    /// Takes all counts, the highest first.
    fn take_sorted(&mut self) -> Vec<(K, u64)> {
        let mut all: Vec<_> = std::mem::take(&mut self.counts).into_iter().collect();
        // Equal counts are ordered by key, because a map has a random order and a page must be the
        // same in every run.
        all.sort_unstable_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
        all
    }
}

/// A row of the table: a URI in a file.
type PageRow = (Box<str>, Box<str>);

/// Counts of the matches of a file, or of all files.
#[derive(Clone, Debug)]
struct PageCounts {
    rows: TopCounts<PageRow>,
    /// The line of the first match of a row; rows that were dropped may be left over until the next
    /// cleaning.
    lines: HashMap<PageRow, u64>,
    charts: [TopCounts<Box<[u8]>>; CHARTS.len()],
    days: TopCounts<Box<str>>,
}

impl Default for PageCounts {
    fn default() -> Self {
        Self {
            rows: TopCounts::new(MAX_ROWS),
            lines: HashMap::new(),
            charts: std::array::from_fn(|_| TopCounts::new(MAX_KEYS)),
            days: TopCounts::new(MAX_KEYS),
        }
    }
}

impl PageCounts {
    fn add_line(&mut self, row: PageRow, line: u64) {
        let known = self.lines.entry(row).or_insert(line);
        *known = line.min(*known);
        // The rows hold up to twice MAX_ROWS. At twice as many lines, each cleaning removes half of
        // them, so it is paid by as many new lines.
        if self.lines.len() > 4 * MAX_ROWS {
            let Self { lines, rows, .. } = self;
            lines.retain(|row, _| rows.counts.contains_key(row));
        }
    }

    fn merge(&mut self, other: Self) {
        self.rows.merge(other.rows);
        for (row, line) in other.lines {
            self.add_line(row, line);
        }
        for (all, chart) in self.charts.iter_mut().zip(other.charts) {
            all.merge(chart);
        }
        self.days.merge(other.days);
    }
}

/// A page that is written at the end of the run.
#[derive(Clone, Debug)]
pub struct PageReport {
    path: PathBuf,
    file: Arc<File>,
    normalizer: Normalizer,
    counts: Arc<Mutex<PageCounts>>,
}

impl PageReport {
    /// Creates the page of a run. Its file is created now, so that the error comes before the work.
    ///
    /// # Errors
    /// If the file can't be created.
    pub fn new(file: &Path, normalizer: Normalizer) -> Result<Self, CliError> {
        let opened = Arc::new(page::create(file)?);
        Ok(Self { path: file.to_owned(), file: opened, normalizer, counts: Arc::default() })
    }

    /// Returns the stage that counts the hits. It counts at least those that the printer after it
    /// receives.
    pub fn stage(&self, behind: PrinterBehind) -> Reporting {
        Reporting { report: self.clone(), here: Box::default(), behind }
    }

    /// Writes the page.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write(&self, summary: &Summary) -> Result<(), CliError> {
        let counts =
            std::mem::take(&mut *self.counts.lock().unwrap_or_else(PoisonError::into_inner));
        let mut bytes = Vec::new();
        PAGE.open(&mut bytes);
        open_data("data", &mut bytes);
        push_json(&PageData::new(counts, summary), &mut bytes);
        close_data(&mut bytes);
        PAGE.close(&mut bytes);
        let written = (&*self.file).write_all(&bytes);
        written.map_err(|error| CliError::file(&self.path, describe(&error)))
    }
}

/// Selects which hits the printer after the page receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrinterBehind {
    /// It wants all.
    TakesAll,
    /// It stops at the first hit of a file or of the run, and prints nothing for a hit.
    StopsEarly,
}

pub struct Reporting {
    report: PageReport,
    /// The counts of this file.
    here: Box<PageCounts>,
    behind: PrinterBehind,
}

impl Reporting {
    fn count(&mut self, hit: &Hit<'_>) {
        let here = &mut *self.here;
        for ((key, _), chart) in CHARTS.iter().zip(&mut here.charts) {
            match key {
                CountKey::Flag => {
                    for flag in hit.flags().iter() {
                        chart.add(flag.name().as_bytes().into(), 1);
                    }
                }
                key => {
                    if let Some(key) = key_of(*key, hit) {
                        chart.add(key.into(), 1);
                    }
                }
            }
        }
        let date = hit.mail().and_then(|mail| mail.envelope().date.as_deref());
        // The envelope holds dates in the form of RFC 3339, whose first ten characters are the day.
        if let Some(day) = date.and_then(|date| date.get(..10)) {
            here.days.add(day.into(), 1);
        }
        if let Some(uri) = hit.normalized(&self.report.normalizer) {
            let end = uri.floor_char_boundary(MAX_TEXT);
            let text =
                if uri.len() > end { format!("{}…", &uri[..end]) } else { uri.into_owned() };
            let path = String::from_utf8_lossy(hit.input().display_path());
            let row: PageRow = (text.into(), path.into());
            here.rows.add(row.clone(), 1);
            here.add_line(row, hit.position().map_or(0, |position| position.line));
        }
    }
}

impl OutputStage for Reporting {
    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, out: &mut Vec<u8>) -> Flow {
        self.count(hit);
        match self.behind {
            PrinterBehind::TakesAll => inner.hit(hit, out),
            PrinterBehind::StopsEarly => Flow::Continue,
        }
    }

    fn begin(&mut self) {
        *self.here = PageCounts::default();
    }

    fn finish(&mut self) {
        let here = std::mem::take(&mut *self.here);
        self.report.counts.lock().unwrap_or_else(PoisonError::into_inner).merge(here);
    }

    fn needs(&self, inner: &dyn Printer, level: Level) -> Needs {
        // The table of the page shows the line of each first match, even if the printer after it
        // does not need lines.
        inner.needs(level).positions(Positions::Bytes)
    }
}

/// The data of the script.
#[derive(Serialize)]
struct PageData {
    sentence: String,
    version: &'static str,
    charts: Vec<Chart>,
    rows: Vec<RowData>,
    /// Rows that were dropped.
    left_out: u64,
}

#[derive(Serialize)]
struct Chart {
    key: &'static str,
    name: &'static str,
    distinct: u64,
    /// True if some keys were dropped.
    is_about: bool,
    items: Vec<(String, u64)>,
}

/// URI, count, file, line, scheme, host, domain, namespace.
#[derive(Serialize)]
struct RowData(String, u64, String, u64, String, String, String, String);

impl PageData {
    fn new(mut counts: PageCounts, summary: &Summary) -> Self {
        let text = |key: &[u8]| String::from_utf8_lossy(key).into_owned();
        let mut charts: Vec<Chart> = Vec::new();
        for ((key, name), mut chart) in CHARTS.into_iter().zip(counts.charts) {
            let sorted = chart.take_sorted();
            charts.push(Chart {
                key: key.name(),
                name,
                distinct: sorted.len() as u64,
                is_about: chart.dropped > 0,
                items: sorted
                    .iter()
                    .take(MAX_LISTED_KEYS)
                    .map(|(key, count)| (text(key), *count))
                    .collect(),
            });
        }
        let mut days = counts.days.take_sorted();
        // The chart of days is a line over time, not a list of the most frequent.
        days.sort();
        charts.push(Chart {
            key: "day",
            name: "Days of mail",
            distinct: days.len() as u64,
            is_about: counts.days.dropped > 0,
            items: days.into_iter().map(|(day, count)| (day.into(), count)).collect(),
        });
        let mut rows = counts.rows.take_sorted();
        let left_out = counts.rows.dropped + rows.len().saturating_sub(MAX_ROWS) as u64;
        rows.truncate(MAX_ROWS);
        let lines = counts.lines;
        let row = |(row, count): (PageRow, u64)| {
            let line = lines.get(&row).copied().unwrap_or(0);
            RowData::new(row, count, line)
        };
        Self {
            sentence: sentence(summary),
            version: env!("CARGO_PKG_VERSION"),
            charts,
            rows: rows.into_iter().map(row).collect(),
            left_out,
        }
    }
}

impl RowData {
    fn new((uri, path): PageRow, count: u64, line: u64) -> Self {
        // The ellipsis of a cut URI is not a character of a URI, so the parser would refuse the
        // row.
        let parsed = UriRef::parse(uri.strip_suffix('…').unwrap_or(&uri)).ok();
        let scheme = parsed.and_then(|uri| uri.scheme()).unwrap_or("").to_ascii_lowercase();
        let host = parsed.and_then(|uri| uri.host()).unwrap_or("").to_ascii_lowercase();
        let nid = parsed.filter(|_| scheme == "urn").and_then(|uri| uri.path().split(':').next());
        let nid = nid.unwrap_or("").to_ascii_lowercase();
        let domain = domain(&host).to_owned();
        Self(uri.into(), count, path.into(), line, scheme, host, domain, nid)
    }
}

fn sentence(summary: &Summary) -> String {
    let stats = &summary.stats;
    let unique =
        summary.unique.map(|unique| format!(" of {} different URIs", grouped(unique.number())));
    let errors = match summary.errors {
        0 => String::new(),
        errors => format!("; {} errors", grouped(errors)),
    };
    format!(
        "{} matches{} in {} of {} files, {} bytes{errors}",
        grouped(stats.matches),
        unique.unwrap_or_default(),
        grouped(stats.matched),
        grouped(stats.files),
        grouped(stats.bytes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_keys_stay() {
        let mut counts = TopCounts::new(3);
        for key in 0..1000_u32 {
            counts.add(key, 1);
            counts.add(7, 1);
        }
        assert!(counts.counts.len() <= 6 && counts.dropped > 900);
        assert_eq!(counts.take_sorted()[0].0, 7);
    }
}
