//! Since when pages are dead: [`Quarantine`]. A page that is gone for an hour is not a dead link.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::change::write_at_once;
use crate::search::read_regular_text;

/// Time between two failures that make a link dead. Daily runs start at slightly different times.
const QUARANTINE: Duration = Duration::from_secs(20 * 60 * 60);

const MAX_STATE_BYTES: u64 = 64 << 20;

/// The dead pages of earlier runs, in a file of JSON Lines. A page is reported as dead when it was
/// already dead in a run a day before.
#[derive(Debug)]
pub struct Quarantine {
    path: PathBuf,
    /// First time that a page was seen dead, by its URL.
    since: BTreeMap<String, u64>,
}

#[derive(Deserialize, Serialize)]
struct Entry {
    url: String,
    dead_since: u64,
}

impl Quarantine {
    /// Reads the state of earlier runs; a missing file is empty.
    ///
    /// # Errors
    /// If the file cannot be read, or a line of it is invalid.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut since = BTreeMap::new();
        let text = match read_regular_text(path, MAX_STATE_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        for (line, number) in text.lines().zip(1..) {
            let entry: Entry = serde_json::from_str(line).map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidData, format!("line {number}: {error}"))
            })?;
            since.insert(entry.url, entry.dead_since);
        }
        Ok(Self { path: path.to_owned(), since })
    }

    /// Records a page that is dead at this time. True if it was dead long enough.
    pub(super) fn is_confirmed(&mut self, url: &str, time: u64) -> bool {
        // The first failure counts, however often the page failed since.
        let since = *self.since.entry(url.to_owned()).or_insert(time);
        time.saturating_sub(since) >= QUARANTINE.as_secs()
    }

    /// Records that a page exists.
    pub(super) fn remove(&mut self, url: &str) {
        self.since.remove(url);
    }

    /// Writes the state for the next run.
    ///
    /// # Errors
    /// If the file cannot be replaced; the old one stays.
    pub fn save(&self) -> io::Result<()> {
        let mut bytes = Vec::new();
        for (url, &dead_since) in &self.since {
            serde_json::to_writer(&mut bytes, &Entry { url: url.clone(), dead_since })?;
            bytes.push(b'\n');
        }
        Ok(write_at_once(&self.path, &bytes)?)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_dead_after_a_day() {
        let path = std::env::temp_dir().join(format!("urigrep-quarantine-{}", std::process::id()));
        let run = |time: u64| {
            let mut state = Quarantine::read(&path).unwrap();
            let is_confirmed = state.is_confirmed("https://a.example/", time);
            state.save().unwrap();
            is_confirmed
        };
        assert!(!run(1_000_000));
        assert!(!run(1_000_000 + 3600));
        assert!(run(1_000_000 + 86_000));
        let mut state = Quarantine::read(&path).unwrap();
        state.remove("https://a.example/");
        state.save().unwrap();
        assert!(!run(1_000_000 + 200_000));
        std::fs::write(&path, "{\"url\":1}\n").unwrap();
        assert!(Quarantine::read(&path).unwrap_err().to_string().starts_with("line 1: "));
        std::fs::remove_file(&path).unwrap();
    }
}
