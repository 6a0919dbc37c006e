//! Evidence that lychee has collected: [`import_lychee`].

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::Deserialize;

use super::cache::EvidenceCache;
use super::page;
use crate::Uri;
use crate::audit::{Evidence, UrlKey};
use crate::search::read_regular_text;

const MAX_IMPORT_BYTES: u64 = 256 << 20;

/// A file of lychee that could not be imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// It could not be read.
    Read(io::Error),
    /// It is neither a cache nor a report; the line is 1-based.
    Invalid {
        /// The line.
        line: usize,
        /// The problem.
        message: String,
    },
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Invalid { line, message } => {
                write!(f, "line {line}: neither a cache nor a JSON report of lychee: {message}")
            }
        }
    }
}

impl std::error::Error for ImportError {}

/// Adds the status codes of a `.lycheecache` file, or of a report by `lychee --format json`, and
/// returns their number. Failures without a status code are left out, as in a cache.
///
/// # Errors
/// If the file cannot be read or is not one of these.
pub fn import_lychee(path: &Path, cache: &mut EvidenceCache) -> Result<usize, ImportError> {
    let text = read_regular_text(path, MAX_IMPORT_BYTES).map_err(ImportError::Read)?;
    // A report has no times: its answers are as old as the file.
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    let modified = modified.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let time = modified.map_or(0, |time| time.as_secs());
    let records =
        if text.trim_start().starts_with('{') { report(&text, time)? } else { records(&text)? };
    let count = records.len();
    records.into_iter().for_each(|evidence| cache.import(evidence));
    Ok(count)
}

fn evidence(url: &str, status: u16, time: u64) -> Option<Evidence> {
    // The cache knows URLs as they are requested.
    let key = UrlKey::new(&Uri::parse(url).ok()?);
    let url = page::request_url(key.as_str())?;
    Some(Evidence { time, ..Evidence::status(url, status) })
}

/// Reads a cache: rows of CSV with a URL, a status code or a word, and a time in seconds.
fn records(text: &str) -> Result<Vec<Evidence>, ImportError> {
    let mut records = Vec::new();
    for (row, line) in text.lines().zip(1..) {
        if row.trim().is_empty() {
            continue;
        }
        let mut cells = row.rsplitn(3, ',');
        let (time, status, url) = (cells.next(), cells.next(), cells.next());
        let time = time.and_then(|time| time.trim().parse().ok());
        let (Some(time), Some(status), Some(url)) = (time, status, url) else {
            let message = "not a URL, a status, and a time".to_owned();
            return Err(ImportError::Invalid { line, message });
        };
        // CSV quotes a URL with a comma, and doubles quotes in it.
        let url = match url.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(quoted) => quoted.replace("\"\"", "\""),
            None => url.to_owned(),
        };
        if let Ok(status) = status.parse() {
            records.extend(evidence(&url, status, time));
        }
    }
    Ok(records)
}

type Results = BTreeMap<String, Vec<ReportedLink>>;

/// A report. Older versions call the errors `fail_map`.
#[derive(Deserialize)]
struct LycheeReport {
    #[serde(default)]
    success_map: Results,
    #[serde(default)]
    error_map: Results,
    #[serde(default)]
    fail_map: Results,
    #[serde(default)]
    timeout_map: Results,
}

#[derive(Deserialize)]
struct ReportedLink {
    url: String,
    status: serde_json::Value,
}

impl ReportedLink {
    /// Returns the status code: a member of an object, or the start of a text.
    fn code(&self) -> Option<u16> {
        match &self.status {
            serde_json::Value::String(text) => text.split_whitespace().next()?.parse().ok(),
            status => status.get("code")?.as_u64()?.try_into().ok(),
        }
    }
}

fn report(text: &str, time: u64) -> Result<Vec<Evidence>, ImportError> {
    let report: LycheeReport = serde_json::from_str(text)
        .map_err(|error| ImportError::Invalid { line: error.line(), message: error.to_string() })?;
    let maps = [report.success_map, report.error_map, report.fail_map, report.timeout_map];
    let links = maps.into_iter().flat_map(BTreeMap::into_values).flatten();
    Ok(links.filter_map(|link| evidence(&link.url, link.code()?, time)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_and_reports() {
        let rows = "https://a.example/,200,1700000000\n\"https://b.example/?x,y\",404,1700000001\n\
                    https://c.example/,,1700000002\nhttps://d.example/,Excluded,1700000002\n";
        let found = records(rows).unwrap();
        let urls: Vec<_> = found.iter().map(|it| (it.url.as_str(), it.status, it.time)).collect();
        assert_eq!(
            urls,
            [
                ("https://a.example/", Some(200), 1_700_000_000),
                ("https://b.example/?x,y", Some(404), 1_700_000_001)
            ]
        );
        assert_eq!(
            records("# Title\n").unwrap_err().to_string(),
            "line 1: neither a cache nor a JSON report of lychee: not a URL, a status, and a time"
        );
        let json = r#"{"total":3,"error_map":{"a.md":[
            {"url":"https://a.example/b#c","status":{"text":"404 Not Found","code":404}},
            {"url":"https://a.example/d","status":{"text":"Network error","code":null}}]},
            "fail_map":{"b.md":[{"url":"https://e.example/","status":"500 Internal Server Error"}]}}"#;
        let found = report(json, 7).unwrap();
        let urls: Vec<_> = found.iter().map(|it| (it.url.as_str(), it.status)).collect();
        assert_eq!(urls, [("https://a.example/b", Some(404)), ("https://e.example/", Some(500))]);
    }
}
