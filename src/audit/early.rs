//! What was read of documents before it was their turn, so that each is read once: [`EarlyDocuments`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::hash::{HashMap, HashSet};
use super::{facts, mdx, paths};
use crate::Finder;
use crate::audit::Facts;
use crate::search::InputText;

/// So many links are kept; what is read early after that is read again.
const MOST_LINKS: usize = 400_000;

/// So many bytes of text count as a link.
const LINK: usize = 256;

#[derive(Debug, Default)]
pub(super) struct EarlyDocuments(Mutex<KeptDocuments>);

/// A document that was read.
#[derive(Debug)]
pub(super) struct ReadDocument {
    pub facts: Facts,
    /// How many bytes the file has.
    pub bytes: u64,
}

impl ReadDocument {
    pub fn new(path: &Path, text: &InputText, finder: &Finder) -> Self {
        let prepared = mdx::prepared(path, text);
        let facts = facts::read(text.format(), &prepared, || prepared.clone(), finder);
        Self { facts, bytes: text.bytes_read() }
    }
}

#[derive(Debug, Default)]
struct KeptDocuments {
    by_path: HashMap<OsString, ReadDocument>,
    links: usize,
    /// The files and directories that are audited.
    roots: Vec<PathBuf>,
    /// Documents whose turn was: nobody asks for their facts again.
    past: HashSet<OsString>,
}

impl EarlyDocuments {
    /// What is at these paths and below them is audited.
    pub fn expect<'p>(&self, roots: impl Iterator<Item = &'p Path>) {
        let mut kept = self.kept();
        kept.roots.extend(roots.map(paths::without_dots));
        kept.roots.sort_unstable();
        kept.roots.dedup();
    }

    /// True when the document at this path would be kept.
    pub fn takes(&self, path: &Path) -> bool {
        let path = paths::without_dots(path);
        let kept = self.kept();
        // Paths that go up are not those of a walk of `.`.
        let is_expected = kept.roots.iter().any(|root| {
            path.starts_with(root) && (!root.as_os_str().is_empty() || !path.starts_with(".."))
        });
        is_expected && kept.links < MOST_LINKS && !kept.past.contains(path.as_os_str())
    }

    pub fn keep(&self, path: &Path, document: ReadDocument) {
        let path = paths::without_dots(path);
        let mut kept = self.kept();
        let size = size(&document);
        if kept.links + size <= MOST_LINKS && !kept.past.contains(path.as_os_str()) {
            kept.links += size;
            let before = kept.by_path.insert(path.into_os_string(), document);
            kept.links -= before.as_ref().map_or(0, self::size);
        }
    }

    /// The document at this path, whose turn it is.
    pub fn take(&self, path: &Path) -> Option<ReadDocument> {
        let path = paths::without_dots(path);
        let mut kept = self.kept();
        let document = kept.by_path.remove(path.as_os_str());
        kept.links -= document.as_ref().map_or(0, size);
        kept.past.insert(path.into_os_string());
        document
    }

    fn kept(&self) -> MutexGuard<'_, KeptDocuments> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(ReadDocument { facts, .. }: &ReadDocument) -> usize {
    facts.links().len() + facts.labels().len() + facts.names().len() + facts.kept_text() / LINK + 16
}
