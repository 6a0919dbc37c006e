//! The URIs of both sides, with the places of each.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use urigrep::Finding;
use urigrep::reference::Normalizer;
use urigrep::search::{Flow, Hit, Input, Level, Needs, Positions, Problem, Sink};

use crate::cli::output::Headroom;

/// A file of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedFile {
    /// The path that is printed.
    pub shown: Vec<u8>,
    /// The path that both sides have in common.
    pub key: Vec<u8>,
}

/// The place of a URI.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UriPlace {
    /// The number of its URI.
    pub uri: u32,
    /// The number of its file.
    pub file: u32,
    pub line: u64,
    /// The place that replaces the line, such as `page 3`.
    pub page: Option<Box<str>>,
}

/// A URI in its normal form.
#[derive(Debug)]
pub struct KnownUri {
    /// The spelling at its first place.
    pub text: Arc<str>,
    pub is_relative: bool,
}

/// The URIs of both sides; each is held once.
#[derive(Debug, Default)]
pub struct KnownUris {
    numbers: HashMap<Arc<str>, u32>,
    pub uris: Vec<KnownUri>,
    memory: Headroom,
}

impl KnownUris {
    /// Returns the number of the URI of a hit; `None` if there is no memory for another one.
    fn number(&mut self, hit: &Hit<'_>, normalizer: &Normalizer) -> Option<u32> {
        let normalized = hit.normalized(normalizer)?;
        // A DOI and the URL that resolves it are the same, as for `--unique`.
        let key = hit.unique_key(&normalized);
        if let Some(number) = self.numbers.get(&*key) {
            return Some(*number);
        }
        if !self.memory.has_room_for(&self.numbers, 0) {
            return None;
        }
        let number = u32::try_from(self.uris.len()).ok()?;
        let (uri, key): (_, Arc<str>) = (hit.uri(), Arc::from(&*key));
        // Most URIs are in their normal form, and share one text with the key.
        let text = if uri == *key { Arc::clone(&key) } else { Arc::from(&*uri) };
        let is_relative = matches!(hit.finding(), Finding::Relative(_));
        self.uris.push(KnownUri { text, is_relative });
        self.numbers.insert(key, number);
        Some(number)
    }
}

/// The places of one side.
#[derive(Debug, Default)]
pub struct SidePlaces {
    /// True if the side is an archive.
    pub is_archive: bool,
    pub files: Vec<PlacedFile>,
    pub places: Vec<UriPlace>,
}

impl SidePlaces {
    /// The first directory of all files, if they share one.
    fn common_directory(&self) -> Option<&[u8]> {
        let directory = |file: &'_ PlacedFile| memchr::memchr(b'/', &file.key).map(|at| at + 1);
        let first = self.files.first()?;
        let common = &first.key[..directory(first)?];
        self.files.iter().all(|file| file.key.starts_with(common)).then_some(common)
    }

    /// For an archive, the keys without that directory.
    fn inner_keys(&self) -> Option<Vec<Vec<u8>>> {
        if !self.is_archive {
            return None;
        }
        // Archives of releases have a directory with the version: `app-1.0/` and `app-1.1/`.
        let length = self.common_directory()?.len();
        Some(self.files.iter().map(|file| file.key[length..].to_vec()).collect())
    }

    fn keys(&self) -> Vec<Vec<u8>> {
        self.files.iter().map(|file| file.key.clone()).collect()
    }

    fn set_keys(&mut self, keys: Vec<Vec<u8>>) {
        for (file, key) in self.files.iter_mut().zip(keys) {
            file.key = key;
        }
    }
}

/// Leaves out the directory in which an archive has all of its files, if the sides then have more
/// paths in common. Releases are packed like that: `project-1.0/` and `project-1.1/`. In a tree,
/// another directory is a difference.
pub fn align(old: &mut SidePlaces, new: &mut SidePlaces) {
    let shared = |old: &[Vec<u8>], new: &[Vec<u8>]| {
        let old: std::collections::HashSet<_> = old.iter().collect();
        new.iter().filter(|key| old.contains(key)).count()
    };
    let (plain_old, plain_new) = (old.keys(), new.keys());
    let (inner_old, inner_new) = (old.inner_keys(), new.inner_keys());
    let mut best = (shared(&plain_old, &plain_new), None, None);
    let candidates = [(&inner_old, &None), (&None, &inner_new), (&inner_old, &inner_new)];
    for (inner_old, inner_new) in candidates {
        let keys = (inner_old.as_ref(), inner_new.as_ref());
        let count = shared(keys.0.unwrap_or(&plain_old), keys.1.unwrap_or(&plain_new));
        // Paths are changed only if that helps; otherwise the names of the archives stay.
        if count > best.0 {
            best = (count, inner_old.clone(), inner_new.clone());
        }
    }
    if let Some(keys) = best.1 {
        old.set_keys(keys);
    }
    if let Some(keys) = best.2 {
        new.set_keys(keys);
    }
}

/// Collects the places of one side.
pub struct PlacesSink<'s> {
    known: &'s mut KnownUris,
    normalizer: Normalizer,
    /// The start of the displayed paths that is not part of the key.
    prefix: &'s [u8],
    places: SidePlaces,
    /// The displayed path of the current file, which is in `places` from its first hit on.
    begun: Option<Vec<u8>>,
    pub problems: Vec<Problem>,
    is_full: bool,
}

impl<'s> PlacesSink<'s> {
    pub fn new(known: &'s mut KnownUris, normalizer: Normalizer, prefix: &'s Path) -> Self {
        Self {
            known,
            normalizer,
            prefix: prefix.as_os_str().as_encoded_bytes(),
            places: SidePlaces::default(),
            begun: None,
            problems: Vec::new(),
            is_full: false,
        }
    }

    /// True if there was not enough memory for all URIs.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    pub fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub fn into_places(self) -> (SidePlaces, Vec<Problem>) {
        (self.places, self.problems)
    }

    /// Returns the number of the current file.
    fn file(&mut self, input: &Input) -> u32 {
        let shown = input.display_path();
        if self.begun.as_deref() != Some(shown) {
            // The prefix has no `./`, which a path on the command line may have.
            let key = shown.strip_prefix(b"./").unwrap_or(shown);
            let key = key.strip_prefix(self.prefix).unwrap_or(key);
            let member = key.strip_prefix(b"!");
            self.places.is_archive |= member.is_some();
            let key = member.unwrap_or(key);
            let key = key.strip_prefix(b"/").unwrap_or(key);
            self.places.files.push(PlacedFile { shown: shown.to_vec(), key: key.to_vec() });
            self.begun = Some(shown.to_vec());
        }
        u32::try_from(self.places.files.len() - 1).unwrap_or(u32::MAX)
    }
}

impl Sink for PlacesSink<'_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let Some(uri) = self.known.number(hit, &self.normalizer) else {
            self.is_full = true;
            return Flow::StopAll;
        };
        let file = self.file(hit.input());
        let page = hit.place().filter(|place| place.replaces_line());
        self.places.places.push(UriPlace {
            uri,
            file,
            line: hit.position().map_or(0, |position| position.line),
            page: page.map(|page| page.to_string().into()),
        });
        Flow::Continue
    }

    fn begin(&mut self, _: &Input) {
        self.begun = None;
    }

    fn problem(&mut self, problem: &Problem) {
        self.report(problem.clone());
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().positions(Positions::Bytes).certainty(urigrep::finder::Certainty::Span)
    }
}
