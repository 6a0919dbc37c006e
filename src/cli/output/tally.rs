//! `--top` and `--count-by`: the most frequent keys of the run, with their counts.
//!
//! Memory grows with the number of different keys, because each is stored with its count.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use urigrep::UriRef;
use urigrep::document::Role;
use urigrep::reference::Normalizer;
use urigrep::search::{Bytes, Flow, Hit, Input};

use super::TableFormat;
use super::headroom::Headroom;
use super::path::MATCH;
use super::{ExitMatch, PathPlace, PathStyle, Printer, Summary};
use crate::cli::flags::values::CountKey;
use urigrep::internal::output::json::push;
use urigrep::internal::output::report::Report;

/// The number of occurrences of each key.
type KeyCounts = HashMap<Vec<u8>, u64>;

/// Keys with the hashes of their URIs, if each URI counts once.
type KeyUris = HashSet<(Vec<u8>, u64)>;

/// The unit of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Matches,
    /// Matches with the same URI count once.
    DistinctUris,
}

/// The keys to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyOf {
    /// URIs, compared by their identities.
    Uris,
    Part(CountKey),
}

/// The output format of counts and lists of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyFormat {
    Text,
    Table(TableFormat),
    Json,
}

pub struct TallyOptions {
    pub of: TallyOf,
    /// Number of keys to print.
    pub number: usize,
    pub counted: Counted,
    pub normalizer: Normalizer,
    pub format: TallyFormat,
    pub style: PathStyle,
    /// If paths are printed at all, the path of the document follows its relative references.
    pub place: PathPlace,
}

#[derive(Clone, Debug)]
pub struct Tally {
    of: TallyOf,
    number: usize,
    counted: Counted,
    hasher: RandomState,
    normalizer: Normalizer,
    format: TallyFormat,
    style: PathStyle,
    place: PathPlace,
    all: Arc<Mutex<KeyCounts>>,
    all_uris: Arc<Mutex<KeyUris>>,
    /// The counts of this file, added to the total at its end.
    here: KeyCounts,
    uris_here: KeyUris,
    memory: Headroom,
}

#[derive(Serialize)]
pub struct CountRecord<'a> {
    r#type: &'static str,
    by: &'static str,
    value: Bytes<'a>,
    count: u64,
}

impl<'a> CountRecord<'a> {
    pub fn new(by: &'static str, value: &'a [u8], count: u64) -> Self {
        Self { r#type: "count", by, value: Bytes(value), count }
    }
}

impl Tally {
    /// Creates a printer that counts, and prints the most frequent keys.
    pub fn new(options: TallyOptions) -> Self {
        let TallyOptions { of, number, counted, normalizer, format, style, place } = options;
        Self {
            of,
            number,
            counted,
            hasher: RandomState::new(),
            normalizer,
            format,
            style,
            place,
            all: Arc::default(),
            all_uris: Arc::default(),
            here: KeyCounts::new(),
            uris_here: KeyUris::new(),
            memory: Headroom::default(),
        }
    }

    /// The number of different URIs in all finished files.
    pub fn unique(&self) -> Option<u64> {
        (self.of == TallyOf::Uris).then(|| self.lock().len() as u64)
    }

    /// True if there was not enough memory for all keys.
    pub fn is_incomplete(&self) -> bool {
        self.memory.is_used_up()
    }

    /// A format for programs prints nothing but counts.
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
        key_of(by, hit)
    }
}

/// Returns the key of a hit; `None` if it has none, or may have several.
pub fn key_of<'h>(by: CountKey, hit: &'h Hit<'_>) -> Option<Cow<'h, [u8]>> {
    let text = |text: String| Cow::Owned(text.into_bytes());
    let parsed = hit.parsed();
    let scheme = || parsed.and_then(|uri| uri.scheme()).map(str::to_ascii_lowercase);
    match by {
        CountKey::Scheme => scheme().map(text),
        CountKey::Nid => {
            let is_urn = scheme().is_some_and(|scheme| scheme == "urn");
            let nid = parsed.filter(|_| is_urn)?.path().split(':').next()?;
            // Namespace identifiers are compared without regard to case (RFC 8141 §3.1).
            Some(text(nid.to_ascii_lowercase()))
        }
        CountKey::Host => host(parsed).map(text),
        CountKey::Domain => host(parsed).map(|host| text(domain(&host).to_owned())),
        CountKey::Tld => {
            let host = host(parsed)?;
            // A dot at the end of a name marks the root of the DNS, and does not change the
            // top-level domain.
            let name = host.trim_end_matches('.');
            let label = name.rsplit('.').next().unwrap_or(name);
            // No top-level domain consists of digits, so such a label is the end of an IPv4 address
            // (RFC 3696 §2).
            let is_name = !name.starts_with('[') && label.contains(|c: char| !c.is_ascii_digit());
            is_name.then(|| text(label.to_owned()))
        }
        CountKey::File => Some(Cow::Borrowed(hit.input().display_path())),
        CountKey::Path => parsed.map(|uri| Cow::Borrowed(uri.path().as_bytes())),
        CountKey::Port => {
            let port = parsed.and_then(|uri| uri.port()).filter(|port| !port.is_empty());
            port.map(|port| Cow::Borrowed(port.as_bytes()))
        }
        CountKey::Role => {
            // Outside of documents, all is text, as `--role` has it.
            let role = hit.role().unwrap_or(Role::Text);
            Some(Cow::Borrowed(role.name().as_bytes()))
        }
        CountKey::Identifier => {
            let identifier = parsed?.to_uri()?.identifier()?;
            Some(text(identifier.canonical().to_owned()))
        }
        CountKey::Format => {
            let name = hit.format().map_or("text", |format| format.name());
            Some(Cow::Borrowed(name.as_bytes()))
        }
        // A match may have several flags; see `hit`.
        CountKey::Flag => None,
        CountKey::Message => {
            let message_id = hit.mail()?.envelope().message_id.clone();
            message_id.filter(|id| !id.is_empty()).map(text)
        }
        CountKey::From => {
            let from = hit.mail()?.envelope().from.as_deref()?;
            Some(text(sender(from).to_lowercase()))
        }
        CountKey::Month => {
            let date = hit.mail()?.envelope().date.as_deref()?;
            // The start of a date in the form of RFC 3339.
            date.get(..7).map(|month| text(month.to_owned()))
        }
    }
}

