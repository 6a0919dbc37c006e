//! Evidence that outlives a run: [`EvidenceCache`].
//!
//! A file of JSON Lines. A record is appended as soon as it is known, with one write, so that an
//! interrupted run and a full disk lose nothing that was written before. Of several records about a
//! URL, the last counts. docs/decisions/0018 compares this with a database.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::exchange::MAX_PAUSE;
use super::page;
use crate::audit::Evidence;
use crate::change::write_at_once;
use crate::search::regular_metadata;

/// Largest file that is read.
const MAX_CACHE_BYTES: u64 = 1 << 30;

/// Longest record that is read: [`page`](super::page) bounds what a record holds.
const MAX_RECORD_BYTES: u64 = 8 << 20;

/// Maximum memory for the records of a file. A record of 25 bytes takes ten times its size in
/// memory, and an empty anchor name eight times.
const MAX_HELD_BYTES: usize = 512 << 20;

/// More quotation marks than a record with [`page::MAX_NAMES`] names has. Lines with more are not
/// parsed.
const MAX_QUOTES: usize = 4 * page::MAX_NAMES;

/// Maximum age of answers that may soon change: 429 and 5xx.
const MAX_AGE_OF_REFUSALS: Duration = Duration::from_secs(10 * 60);

/// Known evidence, and the file that keeps it.
#[derive(Debug, Default)]
pub struct EvidenceCache {
    known: HashMap<String, Arc<Evidence>>,
    /// Until when hosts asked in earlier runs not to be asked again.
    pauses: HashMap<String, u64>,
    file: Option<CacheFile>,
}

#[derive(Debug)]
struct CacheFile {
    path: PathBuf,
    file: File,
    /// Records in the file, current or not.
    records: usize,
    /// The first failed write. Nothing more is written after it.
    failure: Option<io::Error>,
}

