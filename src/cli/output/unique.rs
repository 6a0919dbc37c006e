//! `--unique`: prints each URI once per run, at its first place.
//!
//! Files are written in the order of their paths. So the first match of a URI to be written is the
//! first of all, and is printed at once. Only a hash of each URI is kept. It has 128 bits and a
//! random key, so that no two URIs of a run share one: among a billion URIs, the chance is less
//! than one in 10^20.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urigrep::Finding;
use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit};

use super::headroom::Headroom;
use super::stage::OutputStage;
use super::{Printer, Turn};

type UriHash = u128;

/// A hasher that passes a hash through.
#[derive(Clone, Copy, Debug, Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, hash: u128) {
        // The keys are hashes with random seeds already. Hashing them again would only take time.
        self.0 = hash as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type UriHashes = HashSet<UriHash, BuildHasherDefault<Identity>>;

/// The keys of the printed URIs.
#[derive(Debug, Default)]
struct PrintedUris {
    uris: UriHashes,
    has_output: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Register {
    normalizer: Normalizer,
    hashers: [RandomState; 2],
    printed: Arc<Mutex<PrintedUris>>,
    memory: Headroom,
}

/// The end of a URI's record in the output of a file that waits for its turn.
#[derive(Clone, Copy, Debug)]
pub struct UriRecord {
    uri: UriHash,
    end: usize,
}

impl Register {
    /// Two URIs are the same if `normalizer` maps them to the same text.
    pub fn new(normalizer: Normalizer) -> Self {
        Self { normalizer, ..Self::default() }
    }

    /// The number of distinct URIs that were printed.
    pub fn len(&self) -> u64 {
        self.lock().uris.len() as u64
    }

    /// True if there was not enough memory for all of them.
    pub fn is_incomplete(&self) -> bool {
        self.memory.is_used_up()
    }

    pub fn stage(&self) -> Unique {
        Unique {
            register: self.clone(),
            turn: Turn::Now,
            here: UriHashes::default(),
            records: Vec::new(),
        }
    }

    /// Takes the output of a file whose turn has come, and returns the records of URIs that no
    /// earlier file had.
    pub fn retain_new(&self, records: &[UriRecord], output: &[u8], separator: &[u8]) -> Vec<u8> {
        let mut printed = self.lock();
        let (mut kept, mut start) = (Vec::with_capacity(output.len()), 0);
        for record in records {
            if printed.uris.insert(record.uri) {
                // The separator depends on the records of all files before this one, which were
                // unknown when this file was searched.
                if std::mem::replace(&mut printed.has_output, true) {
                    kept.extend_from_slice(separator);
                }
                kept.extend_from_slice(output.get(start..record.end).unwrap_or_default());
            }
            start = record.end;
        }
        kept
    }

    fn hash(&self, identity: &[u8]) -> UriHash {
        let [high, low] = self.hashers.each_ref().map(|hasher| hasher.hash_one(identity));
        u128::from(high) << 64 | u128::from(low)
    }

    fn lock(&self) -> MutexGuard<'_, PrintedUris> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Unique {
    register: Register,
    turn: Turn,
    /// The URIs of a file that waits for its turn, with their records.
    here: UriHashes,
    records: Vec<UriRecord>,
}

impl Unique {
    fn is_known(&self, uri: UriHash) -> bool {
        match self.turn {
            Turn::Now => self.register.lock().uris.contains(&uri),
            Turn::Later => self.here.contains(&uri),
        }
    }

    /// True if the URI must be printed, now or at the turn of the file.
    fn is_first(&mut self, uri: UriHash) -> bool {
        match self.turn {
            Turn::Now => self.register.lock().uris.insert(uri),
            Turn::Later => self.here.insert(uri),
        }
    }
}

impl OutputStage for Unique {
    fn begin_file(&mut self, turn: Turn) {
        self.turn = turn;
        self.here.clear();
        self.records.clear();
    }

    fn take_records(&mut self) -> Vec<UriRecord> {
        std::mem::take(&mut self.records)
    }

    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, out: &mut Vec<u8>) -> Flow {
        // A normal form is its own key. So a URI that equals the key of a printed one needs no
        // further lookup. That saves most of the work if URIs repeat.
        let written = match hit.finding() {
            Finding::Match(m) => Some((m.uri_bytes(), self.register.hash(m.uri_bytes()))),
            _ => None,
        };
        if written.is_some_and(|(_, uri)| self.is_known(uri)) {
            return Flow::Continue;
        }
        let Some(identity) = hit.identity(&self.register.normalizer) else {
            return Flow::Continue;
        };
        let key = hit.unique_key(&identity);
        let uri = match written {
            // Most URIs are written in their normal form.
            Some((bytes, uri)) if bytes == key.as_bytes() => uri,
            _ => self.register.hash(key.as_bytes()),
        };
        if !self.is_first(uri) {
            return Flow::Continue;
        }
        // A set that grows without bound would end the process where memory is limited. So the
        // search stops with an error instead, and the output so far is complete.
        let has_room = match self.turn {
            Turn::Now => self.register.memory.has_room_in_set(&self.register.lock().uris),
            Turn::Later => self.register.memory.has_room_in_set(&self.here),
        };
        if !has_room {
            return Flow::StopAll;
        }
        if self.turn == Turn::Now && std::mem::replace(&mut self.register.lock().has_output, true) {
            out.extend_from_slice(inner.separator());
        }
        let flow = inner.hit(&hit.with_identity(&identity), out);
        // An earlier file may turn out to have the same URI. Keep where its record ends, so that it
        // can be cut out.
        if self.turn == Turn::Later {
            self.records.push(UriRecord { uri, end: out.len() });
        }
        flow
    }

    /// The stage tracks whether a record follows another one.
    fn separator(&self, _inner: &dyn Printer) -> &'static [u8] {
        b""
    }
}