/// Returns the address of a sender, or the whole field if it has none (RFC 5322 §3.4).
fn sender(field: &str) -> &str {
    let words = field.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | ',' | ';'));
    // The address follows the name, and a name may have an `@`, too: `"ann@old.example"
    // <ann@new.example>`.
    words.clone().rfind(|word| word.contains('@')).unwrap_or(field.trim())
}

/// Returns the text of a key, without the document that distinguishes relative references.
fn text_of(key: &[u8]) -> &[u8] {
    // NUL can divide them: no URI reference and no path has one.
    key.split(|&byte| byte == 0).next().unwrap_or(key)
}

/// Returns the host in lower case.
fn host(parsed: Option<UriRef<'_>>) -> Option<String> {
    let host = parsed?.host().filter(|host| !host.is_empty())?;
    Some(host.to_ascii_lowercase())
}

/// Returns the registered part of a host by the public suffix list, or all of it if it is an
/// address.
pub fn domain(host: &str) -> &str {
    // The list's rule `*` makes the last two labels of any host a domain, so `192.0.2.1` would
    // become `2.1`. A dot may follow the last label.
    let last = host.trim_end_matches('.').chars().next_back();
    let is_name = !host.starts_with('[') && !last.is_some_and(|c| c.is_ascii_digit());
    match psl::domain_str(host) {
        Some(domain) if is_name => domain,
        _ => host,
    }
}

impl Report<Summary> for Tally {
    fn open(&self, out: &mut Vec<u8>) {
        if let TallyFormat::Table(table) = self.format {
            table.row(self.style.escaping, [b"count", self.by().as_bytes()], out);
        }
    }

    fn close(&self, _summary: &Summary, out: &mut Vec<u8>) {
        let all = self.lock();
        let mut rows: Vec<(&[u8], u64)> =
            all.iter().map(|(key, &count)| (key.as_slice(), count)).collect();
        // Equal counts are ordered by key. The map has a random order, and the output must be the
        // same in every run.
        rows.sort_unstable_by_key(|&(key, count)| (Reverse(count), key));
        rows.truncate(self.number);
        let by = self.by();
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
                    table.row(self.style.escaping, [count.as_bytes(), text_of(key)], out);
                }
                TallyFormat::Json => {
                    push(&CountRecord::new(by, text_of(key), count), out);
                }
            }
        }
    }
}

impl Printer for Tally {
    fn begin(&mut self) {
        self.here.clear();
        self.uris_here.clear();
    }

    fn hit(&mut self, hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        if self.of == TallyOf::Part(CountKey::Flag) {
            for flag in hit.flags().iter() {
                if self.add(Cow::Borrowed(flag.name().as_bytes()), hit) == Flow::StopAll {
                    return Flow::StopAll;
                }
            }
            return Flow::Continue;
        }
        match self.key(hit) {
            Some(key) => self.add(key, hit),
            None => Flow::Continue,
        }
    }

    fn finish(&mut self, _input: &Input, hits: u64, _out: &mut Vec<u8>) -> ExitMatch {
        self.add_distinct_uris();
        let here = std::mem::take(&mut self.here);
        let mut all = self.lock();
        if all.is_empty() {
            // The first map is moved, not copied: for a single file, it is the only one.
            *all = here;
            return ExitMatch::from_hits(hits);
        }
        for (key, count) in here {
            // The rest is not counted; `is_incomplete` reports that.
            if !self.memory.has_room_for(&all, 0) {
                break;
            }
            *all.entry(key).or_default() += count;
        }
        ExitMatch::from_hits(hits)
    }
}

impl Tally {
    fn by(&self) -> &'static str {
        match self.of {
            TallyOf::Uris => "uri",
            TallyOf::Part(by) => by.name(),
        }
    }

    /// Counts a key of a hit.
    fn add(&mut self, key: Cow<'_, [u8]>, hit: &Hit<'_>) -> Flow {
        if self.counted == Counted::DistinctUris {
            if let Some(identity) = hit.identity(&self.normalizer) {
                let uri = self.hasher.hash_one(&*hit.unique_key(&identity));
                self.uris_here.insert((key.into_owned(), uri));
            }
            return Flow::Continue;
        }
        // Not `entry`, which needs an owned key: most keys are known, and need no copy.
        if let Some(count) = self.here.get_mut(&*key) {
            *count += 1;
        } else if self.memory.has_room_for(&self.here, 0) {
            self.here.insert(key.into_owned(), 1);
        } else {
            return Flow::StopAll;
        }
        Flow::Continue
    }

    /// Counts the URIs of this file that no earlier file had.
    fn add_distinct_uris(&mut self) {
        let mut all = self.all_uris.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, uri) in self.uris_here.drain() {
            if all.insert((key.clone(), uri)) {
                *self.here.entry(key).or_default() += 1;
            }
        }
    }

    /// Appends a key. The document follows a relative reference.
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
            ("192.0.2.1.", "192.0.2.1."),
            ("[2001:db8::1]", "[2001:db8::1]"),
        ] {
            assert_eq!(domain(host), expected);
        }
    }
}