impl EvidenceCache {
    /// Reads a cache that is not written.
    ///
    /// # Errors
    /// If the file exists but cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut cache = Self::default();
        // Opening a pipe would wait for its writer.
        match regular_metadata(path).and_then(|_| File::open(path)) {
            Ok(file) => cache.load(file, MAX_HELD_BYTES).map(|_| cache),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(cache),
            Err(error) => Err(error),
        }
    }

    /// Reads a cache, or creates it, and appends all further evidence to it.
    ///
    /// # Errors
    /// If the file cannot be created, read, or written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let open = || OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut cache = Self::default();
        match regular_metadata(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = open()?;
        let records = cache.load(file.try_clone()?, MAX_HELD_BYTES)?;
        // Two of three records are outdated: write the others to a new file. No other process may
        // have the file open, because it would continue appending to the old one.
        if records > 100 && records / 3 > cache.known.len() && file.try_lock().is_ok() {
            cache.rewrite(path)?;
            file = open()?;
        }
        match file.try_lock_shared() {
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // Not every file system has locks; the file is still appended to with whole records.
            Err(TryLockError::Error(_)) => {}
        }
        end_last_line(&mut file)?;
        cache.file = Some(CacheFile { path: path.to_owned(), file, records, failure: None });
        Ok(cache)
    }

    /// Reads all records and returns their number. A record that is cut or is not one is skipped:
    /// the run that wrote it may have been killed.
    fn load(&mut self, file: File, most: usize) -> io::Result<usize> {
        if file.metadata()?.len() > MAX_CACHE_BYTES {
            return Err(too_large("a cache has at most 1 GiB"));
        }
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        let (mut records, mut foreign, mut held) = (0, 0, 0);
        loop {
            line.clear();
            if (&mut reader).take(MAX_RECORD_BYTES).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            records += 1;
            let is_read = memchr::memchr_iter(b'"', &line).count() <= MAX_QUOTES;
            match serde_json::from_slice::<Evidence>(&line) {
                Ok(evidence) if is_read => held = self.hold(evidence, held),
                _ => foreign += usize::from(!may_be_cut(&line)),
            }
            if held > most {
                return Err(too_large("the records of a cache take at most 512 MiB"));
            }
        }
        // Anything else that was named by mistake would be appended to, or compacted to nothing.
        if foreign > records / 2 {
            let what = "not a cache: most of its lines are not records";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(records)
    }

    /// Keeps a record of the file, and returns the memory that all of them take.
    fn hold(&mut self, evidence: Evidence, held: usize) -> usize {
        if let Some(until) = evidence.retry_at {
            // The file may have been edited, so the pause is bounded.
            let until = until.min(evidence.time.saturating_add(MAX_PAUSE.as_secs()));
            self.pauses.insert(page::host(evidence.last_url()), until);
        }
        let held = held + size(&evidence);
        let replaced = self.known.insert(evidence.url.clone(), Arc::new(evidence));
        held - replaced.map_or(0, |evidence| size(&evidence))
    }

    /// Writes the current records to a new file that takes the place of the old one.
    fn rewrite(&self, path: &Path) -> io::Result<()> {
        let mut bytes = Vec::new();
        for evidence in self.known.values() {
            push_line(evidence, &mut bytes);
        }
        Ok(write_at_once(path, &bytes)?)
    }

    /// Returns the evidence about a URL, however old it is.
    pub fn get(&self, url: &str) -> Option<&Arc<Evidence>> {
        self.known.get(url)
    }

    /// Returns the evidence about a URL if it is young enough to be used instead of a request.
    pub fn fresh(&self, url: &str, max_age: Duration, now: u64) -> Option<&Arc<Evidence>> {
        let evidence = self.get(url)?;
        let age = Duration::from_secs(now.checked_sub(evidence.time)?);
        (age <= jittered(url, longest_age(evidence, max_age))).then_some(evidence)
    }

    /// Returns the rest of the pause that the host of a URL has asked for in an earlier run. Those
    /// of this run are kept by the queues.
    pub fn pause(&self, url: &str, now: u64) -> Duration {
        if self.pauses.is_empty() {
            return Duration::ZERO;
        }
        let until = self.pauses.get(&page::host(url)).copied().unwrap_or_default();
        Duration::from_secs(until.saturating_sub(now))
    }

    /// Keeps evidence, unless it only says that the network failed.
    pub fn insert(&mut self, evidence: &Arc<Evidence>) {
        let is_answer = match evidence.fault {
            Some(fault) => fault.is_answer(),
            None => evidence.status.is_some(),
        };
        if !is_answer {
            return;
        }
        self.known.insert(evidence.url.clone(), Arc::clone(evidence));
        if let Some(file) = &mut self.file {
            file.append(evidence);
        }
    }

    /// Adds evidence from elsewhere, unless a younger one is known.
    pub fn import(&mut self, evidence: Evidence) {
        let known = self.get(&evidence.url);
        if known.is_none_or(|known| known.time < evidence.time) {
            self.insert(&Arc::new(evidence));
        }
    }

    /// Returns the number of URLs with evidence.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// True if no evidence is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the path and the error, once, if evidence could not be written.
    pub fn take_failure(&mut self) -> Option<(PathBuf, io::Error)> {
        let file = self.file.as_mut()?;
        let failure = file.failure.take()?;
        let path = file.path.clone();
        self.file = None;
        Some((path, failure))
    }
}

impl CacheFile {
    fn append(&mut self, evidence: &Evidence) {
        if self.failure.is_some() {
            return;
        }
        let mut line = Vec::new();
        push_line(evidence, &mut line);
        let end = self.file.seek(SeekFrom::End(0));
        if let Err(error) = self.file.write_all(&line) {
            // A full disk may have taken half of the record. The file ends at a whole one again if
            // it can; if not, the next reader skips the half.
            if let Ok(end) = end {
                drop(self.file.set_len(end));
            }
            self.failure = Some(error);
        }
        self.records += 1;
    }
}

/// True for an incomplete record that a killed run has left, and for a record that is too large.
fn may_be_cut(line: &[u8]) -> bool {
    const START: &[u8] = b"{\"url\":";
    line.starts_with(START) || START.starts_with(line.trim_ascii_end())
}

fn too_large(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{what}; delete it to start anew"))
}

