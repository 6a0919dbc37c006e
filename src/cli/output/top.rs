//! `--top`: the most frequent URIs of the run, with their counts.
//!
//! Memory grows with the number of different URIs: each has its normal form and a number.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, Input};

use super::path::MATCH;
use super::{Colors, ExitMatch, Printer, Summary};

/// How often each URI was seen, by normal form.
type UriCounts = HashMap<String, u64>;

/// Prints counts and URIs.
#[derive(Clone, Debug)]
pub struct Top {
    number: usize,
    normalizer: Normalizer,
    colors: Colors,
    all: Arc<Mutex<UriCounts>>,
    /// Those of this file; all threads are told when it ends.
    here: UriCounts,
}

impl Top {
    /// Prints this number of URIs; they are the same when what `normalizer` makes of them is.
    pub fn new(number: usize, normalizer: Normalizer, colors: Colors) -> Self {
        Self { number, normalizer, colors, all: Arc::default(), here: UriCounts::new() }
    }

    /// How many different URIs there were, of the files that are finished.
    pub fn len(&self) -> u64 {
        self.lock().len() as u64
    }

    fn lock(&self) -> MutexGuard<'_, UriCounts> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Printer for Top {
    fn begin(&mut self) {
        self.here.clear();
    }

    fn hit(&mut self, hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        if let Some(normal) = hit.normalized(&self.normalizer) {
            match self.here.get_mut(&*normal) {
                Some(count) => *count += 1,
                None => drop(self.here.insert(normal.into_owned(), 1)),
            }
        }
        Flow::Continue
    }

    fn finish(&mut self, _input: &Input, hits: u64, _out: &mut Vec<u8>) -> ExitMatch {
        let here = std::mem::take(&mut self.here);
        let mut all = self.lock();
        for (uri, count) in here {
            *all.entry(uri).or_default() += count;
        }
        ExitMatch::of(hits)
    }

    fn summary(&mut self, _summary: &Summary, out: &mut Vec<u8>) {
        let all = self.lock();
        let mut rows: Vec<(&String, &u64)> = all.iter().collect();
        rows.sort_unstable_by_key(|&(uri, &count)| (Reverse(count), uri));
        rows.truncate(self.number);
        let width = rows.first().map_or(0, |(_, count)| count.to_string().len());
        for (uri, count) in rows {
            // Writing to a vector does not fail. A normal form is printable ASCII.
            drop(write!(out, "{count:>width$} "));
            self.colors.paint(MATCH, out, |out| out.extend_from_slice(uri.as_bytes()));
            out.push(b'\n');
        }
    }
}
