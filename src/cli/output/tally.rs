//! `--top` and `--count-by`: what is most frequent in the run, with its counts.
//!
//! Memory grows with the number of different keys: each is held with a number.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use urigrep::UriRef;
use urigrep::reference::Normalizer;
use urigrep::search::{Bytes, Flow, Hit, Input};

use super::csv::TableFormat;
use super::headroom::Headroom;
use super::path::MATCH;
use super::{ExitMatch, PathPlace, PathStyle, Printer, Summary};
use crate::cli::flags::values::CountKey;
use crate::cli::json::push;

/// How often each key was seen.
type KeyCounts = HashMap<Vec<u8>, u64>;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyOf {
    /// URIs: they are the same when their identities are.
    Uris,
    Part(CountKey),
}

/// How the counts are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyFormat {
    Text,
    Table(TableFormat),
    Json,
}

#[derive(Clone, Debug)]
pub struct Tally {
    of: TallyOf,
    number: usize,
    normalizer: Normalizer,
    format: TallyFormat,
    style: PathStyle,
    /// Where paths are printed at all, that of a document is behind its relative references.
    place: PathPlace,
    all: Arc<Mutex<KeyCounts>>,
    /// Those of this file; which all threads know when it ends.
    here: KeyCounts,
    memory: Headroom,
}

#[derive(Serialize)]
struct CountRecord<'a> {
    r#type: &'static str,
    by: &'static str,
    value: Bytes<'a>,
    count: u64,
}

impl Tally {
    /// Prints the most frequent, so many of them.
    pub fn new(
        of: TallyOf,
        number: usize,
        normalizer: Normalizer,
        (format, style, place): (TallyFormat, PathStyle, PathPlace),
    ) -> Self {
        let (all, here, memory) = Default::default();
        Self { of, number, normalizer, format, style, place, all, here, memory }
    }

    /// How many different URIs there were, of the files that are finished.
    pub fn unique(&self) -> Option<u64> {
        (self.of == TallyOf::Uris).then(|| self.lock().len() as u64)
    }

    /// True when there was too little memory for all of them.
    pub fn is_incomplete(&self) -> bool {
        self.memory.is_used_up()
    }

    /// Nothing but counts is printed for programs.
    pub fn has_numbers(&self) -> bool {
        self.format != TallyFormat::Text
    }

    fn lock(&self) -> MutexGuard<'_, KeyCounts> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key<'h>(&self, hit: &'h Hit<'_>) -> Option<Cow<'h, [u8]>> {
        let by = match self.of {
            TallyOf::Uris => return hit.identity(&self.normalizer).map(super::bytes),
            TallyOf::Part(by) => by,
        };
        let text = |text: String| Cow::Owned(text.into_bytes());
        let parsed = hit.parsed();
        let scheme = || parsed.and_then(|uri| uri.scheme()).map(str::to_ascii_lowercase);
        match by {
            CountKey::Scheme => scheme().map(text),
            CountKey::Nid => {
                let is_urn = scheme().is_some_and(|scheme| scheme == "urn");
                let nid = parsed.filter(|_| is_urn)?.path().split(':').next()?;
                Some(text(nid.to_ascii_lowercase()))
            }
            CountKey::Host => host(parsed).map(text),
            CountKey::Domain => host(parsed).map(|host| text(domain(&host).to_owned())),
            CountKey::Tld => {
                let host = host(parsed)?;
                let name = host.trim_end_matches('.');
                let label = name.rsplit('.').next().unwrap_or(name);
                let is_name =
                    !name.starts_with('[') && label.contains(|c: char| !c.is_ascii_digit());
                is_name.then(|| text(label.to_owned()))
            }
            CountKey::File => Some(Cow::Borrowed(hit.input().display_path())),
            CountKey::Message => {
                let mail = hit.mail()?;
                Some(text(mail.envelope().message_id.clone().unwrap_or_default()))
            }
        }
    }
}

/// The host in lower case.
fn host(parsed: Option<UriRef<'_>>) -> Option<String> {
    let host = parsed?.host().filter(|host| !host.is_empty())?;
    Some(host.to_ascii_lowercase())
}

/// The part of a host that somebody registered, by the public suffix list; all of it when it is an address.
fn domain(host: &str) -> &str {
    let is_name = !host.starts_with('[') && !host.ends_with(|c: char| c.is_ascii_digit());
    match psl::domain_str(host) {
        Some(domain) if is_name => domain,
        _ => host,
    }
}

impl Printer for Tally {
    fn begin(&mut self) {
        self.here.clear();
    }

    fn hit(&mut self, hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        if let Some(key) = self.key(hit) {
            if let Some(count) = self.here.get_mut(&*key) {
                *count += 1;
            } else if self.memory.has_room_for(&self.here, 0) {
                self.here.insert(key.into_owned(), 1);
            } else {
                return Flow::StopAll;
            }
        }
        Flow::Continue
    }

    fn finish(&mut self, _input: &Input, hits: u64, _out: &mut Vec<u8>) -> ExitMatch {
        let here = std::mem::take(&mut self.here);
        let mut all = self.lock();
        if all.is_empty() {
            *all = here;
            return ExitMatch::of(hits);
        }
        for (key, count) in here {
            if !self.memory.has_room_for(&all, 0) {
                break;
            }
            *all.entry(key).or_default() += count;
        }
        ExitMatch::of(hits)
    }

    fn summary(&mut self, _summary: &Summary, out: &mut Vec<u8>) {
        let all = self.lock();
        let mut rows: Vec<(&[u8], u64)> =
            all.iter().map(|(key, &count)| (key.as_slice(), count)).collect();
        rows.sort_unstable_by_key(|&(key, count)| (Reverse(count), key));
        rows.truncate(self.number);
        let by = match self.of {
            TallyOf::Uris => "uri",
            TallyOf::Part(by) => by.name(),
        };
        if let TallyFormat::Table(table) = self.format {
            table.row(self.style.escaping, [b"count", by.as_bytes()], out);
        }
        let width = rows.first().map_or(0, |(_, count)| count.to_string().len());
        for (key, count) in rows {
            match self.format {
                TallyFormat::Text => {
                    // Writing to a vector does not fail.
                    drop(write!(out, "{count:>width$} "));
                    self.text(key, out);
                    out.push(b'\n');
                }
                TallyFormat::Table(table) => {
                    let count = count.to_string();
                    table.row(self.style.escaping, [count.as_bytes(), key], out);
                }
                TallyFormat::Json => {
                    push(&CountRecord { r#type: "count", by, value: Bytes(key), count }, out);
                }
            }
        }
    }
}

impl Tally {
    /// A key; behind a relative reference, the document that it is one of.
    fn text(&self, key: &[u8], out: &mut Vec<u8>) {
        let mut parts = key.splitn(2, |&byte| byte == 0);
        let (text, path) = (parts.next().unwrap_or_default(), parts.next());
        self.style.colors.paint(MATCH, out, |out| self.style.escaping.push(text, out));
        if let Some(path) = path.filter(|_| self.place != PathPlace::Nowhere) {
            out.extend_from_slice(b" (");
            self.style.escaping.push(path, out);
            out.push(b')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::domain;

    #[test]
    fn domains() {
        for (host, expected) in [
            ("www.example.com", "example.com"),
            ("a.b.example.co.uk", "example.co.uk"),
            ("co.uk", "co.uk"),
            ("localhost", "localhost"),
            ("192.0.2.1", "192.0.2.1"),
            ("[2001:db8::1]", "[2001:db8::1]"),
        ] {
            assert_eq!(domain(host), expected);
        }
    }
}