/// Returns the approximate memory of a record, including its entries in the map and in the map of
/// pauses.
pub(super) fn size(evidence: &Evidence) -> usize {
    const ENTRY: usize = size_of::<Evidence>() + 128;
    let redirects = evidence.redirects.iter().map(|redirect| 8 + text_size(&redirect.to));
    let archived = evidence.archived.as_deref().map_or(0, text_size);
    ENTRY + 2 * evidence.url.len() + names_size(evidence) + redirects.sum::<usize>() + archived
}

/// Returns the approximate memory of the anchor names of a page.
pub(super) fn names_size(evidence: &Evidence) -> usize {
    evidence.names.iter().flatten().map(|name| text_size(name)).sum()
}

fn text_size(text: &str) -> usize {
    size_of::<String>() + text.len()
}

fn push_line(evidence: &Evidence, out: &mut Vec<u8>) {
    // It only fails for maps with keys that are not strings.
    if serde_json::to_writer(&mut *out, evidence).is_ok() {
        out.push(b'\n');
    }
}

/// Ends a line that a killed run has left open, so that the next record has its own.
fn end_last_line(file: &mut File) -> io::Result<()> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(());
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}

fn longest_age(evidence: &Evidence, max_age: Duration) -> Duration {
    match evidence.status {
        Some(429 | 500..) => max_age.min(MAX_AGE_OF_REFUSALS),
        // A server without a valid answer may be in the middle of a change.
        None => max_age.min(MAX_AGE_OF_REFUSALS),
        _ => max_age,
    }
}

