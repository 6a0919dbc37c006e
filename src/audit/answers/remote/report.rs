//! Reports an online audit to people: progress, numbers, and files that could not be
//! written.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use crate::audit::{Verdict, Why};

/// Progress of asking the web.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteProgress {
    /// URLs that need a request.
    pub asked: u64,
    /// Those with an answer.
    pub answered: u64,
    /// Hosts with waiting or running requests.
    pub hosts: usize,
}

/// Number of URLs by verdict. A URL counts once, however many links it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteTally {
    /// URLs of pages that exist, moved ones included.
    pub alive: u64,
    /// URLs that lead nowhere.
    pub dead: u64,
    /// URLs about which nothing can be said, by [`Why::word`].
    pub unknown: BTreeMap<String, u64>,
    /// Dead pages for which the archive gave no answer.
    pub without_archive: u64,
}

impl RemoteTally {
    pub(super) fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Dead(_) => self.dead += 1,
            // The page exists, whatever its names are.
            Verdict::Unknown(Why::Anchors) => self.alive += 1,
            Verdict::Unknown(why) => {
                *self.unknown.entry(why.word().into_owned()).or_default() += 1;
            }
            _ => self.alive += 1,
        }
    }
}

/// A file that could not be written; the answers are not affected.
#[derive(Debug)]
#[non_exhaustive]
pub struct StorageFailure {
    /// The file.
    pub path: PathBuf,
    /// The error.
    pub error: io::Error,
}