/// Shortens an age by up to a quarter, by a part that differs per URL. Otherwise, all links that
/// one run has requested would expire in the same run.
fn jittered(url: &str, age: Duration) -> Duration {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    let part = (hasher.finish() % 1024) as u32;
    age - age / 4 * part / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Directory(PathBuf);

    impl Directory {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("urigrep-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            drop(std::fs::remove_dir_all(&self.0));
        }
    }

    fn evidence(url: &str, status: u16, time: u64) -> Arc<Evidence> {
        Arc::new(Evidence { time, ..Evidence::status(url, status) })
    }

    #[test]
    fn records_outlive_a_run_and_a_cut() {
        let directory = Directory::new("cache");
        let path = directory.0.join("cache.jsonl");
        let mut cache = EvidenceCache::open(&path).unwrap();
        cache.insert(&evidence("https://a.example/", 200, 1000));
        cache.insert(&evidence("https://a.example/", 404, 2000));
        cache
            .insert(&Arc::new(Evidence::fault("https://b.example/", crate::audit::Fault::Timeout)));
        drop(cache);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"url\":\"https://c.exa").unwrap();
        let mut cache = EvidenceCache::open(&path).unwrap();
        assert_eq!(cache.len(), 1);
        assert_eq!(cache.get("https://a.example/").unwrap().status, Some(404));
        cache.insert(&evidence("https://d.example/", 200, 3000));
        drop(cache);
        let cache = EvidenceCache::read(&path).unwrap();
        assert_eq!(cache.get("https://d.example/").unwrap().time, 3000);
    }

    #[test]
    fn pauses_outlive_a_run() {
        let directory = Directory::new("pause");
        let path = directory.0.join("cache.jsonl");
        let mut cache = EvidenceCache::open(&path).unwrap();
        let mut limited = Evidence { time: 1000, ..Evidence::status("https://a.example/1", 429) };
        limited.retry_at = Some(4600);
        cache.insert(&Arc::new(limited.clone()));
        // From a clock that was wrong, or from a file that was edited by hand.
        limited.url = "https://b.example/1".to_owned();
        limited.retry_at = Some(u64::MAX);
        cache.insert(&Arc::new(limited));
        drop(cache);
        let cache = EvidenceCache::read(&path).unwrap();
        let left = |url: &str, now: u64| cache.pause(url, now).as_secs();
        assert_eq!(left("https://a.example/2", 4599), 1);
        assert_eq!(left("https://a.example/2", 4600), 0);
        assert_eq!(left("https://b.example/2", 1000), 86_400);
        assert_eq!(left("https://b.example/2", 90_000), 0);
        assert_eq!(left("https://c.example/2", 1000), 0);
    }

    #[test]
    fn what_a_server_answers_wrongly_is_evidence() {
        use crate::audit::Fault;
        let mut cache = EvidenceCache::default();
        for (fault, is_kept) in [
            (Fault::RedirectLoop, true),
            (Fault::RedirectScheme, true),
            (Fault::TooLong, true),
            (Fault::Protocol, true),
            (Fault::Timeout, false),
            (Fault::NoHost, false),
            (Fault::Proxy, false),
        ] {
            let url = format!("https://a.example/{}", fault.name());
            cache.insert(&Arc::new(Evidence::fault(url.clone(), fault)));
            assert_eq!(cache.get(&url).is_some(), is_kept, "{fault}");
        }
    }

    #[test]
    fn outdated_records_are_removed() {
        let directory = Directory::new("compact");
        let path = directory.0.join("cache.jsonl");
        let mut cache = EvidenceCache::open(&path).unwrap();
        for time in 0..200 {
            cache.insert(&evidence("https://a.example/", 200, time));
        }
        drop(cache);
        let size = || std::fs::metadata(&path).unwrap().len();
        let before = size();
        let cache = EvidenceCache::open(&path).unwrap();
        assert!(size() < before / 100);
        assert_eq!(cache.get("https://a.example/").unwrap().time, 199);
    }

    /// A file that was named by mistake is neither compacted nor appended to.
    #[test]
    fn another_file_is_kept() {
        let directory = Directory::new("other");
        let path = directory.0.join("notes.md");
        for text in ["a line\n".repeat(300), "{\"a\":1}\n".repeat(300), "a\nb".to_owned()] {
            std::fs::write(&path, &text).unwrap();
            let error = EvidenceCache::open(&path).unwrap_err();
            assert!(error.to_string().contains("not a cache"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn records_of_a_file_are_bounded() {
        let directory = Directory::new("held");
        let path = directory.0.join("cache.jsonl");
        let record = |url: usize, names: usize| {
            let names = ["\"\""].repeat(names).join(",");
            format!("{{\"url\":\"a{url}\",\"time\":0,\"names\":[{names}]}}\n")
        };
        let held = |text: String| {
            std::fs::write(&path, text).unwrap();
            let mut cache = EvidenceCache::default();
            cache.load(File::open(&path).unwrap(), 1 << 20).map(|_| cache.len()).ok()
        };
        assert_eq!(held((0..3).map(|url| record(url, 10_000)).collect()), Some(3));
        assert_eq!(held((0..6).map(|url| record(url, 10_000)).collect()), None);
        assert_eq!(held((0..6).map(|_| record(0, 10_000)).collect()), Some(1));
        assert_eq!(held((0..9999).map(|url| record(url, 0)).collect()), None);
        // No page has so many names.
        assert_eq!(held(record(0, 1) + &record(1, MAX_QUOTES)), Some(1));
    }

    #[test]
    fn evidence_grows_old() {
        let mut cache = EvidenceCache::default();
        let day = Duration::from_secs(86_400);
        let mut limits = std::collections::BTreeSet::new();
        for at in 0..50 {
            let url = format!("https://a.example/{at}");
            cache.insert(&evidence(&url, 200, 1_000_000));
            let is_fresh = |age: u64| cache.fresh(&url, day, 1_000_000 + age).is_some();
            assert!(is_fresh(86_400 * 3 / 4) && !is_fresh(86_401), "{url}");
            limits.insert((64_800..=86_400).take_while(|age| is_fresh(*age)).count());
        }
        assert!(limits.len() > 25, "{limits:?}");
        cache.insert(&evidence("https://b.example/", 503, 1_000_000));
        assert!(cache.fresh("https://b.example/", day, 1_000_000 + 601).is_none());
        // From a clock that was wrong.
        cache.insert(&evidence("https://c.example/", 200, 9_000_000));
        assert!(cache.fresh("https://c.example/", day, 1_000_000).is_none());
    }
}
